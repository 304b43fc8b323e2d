#include "thalweg/erosion/slope_classes.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/erosion/erode.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

const std::vector<SlopeClass> kRiversAndSides = {{.area = 0.0, .slope = 0.6}, {.area = 2e5, .slope = 0.06}};

ErosionInputs problem(int cells, float uplift) {
    ErosionInputs inputs;
    inputs.grid = make_grid(12800.0, 12800.0, cells);
    inputs.elevation = constant_source(50.0F);
    inputs.uplift = constant_source(uplift);
    return inputs;
}

TEST(SlopeClasses, give_every_area_the_slope_of_the_last_class_that_it_exceeds) {
    const std::vector<SlopeClass> classes = {{0.0, 0.8}, {100.0, 0.3}, {1e4, 0.01}};
    const std::vector<float> area = {0.0F, 1.0F, 100.0F, 100.01F, 1e4F, 1.001e4F, 1e12F};
    std::vector<float> slope(area.size());
    prescribed_slopes(classes, area, slope);
    EXPECT_THAT(slope, ::testing::ElementsAre(0.8F, 0.8F, 0.8F, 0.3F, 0.3F, 0.01F, 0.01F));
}

TEST(SlopeClasses, along_one_channel_add_up_to_its_elevation) {
    constexpr int kCells = 200;
    constexpr double kCellSize = 100.0;  // m
    ErosionInputs inputs;
    inputs.grid = Grid{.columns = kCells, .rows = 1, .cell_size = kCellSize, .north = kCellSize};
    inputs.elevation = constant_source(7.0F);
    inputs.uplift = constant_source(0.0F);
    inputs.boundary = Field<std::uint8_t>(inputs.grid, 0);
    inputs.boundary[0] = 1;
    ErosionParameters parameters;
    parameters.lattice = ErosionLattice::FourNeighbours;
    parameters.slope_classes = {{0.0, 0.5}, {3.05e5, 0.2}, {1.205e6, 0.02}};
    const Field<float> z = erode(inputs, parameters, 3, progress).elevation;
    double expected = 7.0;
    for (int i = 1; i < kCells; ++i) {
        const int drained = kCells - i;  // cells of 1e4 m^2
        expected += kCellSize * (drained > 120 ? 0.02 : drained > 30 ? 0.2 : 0.5);
        ASSERT_NEAR(z(i, 0), expected, 1e-3) << i;
    }
}

TEST(SlopeClasses, hold_whatever_the_uplift_and_the_law) {
    ErosionParameters parameters;
    parameters.slope_classes = kRiversAndSides;
    const ErosionResult still = erode(problem(64, 0.0F), parameters, 3, progress);
    EXPECT_LT(still.report.residual_p99, 1e-4);
    parameters.law.erodibility = 1e-4;
    parameters.law.hillslope = false;
    parameters.law.thermal = false;
    EXPECT_EQ(erode(problem(64, 2e-3F), parameters, 3, progress).elevation, still.elevation);
    parameters.slope_classes.clear();
    EXPECT_NE(erode(problem(64, 2e-3F), parameters, 3, progress).elevation, still.elevation);
}

TEST(SlopeClasses, hold_ridges_between_rivers_alone_and_sides_alone) {
    ErosionParameters parameters;
    parameters.slope_classes = kRiversAndSides;
    const Field<float> z = erode(problem(128, 0.0F), parameters, 3, progress).elevation;
    const float highest = *std::max_element(z.begin(), z.end());
    EXPECT_GT(highest, 50.0F + 0.06F * 6400.0F);
    EXPECT_LT(highest, 50.0F + 0.6F * 6400.0F);
}

TEST(SlopeClasses, are_the_same_on_1_and_8_threads) {
    ErosionParameters parameters;
    parameters.slope_classes = kRiversAndSides;
    const ExecutionScope on_one_thread({.threads = 1});
    const Field<float> once = erode(problem(300, 0.0F), parameters, 3, progress).elevation;
    const ExecutionScope on_eight_threads({.threads = 8});
    EXPECT_EQ(erode(problem(300, 0.0F), parameters, 3, progress).elevation, once);
}

TEST(SlopeClasses, that_mean_nothing_are_refused_in_one_sentence) {
    const auto message = [](std::vector<SlopeClass> classes, ErosionParameters parameters = {}) {
        parameters.slope_classes = std::move(classes);
        try {
            erode(problem(32, 0.0F), parameters, 3, progress);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(message({{10.0, 0.5}}),
              "the first slope class begins at 10 m^2: give 0 m^2, so that all ground has one");
    EXPECT_EQ(message({{0.0, 0.5}, {100.0, 0.2}, {100.0, 0.1}}),
              "slope class 3 begins at 100 m^2: give more than the 100 m^2 of the class before");
    EXPECT_EQ(message({{0.0, 0.5}, {100.0, 0.0}}), "slope class 2 has a slope of 0: give more than 0 m/m");
    EXPECT_EQ(message(kRiversAndSides, {.time = 1e5}),
              "slope_classes are only allowed with time = inf, and time is 100000 yr: they say how steep the "
              "ground ends, and not how fast");
    EXPECT_EQ(message(kRiversAndSides, {.method = ErosionMethod::Stepping}),
              "slope_classes are not allowed with method = \"stepping\": give \"analytical\" or "
              "\"fixed_point\"");
    EXPECT_EQ(message(kRiversAndSides, {.method = ErosionMethod::FixedPoint}), "no error");
}

}  // namespace
}  // namespace thalweg
