// The speed of wandering rivers: a step of one channel, a century of it, and of many channels beside each
// other.
#include "thalweg/core/execution.hpp"
#include "thalweg/meander/channel/channel_migration.hpp"
#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/channel/loops.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/river/line_network.hpp"

#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

constexpr double kWidth = 100.0;   // m
constexpr double kSpacing = 50.0;  // m, of points

/// Straight rivers of so many points, 20 km from one to the next.
RiverNetwork straight_rivers(std::int64_t rivers, std::int64_t points) {
    std::vector<RiverLine> lines;
    for (std::int64_t river = 0; river < rivers; ++river) {
        const double y = 2e4 * static_cast<double>(river);
        lines.push_back({.points = {{0.0, y, 0.0}, {kSpacing * static_cast<double>(points - 1), y, 0.0}}});
    }
    return network_of_lines(std::move(lines), kWidth, std::nullopt, "benchmark");
}

MeanderSimulation wandered(RiverNetwork network, TimeScheme scheme, int steps) {
    QuietProgress progress;
    MeanderParameters parameters;
    parameters.migration.time_scheme = scheme;
    MeanderSimulation rivers(std::move(network), parameters, std::nullopt, 1);
    for (int step = 0; step < steps; ++step) rivers.step(progress);
    return rivers;
}

/// Counts points, and the time that each takes a step or a call.
void count_points(benchmark::State& state, std::int64_t points, std::int64_t steps = 1) {
    state.counters["points"] = static_cast<double>(points);
    state.counters["per_point"] =
        benchmark::Counter(static_cast<double>(points * steps) * static_cast<double>(state.iterations()),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// A step of half a year of a channel that has wandered for 50 years; arguments: points at the start and
/// whether the step is extrapolated. `points` are those of the channel as it is then.
void meander_step(benchmark::State& state) {
    const ExecutionScope scope({.threads = 1});
    const TimeScheme scheme = state.range(1) != 0 ? TimeScheme::Extrapolated : TimeScheme::SemiImplicit;
    MeanderSimulation rivers = wandered(straight_rivers(1, state.range(0)), scheme, 100);
    QuietProgress progress;
    for (auto _ : state) rivers.step(progress);
    count_points(state, rivers.report().points);
}
BENCHMARK(meander_step)
    ->ArgNames({"points", "extrapolated"})
    ->ArgsProduct({{300, 10000, 1000000}, {0, 1}})
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond);

/// What steps are made of, each by itself, on such a channel.
enum Phase : std::int64_t { Migration, Resampling, Loops, Pairs };

void meander_phase(benchmark::State& state) {
    const ExecutionScope scope({.threads = 1});
    const MeanderSimulation rivers =
        wandered(straight_rivers(1, state.range(0)), TimeScheme::Extrapolated, 100);
    const MeanderChannel& channel = rivers.state().channels.front();
    ChannelLine line = channel.line;
    const std::vector<const ChannelLine*> lines = {&line};
    ChannelMigration migration({});
    for (auto _ : state) switch (state.range(1)) {
            case Migration:
                migration.step(line, channel.mobility, 0.0, 1e-3);  // less makes subnormal numbers
                break;
            case Resampling:
                benchmark::DoNotOptimize(resampled(line, kSpacing));
                break;
            case Loops:
                benchmark::DoNotOptimize(remove_loops(line));
                break;
            default:
                benchmark::DoNotOptimize(close_pairs(lines));
        }
    count_points(state, static_cast<std::int64_t>(line.size()));
}
BENCHMARK(meander_phase)
    ->ArgNames({"points", "phase"})
    ->ArgsProduct({{300, 10000, 1000000}, {Migration, Resampling, Loops, Pairs}})
    ->Unit(benchmark::kMillisecond);

/// Steps of rivers from the start, without making them; `points` are those that they end with.
void wander(benchmark::State& state, RiverNetwork network, int steps) {
    const MeanderSimulation start = wandered(std::move(network), TimeScheme::Extrapolated, 0);
    QuietProgress progress;
    std::int64_t points = 0;
    for (auto _ : state) {
        state.PauseTiming();
        MeanderSimulation rivers(MeanderState(start.state()));
        state.ResumeTiming();
        for (int step = 0; step < steps; ++step) rivers.step(progress);
        state.PauseTiming();
        points = rivers.report().points;
        state.ResumeTiming();
    }
    count_points(state, points, steps);
}

/// A century of 10 000 points.
void meander_century(benchmark::State& state) {
    const ExecutionScope scope({.threads = 1});
    wander(state, straight_rivers(1, 10000), 200);
}
BENCHMARK(meander_century)->Unit(benchmark::kMillisecond);

/// Ten years of 16 channels of 5000 points each on as many threads as the argument says.
void meander_channels(benchmark::State& state) {
    const ExecutionScope scope({.threads = static_cast<int>(state.range(0))});
    wander(state, straight_rivers(16, 5000), 20);
}
BENCHMARK(meander_channels)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg
