#include "thalweg/flow/basin_outlines.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/flow/derived.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// The cell that holds a position, -1 outside the grid.
std::int64_t cell_at(const Grid& grid, const PourPoint& point) {
    const double column = std::floor(grid.column_at(point.x) + 0.5);
    const double row = std::floor(grid.row_at(point.y) + 0.5);
    const bool inside = column >= 0.0 && row >= 0.0 && column < grid.columns && row < grid.rows;
    return inside ? grid.index(static_cast<int>(column), static_cast<int>(row)) : -1;
}

BasinOutline basin_at(const FlowTree& tree, const Field<float>& elevation, std::int32_t id,
                      std::int32_t outlet) {
    const Grid& grid = tree.grid;
    BasinOutline basin;
    basin.id = id;
    basin.outlet = grid.centre(grid.column_of(outlet), grid.row_of(outlet));
    basin.outlet_elevation = basin.least = basin.greatest = static_cast<double>(elevation[outlet]);
    return basin;
}

/// Sums up the cells of each basin and traces them. `label` holds the places in `basins` plus 1.
void fill_in(std::vector<BasinOutline>& basins, const Field<std::int32_t>& label,
             const Field<float>& elevation, const Progress& progress) {
    std::vector<std::int64_t> cells(basins.size(), 0);
    for_each_polled(0, label.size(), [&](std::int64_t cell) {
        if (label[cell] == 0) return;
        BasinOutline& basin = basins[at(label[cell] - 1)];
        const auto height = static_cast<double>(elevation[cell]);
        basin.least = std::min(basin.least, height);
        basin.greatest = std::max(basin.greatest, height);
        basin.mean += height;
        ++cells[at(label[cell] - 1)];
    });
    std::vector<std::int32_t> labels(basins.size());
    for (std::size_t i = 0; i < basins.size(); ++i) labels[i] = static_cast<std::int32_t>(i) + 1;
    std::vector<std::vector<OutlinePart>> parts = outline_cells(label, labels, progress);
    for (std::size_t i = 0; i < basins.size(); ++i) {
        basins[i].area = static_cast<double>(cells[i]) * label.grid().cell_area();
        basins[i].mean /= static_cast<double>(cells[i]);
        basins[i].parts = std::move(parts[i]);
    }
}

/// The cell with the largest drainage area within `distance` (m) of a pour point.
std::int32_t snapped(const PourPoint& point, const Field<float>& elevation, const Field<double>& area,
                     double distance) {
    const Grid& grid = area.grid();
    auto best = static_cast<std::int32_t>(cell_at(grid, point));
    const auto distance_to = [&](std::int64_t cell) {
        return std::hypot(grid.x(grid.column_of(cell)) - point.x, grid.y(grid.row_of(cell)) - point.y);
    };
    const auto bound = [&](double place, int last) {
        return static_cast<int>(std::clamp(place, 0.0, static_cast<double>(last)));
    };
    const int first_row = bound(std::floor(grid.row_at(point.y + distance)), grid.rows - 1);
    const int last_row = bound(std::ceil(grid.row_at(point.y - distance)), grid.rows - 1);
    const int first_column = bound(std::floor(grid.column_at(point.x - distance)), grid.columns - 1);
    const int last_column = bound(std::ceil(grid.column_at(point.x + distance)), grid.columns - 1);
    for (int row = first_row; row <= last_row; ++row)
        for (int column = first_column; column <= last_column; ++column) {
            const std::int64_t cell = grid.index(column, row);
            if (is_no_data(elevation[cell]) || distance_to(cell) > distance) continue;
            const bool is_better =
                area[cell] != area[best] ? area[cell] > area[best] : distance_to(cell) < distance_to(best);
            if (is_better) best = static_cast<std::int32_t>(cell);
        }
    return best;
}

}  // namespace

void PourPoint::declare(Declaration<PourPoint>& d) {
    d.number("x", &PourPoint::x,
             {.label = "Easting", .unit = "m", .sentence = "Where the pour point lies, to the east."});
    d.number("y", &PourPoint::y,
             {.label = "Northing", .unit = "m", .sentence = "Where the pour point lies, to the north."});
}

void check_pour_points(std::span<const PourPoint> points, const Field<float>& elevation) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::int64_t cell = cell_at(elevation.grid(), points[i]);
        if (cell >= 0 && !is_no_data(elevation[cell])) continue;
        throw Error::input(fmt::format("pour_points[{}] at {}, {} m lies {}: give one on the terrain", i,
                                       points[i].x, points[i].y,
                                       cell < 0 ? "outside the grid" : "on a cell without data"));
    }
}

BasinOutlines outline_basins(const FlowTree& tree, const Field<float>& elevation, double least_area,
                             const Progress& progress) {
    const double least_cells = least_area / tree.grid.cell_area();
    Field<std::int32_t> label = basin_labels(tree);
    BasinOutlines outlines{.crs = tree.grid.crs, .basins = {}};
    std::vector<std::int32_t> place = {0};  // by basin label, in the outlines, plus 1; 0: left out
    for_each_polled(0, tree.grid.cells(), [&](std::int64_t number) {
        const auto cell = static_cast<std::int32_t>(number);
        if (tree.direction[at(cell)] != kRoot) return;
        const bool is_shown = tree.upstream_cells[at(cell)] >= least_cells;
        if (is_shown) outlines.basins.push_back(basin_at(tree, elevation, label[cell], cell));
        place.push_back(is_shown ? static_cast<std::int32_t>(outlines.basins.size()) : 0);
    });
    for_each_polled(label, [&](std::int32_t& of_cell) { of_cell = place[at(of_cell)]; });
    fill_in(outlines.basins, label, elevation, progress);
    return outlines;
}

BasinOutlines outline_catchments(const FlowTree& tree, const Field<float>& elevation,
                                 const Field<double>& drainage_area, std::span<const PourPoint> points,
                                 double snap_distance, const Progress& progress) {
    check_pour_points(points, elevation);
    BasinOutlines outlines{.crs = tree.grid.crs, .basins = {}};
    for (const PourPoint& point : points) {
        const std::int32_t outlet = snapped(point, elevation, drainage_area, snap_distance);
        Field<std::int32_t> label(tree.grid, 0);
        label[outlet] = 1;
        for_each_polled(tree.order, [&](std::int32_t cell) {
            if (const std::int32_t receiver = tree.receiver(cell); receiver >= 0 && label[receiver] != 0)
                label[cell] = 1;
        });
        std::vector<BasinOutline> one = {
            basin_at(tree, elevation, static_cast<std::int32_t>(outlines.basins.size()) + 1, outlet)};
        one[0].pour_point = Position{point.x, point.y};
        fill_in(one, label, elevation, progress);
        outlines.basins.push_back(std::move(one[0]));
    }
    return outlines;
}

}  // namespace thalweg
