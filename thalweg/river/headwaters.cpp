#include "thalweg/river/headwaters.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/river/extract.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// The cell that holds a position, -1 outside the grid.
std::int64_t cell_at(const Grid& grid, const Spring& spring) {
    const double column = std::floor(grid.column_at(spring.x) + 0.5);
    const double row = std::floor(grid.row_at(spring.y) + 0.5);
    const bool inside = column >= 0.0 && row >= 0.0 && column < grid.columns && row < grid.rows;
    return inside ? grid.index(static_cast<int>(column), static_cast<int>(row)) : -1;
}

/// Slope from a cell to its receiver, m/m, at least 0.
double slope_below(const FlowTree& tree, const Field<float>& elevation, std::int32_t cell) {
    const std::int32_t receiver = tree.receiver(cell);
    if (receiver < 0) return 0.0;
    const bool is_diagonal = tree.direction[at(cell)] % 2 == 1;
    const double distance = tree.grid.cell_size * (is_diagonal ? std::numbers::sqrt2 : 1.0);
    return std::max(0.0, static_cast<double>(elevation[cell]) - elevation[receiver]) / distance;
}

Field<std::uint8_t> heads_by_rule(const FlowTree& tree, const Field<double>& drainage_area,
                                  const Field<float>& elevation, const NetworkParameters& parameters) {
    Field<std::uint8_t> heads(tree.grid, std::uint8_t{0});
    if (parameters.headwaters == Headwaters::Springs) {
        for (const Spring& spring : parameters.springs) heads[cell_at(tree.grid, spring)] = 1;
        return heads;
    }
    const bool by_area = parameters.headwaters == Headwaters::Area;
    for_each_polled(0, tree.grid.cells(), [&](std::int64_t number) {
        const auto cell = static_cast<std::int32_t>(number);
        const double area = drainage_area[cell];
        const bool begins = by_area ? area >= parameters.min_area
                                    : area * portable_power(slope_below(tree, elevation, cell),
                                                            parameters.slope_area_exponent) >=
                                          parameters.slope_area_threshold;
        heads[cell] = begins ? 1 : 0;
    });
    return heads;
}

}  // namespace

void Spring::declare(Declaration<Spring>& d) {
    d.number("x", &Spring::x,
             {.label = "Easting", .unit = "m", .sentence = "Where the spring lies, to the east."});
    d.number("y", &Spring::y,
             {.label = "Northing", .unit = "m", .sentence = "Where the spring lies, to the north."});
}

void check_springs(std::span<const Spring> springs, const Field<float>& elevation,
                   const std::string& origin) {
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const std::int64_t cell = cell_at(elevation.grid(), springs[i]);
        if (cell >= 0 && !is_no_data(elevation[cell])) continue;
        throw Error::input(fmt::format("{}springs[{}] at {}, {} m lies {}", origin, i, springs[i].x,
                                       springs[i].y,
                                       cell < 0 ? "outside the grid" : "on a cell without data"));
    }
}

Field<std::uint8_t> river_heads(const FlowTree& tree, const Field<double>& drainage_area,
                                const Field<float>& elevation, const NetworkParameters& parameters) {
    Field<std::uint8_t> heads = heads_by_rule(tree, drainage_area, elevation, parameters);
    for (const std::int32_t cell : parameters.drawn) heads[cell] = 1;
    return heads;
}

}  // namespace thalweg
