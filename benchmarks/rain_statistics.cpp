// The rivers of Leheny's model in numbers, as Markdown:
//
//   build/release/benchmarks/rain_statistics [seeds [DEM]]                  (10)
//
// 300 x 200 cells of the source's plane with the source's numbers, after 1000 to 100 000 events; and
// Scheidegger's network, whose exponents are known, on the same grid: what a grid of this size makes of 1/3
// and 2/3.
#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/rain_events.hpp"
#include "thalweg/erosion/rain_start.hpp"
#include "thalweg/flow/drainage_exponents.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/io/raster.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr int kColumns = 300;
constexpr int kRows = 200;
constexpr int kMostSeeds = 1000;
constexpr std::int64_t kEvents[] = {1000, 3000, 10000, 30000, 100000};

QuietProgress progress;

/// Mean and standard deviation, as text.
std::string spread(const std::vector<double>& values) {
    double mean = 0.0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    double squares = 0.0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const double freedom = std::max(1.0, static_cast<double>(values.size()) - 1.0);
    return fmt::format("{:.3f} +- {:.3f}", mean, std::sqrt(squares / freedom));
}

/// Every cell drains to the south-west or south-east, at random.
FlowTree scheidegger_tree(std::uint64_t seed) {
    Field<float> slope = tilted_plane({.columns = kColumns, .rows = kRows}, 1.0);
    FlowTree tree = descend(slope, Edges::Wrapped, kAxes, seed, progress);
    tree.upstream_cells.assign(tree.direction.size(), 1);
    tree.order.clear();
    for (std::int32_t cell = kColumns * kRows - 1; cell >= 0; --cell) tree.order.push_back(cell);
    for (std::int32_t cell = 0; cell < kColumns * kRows; ++cell) {
        const auto place = static_cast<std::size_t>(cell);
        constexpr std::uint8_t kSouthEast = 1;
        constexpr std::uint8_t kSouthWest = 3;
        const bool west = (random_bits(seed, Stream::WhiteNoise, place) & 1) != 0;
        if (tree.direction[place] != kRoot) tree.direction[place] = west ? kSouthWest : kSouthEast;
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver >= 0)
            tree.upstream_cells[static_cast<std::size_t>(receiver)] += tree.upstream_cells[place];
    }
    return tree;
}

void print_row(const std::string& network, const std::vector<DrainageExponents>& exponents) {
    std::vector<double> area;
    std::vector<double> hack;
    for (const DrainageExponents& each : exponents) {
        area.push_back(each.area);
        hack.push_back(each.hack);
    }
    fmt::print("| {} | {} | {} |\n", network, spread(area), spread(hack));
    std::fflush(stdout);
}

void print_table(int seeds) {
    fmt::print("| network | exponent of drainage area | Hack's exponent |\n| --- | --- | --- |\n");
    const Field<float> plane = tilted_plane({.columns = kColumns, .rows = kRows}, 1.0);
    for (const std::int64_t events : kEvents) {
        std::vector<DrainageExponents> exponents;
        for (int seed = 1; seed <= seeds; ++seed) {
            const auto key = static_cast<std::uint64_t>(seed);
            const RainResult rained = rain_events(plane, Edges::Wrapped, {.events = events}, key, progress);
            exponents.push_back(drainage_exponents(
                descend(rained.elevation, Edges::Wrapped, kAllEight, key, progress), progress));
        }
        print_row(fmt::format("rain, {} events", events), exponents);
    }
    std::vector<DrainageExponents> known;
    for (int seed = 1; seed <= seeds; ++seed)
        known.push_back(drainage_exponents(scheidegger_tree(static_cast<std::uint64_t>(seed)), progress));
    print_row("Scheidegger's, 1/3 and 2/3 without edges", known);
}

void print_surveyed(const std::string& file) {
    const FlowResult flow = route(read_raster(file), {}, progress);
    print_row(file, {drainage_exponents(flow.tree, progress)});
}

int seeds_of(std::span<char*> arguments) {
    int seeds = 10;
    if (arguments.size() < 2) return seeds;
    const std::string_view text = arguments[1];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seeds);
    if (error != std::errc{} || end != text.data() + text.size() || seeds < 1 || seeds > kMostSeeds)
        throw Error::input(fmt::format("seeds = {} is not allowed: give from 1 to {}", text, kMostSeeds));
    return seeds;
}

}  // namespace
}  // namespace thalweg

int main(int count, char** arguments) {
    try {
        thalweg::print_table(thalweg::seeds_of({arguments, static_cast<std::size_t>(count)}));
        if (count > 2) thalweg::print_surveyed(arguments[2]);
        return 0;
    } catch (const thalweg::Error& error) {
        fmt::print(stderr, "rain_statistics: {}\n", error.what());
        return error.exit_code();
    }
}
