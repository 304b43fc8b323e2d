#include "thalweg/erosion/valley_fill.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/erosion/floors/river_slopes.hpp"
#include "thalweg/flow/directions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

constexpr double kAreaOfThickness = 1e8;  // m^2, of the river under which `fill` lies
constexpr double kThickening = 0.02;      // m/m, that the fill gains upstream at most (by eye)
constexpr double kFillCrossSlope = 0.01;  // m/m, of filled ground towards its river at most (by eye)
constexpr double kShareOfWalls = 0.5;     // of the lower wall's height, that a fill has at most (by eye)
constexpr double kWallDistance = 1000.0;  // m, within which walls stand (by eye)
constexpr double kShareOfSlope = 0.5;     // of a cell's slope, that is left behind a fill (by eye)

/// T, m.
double river_thickness(const ValleyFillParameters& parameters, const ValleyFloorParameters& floors,
                       double area, double slope) {
    return parameters.fill * std::pow(area / kAreaOfThickness, floors.width_exponent) *
           std::max(0.0, 1.0 - floors.floor_area / area) * std::max(0.0, 1.0 - slope / parameters.fill_slope);
}

/// How high ground rises above a cell within kWallDistance in one of 8 directions, m.
double wall_height(const Field<float>& elevation, std::int32_t cell, int direction) {
    const Grid& grid = elevation.grid();
    int column = grid.column_of(cell);
    int row = grid.row_of(cell);
    const double length = grid.cell_size * (direction % 2 == 0 ? 1.0 : std::sqrt(2.0));
    float highest = elevation[cell];
    for (double distance = length; distance <= kWallDistance; distance += length) {
        column += kColumnStep[at(direction)];
        row += kRowStep[at(direction)];
        if (!grid.contains(column, row) || is_no_data(elevation(column, row))) break;
        highest = std::max(highest, elevation(column, row));
    }
    return static_cast<double>(highest) - static_cast<double>(elevation[cell]);
}

/// Height of the lower one of the walls to both sides of a river, m: none on a plain.
double confinement(const Field<float>& elevation, const FlowTree& tree, std::int32_t cell) {
    const int direction = tree.direction[at(cell)];
    return std::min(wall_height(elevation, cell, (direction + 2) % 8),
                    wall_height(elevation, cell, (direction + 6) % 8));
}

/// The least height above a receiver that lies at `level`, m, that a float can tell.
float above(float level) {
    return std::nextafter(level, std::numeric_limits<float>::infinity());
}

}  // namespace

void ValleyFillParameters::declare(Declaration<ValleyFillParameters>& d) {
    d.number(
        "fill", &ValleyFillParameters::fill,
        {.label = "Fill of valleys",
         .group = "Valley fill",
         .unit = "m",
         .sentence = "Alluvium under a gentle river that drains 100 km2, which makes valleys flat; larger "
                     "rivers have more, as their floors are wider. 0: none.",
         .minimum = 0.0,
         .maximum = 1e4,
         .usual = {0.0, 60.0},
         .source = "by eye"});
    d.number("fill_slope", &ValleyFillParameters::fill_slope,
             {.label = "Slope without fill",
              .group = "Valley fill",
              .unit = "m/m",
              .sentence = "Rivers as steep as this, over 500 m, carry all alluvium on.",
              .minimum = 0.0,
              .maximum = 10.0,
              .usual = {0.005, 0.1, SliderScale::Logarithmic},
              .source = "by eye",
              .minimum_excluded = true});
}

ValleyFill fill_valleys(const FlowResult& flow, const ValleyFillParameters& parameters,
                        const ValleyFloorParameters& floors, Progress& progress) {
    const Field<float>& elevation = flow.elevation;
    const FlowTree& tree = flow.tree;
    const RiverSlopes slopes(elevation, tree);
    ValleyFill filled = {.elevation = elevation, .thickness = Field<float>(elevation.grid(), 0.0F)};
    progress.report(0.0, "filling valleys");
    for_each_polled(tree.order, [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver < 0) return;
        const double length = slopes.length(cell);
        double thickness = 0.0;
        if (const double area = flow.drained_area(cell); area > floors.floor_area)
            thickness = std::min({river_thickness(parameters, floors, area, slopes.downstream(cell)),
                                  kShareOfWalls * confinement(elevation, tree, cell),
                                  static_cast<double>(filled.thickness[receiver]) + kThickening * length});
        float level = elevation[cell] + static_cast<float>(thickness);
        if (filled.thickness[receiver] > 0.0F) {
            const double rise =
                std::min(kFillCrossSlope * length, kShareOfSlope * slopes.drop(cell, receiver));
            const float least = filled.elevation[receiver];
            level = std::max({level, least + static_cast<float>(rise), above(least)});
        }
        if (!(level > elevation[cell])) return;
        filled.elevation[cell] = level;
        filled.thickness[cell] = level - elevation[cell];
        ++filled.filled_cells;
        filled.volume += static_cast<double>(filled.thickness[cell]);
    });
    filled.volume *= elevation.grid().cell_area();
    return filled;
}

}  // namespace thalweg
