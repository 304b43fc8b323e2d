// The speed with which ground is covered.
#include "thalweg/ground/ground_cover.hpp"

#include <cmath>

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

/// Ridges and valleys 500 to 1500 m high, some of them cliffs.
Field<float> mountains(double cell_size) {
    Field<float> z(make_grid(1024.0 * cell_size, 1024.0 * cell_size, 1024));
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column) {
            const double x = z.grid().x(column), y = z.grid().y(row);
            z(column, row) = static_cast<float>(1000.0 + 400.0 * std::sin(x / 490.0) * std::cos(y / 510.0) +
                                                100.0 * std::sin(x / 97.0 + 2.0) * std::sin(y / 91.0));
        }
    return z;
}

/// Cell size, m. Without routing.
void covering_ground(benchmark::State& state) {
    const Field<float> elevation = mountains(static_cast<double>(state.range(0)));
    QuietProgress progress;
    const FlowResult flow = route(elevation, {}, progress);
    for (auto _ : state)
        benchmark::DoNotOptimize(ground_cover({.elevation = elevation, .flow = flow}, {}, 45.0, progress));
    state.SetItemsProcessed(state.iterations() * elevation.size());
}
BENCHMARK(covering_ground)->Arg(60)->Arg(30)->Arg(10)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace thalweg
