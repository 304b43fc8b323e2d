#include "thalweg/erosion/valley_floors.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/erosion/floors/floor_envelope.hpp"
#include "thalweg/erosion/floors/floor_front.hpp"
#include "thalweg/erosion/floors/floor_levels.hpp"
#include "thalweg/erosion/floors/floor_rivers.hpp"
#include "thalweg/erosion/floors/present_floors.hpp"

#include <algorithm>
#include <utility>

namespace thalweg {
namespace {

ValleyFloorReport report_of(const Field<float>& before, const Field<float>& after) {
    ValleyFloorReport report;
    for_each_polled(0, before.size(), [&](std::int64_t cell) {
        if (!(after[cell] < before[cell])) return;
        ++report.cut_cells;
        report.removed_volume += static_cast<double>(before[cell]) - static_cast<double>(after[cell]);
    });
    report.removed_volume *= before.grid().cell_area();
    return report;
}

/// Floors that were cut join those that were there.
void add_cut_floors(const Field<float>& elevation, const FloorRivers& rivers, const FloorFront& front,
                    Field<float>& floor) {
    const auto cell_size = static_cast<float>(elevation.grid().cell_size);
    for_each_polled(0, elevation.size(), [&](std::int64_t cell) {
        floor[cell] = is_no_data(elevation[cell])
                          ? kNoData
                          : std::max(floor[cell], floor_share_of_cell(front, rivers, cell, cell_size));
    });
}

}  // namespace

void ValleyFloorParameters::declare(Declaration<ValleyFloorParameters>& d) {
    d.number("floor_width", &ValleyFloorParameters::floor_width,
             {.label = "Floor width at 1 km2",
              .group = "Valley floors",
              .unit = "m",
              .sentence = "Width of the floor of a river that drains 1 km2 and does not cut down.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {0.0, 500.0},
              .source = "by eye"});
    d.number("width_exponent", &ValleyFloorParameters::width_exponent,
             {.label = "Exponent of floor width",
              .group = "Valley floors",
              .unit = "1",
              .sentence = "How floors widen downstream: the power of drainage area.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.1, 0.5},
              .source = "by eye"});
    d.number(
        "floor_area", &ValleyFloorParameters::floor_area,
        {.label = "Area where floors begin",
         .group = "Valley floors",
         .unit = "m^2",
         .sentence = "Drainage area above which rivers have floors; valleys that drain less stay V-shaped.",
         .minimum = 0.0,
         .maximum = 1e12,
         .usual = {1e5, 1e8, SliderScale::Logarithmic},
         .minimum_excluded = true});
    d.number("wall_height", &ValleyFloorParameters::wall_height,
             {.label = "Height of walls",
              .group = "Valley floors",
              .unit = "m",
              .sentence = "Height of ground above the river into which a floor makes half the way.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {20.0, 500.0, SliderScale::Logarithmic},
              .source = "by eye",
              .minimum_excluded = true});
}

ValleyFloors valley_floors(const ValleyFloorInputs& inputs, const ValleyFloorParameters& parameters,
                           Progress& progress) {
    FloorRivers rivers = floor_rivers(inputs, parameters, progress);
    PresentFloors present = present_floors(inputs, rivers);
    count_present(present, rivers);
    const FloorFront front = floor_front(inputs, rivers, parameters, progress);
    ValleyFloors floors;
    const std::vector<float> beds = floor_beds(inputs, rivers, front);
    floors.elevation =
        floor_envelope(inputs, rivers, floor_levels(inputs, rivers, front, beds), beds, progress);
    floors.floor = std::move(present.share);
    add_cut_floors(inputs.elevation, rivers, front, floors.floor);
    floors.report = report_of(inputs.elevation, floors.elevation);
    floors.report.river_cells = std::ssize(rivers.rivers);
    return floors;
}

}  // namespace thalweg
