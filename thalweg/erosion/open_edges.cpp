#include "thalweg/erosion/open_edges.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/erosion/islands.hpp"
#include "thalweg/erosion/thermal_law.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <array>
#include <limits>

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

/// How fast a cell erodes, m/yr, above its receiver.
class ErosionRates {
  public:
    ErosionRates(const ErosionLaw& law, const Field<float>& terrain, const ErosionNetwork& network)
        : thermal_(law), terrain_(terrain), network_(network) {}

    [[nodiscard]] float at_cell(std::int64_t cell) const {
        const std::int32_t receiver = network_.tree.receiver(static_cast<std::int32_t>(cell));
        if (receiver < 0) return 0.0F;
        const float slope = std::max(0.0F, terrain_[cell] - terrain_[receiver]) / network_.length[at(cell)];
        return network_.celerity[at(cell)] * slope +
               thermal_.rate() * std::max(0.0F, slope - thermal_.critical_slope());
    }

    /// Mean over the inner neighbours of an edge cell; 0 where there are none.
    [[nodiscard]] float beside(std::int64_t cell, const std::vector<std::uint8_t>& is_edge) const {
        float sum = 0.0F;
        int count = 0;
        for (std::size_t d = 0; d < 8; ++d) {
            const std::int64_t neighbour = neighbour_in(terrain_, cell, d);
            if (neighbour < 0 || is_edge[at(neighbour)] != 0) continue;
            sum += at_cell(neighbour);
            ++count;
        }
        return count == 0 ? 0.0F : sum / static_cast<float>(count);
    }

  private:
    ThermalLaw thermal_;
    const Field<float>& terrain_;
    const ErosionNetwork& network_;
};

float lowest_root(const ErosionLevel& level) {
    float lowest = std::numeric_limits<float>::infinity();
    for (std::int64_t cell = 0; cell < level.roots.size(); ++cell)
        if (level.roots[cell] != 0) lowest = std::min(lowest, level.initial[cell]);
    return lowest;
}

}  // namespace

Field<std::uint8_t> river_outlets(const Field<float>& elevation, Progress& progress) {
    const Lattice lattice = eight_neighbours(elevation.grid());
    const Field<std::uint8_t> edges = edge_roots(elevation);
    const FlowTree tree = build_flow_tree(elevation, lattice, edges, progress);
    const std::int64_t least = std::ssize(tree.order) / kOutletShare;
    Field<std::uint8_t> outlets(elevation.grid(), 0);
    for (std::int64_t cell = 0; cell < edges.size(); ++cell)
        outlets[cell] = edges[cell] != 0 && tree.upstream_cells[at(cell)] >= least ? 1 : 0;
    (void)root_islands(elevation, lattice, outlets);
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

void set_root_fall(const ErosionLevel& level, const ErosionLaw& law, const Field<float>& terrain,
                   double years, ErosionNetwork& network) {
    network.root_fall.clear();
    if (level.open_edges.empty()) return;
    network.root_fall.assign(network.celerity.size(), 0.0F);
    const ErosionRates rates(law, terrain, network);
    std::vector<std::uint8_t> is_edge(network.celerity.size(), 0);
    for (const std::int32_t cell : level.open_edges) is_edge[at(cell)] = 1;
    const float lowest = lowest_root(level);
    for (const std::int32_t cell : level.open_edges) {
        const float most = std::max(0.0F, terrain[cell] - lowest) / static_cast<float>(years);
        network.root_fall[at(cell)] = std::min(rates.beside(cell, is_edge), most) - level.uplift[at(cell)];
    }
}

}  // namespace thalweg
