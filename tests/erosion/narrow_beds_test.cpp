// Narrow beds beside a closed form and a slow oracle.
#include "thalweg/erosion/narrow_beds.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/noise/noise.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Ground with its drainage.
struct Drained {
    Field<float> elevation;
    FlowResult flow;
};

Drained drained(Field<float> elevation) {
    QuietProgress progress;
    FlowResult flow = route(elevation, FlowParameters{}, progress);
    return {std::move(elevation), std::move(flow)};
}

/// A straight valley with sides of `side_slope`, which falls to the south, with cells of `cell_size` m.
Drained valley(double side_slope, double cell_size) {
    Field<float> z(make_grid(101.0 * cell_size, 101.0 * cell_size, 101));
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column)
            z(column, row) =
                static_cast<float>(cell_size * (side_slope * std::abs(column - 50) + 0.02 * (100 - row)));
    return drained(std::move(z));
}

/// Hills that fall to the south, with canyons below level reaches, on cells of 30 m.
Drained hills() {
    QuietProgress progress;
    const Grid grid = make_grid(3000.0, 3000.0, 100);
    Field<float> z =
        make_noise(grid, {.kind = NoiseKind::Billow, .amplitude = 300.0, .wavelength = 900.0}, 3, progress);
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column)
            z(column, row) += static_cast<float>(0.2 * grid.y(row));
    Drained made = drained(z);
    return drained(std::move(made.flow.elevation));  // with depressions breached
}

Field<float> blended(const Drained& ground, double share = 1.0, double channel_area = 1e5) {
    QuietProgress progress;
    return blend_narrow_beds(ground.elevation, ground.flow, {.channel_area = channel_area, .share = share},
                             progress);
}

double width_of(double area) {
    return 2.70 * std::pow(area / 1e6, 0.352);
}

TEST(NarrowBeds, rise_in_an_even_valley_by_half_of_what_a_bank_rises_over_a_cell) {
    for (const double share : {1.0, 0.5}) {
        const Drained ground = valley(0.6, 30.0);
        const Field<float> after = blended(ground, share);
        for (const int row : {40, 80}) {
            const double area = ground.flow.drained_area(ground.elevation.grid().index(50, row));
            ASSERT_GT(area, 1e5);
            const double rise = 0.5 * share * (1.0 - width_of(area) / 30.0) * 0.6 * 30.0;
            EXPECT_NEAR(after(50, row) - ground.elevation(50, row), rise, 2e-3);
            EXPECT_NEAR(after(51, row), ground.elevation(51, row), 1e-3);  // an even bank
            EXPECT_EQ(after(53, row), ground.elevation(53, row));
        }
    }
}

TEST(NarrowBeds, stay_as_they_are_where_they_are_wider_than_a_cell) {
    const Drained ground = valley(0.6, 1.0);
    EXPECT_EQ(blended(ground, 1.0, 1e3).rows(), 101);
    for (int row = 0; row < 101; ++row) {
        const double area = ground.flow.drained_area(ground.elevation.grid().index(50, row));
        if (width_of(area) >= 1.0) {
            EXPECT_EQ(blended(ground, 1.0, 1e3)(50, row), ground.elevation(50, row));
        }
    }
    EXPECT_EQ(blended(valley(0.6, 30.0), 0.0), valley(0.6, 30.0).elevation);
}

TEST(NarrowBeds, are_what_a_slow_oracle_says) {
    const Drained ground = hills();
    const Field<float>& z = ground.elevation;
    const Grid& grid = z.grid();
    const auto share_at = [&](int column, int row) {
        const auto cell = static_cast<std::int32_t>(grid.index(column, row));
        const double area = ground.flow.drained_area(cell);
        return ground.flow.tree.receiver(cell) < 0 || area < 1e5 ? 0.0
                                                                 : std::max(0.0, 1.0 - width_of(area) / 30.0);
    };
    std::vector<double> expected(z.begin(), z.end());
    for (int row = 1; row + 1 < grid.rows; ++row)
        for (int column = 1; column + 1 < grid.columns; ++column) {
            double mean = 0.0, share = 0.0;
            for (int y = -1; y <= 1; ++y)
                for (int x = -1; x <= 1; ++x) {
                    mean += (2 - std::abs(x)) * (2 - std::abs(y)) *
                            static_cast<double>(z(column + x, row + y)) / 16.0;
                    share = std::max(share, 0.5 * share_at(column + x, row + y));
                }
            const double own = share_at(column, row);
            const auto here = static_cast<double>(z(column, row));
            const double blend =
                own > 0.0 ? std::max(here, here + own * (mean - here)) : here + share * (mean - here);
            expected[grid.index(column, row)] = blend;
        }
    // Every bed is a tenth of the fall below any bed above it, if it is not its own old bed.
    std::vector<double> beds = expected;
    int checked = 0;
    for (std::int32_t from = 0; from < z.size(); ++from) {
        if (share_at(grid.column_of(from), grid.row_of(from)) == 0.0) continue;
        double highest = expected[from];
        for (std::int32_t at = from;;) {
            beds[at] = std::min(beds[at], highest);
            const std::int32_t receiver = ground.flow.tree.receiver(at);
            if (share_at(grid.column_of(receiver), grid.row_of(receiver)) == 0.0) break;
            const auto next = static_cast<double>(z[receiver]);
            highest = std::max(next, highest - 0.1 * (static_cast<double>(z[at]) - next));
            at = receiver;
        }
        ++checked;
    }
    EXPECT_GT(checked, 300);
    const Field<float> after = blended(ground);
    for (std::int64_t cell = 0; cell < z.size(); ++cell) ASSERT_NEAR(after[cell], beds[cell], 2e-3) << cell;
}

TEST(NarrowBeds, fall_downstream_and_none_is_lowered) {
    const Drained ground = hills();
    const Field<float> after = blended(ground);
    int raised = 0;
    for (std::int32_t cell = 0; cell < after.size(); ++cell) {
        const std::int32_t receiver = ground.flow.tree.receiver(cell);
        if (receiver < 0 || ground.flow.drained_area(cell) < 1e5) continue;
        ASSERT_GE(after[cell], ground.elevation[cell]);
        ASSERT_GE(after[cell], after[receiver]);
        raised += after[cell] > ground.elevation[cell] + 1.0F ? 1 : 0;
    }
    EXPECT_GT(raised, 100);
}

TEST(NarrowBeds, keep_roots_edges_and_gaps) {
    Field<float> z = valley(0.6, 30.0).elevation;
    z(50, 60) = kNoData;
    const Drained ground = drained(z);
    const Field<float> after = blended(ground);
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        ASSERT_EQ(is_no_data(after[cell]), is_no_data(z[cell]));
        if (ground.flow.tree.receiver(cell) < 0 && !is_no_data(z[cell])) {
            ASSERT_EQ(after[cell], z[cell]);
        }
    }
    EXPECT_GT(after(50, 40), z(50, 40));
}

TEST(NarrowBeds, have_the_same_bits_on_any_number_of_threads) {
    const Drained ground = hills();
    const auto made_on = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        return blended(ground);
    };
    EXPECT_EQ(made_on(1), made_on(2));
    EXPECT_EQ(made_on(1), made_on(8));
}

TEST(NarrowBeds, stop_when_they_are_cancelled) {
    const Drained ground = valley(0.6, 30.0);
    ImpatientProgress progress(1);
    EXPECT_THROW(blend_narrow_beds(ground.elevation, ground.flow, {}, progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
