#include "thalweg/grid/resampling.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/grid/layer_source.hpp"

#include <algorithm>
#include <cmath>

#include "tests/grid/test_fields.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// Uniform draws in [0, 100) with one cell in `holes` left without data (0: none).
Field<float> random_field(const Grid& grid, std::uint64_t holes = 0) {
    Field<float> field(grid);
    for (std::int64_t cell = 0; cell < field.size(); ++cell) {
        const std::uint64_t bits = random_bits(11, Stream::WhiteNoise, static_cast<std::uint64_t>(cell));
        field[cell] = holes != 0 && bits % holes == 0 ? kNoData : 100.0F * unit_float(bits);
    }
    return field;
}

double volume(const Field<float>& field) {
    double sum = 0.0;
    for (const float value : field) sum += value;
    return sum * field.grid().cell_area();
}

/// Mean over a target cell by brute force: points at `steps` x `steps` places in it, those inside the field.
double mean_by_points(const Field<float>& field, const Grid& grid, int column, int row, int steps) {
    double sum = 0.0;
    int count = 0;
    for (int j = 0; j < steps; ++j) {
        for (int i = 0; i < steps; ++i) {
            const double x = grid.west + (column + (i + 0.5) / steps) * grid.cell_size;
            const double y = grid.north - (row + (j + 0.5) / steps) * grid.cell_size;
            const int source_column = static_cast<int>(std::floor(field.grid().column_at(x) + 0.5));
            const int source_row = static_cast<int>(std::floor(field.grid().row_at(y) + 0.5));
            if (!field.grid().contains(source_column, source_row)) continue;
            const float value = field(source_column, source_row);
            if (is_no_data(value)) continue;
            sum += value;
            ++count;
        }
    }
    return count > 0 ? sum / count : std::nan("");
}

TEST(Resampling, own_grid_gives_the_same_bits) {
    const Field<float> field = random_field(make_grid(700.0, 500.0, 7), 5);
    EXPECT_TRUE(same_bits(resample(field, field.grid()), field));
    EXPECT_TRUE(same_bits(field_source(field)(field.grid(), progress), field));
}

TEST(Resampling, means_of_two_by_two_by_hand) {
    Field<float> field(make_grid(40.0, 20.0, 4));
    int next = 0;
    for (float& value : field) value = static_cast<float>(next++);
    field(3, 1) = kNoData;
    const Field<float> coarse = half_coarsen(field);
    ASSERT_EQ(coarse.size(), 2);
    EXPECT_FLOAT_EQ(coarse[0], 2.5F);
    EXPECT_FLOAT_EQ(coarse[1], 11.0F / 3.0F);
}

TEST(Resampling, half_coarsening_is_resampling_onto_the_coarser_grid) {
    for (const auto& [width, height] : {std::pair{64.0, 32.0}, {37.0, 21.0}, {1.0, 9.0}, {1.0, 1.0}}) {
        const Field<float> field =
            random_field(make_grid(width, height, static_cast<int>(std::max(width, height))), 6);
        const Field<float> by_pairs = half_coarsen(field);
        const Field<float> by_overlap = resample(field, field.grid().coarser());
        ASSERT_EQ(by_pairs.grid(), by_overlap.grid());
        for (std::int64_t cell = 0; cell < by_pairs.size(); ++cell) {
            ASSERT_EQ(is_no_data(by_pairs[cell]), is_no_data(by_overlap[cell]));
            if (is_no_data(by_pairs[cell])) continue;
            EXPECT_NEAR(by_pairs[cell], by_overlap[cell], 1e-5);
        }
    }
}

TEST(Resampling, box_means_conserve_volume) {
    const Field<float> field = random_field(make_grid(840.0, 840.0, 84));
    for (const int cells : {42, 30, 28, 9, 5, 1})
        EXPECT_NEAR(volume(resample(field, make_grid(840.0, 840.0, cells))) / volume(field), 1.0, 1e-6)
            << cells;
}

TEST(Resampling, box_means_agree_with_counting_points) {
    const Field<float> field = random_field(make_grid(240.0, 240.0, 24), 7);
    Grid shifted = make_grid(240.0, 240.0, 8);
    shifted.west = -35.0;
    shifted.north = 255.0;
    shifted.cell_size = 25.0;
    const Field<float> means = resample(field, shifted);
    for (int row = 0; row < shifted.rows; ++row) {
        for (int column = 0; column < shifted.columns; ++column) {
            const double expected = mean_by_points(field, shifted, column, row, 50);
            if (std::isnan(expected)) continue;
            EXPECT_NEAR(means(column, row), expected, 1e-3) << column << ", " << row;
        }
    }
}

/// Mean of the cells with data under cell (column, row) of a field of `ratio` times larger cells.
float mean_below(const Field<float>& field, int ratio, int column, int row) {
    double sum = 0.0;
    int count = 0;
    for (int j = ratio * row; j < ratio * (row + 1); ++j) {
        for (int i = ratio * column; i < ratio * (column + 1); ++i) {
            if (is_no_data(field(i, j))) continue;
            sum += field(i, j);
            ++count;
        }
    }
    return count > 0 ? static_cast<float>(sum / count) : kNoData;
}

TEST(Resampling, means_of_whole_cells_are_sums_over_their_rows_to_the_bit) {
    for (const int ratio : {2, 3, 4, 8}) {
        const Grid coarse{.columns = 13, .rows = 5, .cell_size = 1.0 * ratio};
        Field<float> field = random_field({.columns = 13 * ratio, .rows = 5 * ratio}, 37);
        for (int i = 0; i < ratio * ratio; ++i) field(4 * ratio + i % ratio, i / ratio) = kNoData;
        const Field<float> means = resample(field, coarse);
        for (int row = 0; row < coarse.rows; ++row) {
            for (int column = 0; column < coarse.columns; ++column) {
                if (row == 0 && column == 4) continue;
                ASSERT_EQ(means(column, row), mean_below(field, ratio, column, row));
            }
        }
        EXPECT_TRUE(is_no_data(means(4, 0)));
    }
}

TEST(Resampling, cells_wholly_outside_take_the_nearest_edge) {
    const Field<float> field =
        field_of(make_grid(100.0, 100.0, 10), [](double x, double y) { return x + 1000.0 * y; });
    Grid beside = make_grid(60.0, 60.0, 3);
    beside.west = -500.0;
    beside.north = 100.0;
    const Field<float> means = resample(field, beside);
    EXPECT_FLOAT_EQ(means(0, 0), 5.0F + 1000.0F * 90.0F);
    EXPECT_FLOAT_EQ(means(2, 1), 5.0F + 1000.0F * 70.0F);
    beside.cell_size = 5.0;
    EXPECT_FLOAT_EQ(resample(field, beside)(0, 0), 5.0F + 1000.0F * 95.0F);
}

TEST(Resampling, finer_grids_hold_the_bilinear_surface) {
    const auto plane = [](double x, double y) { return 2.0 * x - 3.0 * y; };
    const Field<float> field = field_of(make_grid(1000.0, 1000.0, 20), plane);
    const Field<float> fine = field_source(field)(make_grid(1000.0, 1000.0, 80), progress);
    for (int row = 2; row < 78; ++row)
        for (int column = 2; column < 78; ++column)
            EXPECT_NEAR(fine(column, row), plane(fine.grid().x(column), fine.grid().y(row)), 1e-3);
}

TEST(Resampling, bicubic_refinement_converges_faster_than_bilinear) {
    const auto wave = [](double x, double y) { return std::sin(x / 60.0) * std::cos(y / 70.0); };
    const Field<float> field = field_of(make_grid(1000.0, 1000.0, 50), wave);
    const Grid finer = make_grid(1000.0, 1000.0, 150);
    const Field<float> exact = field_of(finer, wave);
    const auto error = [&](Interpolation interpolation) {
        const Field<float> fine = resample(field, finer, interpolation);
        double worst = 0.0;
        for (int row = 6; row < 144; ++row)
            for (int column = 6; column < 144; ++column)
                worst =
                    std::max(worst, std::abs(static_cast<double>(fine(column, row)) - exact(column, row)));
        return worst;
    };
    EXPECT_LT(error(Interpolation::Bicubic), 0.1 * error(Interpolation::Bilinear));
}

TEST(Resampling, coarse_cells_without_data_stay_without) {
    Field<float> field = random_field(make_grid(80.0, 80.0, 8));
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 4; ++column) field(column, row) = kNoData;
    const Field<float> coarse = resample(field, make_grid(80.0, 80.0, 2));
    EXPECT_TRUE(is_no_data(coarse(0, 0)));
    EXPECT_FALSE(is_no_data(coarse(1, 0)));
}

TEST(Resampling, keeps_the_asked_grid_with_its_coordinate_system) {
    Grid named = make_grid(80.0, 80.0, 8);
    named.crs = "LOCAL_CS[\"elsewhere\"]";
    EXPECT_EQ(resample(random_field(make_grid(80.0, 80.0, 8)), named).grid(), named);
}

TEST(Resampling, takes_the_nearest_cell_of_numbers_that_nothing_lies_between) {
    const Field<float> field = random_field({.columns = 7, .rows = 5, .cell_size = 10.0, .north = 50.0}, 9);
    for (const double cell_size : {3.0, 10.0, 17.0}) {
        const Grid grid{.columns = 9, .rows = 8, .cell_size = cell_size, .west = -12.0, .north = 58.0};
        const Field<float> nearest = resample_nearest(field, grid);
        for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
            const Position centre = grid.centre(grid.column_of(cell), grid.row_of(cell));
            // By distance to all centres, of which no two are equally far here.
            std::int64_t found = 0;
            const auto distance_to = [&](std::int64_t other) {
                const Position place =
                    field.grid().centre(field.grid().column_of(other), field.grid().row_of(other));
                return std::hypot(place.x - centre.x, place.y - centre.y);
            };
            for (std::int64_t other = 1; other < field.size(); ++other)
                if (distance_to(other) < distance_to(found)) found = other;
            EXPECT_TRUE(nearest[cell] == field[found] ||
                        (is_no_data(nearest[cell]) && is_no_data(field[found])))
                << cell_size << " " << cell;
        }
    }
}

TEST(Resampling, threads_do_not_change_a_bit) {
    const Field<float> field = random_field(make_grid(3000.0, 3000.0, 300), 9);
    const auto run = [&](int threads) {
        const ExecutionScope on_threads({.threads = threads});
        const std::vector<Field<float>> results = {resample(field, make_grid(3000.0, 3000.0, 170)),
                                                   resample(field, make_grid(3000.0, 3000.0, 500)),
                                                   half_coarsen(field)};
        return results;
    };
    const auto one = run(1);
    for (const int threads : {2, 8}) {
        const auto several = run(threads);
        for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(same_bits(one[i], several[i]));
    }
}

TEST(LayerSource, a_constant_is_the_same_on_every_grid) {
    const LayerSource source = constant_source(3.5F);
    for (const int cells : {1, 7}) {
        const Field<float> field = source(make_grid(70.0, 70.0, cells), progress);
        EXPECT_EQ(field.size(), cells * cells);
        for (const float value : field) EXPECT_EQ(value, 3.5F);
    }
}

TEST(LayerSource, a_coarse_level_is_the_box_mean_of_the_field) {
    const Field<float> field = random_field(make_grid(640.0, 640.0, 64), 9);
    const Grid coarse = make_grid(640.0, 640.0, 16);
    EXPECT_TRUE(same_bits(field_source(field)(coarse, progress), resample(field, coarse)));
    EXPECT_NEAR(field_source(field)(coarse, progress)(5, 6), mean_by_points(field, coarse, 5, 6, 4), 1e-4);
}

}  // namespace
}  // namespace thalweg
