#include "thalweg/project/tables/analysis_files.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/terrain_analyses.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stages/flow_stage.hpp"

#include <cmath>

#include "run_verb.hpp"
#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

/// A slope to the south with ridges and bumps, between which rivers meet.
Field<float> ridges() {
    Field<float> z(make_grid(12000.0, 12000.0, 120));
    for (int row = 0; row < 120; ++row)
        for (int column = 0; column < 120; ++column)
            z(column, row) = static_cast<float>(
                5.0 * (120 - row) + 80.0 * std::abs(std::sin(column * 0.11 + 0.02 * row)) +
                30.0 *
                    static_cast<double>(unit_float(random_bits(
                        1, Stream::SeedTerrain, static_cast<std::uint64_t>(z.grid().index(column, row))))));
    return z;
}

struct Analysed {
    ScratchFolder folder;
    RunResult result;

    Analysed(const Field<float>& z, const std::multimap<std::string, std::string>& files,
             const FlowStageParameters& parameters = {}) {
        write_raster(folder / "dem.tif", z, RasterFormat::GeoTiff);
        VerbOutput output{.primary = folder / "area.tif", .layers = {}};
        for (const auto& [name, file] : files) output.layers.emplace(name, folder / file);
        QuietProgress quiet;
        result = run_verb(find_stage("flow"), &parameters,
                          {.raster = folder / "dem.tif", .name = "ridges", .grid = {}}, output, quiet);
    }
    [[nodiscard]] std::string read(const std::string& file) const { return bytes_of(folder / file); }
};

TEST(AnalysisFiles, of_the_verb_flow_are_json_and_pictures_of_any_one_analysis_or_all) {
    const Analysed run(
        ridges(),
        {{"hack", "hack.json"}, {"hack", "hack.png"}, {"chi_profiles", "chi.svg"}, {"analyses", "all.json"}});
    EXPECT_EQ(run.result.files.size(), 5U);
    EXPECT_THAT(run.read("hack.png").substr(1, 3), "PNG");
    EXPECT_THAT(run.read("chi.svg"), HasSubstr("<svg"));
    const Json hack = Json::parse(run.read("hack.json"));
    EXPECT_EQ(hack.size(), 1U);
    const Json all = Json::parse(run.read("all.json"));
    EXPECT_EQ(all.at("hack"), hack.at("hack"));
    EXPECT_EQ(hack["hack"]["area_m2"].size(), hack["hack"]["length_m"].size());
    EXPECT_EQ(hack.at("hack").at("fit").at("exponent"),
              run.result.landscape.get<TerrainAnalyses>("analyses").hack->fit->exponent);
    const Json& bin = all.at("slope_area").at("bins").at(0);
    EXPECT_LE(bin.at("slope_lower_quartile"), bin.at("slope_median"));
    EXPECT_LE(bin.at("slope_median"), bin.at("slope_upper_quartile"));
    EXPECT_EQ(all.at("hypsometry").at("height").size(), 101U);
    EXPECT_EQ(all.at("hypsometry").at("whole").at("area_at_height").size(), 101U);
    EXPECT_EQ(all.at("hypsometry").at("whole").at("area_m2"), 12000.0 * 12000.0);
    const Json& basin = all.at("chi_profiles").at("basins").at(0);
    EXPECT_EQ(basin.at("streams").at(0).at("kind"), "trunk");
    EXPECT_EQ(basin.at("streams").at(0).at("distance_m").at(0), 0.0);
    EXPECT_EQ(basin.at("outlet_y_m"), 50.0);  // the south row
    EXPECT_GT(basin.at("fit").at("steepness").get<double>(), 0.0);
}

TEST(AnalysisFiles, of_level_ground_say_null_where_nothing_can_be_fitted) {
    const Analysed run(Field<float>(make_grid(3000.0, 3000.0, 30), 7.0F),
                       {{"analyses", "all.json"}, {"analyses", "all.png"}});
    const Json all = Json::parse(run.read("all.json"));
    EXPECT_TRUE(all.at("slope_area").at("fit").is_null());
    EXPECT_TRUE(all.at("hack").at("fit").is_null());
    EXPECT_TRUE(all.at("hypsometry").at("whole").at("integral").is_null());
    EXPECT_THAT(run.read("all.json"), ::testing::Not(HasSubstr("nan")));
}

TEST(AnalysisFiles, are_the_same_bytes_on_1_2_and_8_threads) {
    std::vector<std::string> bytes;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        const Analysed run(ridges(),
                           {{"analyses", "all.json"}, {"analyses", "all.png"}, {"analyses", "all.svg"}});
        bytes.push_back(run.read("all.json") + run.read("all.png") + run.read("all.svg"));
    }
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_EQ(bytes[0], bytes[2]);
}

TEST(AnalysisFiles, follow_the_parameters_of_the_stage) {
    FlowStageParameters parameters;
    parameters.analysis = {.least_area = 3e5, .drop = 0.0, .basins = 2, .tributaries = 1};
    parameters.chi.concavity = 0.3;
    const Analysed run(ridges(), {{"analyses", "all.json"}}, parameters);
    const Json all = Json::parse(run.read("all.json"));
    EXPECT_EQ(all.at("slope_area").at("drop_m"), 0.0);
    EXPECT_EQ(all.at("hack").at("least_area_m2"), 3e5);
    EXPECT_EQ(all.at("hypsometry").at("basins").size(), 2U);
    EXPECT_EQ(all.at("chi_profiles").at("concavity"), 0.3);
    EXPECT_LE(all.at("chi_profiles").at("basins").at(0).at("streams").size(), 2U);
}

TEST(AnalysisFiles, of_another_kind_are_refused_before_any_work) {
    try {
        const Analysed run(ridges(), {{"hack", "hack.tif"}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_THAT(error.what(), HasSubstr("hack.tif: analyses are written as .json, .png or .svg"));
    }
}

/// A project with a cone, drained.
std::string cone_project(const std::string& output) {
    return "[project]\nname = \"cone\"\n[grid]\nextent = [12000, 12000]\ncells = 60\n[[stage]]\nuse = "
           "\"shape\"\n"
           "[[stage]]\nuse = \"flow\"\n[output]\n" +
           output;
}

TEST(AnalysisFiles, of_a_project_are_written_in_the_formats_that_it_names) {
    const ScratchFolder folder;
    const auto files_of = [&](const std::string& output) {
        ProjectOverrides overrides;
        overrides.output_directory = folder / "out";
        const Project project = parse_project(cone_project(output), "cone.toml", folder / "", overrides);
        std::vector<std::string> names;
        for (const std::filesystem::path& file : run_project(project).files)
            names.push_back(file.filename().string());
        return names;
    };
    EXPECT_THAT(files_of("layers = [\"elevation\"]\npictures = []\nanalyses = [\"json\", \"png\"]\n"),
                ElementsAre("cone_elevation.tif", "cone_slope_area.json", "cone_slope_area.png",
                            "cone_hack.json", "cone_hack.png", "cone_hypsometry.json", "cone_hypsometry.png",
                            "cone_chi_profiles.json", "cone_chi_profiles.png", "manifest.json"));
    const Json manifest = Json::parse(bytes_of(folder / "out/manifest.json"));
    EXPECT_EQ(manifest["files"][1]["kind"], "analysis");
    EXPECT_EQ(manifest["files"][1]["layer"], "slope_area");
    EXPECT_THAT(files_of("layers = [\"elevation\"]\npictures = []\n"),
                ElementsAre("cone_elevation.tif", "manifest.json"));
    try {
        files_of("layers = [\"hack\"]\n");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("\"hack\", which is an analysis: give its formats in analyses"));
    }
}

}  // namespace
}  // namespace thalweg
