#include "thalweg/flow/graph/strip_walker.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/graph/donor_rows.hpp"
#include "thalweg/flow/graph/waiting_states.hpp"

#include <algorithm>
#include <array>

namespace thalweg {
namespace {

constexpr std::size_t kWalkers = 8;  // in turns (empirical)

}  // namespace

void StripWalker::walk(const FlowTree& tree, Strip& strip, std::uint32_t* state) {
    columns_ = tree.grid.columns;
    read(tree, strip);
    std::uint32_t* const of_strip = state + std::int64_t{strip.first_row} * columns_;
    const std::int32_t* const visited = end_walks(strip, of_strip, follow(strip, list_sources(strip)));
    strip.order = {visited, strip.room.data() + cells_of(strip)};
    list_leaving(strip, of_strip);
}

/// Those of the strip, from its first cell on.
const std::uint8_t* StripWalker::directions() const {
    return direction_.data() + kDonorMargin + columns_;
}

/// Copies directions of the strip and of the rows around it; beyond the grid they are kOutside.
void StripWalker::read(const FlowTree& tree, const Strip& strip) {
    direction_.resize(at(cells_of(strip)) + 2 * at(columns_ + kDonorMargin), kOutside);
    const std::int32_t first = std::max(0, strip.first_row - 1);
    const std::int32_t end = std::min(tree.grid.rows, strip.first_row + strip.rows + 1);
    std::uint8_t* const here = direction_.data() + kDonorMargin + columns_;
    std::fill_n(here - columns_, columns_, kOutside);
    std::fill_n(here + cells_of(strip), columns_ + kDonorMargin, kOutside);
    std::copy(tree.direction.data() + tree.grid.index(0, first),
              tree.direction.data() + tree.grid.index(0, end),
              here + std::int64_t{first - strip.first_row} * columns_);
}

/// Sets the states and fills the strip's room from its begin on with the sources; returns their end.
std::int32_t* StripWalker::list_sources(const Strip& strip) {
    const std::int32_t cells = cells_of(strip);
    state_.resize(at(cells) + 2 * at(columns_));
    std::fill_n(state_.data(), columns_, kNeverReady);
    std::fill_n(state_.data() + columns_ + cells, columns_, kNeverReady);
    const std::uint8_t* const here = directions();
    const DonorRow run{here - columns_, here, here + columns_, 0, cells};
    return in_lanes([&](auto lanes) {
        return list_sources_in_lanes<lanes()>(run, kStateShift, state_.data() + columns_, strip.room.data());
    });
}

/// Walks down from the sources. What has been visited fills the strip's room from its end on: with the
/// sources that are left it never needs more than there is. Returns its begin.
std::int32_t* StripWalker::follow(const Strip& strip, const std::int32_t* end_of_sources) {
    const std::array<std::int32_t, 8> steps = index_steps(columns_);
    std::int32_t* visited = strip.room.data() + cells_of(strip);
    walk_down<kWalkers>(strip.room.data(), end_of_sources, directions(), steps, state_.data() + columns_,
                        [&](std::int32_t cell) { *--visited = cell; });
    return visited;
}

/// Writes the strip's states and visits cells without a receiver that wait for nothing.
std::int32_t* StripWalker::end_walks(const Strip& strip, std::uint32_t* state, std::int32_t* visited) const {
    std::copy_n(state_.data() + columns_, cells_of(strip), state);
    for_each_end(directions(), cells_of(strip), [&](std::int32_t cell) {
        state[cell] -= kAwaited;  // which list_sources added
        if (state[cell] < kAwaited) *--visited = cell;
    });
    return visited;
}

/// Lists cells of the first and the last row that drain out of the strip and wait for nothing.
void StripWalker::list_leaving(Strip& strip, const std::uint32_t* state) const {
    strip.leaving.resize(2 * at(columns_) + 1);
    std::int32_t* leaving = strip.leaving.data();
    const auto list = [&](std::int32_t row, std::uint8_t first_direction) {
        for (std::int32_t cell = row * columns_; cell < (row + 1) * columns_; ++cell) {
            *leaving = cell;
            const bool leaves = static_cast<std::uint8_t>(directions()[cell] - first_direction) < 3;
            leaving += leaves & (state[cell] < kAwaited) ? 1 : 0;  // not &&: a branch
        }
    };
    list(0, 5);               // to the north
    list(strip.rows - 1, 1);  // to the south
    strip.leaving.resize(at(leaving - strip.leaving.data()));
}

}  // namespace thalweg
