// A terrain at many times, as a slider asks for them: the first time, and one step of the slider after it.
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/erosion_series.hpp"

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

constexpr double kExtent = 25600.0;  // m
constexpr std::uint64_t kSeed = 1;
constexpr double kYears = 5e5;      // yr, where the slider stands
constexpr double kSlideYears = 10;  // yr, of one step that stays between the same keys

QuietProgress progress;

/// 300 m of noise in cells of 1.6 km: closed basins and ranges.
ErosionInputs hills(int cells) {
    constexpr double kHill = 1600.0;  // m
    ErosionInputs inputs;
    inputs.grid = {.columns = cells, .rows = cells, .cell_size = kExtent / cells};
    inputs.elevation = [](const Grid& grid, Progress&) {
        Field<float> z(grid);
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            const auto column = static_cast<std::uint64_t>(grid.x(grid.column_of(cell)) / kHill);
            const auto row = static_cast<std::uint64_t>(grid.y(grid.row_of(cell)) / kHill);
            z[cell] = 300.0F * unit_float(random_bits(kSeed, Stream::SeedTerrain, column, row));
        }
        return z;
    };
    inputs.uplift = constant_source(1e-3F);
    return inputs;
}

ErosionParameters parameters_of(TimeDefinition definition) {
    return {.time_definition = definition, .diagnostics = false};
}

void series_cold(benchmark::State& state, TimeDefinition definition) {
    const ErosionInputs inputs = hills(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        ErosionSeries series(inputs, parameters_of(definition), kSeed);
        benchmark::DoNotOptimize(series.at(kYears, progress));
    }
}

void series_slide(benchmark::State& state, TimeDefinition definition) {
    ErosionSeries series(hills(static_cast<int>(state.range(0))), parameters_of(definition), kSeed);
    series.at(kYears, progress);
    series.at(kYears, progress);
    double years = kYears;
    for (auto _ : state) benchmark::DoNotOptimize(series.at(years += kSlideYears, progress));
}

/// Between the same two pairs of keys in turns: networks are found anew, the terrain at keys is at hand.
void series_jump(benchmark::State& state, TimeDefinition definition) {
    ErosionSeries series(hills(static_cast<int>(state.range(0))), parameters_of(definition), kSeed);
    series.at(kYears, progress);
    double factor = 1.0;
    for (auto _ : state) {
        factor = factor == 1.0 ? 0.5 : 1.0;
        benchmark::DoNotOptimize(series.at(factor * kYears, progress));
    }
}

#define THALWEG_SERIES_BENCHMARK(work)                    \
    BENCHMARK_CAPTURE(work, build, TimeDefinition::Build) \
        ->Arg(512)                                        \
        ->Arg(1024)                                       \
        ->Unit(benchmark::kMillisecond)                   \
        ->UseRealTime();                                  \
    BENCHMARK_CAPTURE(work, sweep, TimeDefinition::Sweep) \
        ->Arg(512)                                        \
        ->Arg(1024)                                       \
        ->Unit(benchmark::kMillisecond)                   \
        ->UseRealTime()
THALWEG_SERIES_BENCHMARK(series_cold);
THALWEG_SERIES_BENCHMARK(series_slide);
THALWEG_SERIES_BENCHMARK(series_jump);

}  // namespace
}  // namespace thalweg
