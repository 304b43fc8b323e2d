#include "thalweg/flow/flow_tree.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/graph/steepest_rows.hpp"
#include "thalweg/flow/graph/tree_orderer.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerPoll = 1 << 20;

std::uint8_t steepest_direction(const Field<float>& elevation, const Lattice& lattice,
                                const std::array<std::int32_t, 8>& steps, int column, int row) {
    const std::int64_t cell = lattice.grid.index(column, row);
    const float here = elevation[cell];
    const std::uint8_t links = lattice.links_inside(column, row);
    float steepest = 0.0F;
    std::uint8_t direction = kPit;
    for (std::size_t d = 0; d < 8; ++d) {
        if ((links >> d & 1) == 0) continue;
        const std::int64_t neighbour = cell + steps[d];
        const float drop = here - elevation[neighbour];
        // A neighbour without data has a drop of NaN, which no comparison lets pass.
        if (!(drop > 0.0F)) continue;
        const float slope = lattice.slope(drop, cell, neighbour, d);
        if (slope > steepest || direction == kPit) {
            steepest = slope;
            direction = static_cast<std::uint8_t>(d);
        }
    }
    return direction;
}

void steepest_in_row(const SteepestRow& row, std::uint8_t* direction) {
    in_lanes([&](auto lanes) { steepest_in_lanes<lanes()>(row, direction); });
}

bool touches_no_data(const Field<float>& elevation, int column, int row) {
    const Grid& grid = elevation.grid();
    for (std::size_t d = 0; d < 8; ++d) {
        const int c = column + kColumnStep[d];
        const int r = row + kRowStep[d];
        if (grid.contains(c, r) && is_no_data(elevation(c, r))) return true;
    }
    return false;
}

/// Cells beside one without data, and with `grid_edges` those at the edge of the grid.
Field<std::uint8_t> roots_along_edges(const Field<float>& elevation, bool grid_edges) {
    const Grid& grid = elevation.grid();
    Field<std::uint8_t> roots(grid, 0);
    std::vector<std::uint8_t> has_gap(at(grid.rows));
    for_each_row(grid, [&](int row) {
        const float* const begin = elevation.data() + grid.index(0, row);
        has_gap[at(row)] = std::any_of(begin, begin + grid.columns, is_no_data) ? 1 : 0;
    });
    for_each_row(grid, [&](int row) {
        const bool whole_edge = grid_edges && (row == 0 || row + 1 == grid.rows);
        bool gaps = has_gap[at(row)] != 0;
        if (row > 0) gaps = gaps || has_gap[at(row - 1)] != 0;
        if (row + 1 < grid.rows) gaps = gaps || has_gap[at(row + 1)] != 0;
        // Most rows have no cell without data near by: then only the first and the last cell are at an edge.
        const int step = whole_edge || gaps ? 1 : std::max(1, grid.columns - 1);
        for (int column = 0; column < grid.columns; column += step)
            if (!is_no_data(elevation(column, row)) &&
                ((grid_edges && grid.on_edge(column, row)) || touches_no_data(elevation, column, row)))
                roots(column, row) = 1;
    });
    return roots;
}

/// Adds every cell's `sum` to its receiver's, from the highest down.
void gather_upstream(const FlowTree& tree, Field<double>& sum, Progress& progress) {
    std::int64_t visited = 0;
    for (auto cell = tree.order.rbegin(); cell != tree.order.rend(); ++cell) {
        if (visited++ % kCellsPerPoll == 0) progress.poll();
        const std::int32_t receiver = tree.receiver(*cell);
        if (receiver >= 0) sum[receiver] += sum[*cell];
    }
}

}  // namespace

Field<std::uint8_t> edge_roots(const Field<float>& elevation) {
    return roots_along_edges(elevation, true);
}

Field<std::uint8_t> gap_roots(const Field<float>& elevation) {
    return roots_along_edges(elevation, false);
}

std::vector<std::uint8_t> steepest_directions(const Field<float>& elevation, const Lattice& lattice,
                                              const Field<std::uint8_t>& roots) {
    std::vector<std::uint8_t> direction;
    steepest_directions(elevation, lattice, roots, direction);
    return direction;
}

void steepest_directions(const Field<float>& elevation, const Lattice& lattice,
                         const Field<std::uint8_t>& roots, std::vector<std::uint8_t>& direction) {
    const Grid& grid = lattice.grid;
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    direction.resize(at(grid.cells()));
    const auto direct_cell = [&](int column, int row) {
        const std::int64_t cell = grid.index(column, row);
        const bool outside = is_no_data(elevation[cell]);
        const bool root = !outside && roots[cell] != 0;
        direction[at(cell)] = outside ? kOutside
                              : root  ? kRoot
                                      : steepest_direction(elevation, lattice, steps, column, row);
    };
    const bool is_plain = !lattice.displaced() && lattice.links.empty();
    const bool in_vectors = is_plain && vector_lanes() > 1 && grid.columns >= kWidestVector + 2;
    for_each_row(grid, [&](int row) {
        const bool inner = in_vectors && row > 0 && row + 1 < grid.rows;
        if (inner) {
            const std::int64_t first = grid.index(1, row);
            steepest_in_row({.elevation = elevation.data() + first,
                             .roots = roots.data() + first,
                             .stride = grid.columns,
                             .count = grid.columns - 2,
                             .diagonals = lattice.common_links == kAllEight},
                            direction.data() + first);
        }
        for (int column = 0; column < grid.columns; column += inner ? grid.columns - 1 : 1)
            direct_cell(column, row);
    });
}

void order_tree(FlowTree& tree, Progress& progress) {
    TreeOrderer().order(tree, progress);
}

Field<double> accumulate(const FlowTree& tree, Field<double> weight, Progress& progress) {
    for (std::int64_t cell = 0; cell < weight.size(); ++cell)
        if (tree.direction[at(cell)] == kOutside) weight[cell] = 0.0;
    gather_upstream(tree, weight, progress);
    return weight;
}

Field<double> drainage_area(const FlowTree& tree) {
    Field<double> area(tree.grid);
    const double cell_area = tree.grid.cell_area();
    parallel_for(0, area.size(), kCellsPerPoll, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            area[cell] = tree.upstream_cells[at(cell)] * cell_area;
    });
    add_source_areas(tree, area);
    return area;
}

void add_source_areas(const FlowTree& tree, Field<double>& area) {
    for (const NodeSource& source : tree.sources)
        for (std::int32_t cell = source.node; cell >= 0; cell = tree.receiver(cell))
            area[cell] += source.area;
}

}  // namespace thalweg
