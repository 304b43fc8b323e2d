#include "thalweg/particles/droplets/droplet_batch.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/vector_lanes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kRowsPerPoll = DropletPaths::kRowsPerPoll;
constexpr std::int64_t kLastCells = 32;  // over which a load is spread at the end (empirical)

// Bits of visits that no cell may come to. Droplets that are not heavy leave 2^16 in a step at most, and all
// lanes 2^28 until these bits are looked at again: no sum of 31 bits overflows, nor do those of a cycle, of
// which 2^30 come from batches before (ParticleGround::count_visits).
constexpr std::int32_t kFullTrace = 0x3 << 29;
static_assert(kRowsPerPoll * kWidestVector * static_cast<std::int64_t>(kTraceOfDroplet * kHeaviestDroplet) <=
              std::int64_t{1} << 28);

DropletRun run_of(const DropletLaw& law, const DropletGround& ground, std::span<const DropletStart> starts,
                  DropletTraces& traces) {
    return {.law = &law,
            .ground = &ground,
            .starts = starts.data(),
            .count = static_cast<std::int32_t>(starts.size()),
            .begun = nullptr,
            .tile_columns = GroundTiles::columns_of(ground.columns),
            .cells = traces.cells.data(),
            .is_touched = traces.is_touched.data(),
            .soil = traces.soil.data(),
            .pigments = traces.pigments.data(),
            .carried = nullptr,
            .ends = traces.paths.ends.data()};
}

/// Takes all water out of the traces of cells and carries it beside them. O(cells).
void carry_water(DropletTraces& traces) {
    for (std::int64_t cell = 0; cell < std::ssize(traces.cells); ++cell) {
        const CellTrace trace = std::exchange(traces.cells[at(cell)], {});
        if (trace.visits == 0 && trace.east == 0 && trace.south == 0) continue;
        traces.carried.push_back(
            {.cell = cell, .visits = trace.visits, .east = trace.east, .south = trace.south});
    }
    traces.paths.lanes.all_visits = 0;
}

/// Counts the water of droplets that have ended.
void end_droplets(const GroundTiles& tiles, int columns, std::span<const DropletStart> starts,
                  DropletTraces& traces) {
    for (const DropletEnd& end : traces.paths.ends) {
        const DropletStart& start = starts[at(end.droplet)];
        const double share = static_cast<double>(end.volume) / static_cast<double>(start.droplet.volume);
        const std::int64_t water = std::llround(static_cast<double>(start.water) * share);
        traces.tally.water_evaporated += start.water - water;
        if (end.has_left != 0) {
            traces.tally.water_left += water;
            continue;
        }
        traces.at_rest.push_back({.cell = end.cell, .water = water});
        const int column = end.cell % columns;
        traces.is_touched[at(tiles.word_of(column, end.cell / columns))] |= GroundTiles::bit_of(column);
    }
}

/// Lays sediment down in a cell, or beside it where it has no room for a number of that size.
void lay_down_in(std::int64_t cell, std::int64_t amount, DropletTraces& traces) {
    std::int32_t& exchange = traces.cells[at(cell)].exchange;
    const std::int64_t sum = exchange + amount;
    if (sum == static_cast<std::int32_t>(sum))
        exchange = static_cast<std::int32_t>(sum);
    else
        traces.laid_down.push_back({.cell = cell, .amount = amount});
}

/// Spreads the load of a droplet over the last cells of its path.
void lay_down(const DropletEnd& end, DropletTraces& traces) {
    const DropletPaths& paths = traces.paths;
    std::array<std::int64_t, kLastCells> cells;
    std::int64_t count = 0;
    cells[at(count++)] = end.cell;
    for (std::int64_t row = end.row - 1; row >= end.first_row && count < kLastCells; --row) {
        const float* const step = paths.at_row(row) + end.lane;
        if (step[paths.lane_count] == 0.0F) continue;
        cells[at(count++)] = std::bit_cast<std::int32_t>(*step) & kStepCell;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t part = end.load / count + (i < end.load % count ? 1 : 0);
        lay_down_in(cells[at(i)], part, traces);
        if (!traces.soil.empty())
            traces.soil[at(cells[at(i)])] += end.soil / count + (i < end.soil % count ? 1 : 0);
        if (!traces.pigments.empty()) lay_pigments(traces.pigments[at(cells[at(i)])], end.pigments, part);
    }
}

}  // namespace

DropletTally& DropletTally::operator+=(const DropletTally& other) {
    moves += other.moves;
    water_evaporated += other.water_evaporated;
    water_left += other.water_left;
    sediment_entered += other.sediment_entered;
    sediment_left += other.sediment_left;
    soil_left += other.soil_left;
    soil_taken += other.soil_taken;
    return *this;
}

DropletTraces DropletTraces::on(const GroundTiles& tiles, std::int64_t cells, bool is_washed, bool has_soil) {
    return {.cells = std::vector<CellTrace>(at(cells)),
            .soil = std::vector<std::int64_t>(has_soil ? at(cells) : std::size_t{0}),
            .pigments = std::vector<PigmentTrace>(is_washed ? at(cells) : std::size_t{0}),
            .is_touched = tiles.no_marks()};
}

void run_droplets(const DropletLaw& law, const DropletGround& ground, const GroundTiles& tiles,
                  DropletQueue& droplets, DropletTraces& traces) {
    const std::span<const DropletStart> starts = droplets.starts;
    DropletPaths& paths = traces.paths;
    paths.lanes = {};
    paths.rows = 0;
    paths.lane_count = in_lanes([](auto lanes) { return lanes(); });
    paths.ends.resize(starts.size());
    DropletRun run = run_of(law, ground, starts, traces);
    run.begun = &droplets.begun;
    const std::int64_t per_block = kRowsPerPoll * kRowMembers * paths.lane_count;
    paths.blocks.clear();
    in_lanes([&](auto lanes) { begin_in_lanes<lanes()>(run, paths.lanes); });
    paths.heavy.resize(at(kRowsPerPoll * paths.lane_count));
    run.carried = paths.heavy.data();
    for (bool goes_on = true; goes_on;) {
        poll_cancelled();
        const std::int64_t last = paths.rows + kRowsPerPoll;
        paths.blocks.push_back(std::make_unique_for_overwrite<float[]>(at(per_block)));
        paths.lanes.carried = 0;
        paths.rows = in_lanes([&](auto lanes) {
            return run_in_lanes<lanes()>(run, paths.lanes, paths.blocks.back().get(), paths.rows, last);
        });
        goes_on = paths.rows == last;
        traces.carried.insert(traces.carried.end(), paths.heavy.begin(),
                              paths.heavy.begin() + paths.lanes.carried);
        if ((paths.lanes.all_visits & kFullTrace) != 0) carry_water(traces);
    }
    paths.ends.resize(at(paths.lanes.ended));
    traces.tally.moves += paths.lanes.moves;
    end_droplets(tiles, ground.columns, starts, traces);
}

void move_sediment(const DropletLaw& law, const DropletGround& ground, std::span<const DropletStart> starts,
                   DropletTraces& traces) {
    DropletPaths& paths = traces.paths;
    const DropletRun run = run_of(law, ground, starts, traces);
    SedimentLanes lanes;
    for (int lane = 0; lane < paths.lane_count; ++lane) {
        if (paths.lanes.first[lane] < 0) continue;
        const DropletStart& start = starts[at(paths.lanes.first[lane])];
        lanes.volume[lane] = start.droplet.volume;
        lanes.feed[lane] = start.feed;
    }
    const auto ended = static_cast<std::int32_t>(paths.ends.size());
    for (std::int64_t row = 0; row < paths.rows; row += kRowsPerPoll) {
        poll_cancelled();
        const std::int64_t last = std::min(row + kRowsPerPoll, paths.rows);
        in_lanes(
            [&](auto width) { move_in_lanes<width()>(run, lanes, ended, paths.at_row(row), row, last); });
    }
    traces.tally.sediment_entered += lanes.entered;
    traces.tally.soil_taken += lanes.soil_taken;
    for (const DropletEnd& end : paths.ends) {
        if (end.has_left == 0) {
            lay_down(end, traces);
            continue;
        }
        traces.tally.sediment_left += end.load;
        traces.tally.soil_left += end.soil;
    }
    paths.blocks.clear();
}

}  // namespace thalweg
