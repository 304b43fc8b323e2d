#include "thalweg/flow/routing/freeman_walk.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/flow/graph/receiver_sets.hpp"
#include "thalweg/flow/routing/freeman_turns.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastRowsOfStrip =
    256;  // fewer leave too much to the walk behind all strips (empirical)
constexpr std::int64_t kColumnsOfBlock = 256;    // whose sources are taken together (empirical)
constexpr std::int64_t kCellsAtOnce = 1 << 16;   // grain of cell-by-cell work
constexpr std::int64_t kTurnsPerPoll = 1 << 14;  // each near 0.3 us

// Directions that lead out of a strip over its last and its first row, as sets.
constexpr std::uint8_t kSouthern = 0b00001110;
constexpr std::uint8_t kNorthern = 0b11100000;

// More donors than there are neighbours: a bit that no cell has otherwise, but those whose turn has come,
// kTaken and above where their empty slots gave to themselves.
constexpr std::uint8_t kHeldBack = 16;
constexpr std::uint8_t kTaken = 247;
static_assert((kOfSource & kHeldBack) == 0 && ((kOfSource - 3) & kHeldBack) == 0);

using ReceiverTable = std::array<FreemanReceivers, 256>;

ReceiverTable receiver_table(const Grid& grid) {
    // Slopes are scaled, so that the least difference of floats has an inverse.
    constexpr float kScale = 0x1p40F;
    const auto flag = [](bool holds) { return static_cast<std::uint8_t>(holds ? 1 : 0); };
    ReceiverTable table;
    for (std::size_t set = 0; set < table.size(); ++set) {
        FreemanReceivers& receivers = table[set];
        std::size_t count = 0;
        for (std::size_t d = 0; d < 8; ++d) {
            if ((set >> d & 1) == 0) continue;
            receivers.step[count] = kRowStep[d] * grid.columns + kColumnStep[d];
            receivers.per_drop[count++] = d % 2 == 0 ? kScale : kScale * kInverseDiagonal;
        }
        receivers.is_one = flag(count == 1);
        receivers.is_few = flag(count > 1 && count <= 4);
        receivers.is_many = flag(count > 4);
    }
    return table;
}

std::unique_ptr<FreemanCell[]> cells_at_start(const Grid& grid, const std::vector<std::uint8_t>& receivers) {
    const std::vector<std::uint8_t> donors = count_donors(grid, receivers);
    auto cells = std::make_unique_for_overwrite<FreemanCell[]>(at(grid.cells()));
    parallel_for(0, grid.cells(), kCellsAtOnce, [&](std::int64_t first, std::int64_t end) {
        for (std::int64_t cell = first; cell < end; ++cell)
            cells[at(cell)] = {donors[at(cell)] == 0 ? kOfSource : donors[at(cell)], receivers[at(cell)]};
    });
    return cells;
}

/// Lets the cells of a row that drain in one of `directions` wait for more donors than there are.
void hold_back(const FreemanGround& ground, const Grid& grid, std::int64_t row, std::uint8_t directions) {
    for (std::int64_t cell = row * grid.columns; cell < (row + 1) * grid.columns; ++cell)
        if ((ground.cells[cell].receivers & directions) != 0)
            ground.cells[cell].awaited = static_cast<std::uint8_t>(ground.cells[cell].awaited + kHeldBack);
}

/// Takes that back, and adds to the ready cells those that await no other donor.
void let_go(const FreemanGround& ground, const Grid& grid, std::int64_t row, FreemanReady& ready) {
    for (std::int64_t cell = row * grid.columns; cell < (row + 1) * grid.columns; ++cell) {
        std::uint8_t& awaited = ground.cells[cell].awaited;
        if ((awaited & kHeldBack) == 0 || awaited >= kTaken) continue;
        awaited = static_cast<std::uint8_t>(awaited - kHeldBack);
        if (awaited != 0 && awaited != kOfSource) continue;
        ready.cells[ready.count++] = static_cast<std::int32_t>(cell);
    }
}

/// Room for so many ready cells.
std::unique_ptr<std::int32_t[]> room_for(std::int64_t cells) {
    return std::make_unique_for_overwrite<std::int32_t[]>(at(cells + kRunOfSources));
}

void walk(const FreemanGround& ground, const FreemanSources& sources, const FreemanReady& ready,
          const Progress& progress) {
    const auto state = std::make_unique<FreemanWalk>();
    state->ground = ground;
    state->sources = sources;
    state->ready = ready;
    std::fill_n(&state->few.slope[0][0], 4 * kCellsOfTurn, 1.0F);
    std::fill_n(&state->many.slope[0][0], 8 * kCellsOfTurn, 1.0F);
    const auto take_turns = in_lanes([](auto lanes) { return &take_freeman_turns<lanes()>; });
    do progress.poll();
    while (take_turns(*state, kTurnsPerPoll));
}

}  // namespace

void gather_freeman(const Field<float>& elevation, const std::vector<std::uint8_t>& receivers,
                    double exponent, Field<double>& sum, Progress& progress) {
    const Grid& grid = elevation.grid();
    const auto cells_of_grid = cells_at_start(grid, receivers);
    const ReceiverTable table = receiver_table(grid);
    const FreemanGround ground{.elevation = elevation.data(),
                               .cells = cells_of_grid.get(),
                               .of_sets = table.data(),
                               .sum = sum.data(),
                               .exponent = static_cast<float>(exponent),
                               .columns = grid.columns};
    const std::int64_t strips = std::max<std::int64_t>(1, grid.rows / kLeastRowsOfStrip);
    const auto first_row_of = [&](std::int64_t strip) { return grid.rows * strip / strips; };
    // No walk leaves its strip: cells that drain out of it have to wait.
    for (std::int64_t strip = 1; strip < strips; ++strip) {
        hold_back(ground, grid, first_row_of(strip) - 1, kSouthern);
        hold_back(ground, grid, first_row_of(strip), kNorthern);
    }
    parallel_for(0, strips, 1, [&](std::int64_t strip, std::int64_t) {
        const std::int64_t first = first_row_of(strip), end = first_row_of(strip + 1);
        const auto ready = room_for((end - first) * grid.columns);
        const FreemanSources sources{.columns = grid.columns,
                                     .first_row = first,
                                     .end_row = end,
                                     .columns_of_block = kColumnsOfBlock,
                                     .row = first};
        walk(ground, sources, {ready.get(), 0}, progress);
    });
    if (strips == 1) return;
    const auto cells = room_for(grid.cells());
    FreemanReady ready{cells.get(), 0};
    for (std::int64_t strip = 1; strip < strips; ++strip) {
        let_go(ground, grid, first_row_of(strip) - 1, ready);
        let_go(ground, grid, first_row_of(strip), ready);
    }
    walk(ground, {}, ready, progress);
}

}  // namespace thalweg
