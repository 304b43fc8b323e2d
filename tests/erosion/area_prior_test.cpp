#include "thalweg/erosion/network/area_prior.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Areas from 1e3 to 1e7 m^2, evenly by their logarithm.
std::vector<float> drawn_areas(const Grid& grid, std::uint64_t seed) {
    std::vector<float> area(static_cast<std::size_t>(grid.cells()));
    for (std::size_t cell = 0; cell < area.size(); ++cell)
        area[cell] = 1e3F * std::pow(1e4F, unit_float(random_bits(seed, Stream::SeedTerrain, cell)));
    return area;
}

/// As area_prior.hpp says it, cell by cell of the coarse grid.
void scale_slowly(const std::vector<float>& coarse_area, const Grid& coarse, const Grid& fine,
                  std::vector<float>& area) {
    for (int row = 0; row < coarse.rows; ++row)
        for (int column = 0; column < coarse.columns; ++column) {
            const float parent = coarse_area[static_cast<std::size_t>(coarse.index(column, row))];
            if (parent <= 1e5F) continue;
            std::vector<std::size_t> children;
            for (const int r : {2 * row, 2 * row + 1})
                for (const int c : {2 * column, 2 * column + 1})
                    if (fine.contains(c, r)) children.push_back(static_cast<std::size_t>(fine.index(c, r)));
            float largest = 0.0F;
            for (const std::size_t child : children) largest = std::max(largest, area[child]);
            const float factor = std::clamp(parent / largest, 0.5F, 2.0F);
            if (largest > 0.0F)
                for (const std::size_t child : children) area[child] *= factor;
        }
}

TEST(AreaPrior, lists_the_cells_over_a_tenth_of_a_square_kilometre_by_rows) {
    const Grid grid{.columns = 5, .rows = 2};
    const CoarseRivers rivers =
        rivers_of({1e5F, 2e5F, 0.0F, 1.1e5F, 9e4F, 3e5F, 0.0F, 0.0F, 0.0F, 4e5F}, grid);
    ASSERT_EQ(rivers.size(), 4U);
    const std::vector<CoarseRiver> expected = {{1, 0, 2e5F}, {3, 0, 1.1e5F}, {0, 1, 3e5F}, {4, 1, 4e5F}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(rivers[i].column, expected[i].column);
        EXPECT_EQ(rivers[i].row, expected[i].row);
        EXPECT_EQ(rivers[i].area, expected[i].area);
    }
}

TEST(AreaPrior, scales_the_children_of_rivers_towards_them_on_even_and_odd_grids) {
    const Grid coarse{.columns = 40, .rows = 30};
    const std::vector<float> coarse_area = drawn_areas(coarse, 1);
    for (const int columns : {80, 79})
        for (const int rows : {60, 59}) {
            const Grid fine{.columns = columns, .rows = rows};
            std::vector<float> expected = drawn_areas(fine, 2);
            expected[7] = expected[8] = 0.0F;
            std::vector<float> area = expected;
            scale_slowly(coarse_area, coarse, fine, expected);
            for (const int threads : {1, 2, 8}) {
                const ExecutionScope on_threads({.threads = threads});
                std::vector<float> found = area;
                apply_area_prior(rivers_of(coarse_area, coarse), fine, found);
                EXPECT_EQ(found, expected);
            }
        }
}

TEST(AreaPrior, leaves_children_that_drain_nothing) {
    const Grid fine{.columns = 2, .rows = 2};
    std::vector<float> area(4, 0.0F);
    apply_area_prior({{0, 0, 1e6F}}, fine, area);
    EXPECT_EQ(area, std::vector<float>(4, 0.0F));
}

}  // namespace
}  // namespace thalweg
