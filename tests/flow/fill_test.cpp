#include "thalweg/flow/fill.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::cut_out;
using tests::for_each_neighbour;
using tests::terrain_of;
using tests::white_terrain;

Filled fill(const Field<float>& z, FilledSurface surface) {
    QuietProgress progress;
    return fill_depressions(z, edge_roots(z), surface, progress);
}

/// Lowest level that water must reach to leave each cell: relaxed until nothing changes.
Field<float> slow_fill(const Field<float>& z, const Field<std::uint8_t>& roots) {
    Field<float> level = z;
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        if (!is_no_data(z[cell]) && roots[cell] == 0) level[cell] = std::numeric_limits<float>::infinity();
    for (bool changed = true; changed;) {
        changed = false;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            for_each_neighbour(z.grid(), cell, [&](std::int64_t neighbour) {
                const float exit_direction = std::max(z[cell], level[neighbour]);
                if (!(exit_direction < level[cell])) return;
                level[cell] = exit_direction;
                changed = true;
            });
        }
    }
    return level;
}

std::vector<Field<float>> difficult_terrains() {
    std::vector<Field<float>> terrains;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) terrains.push_back(white_terrain(37, 29, seed));
    for (const int levels : {1, 2, 5}) terrains.push_back(white_terrain(31, 40, 7, levels));
    terrains.push_back(white_terrain(30, 30, 6));
    for (float& height : terrains.back()) height -= 50.0F;  // above and below the sea
    terrains.push_back(white_terrain(1, 30, 3));
    terrains.push_back(white_terrain(30, 1, 3));
    terrains.push_back(white_terrain(1, 1, 3));
    terrains.push_back(white_terrain(30, 30, 4));
    cut_out(terrains.back(), 8, 9, 15, 12);
    return terrains;
}

bool same_values(const Field<float>& a, const Field<float>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](float x, float y) { return x == y || (is_no_data(x) && is_no_data(y)); });
}

TEST(Fill, raises_a_pit_to_its_lowest_rim) {
    const Field<float> z = terrain_of(5, 3,
                                      {9, 9, 9, 9, 9,  //
                                       9, 1, 2, 4, 3,  //
                                       9, 9, 9, 9, 9},
                                      10.0);
    const Filled level = fill(z, FilledSurface::Level);
    EXPECT_EQ(level.elevation(1, 1), 4.0F);
    EXPECT_EQ(level.elevation(2, 1), 4.0F);
    EXPECT_EQ(level.elevation(3, 1), 4.0F);
    EXPECT_EQ(level.raised_cells, 2);
    EXPECT_DOUBLE_EQ(level.volume, (3.0 + 2.0) * 100.0);
    const Filled draining = fill(z, FilledSurface::Draining);
    const float one_step = std::nextafter(4.0F, 5.0F) - 4.0F > 1e-6F ? std::nextafter(4.0F, 5.0F) : 4.000001F;
    EXPECT_EQ(draining.elevation(2, 1), one_step);
    EXPECT_GT(draining.elevation(1, 1), draining.elevation(2, 1));
    EXPECT_LT(draining.elevation(1, 1), 4.00001F);
}

TEST(Fill, agrees_with_a_slow_relaxation) {
    for (const Field<float>& z : difficult_terrains())
        EXPECT_TRUE(same_values(fill(z, FilledSurface::Level).elevation, slow_fill(z, edge_roots(z))));
}

TEST(Fill, draining_surface_leaves_no_cell_without_a_lower_neighbour) {
    for (const Field<float>& z : difficult_terrains()) {
        const Field<std::uint8_t> roots = edge_roots(z);
        const Field<float> w = fill(z, FilledSurface::Draining).elevation;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            if (is_no_data(z[cell]) || roots[cell] != 0) continue;
            bool has_lower = false;
            for_each_neighbour(z.grid(), cell,
                               [&](std::int64_t neighbour) { has_lower |= w[neighbour] < w[cell]; });
            ASSERT_TRUE(has_lower) << "cell " << cell;
        }
    }
}

TEST(Fill, draining_surface_stays_within_its_steps_of_the_level_one) {
    for (const Field<float>& z : difficult_terrains()) {
        const Field<float> level = fill(z, FilledSurface::Level).elevation;
        const Field<float> draining = fill(z, FilledSurface::Draining).elevation;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            if (is_no_data(z[cell])) continue;
            ASSERT_GE(draining[cell], level[cell]);
            ASSERT_LE(draining[cell], level[cell] + 1e-5F * static_cast<float>(z.columns() + z.rows()));
        }
    }
}

TEST(Fill, of_a_filled_surface_changes_nothing) {
    const Field<float> z = white_terrain(60, 50, 11);
    for (const FilledSurface surface : {FilledSurface::Level, FilledSurface::Draining}) {
        const Filled once = fill(z, surface);
        EXPECT_GT(once.raised_cells, 0);
        const Filled twice = fill(once.elevation, surface);
        EXPECT_EQ(twice.elevation, once.elevation);
        EXPECT_EQ(twice.raised_cells, 0);
    }
}

TEST(Fill, turns_and_mirrors_with_its_terrain) {
    const Field<float> z = white_terrain(24, 24, 5, 12);
    const auto turned = [](const Field<float>& field) {
        Field<float> result(field.grid());
        for (int row = 0; row < field.rows(); ++row)
            for (int column = 0; column < field.columns(); ++column)
                result(field.rows() - 1 - row, column) = field(column, row);
        return result;
    };
    const auto mirrored = [](const Field<float>& field) {
        Field<float> result(field.grid());
        for (int row = 0; row < field.rows(); ++row)
            for (int column = 0; column < field.columns(); ++column)
                result(field.columns() - 1 - column, row) = field(column, row);
        return result;
    };
    for (const FilledSurface surface : {FilledSurface::Level, FilledSurface::Draining}) {
        const Field<float> w = fill(z, surface).elevation;
        EXPECT_EQ(fill(turned(z), surface).elevation, turned(w));
        EXPECT_EQ(fill(mirrored(z), surface).elevation, mirrored(w));
    }
}

TEST(Fill, gives_a_flat_a_gradient_at_any_height) {
    for (const float height : {-8000.0F, -1.0F, 0.0F, 1.0F, 8000.0F}) {
        const Field<float> z(Grid{.columns = 41, .rows = 41}, height);
        const Filled filled = fill(z, FilledSurface::Draining);
        EXPECT_EQ(filled.raised_cells, 39 * 39);
        for (int column = 1; column <= 20; ++column)
            ASSERT_GT(filled.elevation(column, 20), filled.elevation(column - 1, 20)) << height;
        EXPECT_LT(filled.elevation(20, 20), height + 0.021F);
    }
}

TEST(Fill, water_leaves_beside_cells_without_data) {
    Field<float> z(Grid{.columns = 9, .rows = 9}, 5.0F);
    for (int row = 2; row <= 6; ++row)
        for (int column = 2; column <= 6; ++column) z(column, row) = 1.0F;
    EXPECT_EQ(fill(z, FilledSurface::Level).elevation(3, 3), 5.0F);
    z(4, 4) = kNoData;
    const Filled filled = fill(z, FilledSurface::Level);
    EXPECT_TRUE(is_no_data(filled.elevation(4, 4)));
    EXPECT_EQ(filled.elevation(2, 2), 1.0F);
    EXPECT_EQ(filled.raised_cells, 0);
}

TEST(Fill, a_part_without_a_root_drains_to_its_lowest_cell) {
    const Field<float> z = terrain_of(7, 1, {3, 1, 2, kNoData, 4, 0, 5});
    QuietProgress progress;
    const Field<std::uint8_t> no_roots(z.grid(), 0);
    const Filled filled = fill_depressions(z, no_roots, FilledSurface::Level, progress);
    EXPECT_EQ(filled.closed_components, 2);
    EXPECT_EQ(filled.raised_cells, 0);
    EXPECT_EQ(filled.elevation[1], 1.0F);
    EXPECT_TRUE(is_no_data(filled.elevation[3]));
}

TEST(Fill, leaves_a_terrain_without_any_data_alone) {
    const Field<float> z(Grid{.columns = 4, .rows = 4}, kNoData);
    const Filled filled = fill(z, FilledSurface::Draining);
    EXPECT_EQ(filled.closed_components, 0);
    for (const float value : filled.elevation) EXPECT_TRUE(is_no_data(value));
}

TEST(Fill, is_the_same_on_1_2_and_8_threads) {
    const Field<float> z = white_terrain(300, 200, 6);
    std::vector<Filled> filled;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        filled.push_back(fill(z, FilledSurface::Draining));
    }
    EXPECT_EQ(filled[0].elevation, filled[1].elevation);
    EXPECT_EQ(filled[0].elevation, filled[2].elevation);
    EXPECT_EQ(filled[0].volume, filled[1].volume);
    EXPECT_EQ(filled[0].volume, filled[2].volume);
}

TEST(Fill, stops_when_cancelled) {
    QuietProgress progress;
    progress.cancel();
    const Field<float> z = white_terrain(20, 20, 1);
    EXPECT_THROW(fill_depressions(z, edge_roots(z), FilledSurface::Level, progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
