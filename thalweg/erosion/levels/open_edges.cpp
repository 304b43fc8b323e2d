#include "thalweg/erosion/levels/open_edges.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/erosion/network/closed_components.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace thalweg {
namespace {

constexpr std::int64_t kOutletShare = 50;  // of the land, drained at least where a river leaves (empirical)

/// The neighbour of `cell` in a direction; -1 beyond the edges of the data.
std::int64_t neighbour_in(const Field<float>& terrain, std::int64_t cell, std::size_t direction) {
    const Grid& grid = terrain.grid();
    const int column = grid.column_of(cell) + kColumnStep[direction];
    const int row = grid.row_of(cell) + kRowStep[direction];
    if (!grid.contains(column, row) || is_no_data(terrain(column, row))) return -1;
    return grid.index(column, row);
}

/// Whether the steepest descent from an edge cell leads over the edge, or none leads anywhere else.
bool drains_out(const Field<float>& terrain, std::int64_t cell) {
    float inside = 0.0F, outside = 0.0F;  // m per cell
    for (std::size_t d = 0; d < 8; ++d) {
        const float inverse = d % 2 == 0 ? 1.0F : kInverseDiagonal;
        const std::int64_t neighbour = neighbour_in(terrain, cell, d);
        const std::int64_t across = neighbour_in(terrain, cell, at(opposite(static_cast<int>(d))));
        if (neighbour >= 0)
            inside = std::max(inside, (terrain[cell] - terrain[neighbour]) * inverse);
        else if (across >= 0)
            outside = std::max(outside, (terrain[across] - terrain[cell]) * inverse);
    }
    return outside >= inside;
}

/// Mean over the inner neighbours of an edge cell of what each loses, m/yr; 0 where there are none.
template <class Loss>
double mean_beside(const Field<float>& terrain, std::int64_t cell, const std::vector<std::uint8_t>& is_edge,
                   const Loss& loss_of) {
    double sum = 0.0;
    int count = 0;
    for (std::size_t d = 0; d < 8; ++d) {
        const std::int64_t neighbour = neighbour_in(terrain, cell, d);
        if (neighbour < 0 || is_edge[at(neighbour)] != 0) continue;
        sum += loss_of(neighbour);
        ++count;
    }
    return count == 0 ? 0.0 : sum / count;
}

std::int32_t root_below(std::int32_t cell, const FlowTree& tree) {
    while (tree.receiver(cell) >= 0) cell = tree.receiver(cell);
    return cell;
}

float lowest_root(const ErosionLevel& level) {
    float lowest = std::numeric_limits<float>::infinity();
    for (std::int64_t cell = 0; cell < level.roots.size(); ++cell)
        if (level.roots[cell] != 0) lowest = std::min(lowest, level.initial[cell]);
    return lowest;
}

}  // namespace

Field<std::uint8_t> river_outlets(const Field<float>& elevation, std::span<const NodeSource> sources,
                                  const RiverCourses& courses, Progress& progress) {
    const Lattice lattice = eight_neighbours(elevation.grid());
    const Field<std::uint8_t> edges = edge_roots(elevation);
    const FlowTree tree = build_flow_tree(elevation, lattice, edges, progress);
    const std::int64_t least = std::ssize(tree.order) / kOutletShare;
    Field<std::uint8_t> outlets(elevation.grid(), 0);
    for (std::int64_t cell = 0; cell < edges.size(); ++cell)
        outlets[cell] = edges[cell] != 0 && tree.upstream_cells[at(cell)] >= least ? 1 : 0;
    for (const NodeSource& source : sources)
        if (source.area >= static_cast<double>(least) * elevation.grid().cell_area())
            outlets[root_below(source.node, tree)] = 1;
    const std::array<std::int32_t, 8> steps = index_steps(elevation.grid().columns);
    for (const CourseCell& course : courses.cells) {
        const std::int64_t next = course.cell + steps[course.direction];
        if (edges[next] != 0) outlets[next] = 1;
    }
    (void)root_closed_components(elevation, lattice, outlets);
    return outlets;
}

std::vector<std::int32_t> open_edges_of(const Field<float>& elevation, const Field<std::uint8_t>& outlets) {
    const Field<std::uint8_t> edges = edge_roots(elevation);
    std::vector<std::int32_t> open;
    for (std::int64_t cell = 0; cell < edges.size(); ++cell)
        if (edges[cell] != 0 && outlets[cell] == 0) open.push_back(static_cast<std::int32_t>(cell));
    return open;
}

Field<std::uint8_t> draining_roots(const ErosionLevel& level, const Field<float>& terrain) {
    Field<std::uint8_t> roots = level.roots;
    for (const std::int32_t cell : level.open_edges)
        if (drains_out(terrain, cell)) roots[cell] = 1;
    return roots;
}

void set_root_fall(const ErosionLevel& level, const ErosionRates& rates, const Field<float>& terrain,
                   double years, Sediment& sediment, ErosionNetwork& network, const Progress& progress) {
    network.root_fall.clear();
    if (level.open_edges.empty()) return;
    std::span<const float> uplift = level.uplift;
    if (sediment.is_deposited()) {
        sediment.estimate_erosion(terrain, network.tree, rates);
        uplift = sediment.uplift_over(years, terrain, level, network.tree, progress);
    }
    const auto loss_of = [&](std::int64_t cell) {
        const std::int32_t receiver = network.tree.receiver(static_cast<std::int32_t>(cell));
        if (receiver < 0) return 0.0;
        const double drop = static_cast<double>(terrain[cell]) - static_cast<double>(terrain[receiver]);
        const double deposition = static_cast<double>(uplift[at(cell)] - level.uplift[at(cell)]);
        return rates.gross_erosion(cell, drop) - deposition;
    };
    std::vector<std::uint8_t> is_edge(network.celerity.size(), 0);
    for (const std::int32_t cell : level.open_edges) is_edge[at(cell)] = 1;
    network.root_fall.assign(network.celerity.size(), 0.0F);
    const float lowest = lowest_root(level);
    for (const std::int32_t cell : level.open_edges) {
        const double most = static_cast<double>(std::max(0.0F, terrain[cell] - lowest)) / years;
        network.root_fall[at(cell)] =
            static_cast<float>(std::min(mean_beside(terrain, cell, is_edge, loss_of), most)) -
            level.uplift[at(cell)];
    }
}

}  // namespace thalweg
