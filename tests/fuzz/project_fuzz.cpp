// Any text given as a project ends in a plan or in one Error, never in a crash. Nothing is written, no stage
// runs.
#include "thalweg/core/error.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const thalweg::Project project =
            thalweg::parse_project(text, "fuzz.toml", THALWEG_SOURCE_DIR "/examples");
        thalweg::plan_text(project, thalweg::plan_project(project));
    } catch (const thalweg::Error&) {
        // A refusal is what a broken project should get.
    }
    return 0;
}
