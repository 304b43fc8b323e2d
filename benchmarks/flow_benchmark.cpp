// Parts of flow routing, on surfaces named by their difficulty.
#include "thalweg/core/progress.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/depression_hierarchy.hpp"
#include "thalweg/flow/depressions/breach_directions.hpp"
#include "thalweg/flow/depressions/flats.hpp"
#include "thalweg/flow/fill.hpp"
#include "thalweg/flow/fill_spill_merge.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/flow/spill_tree.hpp"
#include "thalweg/noise/noise.hpp"

#include <algorithm>
#include <limits>

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

constexpr double kExtent = 25600.0;                                   // m
constexpr double kEndless = std::numeric_limits<double>::infinity();  // m of runoff

/// No pit at all.
Field<float> tilted_plane(int cells) {
    Field<float> elevation(make_grid(kExtent, kExtent, cells));
    for (int row = 0; row < elevation.rows(); ++row)
        for (int column = 0; column < elevation.columns(); ++column)
            elevation(column, row) = static_cast<float>(row + 0.3 * column);
    return elevation;
}

/// One cell in nine is a pit.
Field<float> white_noise(int cells) {
    Field<float> elevation(make_grid(kExtent, kExtent, cells));
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        elevation[cell] = unit_float(random_bits(1, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)));
    return elevation;
}

/// Fractal noise whose octaves keep so much of their height that about a third of its cells lie in
/// depressions.
Field<float> rolling(int cells) {
    QuietProgress progress;
    return make_noise(make_grid(kExtent, kExtent, cells), {.persistence = 0.6}, 1, progress);
}

using Surface = Field<float> (*)(int);

void count_cells(benchmark::State& state, const Field<float>& elevation) {
    state.SetItemsProcessed(state.iterations() * elevation.size());
}

void steepest_directions_on(benchmark::State& state, Surface surface) {
    const Field<float> elevation = surface(static_cast<int>(state.range(0)));
    const Lattice lattice = eight_neighbours(elevation.grid());
    const Field<std::uint8_t> roots = edge_roots(elevation);
    for (auto _ : state) benchmark::DoNotOptimize(steepest_directions(elevation, lattice, roots));
    count_cells(state, elevation);
}

void breach_directions_on(benchmark::State& state, Surface surface) {
    const Field<float> elevation = surface(static_cast<int>(state.range(0)));
    const Lattice lattice = eight_neighbours(elevation.grid());
    const std::vector<std::uint8_t> steepest = steepest_directions(elevation, lattice, edge_roots(elevation));
    QuietProgress progress;
    for (auto _ : state) {
        state.PauseTiming();
        std::vector<std::uint8_t> direction = steepest;
        state.ResumeTiming();
        breach_directions(elevation, lattice, direction, progress);
        benchmark::DoNotOptimize(direction);
    }
    count_cells(state, elevation);
}

void order_and_area_on(benchmark::State& state, Surface surface) {
    const Field<float> elevation = surface(static_cast<int>(state.range(0)));
    QuietProgress progress;
    FlowTree tree =
        build_flow_tree(elevation, eight_neighbours(elevation.grid()), edge_roots(elevation), progress);
    for (auto _ : state) {
        order_tree(tree, progress);
        benchmark::DoNotOptimize(drainage_area(tree));
    }
    count_cells(state, elevation);
}

void fill_on(benchmark::State& state, Surface surface) {
    const Field<float> elevation = surface(static_cast<int>(state.range(0)));
    const Field<std::uint8_t> roots = edge_roots(elevation);
    QuietProgress progress;
    for (auto _ : state)
        benchmark::DoNotOptimize(fill_depressions(elevation, roots, FilledSurface::Draining, progress));
    count_cells(state, elevation);
}

/// Hierarchy and fill-spill-merge, from known basins. runoff: m.
void lakes_on(benchmark::State& state, Surface surface, double runoff) {
    const Field<float> elevation = surface(static_cast<int>(state.range(0)));
    const Lattice lattice = eight_neighbours(elevation.grid());
    QuietProgress progress;
    std::vector<std::uint8_t> direction = steepest_directions(elevation, lattice, edge_roots(elevation));
    resolve_flats(elevation, lattice, direction, progress);
    const Basins basins = find_basins(elevation.grid(), direction, progress);
    const SpillTree tree = find_spills(elevation, lattice, basins, progress);
    double flooded = 0.0;
    for (auto _ : state) {
        const DepressionHierarchy hierarchy = find_depressions(elevation, lattice, basins, tree, progress);
        const Lakes lakes = fill_spill_merge(elevation, basins, hierarchy, {.runoff = runoff}, progress);
        flooded = static_cast<double>(
            std::count_if(lakes.lake.begin(), lakes.lake.end(), [](int id) { return id != 0; }));
    }
    state.counters["flooded"] = flooded / static_cast<double>(elevation.size());
    count_cells(state, elevation);
}

/// The same from the terrain alone.
void lakes_from_terrain_on(benchmark::State& state, Surface surface, double runoff) {
    const Field<float> elevation = surface(static_cast<int>(state.range(0)));
    const Lattice lattice = eight_neighbours(elevation.grid());
    const Field<std::uint8_t> roots = edge_roots(elevation);
    QuietProgress progress;
    for (auto _ : state) {
        std::vector<std::uint8_t> direction = steepest_directions(elevation, lattice, roots);
        resolve_flats(elevation, lattice, direction, progress);
        const Basins basins = find_basins(elevation.grid(), direction, progress);
        const SpillTree tree = find_spills(elevation, lattice, basins, progress);
        const DepressionHierarchy hierarchy = find_depressions(elevation, lattice, basins, tree, progress);
        benchmark::DoNotOptimize(
            fill_spill_merge(elevation, basins, hierarchy, {.runoff = runoff}, progress));
    }
    count_cells(state, elevation);
}

void route_on(benchmark::State& state, Surface surface) {
    const Field<float> elevation = surface(static_cast<int>(state.range(0)));
    QuietProgress progress;
    for (auto _ : state) benchmark::DoNotOptimize(route(elevation, {}, progress));
    count_cells(state, elevation);
}

BENCHMARK_CAPTURE(steepest_directions_on, tilted_plane, tilted_plane)->Arg(1024);
BENCHMARK_CAPTURE(steepest_directions_on, white_noise, white_noise)->Arg(1024);
BENCHMARK_CAPTURE(breach_directions_on, tilted_plane, tilted_plane)->Arg(1024);
BENCHMARK_CAPTURE(breach_directions_on, white_noise, white_noise)->Arg(1024);
BENCHMARK_CAPTURE(order_and_area_on, tilted_plane, tilted_plane)->Arg(1024);
BENCHMARK_CAPTURE(order_and_area_on, white_noise, white_noise)->Arg(1024);
BENCHMARK_CAPTURE(fill_on, tilted_plane, tilted_plane)->Arg(1024);
BENCHMARK_CAPTURE(fill_on, white_noise, white_noise)->Arg(1024);
BENCHMARK_CAPTURE(route_on, tilted_plane, tilted_plane)->Arg(1024);
BENCHMARK_CAPTURE(route_on, white_noise, white_noise)->Arg(1024);
BENCHMARK_CAPTURE(lakes_on, rolling_full, rolling, kEndless)->Arg(1024);
BENCHMARK_CAPTURE(lakes_on, rolling_1_m, rolling, 1.0)->Arg(1024);
BENCHMARK_CAPTURE(lakes_on, white_noise_full, white_noise, kEndless)->Arg(1024);
BENCHMARK_CAPTURE(lakes_on, white_noise_2_cm, white_noise, 0.02)->Arg(1024);
BENCHMARK_CAPTURE(lakes_from_terrain_on, rolling_full, rolling, kEndless)->Arg(1024);
BENCHMARK_CAPTURE(lakes_from_terrain_on, rolling_1_m, rolling, 1.0)->Arg(1024);

}  // namespace
}  // namespace thalweg
