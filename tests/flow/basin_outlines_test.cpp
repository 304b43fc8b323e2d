#include "thalweg/flow/basin_outlines.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

QuietProgress progress;

double area_of(const Neighbourhood& ring) {
    double sum = 0.0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Position a = ring[i], b = ring[(i + 1) % ring.size()];
        sum += 0.5 * (a.x * b.y - b.x * a.y);
    }
    return sum;
}

double area_of(const BasinOutline& basin) {
    double area = 0.0;
    for (const OutlinePart& part : basin.parts) {
        area += area_of(part.outer);
        for (const Neighbourhood& hole : part.holes) area += area_of(hole);
    }
    return area;
}

bool is_upstream(const FlowTree& tree, std::int32_t cell, std::int32_t of) {
    while (cell >= 0 && cell != of) cell = tree.receiver(cell);
    return cell == of;
}

TEST(BasinOutlines, have_the_area_and_heights_of_the_cells_that_drain_to_each_outlet) {
    Field<float> z = tests::white_terrain(60, 50, 3);
    tests::cut_out(z, 20, 20, 26, 24);
    const FlowResult flow = route(z, {}, progress);
    const Field<std::int32_t> label = basin_labels(flow.tree);
    const BasinOutlines outlines = outline_basins(flow.tree, z, 3000.0, progress);
    ASSERT_GT(outlines.basins.size(), 5U);
    std::int32_t before = 0;
    for (const BasinOutline& basin : outlines.basins) {
        EXPECT_GT(basin.id, before);
        before = basin.id;
        EXPECT_FALSE(basin.pour_point.has_value());
        double area = 0.0, least = 1e9, greatest = -1e9, sum = 0.0;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            if (label[cell] != basin.id) continue;
            area += 100.0;
            least = std::min(least, static_cast<double>(z[cell]));
            greatest = std::max(greatest, static_cast<double>(z[cell]));
            sum += static_cast<double>(z[cell]);
        }
        EXPECT_GE(area, 3000.0);
        EXPECT_EQ(basin.area, area);
        EXPECT_NEAR(area_of(basin), area, 1e-6);
        EXPECT_EQ(basin.least, least);
        EXPECT_EQ(basin.greatest, greatest);
        EXPECT_NEAR(basin.mean, sum / (area / 100.0), 1e-9);
    }
    std::size_t large = 0;
    for (std::int32_t cell = 0; cell < z.size(); ++cell)
        large += flow.tree.direction[at(cell)] == kRoot && flow.drainage_area[cell] >= 3000.0 ? 1 : 0;
    EXPECT_EQ(outlines.basins.size(), large);
}

TEST(BasinOutlines, of_a_pour_point_are_all_cells_whose_water_passes_there) {
    const Field<float> z = tests::white_terrain(60, 50, 4);
    const FlowResult flow = route(z, {}, progress);
    const std::vector<PourPoint> points = {{155.0, -205.0}, {305.0, -255.0}, {311.0, -259.0}};
    const BasinOutlines outlines =
        outline_catchments(flow.tree, z, flow.drainage_area, points, 0.0, progress);
    ASSERT_EQ(outlines.basins.size(), 3U);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const BasinOutline& basin = outlines.basins[i];
        const auto outlet = static_cast<std::int32_t>(
            z.grid().index(static_cast<int>(std::lround(z.grid().column_at(basin.outlet.x))),
                           static_cast<int>(std::lround(z.grid().row_at(basin.outlet.y)))));
        EXPECT_LE(std::abs(basin.outlet.x - points[i].x), 5.0);
        EXPECT_LE(std::abs(basin.outlet.y - points[i].y), 5.0);
        EXPECT_EQ(basin.pour_point->x, points[i].x);
        EXPECT_EQ(basin.id, static_cast<std::int32_t>(i) + 1);
        double area = 0.0;
        for (std::int32_t cell = 0; cell < z.size(); ++cell)
            area += is_upstream(flow.tree, cell, outlet) ? 100.0 : 0.0;
        EXPECT_EQ(basin.area, area);
        EXPECT_EQ(basin.area, flow.drainage_area[outlet]);
        EXPECT_NEAR(area_of(basin), area, 1e-6);
    }
}

TEST(BasinOutlines, move_a_pour_point_to_where_the_most_water_passes_within_the_distance) {
    const Field<float> z = tests::white_terrain(60, 50, 5);
    const FlowResult flow = route(z, {}, progress);
    const PourPoint point{302.0, -243.0};
    for (const double distance : {0.0, 14.0, 50.0, 1e4}) {
        double largest = 0.0;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            const double x = z.grid().x(z.grid().column_of(cell)), y = z.grid().y(z.grid().row_of(cell));
            const bool is_own = std::abs(x - point.x) <= 5.0 && std::abs(y - point.y) <= 5.0;
            if (is_own || std::hypot(x - point.x, y - point.y) <= distance)
                largest = std::max(largest, flow.drainage_area[cell]);
        }
        const BasinOutlines outlines =
            outline_catchments(flow.tree, z, flow.drainage_area, std::vector{point}, distance, progress);
        EXPECT_EQ(outlines.basins[0].area, largest) << distance;
    }
}

TEST(BasinOutlines, refuse_pour_points_off_the_terrain) {
    Field<float> z = tests::white_terrain(20, 20, 5);
    tests::cut_out(z, 5, 5, 8, 8);
    const FlowResult flow = route(z, {}, progress);
    const auto refusal = [&](const PourPoint& point) {
        try {
            (void)outline_catchments(flow.tree, z, flow.drainage_area,
                                     std::vector{PourPoint{20.0, -20.0}, point}, 1e4, progress);
            return std::string();
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    EXPECT_THAT(refusal({1e9, -50.0}),
                HasSubstr("pour_points[1] at 1000000000, -50 m lies outside the grid"));
    EXPECT_THAT(refusal({std::nan(""), -50.0}), HasSubstr("outside the grid"));
    EXPECT_THAT(refusal({65.0, -65.0}), HasSubstr("on a cell without data"));
}

TEST(BasinOutlines, of_difficult_terrains_cover_every_cell_once) {
    for (const Field<float>& z : tests::difficult_terrains()) {
        const FlowResult flow = route(z, {}, progress);
        double area = 0.0, of_cells = 0.0;
        for (const BasinOutline& basin : outline_basins(flow.tree, z, 0.0, progress).basins)
            area += area_of(basin);
        for (const float height : z) of_cells += is_no_data(height) ? 0.0 : 100.0;
        EXPECT_NEAR(area, of_cells, 1e-5 * of_cells);
    }
}

}  // namespace
}  // namespace thalweg
