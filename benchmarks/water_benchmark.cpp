// The speed of flowing water: seeding, compiling, and evaluation of a river of up to 1.5 million primitives.
#include "thalweg/core/execution.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/water/disc_seeding.hpp"
#include "thalweg/water/water_surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

/// A bending river, 20 m wide and so long [m], to be covered by discs of 1 m radius, one on 0.64 m^2.
WaterDomain bending_river(double length) {
    WaterDomain domain{.extent = {0.0, -120.0, length, 120.0}};
    domain.distance_to_water = [](Position p) {
        return std::max(0.0, (std::abs(p.y - 100.0 * std::sin(0.01 * p.x)) - 10.0) / 1.42);
    };
    domain.radius = [](Position) { return 1.0; };
    domain.radius_change = 0.0;
    domain.largest_radius = 16.0;
    return domain;
}

BlendFlowTree river_tree(double length) {
    QuietProgress progress;
    BlendFlowTree tree;
    for (const WaterDisc& disc : seed_discs(bending_river(length), 1, progress)) {
        constexpr WaterKind kKinds[] = {WaterKind::Calm,      WaterKind::Calm,      WaterKind::Ripple,
                                        WaterKind::Turbulent, WaterKind::Turbulent, WaterKind::Wave};
        tree.insert({.kind = kKinds[disc.bits % 6],
                     .x = disc.centre.x,
                     .y = disc.centre.y,
                     .radius = disc.radius,
                     .elevation = 100.0 - 0.01 * disc.centre.x,
                     .slope = 0.01,
                     .velocity_x = 1.2,
                     .velocity_y = 1.2 * std::cos(0.01 * disc.centre.x),
                     .fall = 0.1,
                     .foam = 0.5});
    }
    return tree;
}

/// Arguments: the river's length, m.
void water_seeding(benchmark::State& state) {
    const ExecutionScope scope({.threads = 1});
    QuietProgress progress;
    const WaterDomain domain = bending_river(static_cast<double>(state.range(0)));
    std::size_t discs = 0;
    for (auto _ : state) discs = seed_discs(domain, 1, progress).size();
    state.counters["primitives"] = static_cast<double>(discs);
}
BENCHMARK(water_seeding)->Arg(1000)->Arg(33000)->Unit(benchmark::kMillisecond);

void water_compiling(benchmark::State& state) {
    const ExecutionScope scope({.threads = 1});
    QuietProgress progress;
    const BlendFlowTree tree = river_tree(static_cast<double>(state.range(0)));
    std::int64_t bytes = 0;
    for (auto _ : state) bytes = WaterSurface(tree, progress).buffers().bytes();
    state.counters["primitives"] = static_cast<double>(tree.leaves());
    state.counters["bytes_per_primitive"] = static_cast<double>(bytes) / static_cast<double>(tree.leaves());
}
BENCHMARK(water_compiling)->Arg(1000)->Arg(33000)->Unit(benchmark::kMillisecond);

/// Arguments: the river's length, m, and the most lanes. 64 x 8 m of it, a point each 12.5 cm.
void water_evaluation(benchmark::State& state) {
    const ExecutionScope scope({.threads = 1});
    QuietProgress progress;
    const WaterSurface surface(river_tree(static_cast<double>(state.range(0))), progress);
    limit_vector_lanes(static_cast<int>(state.range(1)));
    const Grid grid{.columns = 512, .rows = 64, .cell_size = 0.125, .west = 438.0, .north = -92.0};
    double time = 0.0;
    for (auto _ : state) benchmark::DoNotOptimize(surface.on_grid(grid, time += 0.04, progress));
    limit_vector_lanes(0);
    std::int64_t wet = 0;
    for (const float elevation : surface.on_grid(grid, 0.0, progress).elevation)
        wet += is_no_data(elevation) ? 0 : 1;
    state.counters["evaluations"] =
        benchmark::Counter(static_cast<double>(wet), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(water_evaluation)
    ->ArgNames({"length", "lanes"})
    ->ArgsProduct({{1000, 33000}, {4, 8, 16}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg
