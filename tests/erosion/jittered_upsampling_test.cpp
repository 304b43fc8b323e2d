#include "thalweg/erosion/transfer/jittered_upsampling.hpp"

#include "thalweg/core/cell_bits.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

Field<float> rough_field(const Grid& grid) {
    Field<float> field(grid);
    for (std::int64_t cell = 0; cell < field.size(); ++cell)
        field[cell] =
            100.0F * unit_float(random_bits(9, Stream::SeedTerrain, static_cast<std::uint64_t>(cell)));
    return field;
}

/// Where a fine cell's value comes from, m: its centre, displaced by 16 bits of a hash in either direction.
Position displaced_centre(const Grid& fine, int column, int row, double jitter, std::uint64_t seed) {
    const std::uint64_t size =
        static_cast<std::uint64_t>(fine.columns) << 32 | static_cast<std::uint64_t>(fine.rows);
    const std::uint32_t bits = cell_bits(random_bits(seed, Stream::UpsampleJitter, size),
                                         static_cast<std::uint32_t>(fine.index(column, row)));
    const double reach = 2.0 * jitter * 2.0 * fine.cell_size;
    return {fine.x(column) + reach * (((bits >> 16) + 0.5) / 65536.0 - 0.5),
            fine.y(row) - reach * (((bits & 0xffffU) + 0.5) / 65536.0 - 0.5)};
}

TEST(JitteredUpsampling, samples_the_coarse_field_beside_every_centre) {
    // Whole vectors and less, one cell, odd sizes.
    for (const auto& [columns, rows] : {std::pair{64, 48}, {70, 9}, {63, 33}, {5, 4}, {1, 3}, {2, 1}}) {
        const Grid fine{.columns = columns, .rows = rows, .cell_size = 12.5, .west = 300.0, .north = 90.0};
        const Field<float> coarse = rough_field(fine.coarser());
        for (const double jitter : {0.0, 0.1, 0.25}) {
            const Field<float> result = upsample_jittered(coarse, fine, jitter, 7, progress);
            for (int row = 0; row < rows; ++row)
                for (int column = 0; column < columns; ++column)
                    ASSERT_NEAR(result(column, row),
                                sample_bilinear(coarse, displaced_centre(fine, column, row, jitter, 7)), 2e-4)
                        << columns << " x " << rows << ", " << column << ", " << row;
        }
    }
}

TEST(JitteredUpsampling, displaces_evenly_within_its_reach_and_by_the_seed) {
    const Grid fine{.columns = 128, .rows = 128, .cell_size = 1.0};
    Field<float> coarse(fine.coarser());
    for (std::int64_t cell = 0; cell < coarse.size(); ++cell)
        coarse[cell] = static_cast<float>(coarse.grid().x(coarse.grid().column_of(cell)));
    const Field<float> a = upsample_jittered(coarse, fine, 0.25, 1, progress);
    double worst = 0.0, sum = 0.0, squares = 0.0;
    for (int row = 0; row < 128; ++row)
        for (int column = 2; column < 126; ++column) {
            const double shift = double{a(column, row)} - fine.x(column);
            worst = std::max(worst, std::abs(shift));
            sum += shift;
            squares += shift * shift;
        }
    const double count = 128.0 * 124.0;
    EXPECT_LE(worst, 0.5);
    EXPECT_GT(worst, 0.499);
    EXPECT_NEAR(sum / count, 0.0, 0.01);
    EXPECT_NEAR(squares / count, 1.0 / 12.0, 0.003);  // of an even distribution of width 1
    EXPECT_NE(a, upsample_jittered(coarse, fine, 0.25, 2, progress));
}

TEST(JitteredUpsampling, cells_without_data_do_not_count) {
    const Grid fine{.columns = 40, .rows = 40, .cell_size = 5.0};
    Field<float> coarse(fine.coarser(), 8.0F);
    for (int row = 0; row < 20; ++row)
        for (int column = 10; column < 20; ++column) coarse(column, row) = kNoData;
    const Field<float> result = upsample_jittered(coarse, fine, 0.25, 3, progress);
    for (int row = 0; row < 40; ++row) {
        // Coarse column 10 has data to its west, column 11 has none around.
        for (int column = 0; column < 21; ++column) ASSERT_EQ(result(column, row), 8.0F) << column;
        for (int column = 21; column < 40; ++column) ASSERT_TRUE(is_no_data(result(column, row))) << column;
    }
}

TEST(JitteredUpsampling, has_the_same_bits_for_every_width_of_vectors_and_number_of_threads) {
    const Grid fine{.columns = 301, .rows = 203, .cell_size = 5.0};
    Field<float> coarse = rough_field(fine.coarser());
    std::vector<Field<float>> results;
    for (const int lanes : {4, 8, 16})
        for (const int threads : {1, 2, 8}) {
            limit_vector_lanes(lanes);
            const ExecutionScope on_threads({.threads = threads});
            results.push_back(upsample_jittered(coarse, fine, 0.25, 3, progress));
        }
    limit_vector_lanes(0);
    for (const Field<float>& result : results) EXPECT_EQ(result, results.front());
}

}  // namespace
}  // namespace thalweg
