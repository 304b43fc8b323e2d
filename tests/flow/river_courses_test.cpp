#include "thalweg/flow/river_courses.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/erosion/drawn_river.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::cut_out;
using tests::white_terrain;

FlowResult routed(const Field<float>& z, Depressions depressions = Depressions::Breach) {
    QuietProgress progress;
    return route(z, {.conditioning = {.depressions = depressions}}, progress);
}

std::int64_t lead(const RiverCourses& courses, FlowResult& flow) {
    QuietProgress progress;
    return lead_along(courses, flow, progress);
}

/// A chain of cells as a course.
RiverCourses course_of(const Grid& grid, const std::vector<std::pair<int, int>>& cells) {
    RiverCourses courses;
    for (std::size_t i = 0; i + 1 < cells.size(); ++i)
        for (std::uint8_t d = 0; d < 8; ++d)
            if (cells[i].first + kColumnStep[d] == cells[i + 1].first &&
                cells[i].second + kRowStep[d] == cells[i + 1].second)
                courses.cells.push_back(
                    {static_cast<std::int32_t>(grid.index(cells[i].first, cells[i].second)), d});
    EXPECT_EQ(courses.cells.size() + 1, cells.size()) << "a gap in the course";
    std::ranges::sort(courses.cells, {}, &CourseCell::cell);
    return courses;
}

/// The cells from `cell` to a root; fails where they lead in a circle.
std::vector<std::int32_t> path_from(const FlowTree& tree, std::int32_t cell) {
    std::vector<std::int32_t> way;
    for (; cell >= 0; cell = tree.receiver(cell)) {
        way.push_back(cell);
        if (std::ssize(way) > tree.grid.cells()) {
            ADD_FAILURE() << "a circle";
            break;
        }
    }
    return way;
}

/// Every way ends at a root without rising, areas are those of the tree, and all that falls leaves.
void expect_sound_flow(const FlowResult& flow) {
    const FlowTree& tree = flow.tree;
    double leaves = 0.0;
    std::int64_t cells = 0;
    std::vector<double> area(tree.direction.size(), 0.0);
    for (std::int32_t cell = 0; cell < tree.grid.cells(); ++cell) {
        if (tree.direction[at(cell)] == kOutside) continue;
        ++cells;
        const std::vector<std::int32_t> way = path_from(tree, cell);
        ASSERT_EQ(tree.direction[at(way.back())], kRoot);
        for (const std::int32_t below : way) area[at(below)] += tree.grid.cell_area();
        if (way.size() == 1) continue;
        ASSERT_LE(flow.elevation[way[1]], flow.elevation[cell]);
    }
    for (std::int32_t cell = 0; cell < tree.grid.cells(); ++cell) {
        ASSERT_EQ(flow.drainage_area[cell], area[at(cell)]);
        if (tree.direction[at(cell)] == kRoot) leaves += area[at(cell)];
    }
    EXPECT_DOUBLE_EQ(leaves, static_cast<double>(cells) * tree.grid.cell_area());
}

/// Ground that falls by 1 m a row to the south.
Field<float> slope_to_the_south(int side) {
    Field<float> z(Grid{.columns = side, .rows = side});
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) z(column, row) = static_cast<float>(side - row);
    return z;
}

TEST(RiverCourses, lead_water_across_a_slope_and_on_by_its_own_way) {
    FlowResult flow = routed(slope_to_the_south(9));
    EXPECT_EQ(lead(course_of(flow.tree.grid, {{2, 4}, {3, 4}, {4, 4}, {5, 4}, {6, 4}}), flow), 0);
    expect_sound_flow(flow);
    const auto area = [&](int column, int row) { return flow.drainage_area(column, row); };
    EXPECT_EQ(area(2, 4), 4.0);   // the three cells above it, and itself
    EXPECT_EQ(area(6, 4), 20.0);  // what came to the five cells of the course
    EXPECT_EQ(area(6, 5), 21.0);
    EXPECT_EQ(area(4, 5), 1.0);
}

TEST(RiverCourses, cut_beds_where_they_lead_uphill) {
    FlowResult flow = routed(slope_to_the_south(9));
    lead(course_of(flow.tree.grid, {{4, 5}, {4, 4}, {4, 3}, {5, 3}, {6, 3}}), flow);
    expect_sound_flow(flow);
    EXPECT_EQ(flow.elevation(4, 3), 4.0F);
    EXPECT_EQ(flow.elevation(6, 3), 4.0F);
    EXPECT_EQ(flow.elevation(3, 3), 6.0F);
}

TEST(RiverCourses, that_end_where_water_runs_back_to_them_go_round_themselves) {
    // The line begins below and ends above itself: from its end the slope leads back onto it.
    FlowResult flow = routed(slope_to_the_south(9));
    const RiverCourses courses =
        course_of(flow.tree.grid, {{3, 5}, {4, 5}, {5, 5}, {6, 4}, {6, 3}, {5, 2}, {4, 2}, {4, 3}});
    EXPECT_EQ(lead(courses, flow), 0);
    expect_sound_flow(flow);
    for (const CourseCell& course : courses.cells)
        EXPECT_EQ(flow.tree.direction[at(course.cell)], course.direction);
    // Between the line's cells one way is open, to the west.
    const auto end = static_cast<std::int32_t>(flow.tree.grid.index(4, 3));
    for (const std::int32_t cell : path_from(flow.tree, end)) EXPECT_LE(flow.tree.grid.column_of(cell), 4);
}

TEST(RiverCourses, that_enclose_their_end_are_crossed_and_lead_out) {
    FlowResult flow = routed(slope_to_the_south(9));
    const RiverCourses ring =
        course_of(flow.tree.grid, {{4, 3}, {3, 3}, {3, 4}, {3, 5}, {4, 5}, {5, 5}, {5, 4}, {5, 3}, {5, 2},
                                   {4, 2}, {3, 2}, {2, 2}, {2, 3}, {2, 4}, {2, 5}, {2, 6}, {3, 6}, {4, 6},
                                   {5, 6}, {6, 6}, {6, 5}, {6, 4}, {6, 3}, {6, 2}, {6, 1}});
    EXPECT_EQ(lead(ring, flow), 0);
    expect_sound_flow(flow);
    FlowResult inward = routed(slope_to_the_south(9));
    std::vector<std::pair<int, int>> cells = {{3, 3}, {4, 3}, {5, 3}, {5, 4}, {5, 5},
                                              {4, 5}, {3, 5}, {3, 4}, {4, 4}};
    EXPECT_EQ(lead(course_of(inward.tree.grid, cells), inward), 0);
    expect_sound_flow(inward);
    EXPECT_GT(path_from(inward.tree, static_cast<std::int32_t>(inward.tree.grid.index(4, 4))).size(), 3U);
}

TEST(RiverCourses, that_lead_away_from_the_only_outlet_end_in_a_root_and_tell) {
    // Walls all around: the lowest cell took the water, and now the course takes it from there.
    const Field<float> z = slope_to_the_south(5);
    QuietProgress progress;
    FlowResult flow =
        route(z, eight_neighbours(z.grid()), {Field<std::uint8_t>(z.grid(), std::uint8_t{0})}, {}, progress);
    const auto root = std::ranges::find(flow.tree.direction, kRoot) - flow.tree.direction.begin();
    const int column = z.grid().column_of(root), row = z.grid().row_of(root);
    const RiverCourses courses = course_of(z.grid(), {{column, row}, {column, row - 1}, {column, row - 2}});
    EXPECT_EQ(lead(courses, flow), 1);
    expect_sound_flow(flow);
    EXPECT_EQ(flow.drainage_area(column, row - 2), 25.0);
}

TEST(RiverCourses, take_in_water_that_would_cross_their_diagonals) {
    // Ground that falls to the south-west, so that water runs along the other diagonals.
    Field<float> z(Grid{.columns = 9, .rows = 9});
    for (int row = 0; row < 9; ++row)
        for (int column = 0; column < 9; ++column) z(column, row) = static_cast<float>(20 + column - row);
    FlowResult flow = routed(z);
    lead(course_of(z.grid(), {{2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}}), flow);
    expect_sound_flow(flow);
    for (int i = 2; i < 6; ++i) {
        const auto side = static_cast<std::int32_t>(z.grid().index(i + 1, i));
        EXPECT_EQ(flow.tree.receiver(side), z.grid().index(i + 1, i + 1));
    }
}

TEST(RiverCourses, that_are_none_change_nothing) {
    FlowResult flow = routed(white_terrain(20, 20, 3));
    const FlowResult before = flow;
    EXPECT_EQ(lead({}, flow), 0);
    EXPECT_EQ(flow.tree.direction, before.tree.direction);
    EXPECT_EQ(flow.elevation, before.elevation);
}

/// Lines of up to five points at random places, and beyond the grid.
std::vector<DrawnRiver> random_rivers(const Grid& grid, std::uint64_t seed, std::uint64_t count) {
    std::vector<DrawnRiver> rivers(count);
    std::uint64_t draw = 0;
    const auto share = [&] { return 1.2 * unit_double(random_bits(seed, Stream::Noise, draw++)) - 0.1; };
    for (DrawnRiver& river : rivers)
        for (std::uint64_t i = 0; i < 2 + seed % 4; ++i) {
            river.points.push_back(grid.west + grid.width() * share());
            river.points.push_back(grid.north - grid.height() * share());
        }
    return rivers;
}

bool crosses_a_course(const FlowTree& tree, const std::set<std::int32_t>& given, std::int32_t cell) {
    const std::uint8_t d = tree.direction[at(cell)];
    if (d >= kRoot || d % 2 == 0) return false;
    const std::int32_t a = cell + kColumnStep[d], b = cell + kRowStep[d] * tree.grid.columns;
    return (given.contains(a) && tree.receiver(a) == b) || (given.contains(b) && tree.receiver(b) == a);
}

TEST(RiverCourses, of_random_lines_on_noise_lead_all_water_out_along_them) {
    std::int64_t crossings = 0, kept_ends = 0, ends = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Field<float> z = white_terrain(40, 30, seed, seed % 3 == 0 ? 4 : 0);
        if (seed % 2 == 0) cut_out(z, 12, 8, 17, 12);
        FlowResult flow = routed(z, seed % 5 == 0 ? Depressions::Fill : Depressions::Breach);
        const FlowResult before = flow;
        std::vector<DrawnRiver> rivers = random_rivers(z.grid(), seed, 1 + seed % 7);
        turn_downhill(rivers, flow.elevation);
        const RiverCourses courses = courses_on(eight_neighbours(z.grid()), rivers, z, edge_roots(z),
                                                seed % 4 < 2 ? AtCrossings::End : AtCrossings::BeginAnew);
        EXPECT_EQ(lead(courses, flow), 0);
        expect_sound_flow(flow);
        std::set<std::int32_t> given;
        for (const CourseCell& course : courses.cells) given.insert(course.cell);
        std::int64_t broken = 0;
        for (const CourseCell& course : courses.cells)
            broken += flow.tree.direction[at(course.cell)] != course.direction ? 1 : 0;
        EXPECT_EQ(broken, 0) << "seed " << seed;
        for (std::int32_t cell = 0; cell < z.size(); ++cell)
            if (!given.contains(cell)) crossings += crosses_a_course(flow.tree, given, cell) ? 1 : 0;
        for (const std::int32_t end : courses.ends) {
            ++ends;
            kept_ends += flow.tree.direction[at(end)] == before.tree.direction[at(end)] ? 1 : 0;
        }
    }
    EXPECT_EQ(crossings, 0);
    EXPECT_GT(ends, 50);
    EXPECT_GT(kept_ends, ends / 2);  // the terrain drains them
    EXPECT_LT(kept_ends, ends);      // but for those whose water came back
}

}  // namespace
}  // namespace thalweg
