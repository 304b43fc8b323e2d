// The speed of rain and of the rivers that are counted after it, on the source's 300 x 200 cells.
#include "thalweg/erosion/rain_events.hpp"
#include "thalweg/erosion/rain_start.hpp"

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

Field<float> source_plane() {
    return tilted_plane({.columns = 300, .rows = 200}, 1.0);
}

void rain(benchmark::State& state) {
    const Field<float> plane = source_plane();
    QuietProgress progress;
    std::int64_t visits = 0;
    for (auto _ : state)
        visits += rain_events(plane, Edges::Wrapped, {.events = state.range(0)}, 4, progress).report.visits;
    state.SetItemsProcessed(visits);
}
BENCHMARK(rain)->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);

void count_rivers(benchmark::State& state) {
    QuietProgress progress;
    const Field<float> terrain =
        rain_events(source_plane(), Edges::Wrapped, {.events = 10000}, 4, progress).elevation;
    for (auto _ : state) benchmark::DoNotOptimize(descend(terrain, Edges::Wrapped, kAllEight, 4, progress));
    state.SetItemsProcessed(state.iterations() * terrain.size());
}
BENCHMARK(count_rivers)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg
