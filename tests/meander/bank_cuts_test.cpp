#include "thalweg/meander/network/bank_cuts.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/meander/events/avulsions.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/river/line_network.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/meander/lines.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// A plain whose ground stands up to 2.5 m above the banks of a straight river 60 m wide.
MeanderState river_on_rough_plain(double cell_size, std::uint64_t seed) {
    const Grid grid{.columns = static_cast<int>(18000.0 / cell_size),
                    .rows = static_cast<int>(8000.0 / cell_size),
                    .cell_size = cell_size,
                    .west = -1000.0,
                    .north = 4000.0};
    const ChannelLine line = sine_line(16000.0, 100.0, 16000.0, 0.0, 60.0);
    Field<float> ground(grid);
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
        ground[cell] = static_cast<float>(
            0.001 * (16000.0 - grid.x(grid.column_of(cell))) + line.values.depth[0] +
            2.5 * unit_double(random_bits(seed, Stream::WhiteNoise, static_cast<std::uint64_t>(cell))));
    RiverNetwork network = network_of_lines({{.points = points_of(line)}}, 60.0, std::nullopt, "river");
    for (Reach& reach : network.reaches)
        for (RiverPoint& point : reach.points) point.z = 0.001 * (16000.0 - point.x);
    return MeanderSimulation(network, {.initial_roughness = 0.0, .crevasse_rate = 0.0, .avulsion_depth = 3.0},
                             ground, seed)
        .state();
}

/// The most by which cells that the channel passes, and those within half a width, stand above its bank, m.
double highest_above_bank(const Field<float>& elevation, const ChannelLine& line, std::size_t first,
                          std::size_t last) {
    const Grid& grid = elevation.grid();
    double most = -1e9;
    for (std::size_t i = first; i < last; ++i)
        for (int step = 0; step <= 20; ++step) {
            const double share = step / 20.0;
            const auto mix = [&](const auto& v) { return v[i] + share * (v[i + 1] - v[i]); };
            const double bank = mix(line.z) + mix(line.values.depth);
            const int column = static_cast<int>(std::lround(grid.column_at(mix(line.x))));
            const int row = static_cast<int>(std::lround(grid.row_at(mix(line.y))));
            most = std::max(most, elevation(column, row) - bank);
        }
    return most;
}

TEST(BankCuts, leave_no_ground_above_the_banks_of_a_new_course) {
    // Cells of a sixth of the width, of the width, and of twice the width.
    for (const double cell_size : {10.0, 60.0, 120.0}) {
        int done = 0;
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            MeanderState state = river_on_rough_plain(cell_size, seed);
            const std::size_t points = state.channels[0].line.size();
            const Field<float> before = *state.elevation;
            if (!avulse(state, 0, points / 3, points / 2)) continue;
            ++done;
            const AbandonedCourse& left = state.history.courses.back();
            const std::size_t first = points / 3;
            const std::size_t last = state.channels[0].line.size() - (points - (first + left.line.size()));
            const ChannelLine& line = state.channels[0].line;
            EXPECT_GT(highest_above_bank(before, line, first + 3, last - 5), 0.5);
            EXPECT_LE(highest_above_bank(*state.elevation, line, first, last - 2), 0.05)
                << cell_size << " " << seed;
            double deepest = 0.0;
            for (std::int64_t cell = 0; cell < before.size(); ++cell) {
                const double cut = double{before[cell]} - (*state.elevation)[cell];
                ASSERT_GE(cut, 0.0);
                deepest = std::max(deepest, cut);
            }
            EXPECT_LE(deepest, state.parameters.avulsion_depth);
        }
        EXPECT_GT(done, 4) << cell_size;
    }
}

TEST(BankCuts, are_made_in_the_step_in_which_a_river_takes_a_new_course) {
    MeanderState start = river_on_rough_plain(20.0, 5);
    start.parameters.crevasse_rate = 3.0;
    start.parameters.crevasse_curvature = 0.0;
    start.parameters.avulsion_share = 0.2;
    MeanderSimulation rivers(std::move(start));
    QuietProgress progress;
    while (rivers.report().avulsions == 0 && rivers.year() < 40.0) rivers.step(progress);
    ASSERT_GT(rivers.report().avulsions, 0);
    const MeanderState& state = rivers.state();
    const AbandonedCourse& left = state.history.courses.back();
    const ChannelLine& line = state.channels[0].line;
    const auto nearest = [&](double x, double y) {
        std::size_t best = 0;
        for (std::size_t i = 0; i < line.size(); ++i)
            if (std::hypot(line.x[i] - x, line.y[i] - y) < std::hypot(line.x[best] - x, line.y[best] - y))
                best = i;
        return best;
    };
    const std::size_t first = nearest(left.line.x.front(), left.line.y.front());
    const std::size_t last = nearest(left.line.x.back(), left.line.y.back());
    ASSERT_GT(last, first + 10);
    EXPECT_LE(highest_above_bank(*state.elevation, line, first, last), 0.05);
    EXPECT_EQ(state.channels[0].mobility.size(), line.size());
}

TEST(BankCuts, never_raise_ground_that_is_lower_than_the_banks) {
    MeanderState state = river_on_rough_plain(50.0, 2);
    for (std::int64_t cell = 0; cell < state.elevation->size(); ++cell) (*state.elevation)[cell] -= 100.0F;
    const Field<float> before = *state.elevation;
    cut_course(*state.elevation, state.channels[0].line, 0, state.channels[0].line.size() - 1);
    EXPECT_EQ(*state.elevation, before);
}

}  // namespace
}  // namespace thalweg
