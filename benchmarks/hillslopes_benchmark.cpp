// The speed of creep and of landslides on ridges and valleys.
#include "thalweg/erosion/hillslopes.hpp"
#include "thalweg/erosion/landslides.hpp"

#include <cmath>

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

/// Ridges and valleys of 1200 and 300 m, some of them steeper than a critical slope of 0.8.
Field<float> hills(double cell_size) {
    Field<float> z(make_grid(512.0 * cell_size, 512.0 * cell_size, 512));
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column) {
            const double x = z.grid().x(column), y = z.grid().y(row);
            z(column, row) = static_cast<float>(500.0 + 150.0 * std::sin(x / 190.0) * std::cos(y / 210.0) +
                                                25.0 * std::sin(x / 47.0 + 2.0) * std::sin(y / 51.0));
        }
    return z;
}

/// Cell size, m, and critical slope in hundredths.
void creep_of_20000_years(benchmark::State& state) {
    const Field<float> start = hills(static_cast<double>(state.range(0)));
    const CreepParameters parameters{.critical_slope = static_cast<double>(state.range(1)) / 100.0};
    QuietProgress progress;
    for (auto _ : state) benchmark::DoNotOptimize(creep(start, {}, parameters, progress));
    state.SetItemsProcessed(state.iterations() * start.size());
}
BENCHMARK(creep_of_20000_years)
    ->ArgsProduct({{100, 30, 10, 5}, {10000, 125, 80}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// Cell size, m.
void landslides(benchmark::State& state) {
    const Field<float> start = hills(static_cast<double>(state.range(0)));
    QuietProgress progress;
    std::int64_t slides = 0;
    for (auto _ : state) slides += slide(start, {.landslides = 6.0}, 4, progress).report.slides;
    state.SetItemsProcessed(slides);
}
BENCHMARK(landslides)->Arg(30)->Arg(10)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg
