// Terrain sources, in cells per second: one name per kind of octave.
#include "thalweg/noise/noise.hpp"

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

constexpr double kExtent = 25600.0;  // m

void eight_octaves(benchmark::State& state, NoiseKind kind) {
    const Grid grid = make_grid(kExtent, kExtent, static_cast<int>(state.range(0)));
    NoiseParameters parameters;
    parameters.kind = kind;
    parameters.octaves = 8;
    parameters.wavelength = 1024.0 * grid.cell_size;  // the eighth octave has 8 cells to a wavelength
    QuietProgress quiet;
    for (auto _ : state) benchmark::DoNotOptimize(make_noise(grid, parameters, 1, quiet));
    state.SetItemsProcessed(state.iterations() * grid.cells());
}

BENCHMARK_CAPTURE(eight_octaves, gradient, NoiseKind::Gradient)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(eight_octaves, simplex, NoiseKind::Simplex)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(eight_octaves, ridged, NoiseKind::Ridged)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(eight_octaves, cellular, NoiseKind::Cellular)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg
