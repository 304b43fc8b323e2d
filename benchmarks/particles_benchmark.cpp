// The speed of droplets: cycles of particle hydrology on hills of fractal noise, with all that a cycle does.
#include "thalweg/core/execution.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/noise/noise.hpp"
#include "thalweg/particles/particle_simulation.hpp"

#include <cstdint>

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

/// Hills of cells of 10 m on which rivers have run for some cycles, so that the first, which fills lakes,
/// does not count. `droplets` in a cycle; 0: as by default.
ParticleSimulation rivers_on_hills(std::int64_t side, std::int64_t droplets) {
    constexpr int kCyclesBefore = 5;
    constexpr double kCellSize = 10.0;  // m
    const double extent = kCellSize * static_cast<double>(side);
    QuietProgress progress;
    const Field<float> hills = make_noise(make_grid(extent, extent, static_cast<int>(side)),
                                          {.amplitude = 600.0, .wavelength = 3200.0}, 1, progress);
    ParticleParameters parameters;
    parameters.droplets = droplets;
    ParticleSimulation rivers(hills, parameters, 1);
    for (int cycle = 0; cycle < kCyclesBefore; ++cycle) rivers.step(progress);
    return rivers;
}

/// `moves`: cells that droplets cross a second.
void run_cycles(benchmark::State& state, ParticleSimulation& rivers) {
    QuietProgress progress;
    const std::int64_t before = rivers.state().moves;
    for (auto _ : state) rivers.step(progress);
    state.counters["moves"] =
        benchmark::Counter(static_cast<double>(rivers.state().moves - before), benchmark::Counter::kIsRate);
}

/// A cycle with default parameters; arguments: cells along a side, threads.
void particles_cycle(benchmark::State& state) {
    const ExecutionScope scope({.threads = static_cast<int>(state.range(1))});
    ParticleSimulation rivers = rivers_on_hills(state.range(0), 0);
    run_cycles(state, rivers);
}
#define THALWEG_PARTICLES_CYCLE(side, cycles) \
    BENCHMARK(particles_cycle)                \
        ->ArgNames({"cells", "threads"})      \
        ->ArgsProduct({{side}, {1, 2}})       \
        ->Iterations(cycles)                  \
        ->MeasureProcessCPUTime()             \
        ->UseRealTime()                       \
        ->Unit(benchmark::kMillisecond)
THALWEG_PARTICLES_CYCLE(256, 20);
THALWEG_PARTICLES_CYCLE(512, 10);
THALWEG_PARTICLES_CYCLE(1024, 4);
THALWEG_PARTICLES_CYCLE(2048, 2);
#undef THALWEG_PARTICLES_CYCLE

/// A cycle of many droplets, on one thread; arguments: cells along a side, cells for each droplet (64 by
/// default), most floats in a vector.
void particles_many(benchmark::State& state) {
    const ExecutionScope scope({.threads = 1});
    limit_vector_lanes(static_cast<int>(state.range(2)));
    const std::int64_t side = state.range(0);
    ParticleSimulation rivers = rivers_on_hills(side, side * side / state.range(1));
    run_cycles(state, rivers);
    limit_vector_lanes(0);
}
BENCHMARK(particles_many)
    ->ArgNames({"cells", "cells_for_each", "lanes"})
    ->ArgsProduct({{512}, {4}, {4, 8, 16}})
    ->ArgsProduct({{1024}, {16}, {4, 8, 16}})
    ->Iterations(3)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg
