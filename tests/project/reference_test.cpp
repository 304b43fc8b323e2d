#include "thalweg/project/reference.hpp"

#include <set>

#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

TEST(Reference, is_what_the_declarations_say) {
    const std::filesystem::path folder = std::filesystem::path(THALWEG_SOURCE_DIR) / "docs/reference";
    std::set<std::string> names;
    for (const ReferencePage& page : reference_pages()) {
        names.insert(page.file_name);
        EXPECT_TRUE(bytes_of(folder / page.file_name) == page.text)
            << "docs/reference/" << page.file_name
            << " is stale: run thalweg stages --markdown docs/reference and commit it";
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        EXPECT_TRUE(names.contains(entry.path().filename().string())) << entry.path();
}

TEST(Reference, tells_unit_default_range_and_source_of_a_parameter) {
    const std::string page = stage_page(find_stage("erode"));
    EXPECT_THAT(page,
                HasSubstr("| `uplift` | m/yr | `0.001` | number, layer or raster file, from -1 to 1 m/yr |"));
    EXPECT_THAT(page, HasSubstr("*Tzathas et al. 2024, table 1*"));
    EXPECT_THAT(page, HasSubstr("Reads `elevation`. Writes `elevation`, `wear`, `deposit`, "));
    EXPECT_THAT(stage_page(find_stage("strokes")), HasSubstr("Each table of `strokes` holds:"));
    EXPECT_THAT(project_page(), HasSubstr("## [output]"));
    EXPECT_THAT(layers_page(), HasSubstr("| `drainage_area` | m^2 |"));
}

}  // namespace
}  // namespace thalweg
