// What verbs tell in their reports.
#include "thalweg/project/plan.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/project/stages/erode_stage.hpp"
#include "thalweg/project/verb_start.hpp"

#include <memory>
#include <string>
#include <vector>

#include "tests/cli/verbs.hpp"
#include "tests/sanitizers.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

TEST_F(Verbs, report_tells_times_parameters_and_files) {
    write_terrain("dem.tif");
    expect_done({"erode", "dem.tif", "--time", "20000", "--threads", "2", "--repeat", "3", "-o", "aged.tif",
                 "--report", "report.json"},
                "aged.tif\n");
    const auto report = nlohmann::json::parse(read("report.json"));
    EXPECT_GT(report["solve_ms"].get<double>(), 0.0);
    EXPECT_TRUE(report["phases_ms"].is_object());
    EXPECT_EQ(report["threads"], 2);
    EXPECT_EQ(report["cells"], 48 * 48);
    EXPECT_GT(report["peak_memory_bytes"].get<std::int64_t>(), 1 << 20);
    EXPECT_EQ(report["parameters"]["time"], 20000.0);
    EXPECT_TRUE(report["diagnostics"].is_object());
    EXPECT_EQ(report["stages"][0]["repeats_ms"].size(), 3U);
    EXPECT_EQ(report["files"], nlohmann::json({"aged.tif"}));
}

TEST_F(Verbs, reports_of_water_tell_the_same_names_by_every_verb) {
    expect_done({"noise", "--cells", "80", "--extent", "8e3,8e3", "-o", "dem.tif"}, "dem.tif\n");
    const auto told_by = [&](std::vector<std::string> arguments) {
        for (const char* more : {"-o", "out", "--report", "report.json"}) arguments.emplace_back(more);
        arguments[arguments.size() - 3] = arguments.front() == "rivers" ? "out.gpkg" : "out.tif";
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        return nlohmann::json::parse(read("report.json")).at("diagnostics");
    };
    const std::vector<std::string> of_routing = {
        "pits", "lakes", "lake_volume", "volume_error", "outlet_area_error", "cells_per_second"};
    for (const std::vector<std::string>& verb : {std::vector<std::string>{"flow", "dem.tif"},
                                                 {"flow", "dem.tif", "--depressions", "lakes"},
                                                 {"flow", "dem.tif", "--memory-limit", "64"},
                                                 {"rivers", "dem.tif", "--min-area", "2e5"},
                                                 {"rivers", "dem.tif", "--depressions", "lakes"}}) {
        SCOPED_TRACE(fmt::format("{}", fmt::join(verb, " ")));
        const nlohmann::json told = told_by(verb);
        for (const std::string& name : of_routing) EXPECT_TRUE(told.contains(name)) << name;
        EXPECT_GT(told.at("pits"), 0);
        EXPECT_LT(told.at("outlet_area_error"), 1e-12);
        EXPECT_GT(told.at("cells_per_second"), 0.0);
        const bool has_lakes = verb.back() == "lakes";
        EXPECT_EQ(told.at("lakes") > 0, has_lakes);
        EXPECT_EQ(told.at("lake_volume") > 0.0, has_lakes);
        EXPECT_EQ(told.at("volume_error").is_number(), has_lakes);
    }
    const std::vector<std::string> of_networks = {"reaches", "max_strahler", "trunk_length_m",
                                                  "hack_exponent", "cells_per_second"};
    const nlohmann::json rivers = told_by({"rivers", "dem.tif", "--min-area", "2e5"});
    const nlohmann::json rain =
        told_by({"rain", "--columns", "60", "--rows", "40", "--events", "500", "--river-visits", "20"});
    for (const std::string& name : of_networks) {
        EXPECT_TRUE(rivers.at(name).is_number()) << name;
        EXPECT_TRUE(rain.contains(name)) << name;
    }
    EXPECT_EQ(rain.at("events"), 500);
    EXPECT_GT(rain.at("trunk_length_m"), 0.0);
    // No reach, and so no exponent: not a number that never was.
    EXPECT_TRUE(told_by({"rivers", "dem.tif", "--min-area", "1e12"}).at("hack_exponent").is_null());
}

TEST_F(Verbs, erosion_and_its_report_take_no_more_memory_than_is_foretold) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take more memory than is foretold";
    const auto peak_of = [&](const std::string& time) {
        const Ran ran = run({"erode", "noise.tif", "--uplift", "1e-3", "--time", time, "-o", "aged.tif",
                             "--report", "report.json"});
        EXPECT_EQ(ran.exit_code, 0) << ran.errors;
        return nlohmann::json::parse(read("report.json"))["peak_memory_bytes"].get<double>();
    };
    constexpr double kCells = 1200.0 * 1200.0;
    ASSERT_EQ(run({"noise", "--kind", "white", "--cells", "1200", "--extent", "24e3,24e3", "-o", "noise.tif"})
                  .exit_code,
              0);
    Project project = verb_project(find_stage("erode"), std::make_shared<ErodeParameters>());
    start_from(project, {.file = path("noise.tif")});
    project.named_files = {{"elevation", "aged.tif"}};
    const Plan plan = plan_project(project);
    EXPECT_LT(peak_of("1e6"), static_cast<double>(plan.peak_bytes));
    // About 72 bytes a cell, and the program.
    EXPECT_LT(peak_of("inf"), 85.0 * kCells + 64.0 * 1024.0 * 1024.0);
}

TEST_F(Verbs, report_to_standard_output_stands_alone) {
    write_terrain("dem.tif");
    const Ran ran = run({"flow", "dem.tif", "-o", "area.tif", "--report", "-"});
    EXPECT_EQ(ran.exit_code, 0) << ran.errors;
    EXPECT_EQ(nlohmann::json::parse(ran.output)["files"], nlohmann::json({"area.tif"}));
}

}  // namespace
}  // namespace thalweg
