#include "thalweg/water/water_surface.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/grid/cell_range.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

#include "tests/refusal.hpp"
#include "tests/water/waters.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using testing::HasSubstr;

struct Columns {
    explicit Columns(std::size_t points)
        : elevation(points), velocity_x(points), velocity_y(points), foam(points) {}
    [[nodiscard]] WaterColumns spans() { return {elevation, velocity_x, velocity_y, foam}; }

    std::vector<float> elevation;
    std::vector<float> velocity_x;
    std::vector<float> velocity_y;
    std::vector<float> foam;
};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Holds the compiled form of `tree` to the tree itself at points around `centre`.
void expect_agreement(const BlendFlowTree& tree, Position centre, double time) {
    QuietProgress progress;
    const WaterSurface surface(tree, progress);
    const std::vector<Position> points = drawn_points(1500, centre);
    Columns columns(points.size());
    surface.evaluate(points, time, columns.spans());
    int covered = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const WaterSample water = tree.at(points[i], time);
        ASSERT_EQ(std::isnan(water.elevation), std::isnan(columns.elevation[i])) << i;
        if (std::isnan(water.elevation)) continue;
        ++covered;
        // Half a step of a float at 100 m is 4e-6 m.
        ASSERT_NEAR(water.elevation, columns.elevation[i], 1e-4) << i;
        ASSERT_NEAR(water.velocity_x, columns.velocity_x[i], 1e-4) << i;
        ASSERT_NEAR(water.velocity_y, columns.velocity_y[i], 1e-4) << i;
        ASSERT_NEAR(water.foam, columns.foam[i], 2e-4) << i;
    }
    EXPECT_GT(covered, 1000);
}

TEST(WaterSurface, agrees_with_the_tree_on_every_kind_alone) {
    for (int kind = 0; kind < static_cast<int>(WaterKind::Extra); ++kind) {
        SCOPED_TRACE(built_in_water_kinds()[static_cast<std::size_t>(kind)].name);
        BlendFlowTree tree({.loop_period = kLoop});
        for (std::uint64_t key = 0; key < 50; ++key)
            tree.insert(drawn_primitive(static_cast<WaterKind>(kind), key));
        expect_agreement(tree, {}, 7.3);
    }
}

TEST(WaterSurface, agrees_with_the_tree_on_merges_and_replacements_in_each_other) {
    expect_agreement(mixed_tree(), {}, 7.3);
}

TEST(WaterSurface, agrees_with_the_tree_far_from_the_origin_of_the_world_and_a_day_later) {
    const Position far{612000.0, 4012000.0};
    expect_agreement(mixed_tree(far), far, 86400.0 + 7.3);
}

TEST(WaterSurface, agrees_with_the_tree_where_the_base_level_fades_in) {
    BlendFlowTree tree = mixed_tree();
    tree.set_base_level(99.0);
    expect_agreement(tree, {}, 2.0);
}

TEST(WaterSurface, gives_a_grid_and_its_windows_the_bits_of_single_points) {
    QuietProgress progress;
    const WaterSurface surface(mixed_tree(), progress);
    const Grid grid{.columns = 97, .rows = 61, .cell_size = 0.23, .west = -1.0, .north = 12.0};
    const WaterLayers whole = surface.on_grid(grid, 3.0, progress);
    std::vector<Position> points;
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) points.push_back(grid.centre(column, row));
    Columns columns(points.size());
    surface.evaluate(points, 3.0, columns.spans());
    EXPECT_TRUE(same_bits(columns.elevation, whole.elevation.values()));
    EXPECT_TRUE(same_bits(columns.velocity_x, whole.velocity_x.values()));
    EXPECT_TRUE(same_bits(columns.velocity_y, whole.velocity_y.values()));
    EXPECT_TRUE(same_bits(columns.foam, whole.foam.values()));
    const WaterSample one = surface.water_at(points[3000], 3.0);
    EXPECT_EQ(static_cast<float>(one.velocity_x), whole.velocity_x[3000]);
}

TEST(WaterSurface, gives_grids_of_many_and_of_few_points_a_cell_the_bits_of_single_points) {
    // Falls and whirls over a river: all that flows on is added before any of them replaces it.
    BlendFlowTree tree({.loop_period = kLoop});
    std::uint64_t key = 0;
    for (; key < 80; ++key) tree.insert(drawn_primitive(kind_of(key), key));
    for (int i = 0; i < 2; ++i) {
        const WaterNode over = tree.replace(kWaterRoot);
        for (int k = 0; k < 4; ++k, ++key) tree.insert(drawn_primitive(kind_of(key), key), over);
    }
    QuietProgress progress;
    for (const double base : {std::numeric_limits<double>::quiet_NaN(), 99.0}) {
        tree.set_base_level(base);
        const WaterSurface surface(tree, progress);
        for (const auto& [columns, rows, cell] :
             {std::tuple{301, 37, 0.07}, {19, 300, 0.05}, {20, 11, 1.3}}) {
            const Grid grid{
                .columns = columns, .rows = rows, .cell_size = cell, .west = -1.03, .north = 12.11};
            const WaterLayers layers = surface.on_grid(grid, 3.0, progress);
            std::vector<Position> points;
            for (int row = 0; row < rows; ++row)
                for (int column = 0; column < columns; ++column) points.push_back(grid.centre(column, row));
            Columns single(points.size());
            surface.evaluate(points, 3.0, single.spans());
            EXPECT_TRUE(same_bits(single.elevation, layers.elevation.values())) << columns;
            EXPECT_TRUE(same_bits(single.velocity_x, layers.velocity_x.values())) << columns;
            EXPECT_TRUE(same_bits(single.velocity_y, layers.velocity_y.values())) << columns;
            EXPECT_TRUE(same_bits(single.foam, layers.foam.values())) << columns;
        }
    }
}

TEST(WaterSurface, has_the_same_bits_on_any_number_of_threads_and_lanes) {
    const BlendFlowTree tree = mixed_tree();
    const Grid grid{.columns = 120, .rows = 70, .cell_size = 0.2, .west = -2.0, .north = 12.0};
    QuietProgress progress;
    const auto built = [&](int threads, int lanes) {
        const ExecutionScope scope({.threads = threads});
        limit_vector_lanes(lanes);
        const WaterLayers layers = WaterSurface(tree, progress).on_grid(grid, 11.0, progress);
        limit_vector_lanes(0);
        return layers;
    };
    const WaterLayers one = built(1, 4);
    for (const auto& [threads, lanes] : {std::pair{2, 8}, std::pair{8, 16}, std::pair{1, 16}}) {
        const WaterLayers other = built(threads, lanes);
        EXPECT_TRUE(same_bits(one.elevation.values(), other.elevation.values())) << lanes;
        EXPECT_TRUE(same_bits(one.velocity_x.values(), other.velocity_x.values())) << lanes;
        EXPECT_TRUE(same_bits(one.foam.values(), other.foam.values())) << lanes;
    }
}

TEST(WaterSurface, closes_with_its_loop_to_a_hundredth_of_a_millimetre) {
    QuietProgress progress;
    const WaterSurface surface(mixed_tree(), progress);
    const std::vector<Position> points = drawn_points(1000);
    Columns begin(points.size());
    Columns end(points.size());
    Columns middle(points.size());
    surface.evaluate(points, 4.0, begin.spans());
    surface.evaluate(points, 4.0 + kLoop, end.spans());
    surface.evaluate(points, 4.0 + 0.5 * kLoop, middle.spans());
    double greatest = 0.0;
    double change = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (std::isnan(begin.elevation[i])) continue;
        greatest = std::max<double>(greatest, std::abs(begin.elevation[i] - end.elevation[i]));
        change = std::max<double>(change, std::abs(begin.elevation[i] - middle.elevation[i]));
        ASSERT_NEAR(begin.foam[i], end.foam[i], 1e-5);
    }
    EXPECT_LE(greatest, 1e-5);
    EXPECT_GT(change, 0.05);  // it does move
}

TEST(WaterSurface, moves_as_smoothly_after_a_day_as_at_the_start) {
    QuietProgress progress;
    const WaterSurface surface(mixed_tree(), progress);
    const std::vector<Position> points = drawn_points(300);
    const auto greatest_step = [&](double start) {
        double greatest = 0.0;
        Columns before(points.size());
        Columns after(points.size());
        for (int step = 0; step < 20; ++step) {
            surface.evaluate(points, start + 0.005 * step, before.spans());
            surface.evaluate(points, start + 0.005 * (step + 1), after.spans());
            for (std::size_t i = 0; i < points.size(); ++i)
                if (!std::isnan(before.elevation[i]))
                    greatest = std::max<double>(greatest, std::abs(after.elevation[i] - before.elevation[i]));
        }
        return greatest;
    };
    const double first = greatest_step(29.95);  // across the loop's seam
    const double later = greatest_step(86399.95);
    EXPECT_LT(first, 0.02);
    EXPECT_NEAR(first, later, 1e-4);
}

TEST(WaterSurface, is_smooth_in_space_where_discs_and_cells_end) {
    // Second differences of a C1 surface shrink with the step; those of a kink or a jump do not.
    const BlendFlowTree tree = mixed_tree();
    const auto bend = [&](double step) {
        double greatest = 0.0;
        for (int i = 0; i < 2000; ++i) {
            const Position p{4.0 + 0.005 * i, 5.0};
            const double here = tree.at(p, 1.0).elevation;
            const double east = tree.at({p.x + step, p.y}, 1.0).elevation;
            const double west = tree.at({p.x - step, p.y}, 1.0).elevation;
            greatest = std::max(greatest, std::abs(east - 2.0 * here + west) / step);
        }
        return greatest;
    };
    EXPECT_LT(bend(1e-4), 0.2 * bend(1e-3));
    EXPECT_LT(bend(1e-4), 0.05);  // m/m, by which the slope changes
}

TEST(WaterSurface, takes_kinds_that_it_has_never_seen) {
    const WaterKindRow plane{
        .name = "plane",
        .sentence = "A tilted plane that rises with time.",
        .evaluate =
            [](const WaterPrimitive& p, Position point, const WaterSetting&, double time) {
                return WaterSample{.elevation = p.elevation + p.rotation * (point.x - p.x) + 0.01 * time,
                                   .velocity_x = p.velocity_x,
                                   .velocity_y = point.y,
                                   .foam = 0.25};
            },
        .greatest_offset = [](const WaterPrimitive& p) { return p.rotation * p.radius; },
        .special = &WaterPrimitive::rotation};
    BlendFlowTree tree({.loop_period = kLoop}, {&plane, 1});
    for (std::uint64_t key = 0; key < 50; ++key)
        tree.insert(drawn_primitive(key % 2 == 0 ? WaterKind::Extra : WaterKind::Calm, key));
    expect_agreement(tree, {}, 5.0);
    EXPECT_EQ(BlendFlowTree::from_table(tree.table(), {&plane, 1}).table().kind[1], "plane");
}

TEST(WaterSurface, keeps_each_primitive_in_fewer_than_120_bytes) {
    QuietProgress progress;
    BlendFlowTree tree;
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 60; ++column)
            tree.insert({.x = 0.8 * column, .y = 0.8 * row, .radius = 1.0});
    const WaterSurface surface(tree, progress);
    EXPECT_LE(surface.buffers().bytes(), 120 * 3600);
}

TEST(WaterSurface, of_no_primitives_is_no_data_or_the_base_level) {
    QuietProgress progress;
    BlendFlowTree tree;
    const Grid grid = make_grid(4.0, 2.0, 4);
    EXPECT_TRUE(is_no_data(WaterSurface(tree, progress).on_grid(grid, 0.0, progress).elevation[3]));
    tree.set_base_level(7.0);
    EXPECT_EQ(WaterSurface(tree, progress).on_grid(grid, 0.0, progress).elevation[3], 7.0F);
    const double nowhere = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(WaterSurface(tree, progress).water_at({nowhere, 0.0}, 0.0).elevation, 7.0);
}

TEST(WaterSurface, refuses_times_that_are_not_finite) {
    QuietProgress progress;
    const WaterSurface surface(mixed_tree(), progress);
    const double never = std::numeric_limits<double>::infinity();
    EXPECT_THAT(refusal_of([&] { (void)surface.water_at({}, never); }), HasSubstr("time = inf s"));
    EXPECT_THAT(refusal_of([&] { (void)surface.on_grid(make_grid(4.0, 2.0, 4), -never, progress); }),
                HasSubstr("time = -inf s"));
    EXPECT_THAT(refusal_of([] { (void)mixed_tree().at({}, 1e15); }), HasSubstr("within 1e+12 s"));
}

TEST(WaterSurface, is_cancelled_with_its_progress) {
    QuietProgress progress;
    const WaterSurface surface(mixed_tree(), progress);
    progress.cancel();
    EXPECT_THROW((void)surface.on_grid(make_grid(4.0, 2.0, 4), 0.0, progress), Cancelled);
    EXPECT_THROW(WaterSurface(mixed_tree(), progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
