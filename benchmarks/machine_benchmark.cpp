// The machine itself, by work that has nothing to do with this program: what tables of different machines
// are compared with.
#include "thalweg/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

namespace thalweg {
namespace {

std::vector<float> random_floats(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = unit_float(random_bits(1, Stream::WhiteNoise, i));
    return values;
}

void machine_sort(benchmark::State& state) {
    const std::vector<float> values = random_floats(1 << 20);
    for (auto _ : state) {
        std::vector<float> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        benchmark::DoNotOptimize(sorted.data());
    }
}

void machine_powers(benchmark::State& state) {
    const std::vector<float> values = random_floats(1 << 20);
    for (auto _ : state) {
        float sum = 0.0F;
        for (const float value : values) sum += std::pow(value + 0.1F, 0.4F);
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * (1 << 20));
}

void machine_triad(benchmark::State& state) {
    constexpr std::size_t kCount = 20'000'000;
    std::vector<float> a(kCount, 1.0F), b(kCount, 2.0F), c(kCount, 3.0F);
    for (auto _ : state) {
        for (std::size_t i = 0; i < kCount; ++i) a[i] = b[i] + 0.5F * c[i];
        benchmark::DoNotOptimize(a.data());
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(3 * kCount * sizeof(float)));
}

/// One cycle through all numbers below `count` (Sattolo's shuffle).
std::vector<std::uint32_t> random_cycle(std::size_t count) {
    std::vector<std::uint32_t> next(count);
    std::iota(next.begin(), next.end(), 0U);
    for (std::size_t i = count - 1; i > 0; --i)
        std::swap(next[i], next[random_bits(1, Stream::WhiteNoise, i) % i]);
    return next;
}

void machine_random_reads(benchmark::State& state) {
    constexpr int kReads = 1 << 20;
    const std::vector<std::uint32_t> next =
        random_cycle(static_cast<std::size_t>(state.range(0)) * 1024 / sizeof(std::uint32_t));
    std::uint32_t place = 0;
    for (auto _ : state) {
        for (int i = 0; i < kReads; ++i) place = next[place];
        benchmark::DoNotOptimize(place);
    }
    state.SetItemsProcessed(state.iterations() * kReads);
}

BENCHMARK(machine_sort)->Unit(benchmark::kMillisecond);
BENCHMARK(machine_powers)->Unit(benchmark::kMillisecond);
BENCHMARK(machine_triad)->Unit(benchmark::kMillisecond);
BENCHMARK(machine_random_reads)->RangeMultiplier(8)->Range(512, 1 << 15)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace thalweg
