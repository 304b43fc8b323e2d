// Parts of flow routing, on surfaces named by their difficulty.
#include "thalweg/core/progress.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/fill.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/flow/route.hpp"

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

constexpr double kExtent = 25600.0;  // m

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

}  // namespace
}  // namespace thalweg
