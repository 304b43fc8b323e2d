#include "thalweg/meander/maps/crevasse_lobes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/meander/histories.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kMiddle = 1250.0;  // m, x of a crest of the sine

/// A channel along a sine that stays, and its bank bursts at a crest, where it turns to the right.
MeanderHistory burst_history(double year = 10.0) {
    ChannelLine line = sine_line(3000.0, 20.0, 1000.0, 150.0, 60.0);
    MeanderHistory history = history_of([&](double) { return line; }, 5.0, 40.0);
    history.events.push_back(
        {.year = year, .kind = MeanderEventKind::Crevasse, .reach = 1, .x = kMiddle, .y = 150.0});
    return history;
}

Grid grid_around() {
    return {.columns = 400, .rows = 400, .cell_size = 5.0, .west = 250.0, .north = 1000.0};
}

Field<float> lobes_alone(const MeanderHistory& history, const MeanderMapParameters& parameters = {}) {
    Field<float> deposit(grid_around(), 0.0F);
    for (const CrevasseLobe& lobe : crevasse_lobes(history, 100.0, parameters)) lobe.lay_down(deposit);
    return deposit;
}

TEST(CrevasseLobes, lie_outside_the_outer_bank) {
    const Field<float> deposit = lobes_alone(burst_history());
    const Grid& grid = deposit.grid();
    double mass = 0.0;
    for (std::int64_t cell = 0; cell < deposit.size(); ++cell) {
        if (deposit[cell] <= 0.0F) continue;
        mass += deposit[cell];
        ASSERT_GT(grid.y(grid.row_of(cell)), 150.0);
        ASSERT_LT(std::hypot(grid.x(grid.column_of(cell)) - kMiddle, grid.y(grid.row_of(cell)) - 180.0),
                  1.5 * 4.0 * 60.0);
    }
    EXPECT_GT(mass, 0.0);
}

TEST(CrevasseLobes, hold_what_their_equation_says_and_thin_outward) {
    const CrevasseLobe lobe = crevasse_lobes(burst_history(), 100.0, {}).at(0);
    EXPECT_GE(lobe.length, 0.5 * 4.0 * 60.0);
    EXPECT_LE(lobe.length, 1.5 * 4.0 * 60.0);
    double squares = 0.0;  // integral of R^2 da
    constexpr int kSteps = 20000;
    for (int i = 0; i < kSteps; ++i) {
        const double a = ((i + 0.5) / kSteps - 0.5) * std::numbers::pi;
        const double edge =
            (1.0 + 0.2 * std::sin(3.0 * a + lobe.phases[0]) + 0.15 * std::sin(5.0 * a + lobe.phases[1])) /
            1.35;
        squares += std::pow(lobe.length * std::pow(std::cos(a), 1.5) * edge, 2.0) * std::numbers::pi / kSteps;
    }
    const Field<float> deposit = lobes_alone(burst_history());
    double volume = 0.0;
    for (const float here : deposit) volume += here * deposit.grid().cell_area();
    EXPECT_NEAR(volume / (0.15 * lobe.thickness * squares), 1.0, 0.01);
    EXPECT_NEAR(volume / (lobe.thickness * lobe.length * lobe.length), 0.11, 0.03);
    double before = lobe.thickness;
    for (double r = 1.0; r < lobe.length; r += 1.0) {
        const double here = lobe.thickness_at({.x = lobe.x + r * lobe.way_x, .y = lobe.y + r * lobe.way_y});
        ASSERT_LE(here, before);
        before = here;
    }
    EXPECT_EQ(before, 0.0);
}

TEST(CrevasseLobes, differ_from_place_to_place_and_are_the_same_at_one) {
    const CrevasseLobe lobe = crevasse_lobes(burst_history(), 100.0, {}).at(0);
    MeanderHistory moved = burst_history();
    moved.events[0].x += 0.5;
    EXPECT_NE(crevasse_lobes(moved, 100.0, {}).at(0).length, lobe.length);
    EXPECT_EQ(crevasse_lobes(burst_history(), 100.0, {}).at(0).length, lobe.length);
    EXPECT_TRUE(crevasse_lobes(burst_history(), 5.0, {}).empty());
    EXPECT_TRUE(crevasse_lobes(burst_history(), 100.0, {.lobe_length = 0.0}).empty());
}

TEST(CrevasseLobes, are_part_of_the_deposit_until_a_channel_comes) {
    QuietProgress progress;
    const MeanderMapParameters parameters{.deposit_rate = 0.0};
    const auto deposit_of = [&](const MeanderHistory& history) {
        return meander_deposit(history, grid_around(), parameters, progress);
    };
    const Field<float> lobes = lobes_alone(burst_history());
    const Field<float> deposit = deposit_of(burst_history());
    const Grid& grid = lobes.grid();
    const auto sum_outside = [&](const Field<float>& of) {
        double sum = 0.0;
        for (std::int64_t cell = 0; cell < of.size(); ++cell)
            if (lobes[cell] > 0.0F && grid.y(grid.row_of(cell)) > 220.0) sum += of[cell];
        return sum;
    };
    EXPECT_NEAR(sum_outside(deposit), sum_outside(lobes), 1e-3 * sum_outside(lobes));
    // A second channel that runs over the lobe takes it; one that ran there before does not.
    ChannelLine over = straight_line(3000.0, 300.0, 250.0);
    MeanderHistory later = burst_history();
    for (RecordedNetwork& network : later.networks)
        if (network.year >= 20.0) network.channels.push_back(recorded(over, 2));
    EXPECT_LT(sum_outside(deposit_of(later)), 0.3 * sum_outside(lobes));
}

}  // namespace
}  // namespace thalweg
