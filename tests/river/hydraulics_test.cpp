#include "thalweg/river/hydraulics.hpp"

#include "thalweg/core/error.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kGravity = 9.81;  // m/s^2

TEST(Hydraulics, a_hundred_square_kilometres_carry_ten_cubic_metres_a_second) {
    const HydraulicParameters parameters;
    EXPECT_NEAR(bankfull_discharge(100e6, parameters), 10.1, 0.05);
    EXPECT_DOUBLE_EQ(bankfull_discharge(1e6, parameters), 0.42);
    EXPECT_EQ(bankfull_discharge(0.0, parameters), 0.0);
}

TEST(Hydraulics, mean_discharge_is_the_runoff_of_the_whole_area) {
    EXPECT_DOUBLE_EQ(mean_discharge(100e6, {.runoff_rate = 0.31557600}), 1.0);
    EXPECT_EQ(mean_discharge(0.0, {}), 0.0);
    EXPECT_LT(mean_discharge(100e6, {}), 0.1 * bankfull_discharge(100e6, {}));
}

TEST(Hydraulics, the_factor_scales_bankfull_discharge) {
    EXPECT_DOUBLE_EQ(bankfull_discharge(5e6, {.bankfull_factor = 0.2}), 0.2 * bankfull_discharge(5e6, {}));
}

TEST(Hydraulics, slow_flow_obeys_manning_continuity_and_the_width_relation) {
    const HydraulicParameters parameters;
    for (const double discharge : {0.01, 1.0, 50.0, 8000.0}) {
        for (const double slope : {1e-4, 1e-3, 3e-3}) {
            const ChannelFlow flow = channel_flow(discharge, slope, parameters);
            EXPECT_NEAR(flow.velocity, std::pow(flow.depth, 2.0 / 3.0) * std::sqrt(slope) / 0.04,
                        1e-9 * flow.velocity);
            EXPECT_NEAR(flow.width, 18.8 * std::pow(flow.depth, 1.41), 1e-9 * flow.width);
            EXPECT_NEAR(flow.width * flow.depth * flow.velocity, discharge, 1e-9 * discharge);
            EXPECT_LT(flow.velocity, std::sqrt(kGravity * flow.depth));
        }
    }
}

TEST(Hydraulics, fast_flow_is_held_at_the_greatest_froude_number_and_still_carries_its_discharge) {
    for (const double froude : {0.7, 1.0}) {
        const HydraulicParameters parameters{.maximum_froude = froude};
        const ChannelFlow flow = channel_flow(30.0, 0.3, parameters);
        EXPECT_NEAR(flow.velocity / std::sqrt(kGravity * flow.depth), froude, 1e-9);
        EXPECT_NEAR(flow.width, 18.8 * std::pow(flow.depth, 1.41), 1e-9 * flow.width);
        EXPECT_NEAR(flow.width * flow.depth * flow.velocity, 30.0, 1e-9);
        EXPECT_GT(flow.depth, channel_flow(30.0, 0.3, {.maximum_froude = 10.0}).depth);
    }
}

TEST(Hydraulics, depth_changes_without_a_jump_where_the_cap_sets_in) {
    double previous = channel_flow(5.0, 1e-3, {}).depth;
    for (double slope = 1e-3; slope < 0.2; slope *= 1.01) {
        const double depth = channel_flow(5.0, slope, {}).depth;
        EXPECT_LE(depth, previous);
        EXPECT_LT(previous - depth, 0.005 * depth);
        previous = depth;
    }
}

TEST(Hydraulics, slopes_below_the_least_count_as_the_least) {
    const double at_least = channel_flow(5.0, 1e-4, {}).depth;
    EXPECT_EQ(channel_flow(5.0, 0.0, {}).depth, at_least);
    EXPECT_EQ(channel_flow(5.0, -0.1, {}).depth, at_least);
    EXPECT_GT(channel_flow(5.0, 0.0, {.minimum_slope = 1e-6}).depth, at_least);
}

TEST(Hydraulics, a_dry_channel_is_nothing) {
    for (const double discharge : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
        const ChannelFlow flow = channel_flow(discharge, 0.01, {});
        EXPECT_EQ(flow.width, 0.0);
        EXPECT_EQ(flow.depth, 0.0);
        EXPECT_EQ(flow.velocity, 0.0);
    }
}

TEST(Hydraulics, parameters_out_of_range_are_refused) {
    HydraulicParameters parameters;
    const ParameterTable& table = parameters_of<HydraulicParameters>();
    EXPECT_THROW(table.at("manning_roughness").set(&parameters, Value(0.0)), Error);
    EXPECT_THROW(table.at("minimum_slope").set(&parameters, Value(0.0)), Error);
    EXPECT_THROW(table.at("maximum_froude").set(&parameters, Value(-1.0)), Error);
    EXPECT_EQ(parameters.manning_roughness, 0.04);
}

TEST(Hydraulics, finds_the_depth_from_the_width_that_a_flow_has) {
    EXPECT_DOUBLE_EQ(depth_of_width(18.8), 1.0);
    for (const double flow : {0.3, 20.0, 5000.0}) {
        const ChannelFlow channel = channel_flow(flow, 0.001, {});
        EXPECT_NEAR(depth_of_width(channel.width), channel.depth, 1e-12 * channel.depth);
    }
}

}  // namespace
}  // namespace thalweg
