#include "thalweg/erosion/levels/erosion_level.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/sparse_loops.hpp"
#include "thalweg/erosion/levels/open_edges.hpp"
#include "thalweg/erosion/network/closed_components.hpp"
#include "thalweg/erosion/network/course_router.hpp"
#include "thalweg/erosion/network/outlets.hpp"
#include "thalweg/erosion/transfer/plane_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 13;
// m^2: dry cells (precipitation 0 upstream) still get the celerity of a square millimetre of rain.
constexpr float kLeastArea = 1e-6F;

bool is_even(const Field<float>& values) {
    const float first = values[0];
    return parallel_find(0, values.size(), kCellsPerTask,
                         [&](std::int64_t cell) { return values[cell] != first; }) == values.size();
}

/// A source's values at the nodes; throws when `allowed` refuses one where there is elevation.
template <class Allowed>
std::vector<float> node_values(const LayerSource& source, const Lattice& lattice,
                               const Field<float>& elevation, const char* name, const char* rule,
                               const Allowed& allowed, Progress& progress) {
    Field<float> at_nodes = source(lattice.grid, progress);
    if (!is_even(at_nodes)) at_nodes = sample_at_nodes(at_nodes, lattice, progress);
    const std::int64_t cell = parallel_find(0, at_nodes.size(), kCellsPerTask, [&](std::int64_t candidate) {
        // Not &&, which would be a branch.
        const int is_refused = allowed(at_nodes[candidate]) ? 0 : 1;
        return (is_refused & (is_no_data(elevation[candidate]) ? 0 : 1)) != 0;
    });
    if (cell < at_nodes.size())
        throw Error::input(
            fmt::format("{} = {} at column {}, row {} of a {} x {} grid is not allowed: it must be {} "
                        "wherever there is elevation",
                        name, at_nodes[cell], lattice.grid.column_of(cell), lattice.grid.row_of(cell),
                        lattice.grid.columns, lattice.grid.rows, rule));
    return std::move(at_nodes).values();
}

void check_elevation(const Field<float>& elevation) {
    const auto first_where = [&](const auto& holds) {
        return parallel_find(0, elevation.size(), kCellsPerTask,
                             [&](std::int64_t cell) { return holds(elevation[cell]); });
    };
    if (const std::int64_t cell = first_where([](float z) { return std::isinf(z); }); cell < elevation.size())
        throw Error::input(
            fmt::format("elevation = {} at column {}, row {} is not allowed: it must be finite or no data",
                        elevation[cell], elevation.grid().column_of(cell), elevation.grid().row_of(cell)));
    if (first_where([](float z) { return !is_no_data(z); }) == elevation.size())
        throw Error::input("elevation has no data anywhere: give at least one cell with a finite value");
}

Lattice lattice_of(const ErosionParameters& parameters, const Grid& grid, std::uint64_t seed,
                   Progress& progress) {
    switch (parameters.lattice) {
        case ErosionLattice::Auto:
        case ErosionLattice::Mesh:
            return jittered_mesh(grid, seed, parameters.jitter, progress);
        case ErosionLattice::FourNeighbours:
            return four_neighbours(grid);
        case ErosionLattice::EightNeighbours:
            break;
    }
    return eight_neighbours(grid);
}

}  // namespace

ErosionLevel make_erosion_level(const ErosionInputs& inputs, const Grid& grid,
                                const Field<std::uint8_t>& boundary, const ErosionParameters& parameters,
                                std::uint64_t seed, Progress& progress) {
    ErosionLevel level;
    level.lattice = lattice_of(parameters, grid, seed, progress);
    Field<float> elevation = inputs.elevation(grid, progress);
    check_elevation(elevation);
    Field<std::uint8_t> edges = root_cells(elevation, boundary);
    level.courses = courses_on(level.lattice, inputs.rivers, elevation, edges);
    level.sources = source_nodes(inputs.sources, level.lattice, elevation, edges);
    if (parameters.edges == EdgeRule::RiverOutlets) {
        level.roots = river_outlets(elevation, level.sources, level.courses, progress);
        level.open_edges = open_edges_of(elevation, level.roots);
    } else {
        level.roots = std::move(edges);
    }
    if (std::all_of(level.roots.begin(), level.roots.end(), [](std::uint8_t root) { return root == 0; }))
        throw Error::input(
            "the boundary mask marks only cells without data: at least one cell with elevation must drain");
    // Edges of the data drain every piece of land, a mask need not.
    if (!boundary.empty())
        level.closed_components = root_closed_components(elevation, level.lattice, level.roots);
    level.uplift = node_values(
        inputs.uplift, level.lattice, elevation, "uplift", "finite", [](float u) { return std::isfinite(u); },
        progress);
    if (inputs.erodibility)
        level.erodibility = node_values(
            inputs.erodibility, level.lattice, elevation, "erodibility", "finite and greater than 0",
            [](float k) { return std::isfinite(k) && k > 0.0F; }, progress);
    if (inputs.precipitation_factor) {
        level.weight = node_values(
            inputs.precipitation_factor, level.lattice, elevation, "precipitation_factor",
            "finite and 0 or more", [](float p) { return std::isfinite(p) && p >= 0.0F; }, progress);
        for (float& weight : level.weight) weight *= static_cast<float>(grid.cell_area());
    }
    const bool coarsest = std::max(grid.columns, grid.rows) <= kCoarsestSide;
    const bool starts_here = coarsest || parameters.method != ErosionMethod::Analytical ||
                             parameters.network == NetworkSource::Terrain;
    const bool relief_counts = !std::isinf(parameters.time) || starts_here;
    level.initial =
        relief_counts ? sample_at_nodes(elevation, level.lattice, progress) : std::move(elevation);
    return level;
}

void check_drainage_sources(const ErosionInputs& inputs, Progress& progress) {
    if (inputs.sources.empty()) return;
    const Field<float> elevation = inputs.elevation(inputs.grid, progress);
    check_sources(inputs.sources, elevation, root_cells(elevation, inputs.boundary));
}

void impose_roots(const ErosionLevel& level, Field<float>& terrain) {
    const float* const initial = level.initial.data();
    const std::uint8_t* const roots = level.roots.data();
    parallel_for(
        0, terrain.size(), kCellsPerTask, [&, roots, initial](std::int64_t first, std::int64_t last) {
            for_each_where(
                first, last,
                [=](std::int64_t cell) {  // not ||: a branch
                    return static_cast<int>(roots[cell] != 0) | static_cast<int>(is_no_data(initial[cell]));
                },
                [&](std::int64_t cell) { terrain[cell] = initial[cell]; });
        });
}

void lower_roots(const ErosionLevel& coarse, const Field<float>& coarse_terrain, const ErosionLevel& fine,
                 Field<float>& terrain) {
    const Grid& grid = fine.lattice.grid;
    const bool is_same_size = grid.columns == coarse.lattice.grid.columns;
    const auto lower = [&](std::int64_t cell) {
        const std::int64_t parent =
            is_same_size ? cell : coarse.lattice.grid.index(grid.column_of(cell) / 2, grid.row_of(cell) / 2);
        if (coarse.roots[parent] != 0)
            terrain[cell] = fine.initial[cell] - (coarse.initial[parent] - coarse_terrain[parent]);
    };
    const std::uint8_t* const roots = fine.roots.data();
    parallel_for(0, terrain.size(), kCellsPerTask, [&, roots](std::int64_t first, std::int64_t last) {
        for_each_where(first, last, [roots](std::int64_t cell) { return roots[cell] != 0; }, lower);
    });
}

Field<std::uint8_t> coarsen_boundary(const Field<std::uint8_t>& boundary) {
    if (boundary.empty()) return {};
    Field<std::uint8_t> coarse(boundary.grid().coarser(), 0);
    for (int row = 0; row < boundary.rows(); ++row)
        for (int column = 0; column < boundary.columns(); ++column)
            if (boundary(column, row) != 0) coarse(column / 2, row / 2) = 1;
    return coarse;
}

void set_celerities(const ErosionLevel& level, const ErosionLaw& law, ErosionNetwork& network) {
    network.celerity.resize(network.area.size());
    celerities(law, network.area, level.erodibility, network.celerity);
    if (law.base_slope > 0.0) share_outlet_celerity(level.roots, network.celerity);
}

std::uint64_t receiver_draw_key(std::uint64_t seed, const Grid& grid, int iteration) {
    const std::uint64_t size =
        static_cast<std::uint64_t>(grid.columns) << 32 | static_cast<std::uint64_t>(grid.rows);
    return random_bits(seed, Stream::Receiver, size, static_cast<std::uint64_t>(iteration));
}

namespace {

/// Lets drawn rivers turn directions; a cell that is turned gets the full distance to its receiver as length.
/// Returns the cells whose directions are given.
std::vector<std::int32_t> follow_rivers(const ErosionLevel& level, const Field<float>& terrain,
                                        DirectedTerrain& directed, PhaseTimes& phases, Progress& progress) {
    if (level.courses.empty()) return {};
    const PhaseTimer timer(phases, "rivers");
    const std::vector<std::uint8_t> found = directed.direction;
    std::vector<std::int32_t> given =
        follow_courses(level.courses, terrain, level.lattice, directed.direction, progress);
    std::vector<std::int32_t> turned;
    for (const std::int32_t cell : given) {
        const std::uint8_t direction = directed.direction[at(cell)];
        if (direction < kRoot && direction != found[at(cell)]) turned.push_back(cell);
    }
    lengthen_breached(level.lattice, turned, directed);
    return given;
}

}  // namespace

void TerrainRouter::route(const ErosionLevel& level, const Field<float>& terrain, ReceiverRule rule,
                          std::uint64_t draw_key, ErosionNetwork& network, PhaseTimes& phases,
                          Progress& progress) {
    DirectedTerrain directed{std::move(network.tree.direction), std::move(network.length), {}};
    {
        const PhaseTimer timer(phases, "receivers");
        network.draining = level.open_edges.empty() ? Field<std::uint8_t>() : draining_roots(level, terrain);
        direct_terrain(terrain, level.lattice, network.roots(level), rule, draw_key, directed, progress);
    }
    progress.poll();
    const std::vector<std::int32_t> given = follow_rivers(level, terrain, directed, phases, progress);
    {
        const PhaseTimer timer(phases, "depressions");
        network.pits = static_cast<std::int64_t>(directed.pits.size());
        breacher_.breach(terrain, level.lattice, directed.direction, directed.pits, progress, given);
        lengthen_breached(level.lattice, breacher_.turned(), directed);
    }
    network.tree.grid = level.lattice.grid;
    network.tree.direction = std::move(directed.direction);
    network.length = std::move(directed.length);
    progress.poll();
    {
        const PhaseTimer timer(phases, "order_and_area");
        orderer_.order(network.tree, progress);
        gather_area(level, network.tree, network.area);
        add_source_areas(level.sources, network.tree, network.area);
    }
    progress.poll();
}

/// Weighted drainage area of every cell, m^2, in float: exact sums are kept in whole numbers or double.
void TerrainRouter::gather_area(const ErosionLevel& level, const FlowTree& tree,
                                std::vector<float>& area) const {
    area.resize(tree.direction.size());
    if (level.weight.empty()) {
        const float cell_area = static_cast<float>(tree.grid.cell_area());
        parallel_for(0, tree.grid.cells(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t cell = first; cell < last; ++cell)
                area[at(cell)] =
                    cell_area * static_cast<float>(static_cast<std::int32_t>(tree.upstream_cells[at(cell)]));
        });
        return;
    }
    std::vector<double> sum(level.weight.begin(), level.weight.end());
    for (auto cell = tree.order.rbegin(); cell != tree.order.rend(); ++cell) {
        const std::int32_t receiver = tree.receiver(*cell);
        if (receiver >= 0) sum[at(receiver)] += sum[at(*cell)];
        area[at(*cell)] = std::max(static_cast<float>(sum[at(*cell)]), kLeastArea);
    }
}

}  // namespace thalweg
