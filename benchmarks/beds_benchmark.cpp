// The speed of carved terrain: making its tree, evaluating it in and beside the river, and covering it with
// water.
#include "thalweg/core/execution.hpp"
#include "thalweg/grid/rectangle.hpp"
#include "thalweg/riverscape/bed_tree.hpp"
#include "thalweg/riverscape/river_water.hpp"

#include <cstdint>
#include <vector>

#include "tests/riverscape/valleys.hpp"
#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

struct CarvedValley {
    tests::Valley valley;
    BedCourses courses;

    explicit CarvedValley(std::size_t type) : valley(tests::make_valley(tests::valley_forms()[type])) {
        QuietProgress progress;
        courses = bed_courses(valley.network, classify_reaches(valley.network, valley.elevation, {}),
                              valley.elevation, {}, 1, progress);
    }
    [[nodiscard]] BedTree tree() const { return {valley.elevation, courses, {}, 1}; }
};

/// Argument: the river's type, by number.
void beds_making(benchmark::State& state) {
    const ExecutionScope scope({.threads = 1});
    const CarvedValley carved(static_cast<std::size_t>(state.range(0)));
    BedTreeCounts counts;
    for (auto _ : state) counts = carved.tree().counts();
    state.counters["primitives"] = static_cast<double>(counts.all());
    state.counters["bytes_per_primitive"] = counts.bytes_each;
}
BENCHMARK(beds_making)->DenseRange(0, 8, 2)->Unit(benchmark::kMillisecond);

/// Arguments: the river's type, by number, and how far to evaluate to each side of it, m. A point each 25 cm.
void beds_evaluation(benchmark::State& state) {
    const ExecutionScope scope({.threads = 1});
    const CarvedValley carved(static_cast<std::size_t>(state.range(0)));
    const BedTree tree = carved.tree();
    const auto half = static_cast<double>(state.range(1));
    std::vector<Position> positions;
    for (double y = -half; y < half; y += 0.25)
        for (double x = 10.0; x < 110.0; x += 0.25)
            positions.push_back({x, tests::river_offset(carved.valley.form, x) + y});
    std::vector<float> elevations(positions.size());
    for (auto _ : state) {
        tree.elevation_at(positions, elevations);
        benchmark::DoNotOptimize(elevations.data());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(positions.size()));
}
BENCHMARK(beds_evaluation)->ArgsProduct({{0, 2, 3, 4, 6}, {5, 40}})->Unit(benchmark::kMillisecond);

/// Argument: the river's type, by number.
void beds_water(benchmark::State& state) {
    const ExecutionScope scope({.threads = 1});
    const CarvedValley carved(static_cast<std::size_t>(state.range(0)));
    const BedTree tree = carved.tree();
    const Rectangle extent{.west = 10.0, .south = -100.0, .east = 110.0, .north = 100.0};
    QuietProgress progress;
    std::int64_t primitives = 0;
    for (auto _ : state)
        primitives = river_water(tree, carved.courses, extent, {.density = 4.0}, 1, progress).tree.leaves();
    state.SetItemsProcessed(state.iterations() * primitives);
}
BENCHMARK(beds_water)->Arg(0)->DenseRange(2, 4)->Arg(6)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg
