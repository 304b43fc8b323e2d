#include "thalweg/flow/flow_tree.hpp"

#include "thalweg/core/parallel.hpp"

#include <cassert>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kRowsPerTask = 8;
constexpr std::int64_t kCellsPerPoll = 1 << 20;

std::size_t at(std::int64_t cell) {
    return static_cast<std::size_t>(cell);
}

/// Distances of the 8 directions on a plain lattice, in cells.
constexpr std::array<float, 8> kPlainDistance = {1.0F, 1.41421356F, 1.0F, 1.41421356F,
                                                 1.0F, 1.41421356F, 1.0F, 1.41421356F};

/// Distance in cells from a node to its neighbour's in direction d.
float link_length(const Lattice& lattice, std::int64_t cell, std::int64_t neighbour, std::size_t d) {
    if (!lattice.displaced()) return kPlainDistance[d];
    const float x =
        static_cast<float>(kColumnStep[d]) + lattice.offset_x[at(neighbour)] - lattice.offset_x[at(cell)];
    const float y =
        static_cast<float>(kRowStep[d]) + lattice.offset_y[at(neighbour)] - lattice.offset_y[at(cell)];
    return std::sqrt(x * x + y * y);
}

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
        const float slope = drop / link_length(lattice, cell, neighbour, d);
        if (slope > steepest || direction == kPit) {
            steepest = slope;
            direction = static_cast<std::uint8_t>(d);
        }
    }
    return direction;
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

std::vector<std::uint8_t> donor_counts(const FlowTree& tree) {
    std::vector<std::uint8_t> donors(tree.direction.size(), 0);
    for (std::int32_t cell = 0; cell < static_cast<std::int32_t>(donors.size()); ++cell) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver >= 0) ++donors[at(receiver)];
    }
    return donors;
}

}  // namespace

std::int32_t FlowTree::receiver(std::int32_t cell) const {
    const std::uint8_t d = direction[at(cell)];
    return d < 8 ? cell + kRowStep[d] * grid.columns + kColumnStep[d] : -1;
}

Field<std::uint8_t> edge_roots(const Field<float>& elevation) {
    const Grid& grid = elevation.grid();
    Field<std::uint8_t> roots(grid, 0);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            if (!is_no_data(elevation(column, row)) &&
                (grid.on_edge(column, row) || touches_no_data(elevation, column, row)))
                roots(column, row) = 1;
    return roots;
}

std::vector<std::uint8_t> steepest_directions(const Field<float>& elevation, const Lattice& lattice,
                                              const Field<std::uint8_t>& roots) {
    const Grid& grid = lattice.grid;
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    std::vector<std::uint8_t> direction(at(grid.cells()), kOutside);
    parallel_for(0, grid.rows, kRowsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (int row = static_cast<int>(first); row < last; ++row) {
            for (int column = 0; column < grid.columns; ++column) {
                const std::int64_t cell = grid.index(column, row);
                if (is_no_data(elevation[cell])) continue;
                direction[at(cell)] =
                    roots[cell] != 0 ? kRoot : steepest_direction(elevation, lattice, steps, column, row);
            }
        }
    });
    return direction;
}

void order_tree(FlowTree& tree) {
    std::vector<std::uint8_t> donors = donor_counts(tree);
    const std::int32_t cells = static_cast<std::int32_t>(donors.size());
    std::size_t inside = 0;
    for (const std::uint8_t d : tree.direction) inside += d != kOutside ? 1 : 0;
    tree.order.resize(inside);
    std::size_t next = inside;  // filled from the back: a donor always lands behind its receiver
    constexpr std::uint8_t kDone = 255;
    for (std::int32_t start = 0; start < cells; ++start) {
        if (donors[at(start)] != 0 || tree.direction[at(start)] == kOutside) continue;
        // Follow the water down from a source until a cell still waits for another donor.
        std::int32_t cell = start;
        while (cell >= 0 && donors[at(cell)] == 0) {
            donors[at(cell)] = kDone;
            tree.order[--next] = cell;
            cell = tree.receiver(cell);
            if (cell >= 0) --donors[at(cell)];
        }
    }
    assert(next == 0 && "the directions form a cycle");
}

FlowTree build_flow_tree(const Field<float>& elevation, const Lattice& lattice,
                         const Field<std::uint8_t>& roots, Progress& progress) {
    FlowTree tree;
    tree.grid = lattice.grid;
    tree.direction = steepest_directions(elevation, lattice, roots);
    progress.poll();
    breach_directions(elevation, lattice, tree.direction, progress);
    order_tree(tree);
    progress.poll();
    return tree;
}

Field<double> accumulate(const FlowTree& tree, const Field<double>& weight) {
    Field<double> sum(tree.grid, 0.0);
    for (auto cell = tree.order.rbegin(); cell != tree.order.rend(); ++cell) {
        sum[*cell] += weight[*cell];
        const std::int32_t receiver = tree.receiver(*cell);
        if (receiver >= 0) sum[receiver] += sum[*cell];
    }
    return sum;
}

Field<double> drainage_area(const FlowTree& tree) {
    Field<std::int32_t> count(tree.grid, 0);
    for (auto cell = tree.order.rbegin(); cell != tree.order.rend(); ++cell) {
        ++count[*cell];
        const std::int32_t receiver = tree.receiver(*cell);
        if (receiver >= 0) count[receiver] += count[*cell];
    }
    Field<double> area(tree.grid, 0.0);
    const double cell_area = tree.grid.cell_area();
    parallel_for(0, area.size(), kCellsPerPoll, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) area[cell] = count[cell] * cell_area;
    });
    return area;
}

}  // namespace thalweg
