#include "thalweg/erosion/drainage_source.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/grid/place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr int kSearchRadius = 2;        // cells around a source, among which its node is looked for first
constexpr double kFarthestNode = 2.83;  // cells from a source to its node: two cells across the diagonal

/// The cells of columns [first_column, last_column] and rows [first_row, last_row].
struct Window {
    int first_column;
    int last_column;
    int first_row;
    int last_row;
};

struct NearestNode {
    std::int64_t node = -1;
    double distance = std::numeric_limits<double>::infinity();  // cells
};

NearestNode nearest_in(const Window& window, const DrainageSource& source, const Lattice& lattice,
                       const Field<float>& elevation, const Field<std::uint8_t>& roots) {
    NearestNode nearest;
    const double column_here = lattice.grid.column_at(source.x);
    const double row_here = lattice.grid.row_at(source.y);
    for (int row = window.first_row; row <= window.last_row; ++row)
        for (int column = window.first_column; column <= window.last_column; ++column) {
            const std::int64_t cell = lattice.grid.index(column, row);
            if (is_no_data(elevation[cell]) || roots[cell] != 0) continue;
            double x = column - column_here;
            double y = row - row_here;
            if (lattice.displaced()) {
                x += static_cast<double>(lattice.offset_x[at(cell)]);
                y += static_cast<double>(lattice.offset_y[at(cell)]);
            }
            const double distance = std::sqrt(x * x + y * y);
            if (distance < nearest.distance) nearest = {cell, distance};
        }
    return nearest;
}

NearestNode nearest_node(const DrainageSource& source, const Lattice& lattice, const Field<float>& elevation,
                         const Field<std::uint8_t>& roots) {
    const Grid& grid = lattice.grid;
    const int column = static_cast<int>(std::lround(grid.column_at(source.x)));
    const int row = static_cast<int>(std::lround(grid.row_at(source.y)));
    const Window around = {std::max(0, column - kSearchRadius),
                           std::min(grid.columns - 1, column + kSearchRadius),
                           std::max(0, row - kSearchRadius), std::min(grid.rows - 1, row + kSearchRadius)};
    const NearestNode near = nearest_in(around, source, lattice, elevation, roots);
    if (near.node >= 0) return near;
    return nearest_in({0, grid.columns - 1, 0, grid.rows - 1}, source, lattice, elevation, roots);
}

/// "source 2 at (500, 700) m".
std::string name_of(std::span<const DrainageSource> sources, std::size_t index) {
    return fmt::format("source {} at ({}, {}) m", index + 1, sources[index].x, sources[index].y);
}

void check_source(std::span<const DrainageSource> sources, std::size_t index, const Field<float>& elevation,
                  const Field<std::uint8_t>& roots) {
    const DrainageSource& source = sources[index];
    if (!(source.area > 0.0) || std::isinf(source.area))
        throw Error::input(fmt::format("{} has an area of {} m^2: give more than 0 m^2",
                                       name_of(sources, index), source.area));
    (void)cell_with_data_at(source.x, source.y, elevation, name_of(sources, index));
    if (!(nearest_node(source, eight_neighbours(elevation.grid()), elevation, roots).distance <=
          kFarthestNode))
        throw Error::input(
            fmt::format("{} lies among boundary cells, where water leaves at once: give a place inside",
                        name_of(sources, index)));
}

}  // namespace

void DrainageSource::declare(Declaration<DrainageSource>& d) {
    d.number("x", &DrainageSource::x,
             {.label = "Easting", .unit = "m", .sentence = "Where the water enters, to the east."});
    d.number("y", &DrainageSource::y,
             {.label = "Northing", .unit = "m", .sentence = "Where the water enters, to the north."});
    d.number("area", &DrainageSource::area,
             {.label = "Drainage area",
              .unit = "m^2",
              .sentence = "Drainage area that enters there, whatever the precipitation.",
              .minimum = 0.0,
              .maximum = 1e15,
              .usual = {1e6, 1e11, SliderScale::Logarithmic},
              .minimum_excluded = true});
}

void check_sources(std::span<const DrainageSource> sources, const Field<float>& elevation,
                   const Field<std::uint8_t>& roots) {
    for (std::size_t i = 0; i < sources.size(); ++i) check_source(sources, i, elevation, roots);
}

std::vector<NodeSource> source_nodes(std::span<const DrainageSource> sources, const Lattice& lattice,
                                     const Field<float>& elevation, const Field<std::uint8_t>& roots) {
    std::vector<NodeSource> nodes;
    for (const DrainageSource& source : sources) {
        const NearestNode nearest = nearest_node(source, lattice, elevation, roots);
        if (nearest.node >= 0) nodes.push_back({static_cast<std::int32_t>(nearest.node), source.area});
    }
    return nodes;
}

void add_source_areas(std::span<const NodeSource> sources, const FlowTree& tree, std::vector<float>& area) {
    for (const NodeSource& source : sources)
        for (std::int32_t cell = source.node; cell >= 0; cell = tree.receiver(cell))
            area[at(cell)] = static_cast<float>(static_cast<double>(area[at(cell)]) + source.area);
}

}  // namespace thalweg
