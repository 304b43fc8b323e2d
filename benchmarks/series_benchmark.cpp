// A terrain at many times, as a slider asks for them: the first time, and one step of the slider after it.
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/erosion_series.hpp"
#include "thalweg/noise/noise.hpp"

#include <map>
#include <string>

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

constexpr double kExtent = 25600.0;  // m
constexpr std::uint64_t kSeed = 1;
constexpr double kYears = 1e6;      // yr, where the slider stands
constexpr double kSlideYears = 10;  // yr, of one step that stays between the same keys

QuietProgress progress;

/// 300 m of noise in cells of 1.6 km: closed basins and level ground.
Field<float> terraces(const Grid& grid, Progress&) {
    constexpr double kTerrace = 1600.0;  // m
    Field<float> z(grid);
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        const auto column = static_cast<std::uint64_t>(grid.x(grid.column_of(cell)) / kTerrace);
        const auto row = static_cast<std::uint64_t>(grid.y(grid.row_of(cell)) / kTerrace);
        z[cell] = 300.0F * unit_float(random_bits(kSeed, Stream::SeedTerrain, column, row));
    }
    return z;
}

/// 300 m of gradient noise, 12.8 km wide at the largest: ranges and closed basins.
Field<float> hills(const Grid& grid, Progress& quiet) {
    return make_noise(grid, {.amplitude = 300.0, .wavelength = 12800.0, .octaves = 8}, kSeed, quiet);
}

/// 1 m of white noise.
Field<float> plain(const Grid& grid, Progress& quiet) {
    return make_noise(grid, {.kind = NoiseKind::White, .amplitude = 1.0}, kSeed, quiet);
}

using Terrain = Field<float> (*)(const Grid& grid, Progress& progress);

ErosionInputs inputs_of(Terrain terrain, const benchmark::State& state) {
    ErosionInputs inputs;
    inputs.grid = make_grid(kExtent, kExtent, static_cast<int>(state.range(0)));
    inputs.elevation = terrain;
    inputs.uplift = constant_source(1e-3F);
    return inputs;
}

ErosionParameters parameters_of(TimeDefinition definition) {
    return {.time_definition = definition, .diagnostics = false};
}

void series_cold(benchmark::State& state, TimeDefinition definition, Terrain terrain) {
    const ErosionInputs inputs = inputs_of(terrain, state);
    for (auto _ : state) {
        ErosionSeries series(inputs, parameters_of(definition), kSeed);
        benchmark::DoNotOptimize(series.at(kYears, progress));
    }
}

void series_slide(benchmark::State& state, TimeDefinition definition, Terrain terrain) {
    ErosionSeries series(inputs_of(terrain, state), parameters_of(definition), kSeed);
    series.at(kYears, progress);
    series.at(kYears, progress);
    double years = kYears;
    std::map<std::string, double> phases_ms;
    for (auto _ : state) {
        const ErosionResult result = series.at(years += kSlideYears, progress);
        for (const auto& [phase, ms] : result.report.phases_ms) phases_ms[phase] += ms;
    }
    for (const auto& [phase, ms] : phases_ms)
        state.counters[phase] = benchmark::Counter(ms, benchmark::Counter::kAvgIterations);
}

/// Between the same two pairs of keys in turns: networks are found anew, the terrain at keys is at hand.
void series_jump(benchmark::State& state, TimeDefinition definition, Terrain terrain) {
    ErosionSeries series(inputs_of(terrain, state), parameters_of(definition), kSeed);
    series.at(kYears, progress);
    double factor = 1.0;
    for (auto _ : state) {
        factor = factor == 1.0 ? 0.5 : 1.0;
        benchmark::DoNotOptimize(series.at(factor * kYears, progress));
    }
}

#define THALWEG_SERIES_BENCHMARK_OF(work, name, ...) \
    BENCHMARK_CAPTURE(work, name, __VA_ARGS__)       \
        ->Arg(512)                                   \
        ->Arg(1024)                                  \
        ->Unit(benchmark::kMillisecond)              \
        ->UseRealTime()
// On a plain of noise `full_resolution` does as on hills.
#define THALWEG_SERIES_BENCHMARK(work)                                                           \
    THALWEG_SERIES_BENCHMARK_OF(work, build_terraces, TimeDefinition::Multilevel, terraces);     \
    THALWEG_SERIES_BENCHMARK_OF(work, build_hills, TimeDefinition::Multilevel, hills);           \
    THALWEG_SERIES_BENCHMARK_OF(work, build_plain, TimeDefinition::Multilevel, plain);           \
    THALWEG_SERIES_BENCHMARK_OF(work, sweep_terraces, TimeDefinition::FullResolution, terraces); \
    THALWEG_SERIES_BENCHMARK_OF(work, sweep_hills, TimeDefinition::FullResolution, hills)
THALWEG_SERIES_BENCHMARK(series_cold);
THALWEG_SERIES_BENCHMARK(series_slide);
THALWEG_SERIES_BENCHMARK(series_jump);

}  // namespace
}  // namespace thalweg
