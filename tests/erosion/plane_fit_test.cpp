#include "thalweg/erosion/transfer/plane_fit.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// A function of world position at the nodes of a lattice.
template <class Function>
Field<float> at_nodes(const Lattice& lattice, const Function& function) {
    Field<float> values(lattice.grid);
    for (std::int64_t cell = 0; cell < values.size(); ++cell) {
        double column = lattice.grid.column_of(cell);
        double row = lattice.grid.row_of(cell);
        if (lattice.displaced()) {
            column += double{lattice.offset_x[static_cast<std::size_t>(cell)]};
            row += double{lattice.offset_y[static_cast<std::size_t>(cell)]};
        }
        values[cell] = static_cast<float>(function(lattice.grid.x(column), lattice.grid.y(row)));
    }
    return values;
}

double plane(double x, double y) {
    return 500.0 + 0.3 * x - 0.2 * y;
}

TEST(PlaneFit, upsampling_and_resampling_reproduce_planes) {
    const Grid fine{.columns = 40, .rows = 32, .cell_size = 10.0, .west = 300.0, .north = 900.0};
    const Lattice fine_mesh = jittered_mesh(fine, 1, 0.4, progress);
    const Lattice coarse_mesh = jittered_mesh(fine.coarser(), 1, 0.4, progress);
    const Field<float> upsampled =
        upsample_nodes(at_nodes(coarse_mesh, plane), coarse_mesh, fine_mesh, kUpsampleWidth, progress);
    const Field<float> expected = at_nodes(fine_mesh, plane);
    // But for the outermost fine cells, which lie beyond all coarse nodes.
    for (int row = 1; row < 31; ++row)
        for (int column = 1; column < 39; ++column)
            ASSERT_NEAR(upsampled(column, row), expected(column, row), 2e-3);
    const Field<float> centred = resample_to_centres(expected, fine_mesh, kResampleWidth, progress);
    const Field<float> centres = at_nodes(four_neighbours(fine), plane);
    for (std::int64_t cell = 0; cell < expected.size(); ++cell)
        ASSERT_NEAR(centred[cell], centres[cell], 2e-3);
}

TEST(PlaneFit, has_the_same_bits_for_every_width_of_vectors) {
    const Grid fine{.columns = 90, .rows = 40, .cell_size = 10.0};
    const Lattice fine_mesh = jittered_mesh(fine, 1, 0.4, progress);
    const Lattice coarse_mesh = jittered_mesh(fine.coarser(), 1, 0.4, progress);
    Field<float> values =
        at_nodes(coarse_mesh, [](double x, double y) { return 100.0 * std::sin(x / 30.0) + y; });
    values(20, 10) = kNoData;
    std::vector<Field<float>> up, centred;
    for (const int lanes : {4, 8, 16}) {
        limit_vector_lanes(lanes);
        up.push_back(upsample_nodes(values, coarse_mesh, fine_mesh, kUpsampleWidth, progress));
        centred.push_back(resample_to_centres(values, coarse_mesh, kResampleWidth, progress));
    }
    limit_vector_lanes(0);
    for (std::size_t i = 1; i < 3; ++i)
        for (std::int64_t cell = 0; cell < up[0].size(); ++cell) {
            ASSERT_EQ(up[i][cell], up[0][cell]);
            ASSERT_TRUE(cell >= centred[0].size() || centred[i][cell] == centred[0][cell] ||
                        is_no_data(centred[0][cell]));
        }
    EXPECT_TRUE(is_no_data(centred[2](20, 10)));
    EXPECT_FALSE(is_no_data(up[2](40, 20)));
}

TEST(PlaneFit, of_two_fields_at_once_has_the_bits_of_one_after_the_other) {
    for (const int columns : {90, 20}) {  // enough for vectors, and not
        const Grid fine{.columns = columns, .rows = 41, .cell_size = 10.0};
        const Lattice fine_mesh = jittered_mesh(fine, 1, 0.4, progress);
        const Lattice coarse_mesh = jittered_mesh(fine.coarser(), 1, 0.4, progress);
        Field<float> one =
            at_nodes(coarse_mesh, [](double x, double y) { return 100.0 * std::sin(x / 30.0) + y; });
        Field<float> other = at_nodes(coarse_mesh, [](double x, double y) { return 3000.0 + x - y * y; });
        for (Field<float>* field : {&one, &other})
            for (int row = 6; row < 12; ++row)
                for (int column = 3; column < 8; ++column) (*field)(column, row) = kNoData;
        for (const int lanes : {4, 8, 16}) {
            limit_vector_lanes(lanes);
            const auto both = upsample_both(one, other, coarse_mesh, fine_mesh, kUpsampleWidth, progress);
            const Field<float> single[] = {
                upsample_nodes(one, coarse_mesh, fine_mesh, kUpsampleWidth, progress),
                upsample_nodes(other, coarse_mesh, fine_mesh, kUpsampleWidth, progress)};
            for (std::size_t i = 0; i < 2; ++i)
                for (std::int64_t cell = 0; cell < single[i].size(); ++cell)
                    ASSERT_EQ(std::bit_cast<std::uint32_t>(both[i][cell]),
                              std::bit_cast<std::uint32_t>(single[i][cell]));
            EXPECT_TRUE(is_no_data(both[0](10, 18)));
            EXPECT_GT(both[1](2, 2), 1000.0F);
        }
        limit_vector_lanes(0);
    }
}

TEST(PlaneFit, vectors_agree_with_the_code_for_single_places) {
    // 38 coarse columns are enough for vectors, their western 19 are not: the same nodes take both ways.
    const Grid wide_fine{.columns = 76, .rows = 40, .cell_size = 10.0};
    const Lattice wide_mesh = jittered_mesh(wide_fine, 1, 0.4, progress);
    const Lattice wide_coarse = jittered_mesh(wide_fine.coarser(), 1, 0.4, progress);
    const auto western_half = [](const Lattice& wide) {
        Grid grid = wide.grid;
        grid.columns /= 2;
        Lattice half = jittered_mesh(grid, 1, 0.4, progress);
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column) {
                const std::size_t to = static_cast<std::size_t>(grid.index(column, row));
                half.offset_x[to] = wide.offset_x[static_cast<std::size_t>(wide.grid.index(column, row))];
                half.offset_y[to] = wide.offset_y[static_cast<std::size_t>(wide.grid.index(column, row))];
            }
        return half;
    };
    const auto waves = [](double x, double y) {
        return 400.0 + 100.0 * std::sin(x / 60.0) * std::cos(y / 45.0);
    };
    const Lattice half_mesh = western_half(wide_mesh);
    const Lattice half_coarse = western_half(wide_coarse);
    const Field<float> vectors =
        upsample_nodes(at_nodes(wide_coarse, waves), wide_coarse, wide_mesh, kUpsampleWidth, progress);
    const Field<float> single =
        upsample_nodes(at_nodes(half_coarse, waves), half_coarse, half_mesh, kUpsampleWidth, progress);
    for (int row = 0; row < 40; ++row)
        for (int column = 0; column < 32; ++column)
            ASSERT_NEAR(vectors(column, row), single(column, row), 2e-3);
}

TEST(PlaneFit, nodes_without_data_do_not_count) {
    const Lattice mesh = jittered_mesh(Grid{.columns = 20, .rows = 20, .cell_size = 10.0}, 1, 0.4, progress);
    Field<float> values = at_nodes(mesh, plane);
    values(10, 10) = kNoData;
    const Field<float> centred = resample_to_centres(values, mesh, kResampleWidth, progress);
    EXPECT_TRUE(is_no_data(centred(10, 10)));
    EXPECT_NEAR(centred(11, 10), plane(mesh.grid.x(11), mesh.grid.y(10)), 2e-3);
}

TEST(PlaneFit, sampling_at_nodes_follows_the_displacement) {
    const Lattice mesh = jittered_mesh(Grid{.columns = 20, .rows = 20, .cell_size = 10.0}, 1, 0.4, progress);
    const Field<float> sampled = sample_at_nodes(at_nodes(four_neighbours(mesh.grid), plane), mesh, progress);
    const Field<float> expected = at_nodes(mesh, plane);
    for (std::int64_t cell = 0; cell < expected.size(); ++cell)
        ASSERT_NEAR(sampled[cell], expected[cell], 2e-3);
}

TEST(DiffuseHillslopes, keeps_the_parabola_that_balances_uplift) {
    constexpr double kUplift = 1e-3;
    constexpr double kDiffusivity = 0.1;
    const auto parabola = [](double x, double y) {
        return 900.0 - kUplift / (4.0 * kDiffusivity) * (x * x + y * y);
    };
    const Lattice lattice =
        four_neighbours(Grid{.columns = 21, .rows = 21, .cell_size = 5.0, .west = -52.5, .north = 52.5});
    const Field<float> before = at_nodes(lattice, parabola);
    Field<float> after = before;
    const std::vector<std::uint8_t> inner = [&] {
        std::vector<std::uint8_t> where(441, 0);
        for (int r = 1; r < 20; ++r)
            for (int c = 1; c < 20; ++c) where[static_cast<std::size_t>(lattice.grid.index(c, r))] = 1;
        return where;
    }();
    const std::vector<float> uplift(441, static_cast<float>(kUplift));
    diffuse_hillslopes(after, lattice, inner, uplift, kDiffusivity, 3, progress);
    for (std::int64_t cell = 0; cell < 441; ++cell) ASSERT_NEAR(after[cell], before[cell], 2e-3);
    // A spike is worn down, and cells that are not named stay.
    Field<float> spiked = before;
    spiked(10, 10) += 50.0F;
    diffuse_hillslopes(spiked, lattice, inner, uplift, kDiffusivity, 1, progress);
    EXPECT_NEAR(spiked(10, 10), before(10, 10), 1e-2);
    EXPECT_EQ(spiked(0, 5), before(0, 5));
}

TEST(DiffuseHillslopes, in_vectors_of_any_width_agrees_with_the_code_for_single_cells) {
    const Lattice mesh = jittered_mesh(Grid{.columns = 61, .rows = 23, .cell_size = 4.0}, 2, 0.4, progress);
    Field<float> rough(mesh.grid);
    std::vector<std::uint8_t> where(at(rough.size()));
    std::vector<float> uplift(at(rough.size()));
    for (std::int64_t cell = 0; cell < rough.size(); ++cell) {
        const std::uint64_t bits = random_bits(9, Stream::SeedTerrain, static_cast<std::uint64_t>(cell));
        where[at(cell)] = bits % 3 == 0 ? 1 : 0;
        rough[cell] = where[at(cell)] == 0 && bits % 31 == 1 ? kNoData : 5.0F * unit_float(bits);
        uplift[at(cell)] = 1e-3F * unit_float(mix64(bits));
    }
    std::vector<Field<float>> results;
    for (const int lanes : {1, 4, 8, 16}) {
        limit_vector_lanes(lanes);
        results.push_back(rough);
        diffuse_hillslopes(results.back(), mesh, where, uplift, 0.1, 2, progress);
    }
    limit_vector_lanes(0);
    for (std::int64_t cell = 0; cell < rough.size(); ++cell) {
        ASSERT_EQ(is_no_data(results[0][cell]), is_no_data(rough[cell]));
        if (is_no_data(rough[cell])) continue;
        ASSERT_NEAR(results[1][cell], results[0][cell], 1e-5);
        ASSERT_EQ(results[2][cell], results[1][cell]);
        ASSERT_EQ(results[3][cell], results[1][cell]);
    }
}

}  // namespace
}  // namespace thalweg
