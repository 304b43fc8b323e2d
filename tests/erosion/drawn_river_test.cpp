#include "thalweg/erosion/drawn_river.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/erosion/network/course_router.hpp"
#include "thalweg/flow/depressions/breach_directions.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "tests/flow/terrains.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

QuietProgress progress;

/// 12 x 10 cells of 1 m: the centre of column c and row r lies at (c + 0.5, 9.5 - r).
const Grid kGrid{.columns = 12, .rows = 10, .cell_size = 1.0, .west = 0.0, .north = 10.0};

DrawnRiver river(std::initializer_list<std::pair<double, double>> columns_and_rows) {
    DrawnRiver drawn;
    for (const auto& [column, row] : columns_and_rows) {
        drawn.points.push_back(kGrid.x(column));
        drawn.points.push_back(kGrid.y(row));
    }
    return drawn;
}

struct Laid {
    Lattice lattice = four_neighbours(kGrid);
    Field<float> elevation{kGrid, 5.0F};
    Field<std::uint8_t> roots = edge_roots(elevation);

    [[nodiscard]] RiverCourses courses(const std::vector<DrawnRiver>& rivers) const {
        return courses_on(lattice, rivers, elevation, roots);
    }
    [[nodiscard]] static std::int32_t cell(int column, int row) {
        return static_cast<std::int32_t>(kGrid.index(column, row));
    }
    /// The cells that a course leads through from one of its own, up to where nothing is given.
    [[nodiscard]] std::vector<std::int32_t> way(const RiverCourses& courses, int column, int row) const {
        std::map<std::int32_t, std::uint8_t> given;
        for (const CourseCell& course : courses.cells) given[course.cell] = course.direction;
        std::vector<std::int32_t> cells = {cell(column, row)};
        while (given.contains(cells.back()) && cells.size() < 500)
            cells.push_back(cells.back() + lattice.index_steps()[given[cells.back()]]);
        return cells;
    }
};

TEST(Courses, follow_a_line_to_the_edge) {
    const Laid laid;
    const RiverCourses courses = laid.courses({river({{3.0, 4.0}, {5.0, 4.0}, {5.0, 12.0}})});
    EXPECT_THAT(laid.way(courses, 3, 4),
                ElementsAre(Laid::cell(3, 4), Laid::cell(4, 4), Laid::cell(5, 4), Laid::cell(5, 5),
                            Laid::cell(5, 6), Laid::cell(5, 7), Laid::cell(5, 8), Laid::cell(5, 9)));
    EXPECT_EQ(courses.cells.size(), 7U);
    EXPECT_THAT(courses.ends, IsEmpty());
}

TEST(Courses, that_stop_inside_tell_their_end) {
    const Laid laid;
    EXPECT_THAT(laid.courses({river({{3.0, 4.0}, {5.0, 4.0}})}).ends, ElementsAre(Laid::cell(5, 4)));
}

TEST(Courses, begin_inside_where_a_line_comes_from_the_edge) {
    const Laid laid;
    const RiverCourses courses = laid.courses({river({{-5.0, 4.0}, {4.0, 4.0}})});
    EXPECT_EQ(courses.cells.front().cell, Laid::cell(1, 4));
    EXPECT_THAT(courses.ends, ElementsAre(Laid::cell(4, 4)));
}

TEST(Courses, go_on_as_another_where_a_line_has_left_the_grid_and_enters_again) {
    const Laid laid;
    const RiverCourses courses = laid.courses({river({{3.0, 2.0}, {3.0, -6.0}, {8.0, -6.0}, {8.0, 3.0}})});
    EXPECT_EQ(laid.way(courses, 3, 2).back(), Laid::cell(3, 0));
    EXPECT_EQ(laid.way(courses, 8, 1).back(), Laid::cell(8, 3));
}

TEST(Courses, break_where_there_is_no_data) {
    Laid laid;
    laid.elevation(5, 4) = kNoData;
    const RiverCourses courses = laid.courses({river({{3.0, 4.0}, {8.0, 4.0}})});
    EXPECT_THAT(courses.ends, ElementsAre(Laid::cell(4, 4), Laid::cell(8, 4)));
}

TEST(Courses, of_two_lines_merge_where_they_meet_whichever_is_first) {
    const Laid laid;
    const DrawnRiver trunk = river({{2.0, 5.0}, {14.0, 5.0}});
    for (const double overshoot : {5.0, 6.0, 8.0}) {
        const DrawnRiver tributary = river({{6.0, 2.0}, {6.0, overshoot}});
        for (const auto& rivers : {std::vector{trunk, tributary}, std::vector{tributary, trunk}}) {
            const RiverCourses courses = laid.courses(rivers);
            EXPECT_EQ(laid.way(courses, 2, 5).back(), Laid::cell(11, 5)) << overshoot;
            EXPECT_EQ(laid.way(courses, 6, 2).back(), Laid::cell(11, 5)) << overshoot;
            EXPECT_THAT(courses.ends, IsEmpty()) << overshoot;
            EXPECT_EQ(courses.cells.size(), 12U) << overshoot;
        }
    }
}

TEST(Courses, of_reaches_from_node_to_node_join_in_any_order) {
    const Laid laid;
    std::vector<DrawnRiver> reaches = {river({{2.0, 2.0}, {5.0, 5.0}}), river({{2.0, 8.0}, {5.0, 5.0}}),
                                       river({{5.0, 5.0}, {8.0, 5.0}}), river({{8.0, 5.0}, {12.0, 5.0}})};
    std::vector<int> order = {0, 1, 2, 3};
    do {
        std::vector<DrawnRiver> drawn;
        for (const int i : order) drawn.push_back(reaches[at(i)]);
        const RiverCourses courses = laid.courses(drawn);
        EXPECT_EQ(laid.way(courses, 2, 2).back(), Laid::cell(11, 5));
        EXPECT_EQ(laid.way(courses, 2, 8).back(), Laid::cell(11, 5));
        EXPECT_THAT(courses.ends, IsEmpty());
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Courses, cut_off_the_loop_of_a_line_that_crosses_itself) {
    const Laid laid;
    const RiverCourses courses =
        laid.courses({river({{2.0, 5.0}, {6.0, 5.0}, {6.0, 2.0}, {4.0, 2.0}, {4.0, 12.0}})});
    EXPECT_THAT(laid.way(courses, 2, 5),
                ElementsAre(Laid::cell(2, 5), Laid::cell(3, 5), Laid::cell(4, 5), Laid::cell(4, 6),
                            Laid::cell(4, 7), Laid::cell(4, 8), Laid::cell(4, 9)));
    EXPECT_EQ(courses.cells.size(), 6U);
}

TEST(Courses, that_run_into_each_other_head_on_end_where_they_meet) {
    const Laid laid;
    const RiverCourses courses =
        laid.courses({river({{2.0, 5.0}, {6.0, 5.0}}), river({{9.0, 5.0}, {4.0, 5.0}})});
    EXPECT_THAT(courses.ends, ElementsAre(Laid::cell(6, 5)));
    EXPECT_EQ(laid.way(courses, 2, 5).back(), Laid::cell(6, 5));
    EXPECT_EQ(laid.way(courses, 9, 5).back(), Laid::cell(6, 5));
}

TEST(Courses, of_lines_that_form_a_ring_leave_it_open) {
    const Laid laid;
    const RiverCourses courses =
        laid.courses({river({{3.0, 3.0}, {8.0, 3.0}}), river({{8.0, 3.0}, {8.0, 7.0}}),
                      river({{8.0, 7.0}, {3.0, 7.0}}), river({{3.0, 7.0}, {3.0, 3.0}})});
    EXPECT_EQ(courses.ends.size(), 1U);
    EXPECT_EQ(laid.way(courses, 5, 3).back(), courses.ends[0]);
}

TEST(Courses, that_cross_begin_anew_behind_the_crossing_where_they_may) {
    Laid laid;
    const DrawnRiver along = river({{2.0, 5.0}, {9.0, 5.0}});
    const DrawnRiver across = river({{5.0, 2.0}, {5.0, 7.0}});
    for (const std::vector<DrawnRiver>& rivers : {std::vector{along, across}, std::vector{across, along}}) {
        const RiverCourses ended = laid.courses(rivers);
        const RiverCourses courses =
            courses_on(laid.lattice, rivers, laid.elevation, laid.roots, AtCrossings::BeginAnew);
        // All steps of the longer river, and of the other all but the one behind the crossing.
        EXPECT_LT(ended.cells.size(), 11U);
        EXPECT_EQ(courses.cells.size(), 11U);
        EXPECT_EQ(courses.ends.size(), 2U);
    }
}

TEST(Courses, on_a_mesh_are_chains_of_links_beside_the_line) {
    const Grid grid{.columns = 80, .rows = 60, .cell_size = 1.0, .west = 0.0, .north = 60.0};
    const Lattice mesh = jittered_mesh(grid, 4, 0.45, progress);
    const Field<float> flat(grid, 1.0F);
    const RiverCourses courses = courses_on(
        mesh, std::vector{DrawnRiver{{5.0, 50.0, 60.0, 20.0, 75.3, 45.0}}}, flat, edge_roots(flat));
    EXPECT_GT(courses.cells.size(), 60U);
    std::map<std::int32_t, int> donors;
    for (const CourseCell& course : courses.cells) {
        EXPECT_NE(mesh.links_of(course.cell) >> course.direction & 1, 0);
        ++donors[course.cell + mesh.index_steps()[course.direction]];
        // No node lies further from the two segments than nodes are from each other.
        const double x = grid.x(grid.column_of(course.cell)), y = grid.y(grid.row_of(course.cell));
        const auto distance = [&](double x0, double y0, double x1, double y1) {
            const double along = std::clamp(
                ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / (std::pow(x1 - x0, 2) + std::pow(y1 - y0, 2)),
                0.0, 1.0);
            return std::hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0));
        };
        EXPECT_LT(std::min(distance(5.0, 50.0, 60.0, 20.0), distance(60.0, 20.0, 75.3, 45.0)), 1.8);
    }
    for (const auto& [cell, count] : donors) EXPECT_EQ(count, 1) << cell;
    EXPECT_EQ(courses.ends.size(), 1U);
}

/// Directions after drawn rivers have been followed on a terrain.
FlowTree followed(const Laid& laid, const RiverCourses& courses) {
    FlowTree tree;
    tree.grid = kGrid;
    tree.direction = steepest_directions(laid.elevation, laid.lattice, laid.roots);
    const std::vector<std::int32_t> given =
        follow_courses(courses, laid.elevation, laid.lattice, tree.direction, progress);
    std::vector<std::int32_t> pits;
    for (std::int32_t cell = 0; cell < kGrid.cells(); ++cell)
        if (tree.direction[at(cell)] == kPit) pits.push_back(cell);
    DirectionBreacher().breach(laid.elevation, laid.lattice, tree.direction, pits, progress, given);
    order_tree(tree, progress);
    return tree;
}

/// Whether every cell's water leaves by a root, after as many steps as there are cells at most.
void expect_drained(const FlowTree& tree) {
    EXPECT_EQ(tree.order.size(), tree.direction.size());
    for (std::int32_t start = 0; start < kGrid.cells(); ++start) {
        std::int32_t cell = start;
        for (std::int64_t steps = 0; steps < kGrid.cells() && tree.receiver(cell) >= 0; ++steps)
            cell = tree.receiver(cell);
        ASSERT_EQ(tree.direction[at(cell)], kRoot) << start;
    }
}

TEST(FollowCourses, leads_an_end_on_by_the_lowest_way_to_a_root) {
    Laid laid;
    laid.elevation = tests::white_terrain(12, 10, 5);
    laid.elevation.move_to(kGrid);
    for (int row = 4; row < 10; ++row) laid.elevation(7, row) = -10.0F;  // a valley beside the end
    const RiverCourses courses = laid.courses({river({{2.0, 5.0}, {6.0, 5.0}})});
    const FlowTree tree = followed(laid, courses);
    EXPECT_EQ(tree.receiver(Laid::cell(3, 5)), Laid::cell(4, 5));
    EXPECT_EQ(tree.receiver(Laid::cell(6, 5)), Laid::cell(7, 5));
    EXPECT_EQ(tree.receiver(Laid::cell(7, 8)), Laid::cell(7, 9));
    expect_drained(tree);
}

TEST(FollowCourses, drains_every_cell_whatever_the_rivers_are) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Laid laid;
        laid.lattice = seed % 2 == 0 ? four_neighbours(kGrid) : jittered_mesh(kGrid, seed, 0.45, progress);
        laid.elevation = tests::white_terrain(12, 10, seed, seed % 3 == 0 ? 4 : 0);
        laid.elevation.move_to(kGrid);
        if (seed % 5 == 0) {
            laid.roots = Field<std::uint8_t>(kGrid, 0);
            laid.roots(3, 3) = 1;
        }
        std::vector<DrawnRiver> rivers(1 + seed % 4);
        std::uint64_t draw = 0;
        for (DrawnRiver& drawn : rivers)
            for (int i = 0; i < 12; ++i)
                drawn.points.push_back(
                    14.0 * double{unit_float(random_bits(seed, Stream::SeedTerrain, draw++))} - 2.0);
        SCOPED_TRACE(seed);
        expect_drained(followed(laid, laid.courses(rivers)));
    }
}

TEST(FollowCourses, crosses_a_river_whose_end_it_encloses) {
    const Laid laid;
    // A spiral that ends inside itself, and has no links across.
    const RiverCourses courses = laid.courses(
        {river({{2.0, 2.0}, {9.0, 2.0}, {9.0, 8.0}, {3.0, 8.0}, {3.0, 3.0}, {7.0, 3.0}, {7.0, 6.0}})});
    const FlowTree tree = followed(laid, courses);
    expect_drained(tree);
    EXPECT_NE(tree.direction[at(Laid::cell(7, 6))], kRoot);
}

std::string refusal(const DrawnRiver& drawn) {
    try {
        check_rivers(std::vector{river({{1.0, 1.0}, {2.0, 2.0}}), drawn}, kGrid, "rivers.gpkg: ");
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

TEST(RiversOffLand, are_those_over_no_data_and_roots_alone) {
    Laid laid;
    for (int row = 4; row < 7; ++row)
        for (int column = 4; column < 8; ++column) laid.elevation(column, row) = kNoData;
    const std::vector<DrawnRiver> rivers = {river({{4.0, 5.0}, {7.0, 5.0}}),    // within the hole
                                            river({{4.0, 5.0}, {8.0, 5.0}}),    // out of it
                                            river({{0.0, 2.0}, {0.0, 7.0}}),    // along the edge
                                            river({{-5.0, 2.0}, {1.0, 2.0}})};  // in over it
    EXPECT_THAT(rivers_off_land(rivers, laid.elevation, laid.roots), ElementsAre(0U, 2U));
    EXPECT_THAT(laid.courses({rivers[0], rivers[2]}).cells, IsEmpty());
}

TEST(TurnDownhill, turns_rivers_round_that_end_higher_than_they_begin) {
    Laid laid;
    Field<float> ground = laid.elevation;
    for (int row = 0; row < ground.grid().rows; ++row)
        for (int column = 0; column < ground.grid().columns; ++column)
            ground(column, row) = static_cast<float>(column);
    const DrawnRiver up = river({{2.0, 5.0}, {4.0, 3.0}, {7.0, 4.0}});
    const DrawnRiver down = river({{7.0, 4.0}, {4.0, 3.0}, {2.0, 5.0}});
    const DrawnRiver level = river({{3.0, 2.0}, {6.0, 4.0}, {3.0, 6.0}});
    std::vector<DrawnRiver> rivers = {up, down, level, river({{-4.0, 5.0}, {6.0, 5.0}})};
    turn_downhill(rivers, ground);
    EXPECT_EQ(rivers[0].points, down.points);
    EXPECT_EQ(rivers[1].points, down.points);
    EXPECT_EQ(rivers[2].points, level.points);
    EXPECT_EQ(rivers[3].points, river({{6.0, 5.0}, {-4.0, 5.0}}).points);  // by its part on the grid
    // Without data at its lower end it is judged by what remains.
    ground(2, 5) = ground(3, 4) = kNoData;
    rivers = {up};
    turn_downhill(rivers, ground);
    EXPECT_EQ(rivers[0].points, down.points);
}

TEST(CheckRivers, refuses_what_is_no_river) {
    EXPECT_THAT(refusal({}), HasSubstr("rivers.gpkg: river 2 has 0 coordinates: give x and y"));
    EXPECT_THAT(refusal({{1.0, 2.0}}), HasSubstr("river 2 has 2 coordinates"));
    EXPECT_THAT(refusal({{1.0, 2.0, 3.0, 4.0, 5.0}}), HasSubstr("river 2 has 5 coordinates"));
    EXPECT_THAT(refusal({{1.0, 2.0, std::numeric_limits<double>::quiet_NaN(), 4.0}}),
                HasSubstr("river 2 has a coordinate of nan m"));
    EXPECT_THAT(refusal({{1.0, 2.0, 1e300, 4.0}}), HasSubstr("river 2 has a coordinate of 1e+300 m"));
    EXPECT_THAT(refusal({{1.0, 2.0, 5.0, 5.0, 1.0, 2.0}}),
                HasSubstr("river 2 ends at (1, 2) m, where it begins"));
    EXPECT_THAT(refusal({{20.0, 5.0, 30.0, 5.0}}),
                HasSubstr("river 2 lies outside the landscape, which reaches from (0, 0) to (12, 10) m"));
    EXPECT_EQ(refusal({{-20.0, 5.0, 30.0, 5.0}}), "no error");
}

}  // namespace
}  // namespace thalweg
