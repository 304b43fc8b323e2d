#include "thalweg/flow/descent.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/grid/rows.hpp"

#include <cassert>
#include <cstddef>
#include <numbers>

namespace thalweg {
namespace {

constexpr std::size_t kCellsPerPoll = 1 << 20;
constexpr float kStepLength[2] = {1.0F, std::numbers::sqrt2_v<float>};  // cells, along axes and diagonals

/// Index of the neighbour in direction d, or -1 beyond an edge.
std::int64_t neighbour_of(const Grid& grid, bool wraps, int column, int row, std::size_t d) {
    int c = column + kColumnStep[d];
    const int r = row + kRowStep[d];
    if (wraps) c = (c + grid.columns) % grid.columns;
    return grid.contains(c, r) ? grid.index(c, r) : -1;
}

/// The direction of steepest descent, one of those that tie, or kPit.
std::uint8_t direction_of(const Field<float>& elevation, bool wraps, std::uint8_t links, int column, int row,
                          std::uint64_t seed) {
    const Grid& grid = elevation.grid();
    const std::int64_t cell = grid.index(column, row);
    std::uint8_t steepest[8];
    std::uint64_t tied = 0;
    float greatest_slope = 0.0F;
    for (std::size_t d = 0; d < 8; ++d) {
        const std::int64_t neighbour = (links >> d & 1) != 0 ? neighbour_of(grid, wraps, column, row, d) : -1;
        if (neighbour < 0) continue;
        const float slope = (elevation[cell] - elevation[neighbour]) / kStepLength[d & 1];
        // A neighbour without data gives NaN, which passes no comparison.
        if (!(slope > 0.0F) || !(slope >= greatest_slope)) continue;
        if (slope > greatest_slope) tied = 0;
        greatest_slope = slope;
        steepest[tied++] = static_cast<std::uint8_t>(d);
    }
    if (tied == 0) return kPit;
    if (tied == 1) return steepest[0];
    return steepest[random_bits(seed, Stream::DescentTie, static_cast<std::uint64_t>(cell)) % tied];
}

/// Orders the tree from its outlets up, and counts what drains through each cell.
void order_and_count(FlowTree& tree, Progress& progress) {
    const std::size_t cells = tree.direction.size();
    // A cell follows once all its donors are listed; listing runs downstream, so `order` is its reverse.
    std::vector<std::uint8_t> donors(cells, 0);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const std::int32_t receiver = tree.receiver(static_cast<std::int32_t>(cell));
        if (receiver >= 0) ++donors[at(receiver)];
    }
    tree.upstream_cells.assign(cells, 0);
    std::vector<std::int32_t> downstream;
    for (std::size_t cell = 0; cell < cells; ++cell) {
        if (tree.direction[cell] == kOutside) continue;
        tree.upstream_cells[cell] = 1;
        if (donors[cell] == 0) downstream.push_back(static_cast<std::int32_t>(cell));
    }
    for (std::size_t next = 0; next < downstream.size(); ++next) {
        if (next % kCellsPerPoll == 0) progress.poll();
        const std::int32_t receiver = tree.receiver(downstream[next]);
        if (receiver < 0) continue;
        tree.upstream_cells[at(receiver)] += tree.upstream_cells[at(downstream[next])];
        if (--donors[at(receiver)] == 0) downstream.push_back(receiver);
    }
    tree.order.assign(downstream.rbegin(), downstream.rend());
    tree.run_starts = {0, static_cast<std::int64_t>(tree.order.size())};
    tree.crossing.clear();
}

}  // namespace

Field<std::uint8_t> outlet_cells(const Field<float>& elevation, Edges edges) {
    if (edges == Edges::Open) return edge_roots(elevation);
    const Grid& grid = elevation.grid();
    Field<std::uint8_t> outlets(grid, 0);
    if (edges == Edges::Closed) return outlets;
    for (int column = 0; column < grid.columns; ++column) outlets(column, grid.rows - 1) = 1;
    return outlets;
}

FlowTree descend(const Field<float>& elevation, Edges edges, std::uint8_t links, std::uint64_t seed,
                 Progress& progress) {
    const Grid& grid = elevation.grid();
    const Field<std::uint8_t> outlets = outlet_cells(elevation, edges);
    FlowTree tree;
    tree.grid = grid;
    tree.wraps = edges == Edges::Wrapped;
    tree.direction.resize(at(grid.cells()));
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            const std::int64_t cell = grid.index(column, row);
            tree.direction[at(cell)] = is_no_data(elevation[cell]) ? kOutside
                                       : outlets[cell] != 0
                                           ? kRoot
                                           : direction_of(elevation, tree.wraps, links, column, row, seed);
        }
    });
    order_and_count(tree, progress);
    return tree;
}

}  // namespace thalweg
