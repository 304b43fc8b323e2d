#include "thalweg/project/stage_run.hpp"

#include "thalweg/core/progress.hpp"
#include "thalweg/project/dataset_catalogue.hpp"

#include <exception>
#include <functional>
#include <stdexcept>

#include "flat_land.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

Landscape land() {
    Landscape landscape = flat_land();
    landscape.set("uplift", Field<float>(landscape.grid, 1.0F));
    return landscape;
}

/// Runs `work` as a stage that declares that it reads elevation and writes slope.
void run_as_slope(const std::function<void(Landscape&)>& work, Landscape& landscape) {
    Stage stage = find_stage("rain");
    stage.reads = {"elevation"};
    stage.reads_if_present = {};
    stage.writes = {"slope"};
    stage.run = [&](const void*, StageContext& context) { work(context.landscape); };
    QuietProgress quiet;
    run_stage({&stage, "test", stage.make_parameters(), {}}, {}, landscape, quiet);
}

TEST(RunStage, shows_a_stage_only_what_it_declares) {
    Landscape landscape = land();
    run_as_slope(
        [](Landscape& seen) {
            EXPECT_TRUE(seen.has("elevation"));
            EXPECT_FALSE(seen.has("uplift"));
        },
        landscape);
    EXPECT_TRUE(landscape.has("uplift"));
}

TEST(RunStage, takes_from_a_stage_only_what_it_declares) {
    Landscape landscape = land();
    run_as_slope([](Landscape& seen) { seen.set("slope", Field<float>(seen.grid, 0.5F)); }, landscape);
    EXPECT_EQ(landscape.layer("slope")(2, 2), 0.5F);
    EXPECT_EQ(landscape.layer("elevation")(2, 2), 5.0F);
    const auto leaves = [&](const char* name) {
        run_as_slope([&](Landscape& seen) { seen.set(name, Field<float>(seen.grid, 7.0F)); }, landscape);
    };
    EXPECT_THROW(leaves("elevation"), std::logic_error);
    EXPECT_THROW(leaves("chi"), std::logic_error);
}

TEST(RunStage, does_not_copy_what_a_stage_looks_at) {
    Landscape landscape = land();
    const float* const values = landscape.layer("elevation").data();
    run_as_slope([&](Landscape& seen) { EXPECT_EQ(seen.layer("elevation").data(), values); }, landscape);
}

TEST(Cancelled, is_an_exception_for_code_that_knows_no_other) {
    QuietProgress quiet;
    quiet.cancel();
    EXPECT_THROW(quiet.poll(), std::exception);
}

}  // namespace
}  // namespace thalweg
