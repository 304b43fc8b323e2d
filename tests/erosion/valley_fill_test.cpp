// Alluvium in valleys: how wide and deep, and that water keeps its way.
#include "thalweg/erosion/valley_fill.hpp"

#include "thalweg/flow/route.hpp"
#include "thalweg/noise/noise.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kSideSlope = 0.3;  // m/m, of the valley's sides
constexpr double kCellSize = 10.0;  // m
constexpr ValleyFloorParameters kEven = {.width_exponent = 0.0, .floor_area = 1.0};
constexpr ValleyFillParameters kFill = {.fill = 24.0, .fill_slope = 0.02};

/// A V-shaped valley, 810 m wide and 6 km long, whose river falls by `slope` to the south along the middle.
Field<float> valley(double slope, double cell_size = kCellSize, double side_slope = kSideSlope) {
    const int half = static_cast<int>(400.0 / cell_size);  // cells
    Field<float> z(
        Grid{.columns = 2 * half + 1, .rows = static_cast<int>(6000.0 / cell_size), .cell_size = cell_size});
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column)
            z(column, row) = static_cast<float>(
                cell_size * (side_slope * std::abs(column - half) + slope * (z.rows() - row)));
    return z;
}

/// Ranges and valleys of many rivers.
Field<float> hills(int cells) {
    NoiseParameters noise;
    noise.amplitude = 1200.0;
    noise.wavelength = 6000.0;
    noise.octaves = 6;
    return make_noise(make_grid(12800.0, 12800.0, cells), noise, 3, progress);
}

struct Filled {
    FlowResult flow;
    ValleyFill fill;
};

Filled filled(const Field<float>& elevation, const ValleyFillParameters& parameters,
              const ValleyFloorParameters& floors = {}) {
    Filled result = {.flow = route(elevation, {}, progress), .fill = {}};
    result.fill = fill_valleys(result.flow, parameters, floors, progress);
    return result;
}

TEST(ValleyFill, is_level_across_a_valley_as_far_as_its_thickness_reaches_up_the_sides) {
    const Field<float> before = valley(0.005);
    const Filled result = filled(before, kFill, kEven);
    // T (1 - S / S_f); the ground beside falls to the river by 0.01.
    const double thickness = 24.0 * (1.0 - 0.005 / 0.02);
    const int middle = 300;
    EXPECT_NEAR(result.fill.thickness(40, middle), thickness, 0.01);
    for (int off = 1; off < 40; ++off) {
        const double level = thickness + 0.01 * kCellSize * off;
        const double side = kSideSlope * kCellSize * off;
        EXPECT_NEAR(result.fill.elevation(40 + off, middle) - before(40, middle), std::max(side, level), 0.02)
            << off;
    }
}

TEST(ValleyFill, thickens_from_where_water_leaves_and_is_none_in_steep_rivers) {
    const Filled gentle = filled(valley(0.005), kFill, kEven);
    EXPECT_EQ(gentle.fill.thickness(40, 599), 0.0F);
    EXPECT_NEAR(gentle.fill.thickness(40, 579), 0.02 * 20 * kCellSize, 0.01);
    EXPECT_EQ(filled(valley(0.03), kFill, kEven).fill.filled_cells, 0);
    const Filled none = filled(valley(0.005), {.fill = 0.0}, kEven);
    EXPECT_EQ(none.fill.elevation, none.flow.elevation);
}

TEST(ValleyFill, is_no_thicker_than_half_of_the_lower_wall) {
    // Sides of 400 m that rise by 0.02: walls of 8 m.
    const Filled result = filled(valley(0.005, kCellSize, 0.02), kFill, kEven);
    EXPECT_NEAR(result.fill.thickness(40, 300), 4.0, 0.01);
    for (const float thickness : result.fill.thickness) ASSERT_LE(thickness, 4.01F);
}

TEST(ValleyFill, keeps_every_river_on_its_way_and_leaves_no_pit) {
    const Filled result = filled(hills(160), {.fill = 60.0, .fill_slope = 0.1});
    const FlowTree& tree = result.flow.tree;
    ASSERT_GT(result.fill.filled_cells, 500);
    for (const std::int32_t cell : tree.order) {
        const std::int32_t receiver = tree.receiver(cell);
        ASSERT_GE(result.fill.elevation[cell], result.flow.elevation[cell]);
        if (receiver < 0 || result.fill.thickness[cell] == 0.0F) continue;
        ASSERT_GT(result.fill.elevation[cell], result.fill.elevation[receiver]);
    }
    EXPECT_EQ(route(result.fill.elevation, {}, progress).pits, 0);
}

TEST(ValleyFill, fills_the_valley_behind_of_a_stream_that_lays_nothing_down) {
    // Streams that drain less than floor_area come to a filled river.
    const Filled result = filled(hills(160), {.fill = 60.0, .fill_slope = 0.1}, {.floor_area = 4e6});
    std::int64_t behind = 0;
    for (const std::int32_t cell : result.flow.tree.order)
        if (result.flow.drained_area(cell) > 4e5 && result.flow.drained_area(cell) < 4e6 &&
            result.fill.thickness[cell] > 5.0F)
            ++behind;
    EXPECT_GT(behind, 20);
}

TEST(ValleyFill, has_the_volume_of_its_thickness_and_nearly_the_same_on_finer_cells) {
    const Filled coarse = filled(valley(0.005, 20.0), kFill, kEven);
    double volume = 0.0;
    for (const float thickness : coarse.fill.thickness) volume += static_cast<double>(thickness);
    volume *= coarse.fill.thickness.grid().cell_area();
    EXPECT_NEAR(coarse.fill.volume, volume, 1e-9 * volume);
    EXPECT_NEAR(filled(valley(0.005), kFill, kEven).fill.volume, volume, 0.03 * volume);
}

TEST(ValleyFill, stops_when_it_is_cancelled) {
    const FlowResult flow = route(hills(160), {}, progress);
    QuietProgress cancelled;
    cancelled.cancel();
    EXPECT_THROW(fill_valleys(flow, {.fill = 10.0}, {}, cancelled), Cancelled);
}

}  // namespace
}  // namespace thalweg
