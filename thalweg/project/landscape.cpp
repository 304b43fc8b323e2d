#include "thalweg/project/landscape.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

std::vector<std::string> names_of(const std::map<std::string, Layer>& layers) {
    std::vector<std::string> names;
    for (const auto& [name, layer] : layers) names.push_back(name);
    return names;
}

}  // namespace

const std::vector<LayerDescription>& layer_catalogue() {
    static const std::vector<LayerDescription> catalogue = {
        {"elevation", "m", "Height of the ground."},
        {"uplift", "m/yr", "Speed at which tectonics raise the rock."},
        {"erodibility", "m^(1-2m)/yr", "Factor k of the stream power law; m is its area exponent."},
        {"precipitation", "1", "Rain that runs off, as a factor on drainage area; 1 is even rain."},
        {"drainage_area", "m^2", "Area whose water flows through the cell, the cell included."},
        {"discharge", "m^3/s", "Water that flows through the cell."},
        {"slope", "m/m", "Drop to the cell's receiver over the distance to it."},
        {"stream_power", "m", "Square root of drainage area times slope."},
        {"strahler", "1", "Horton-Strahler order of the stream in the cell.", true},
        {"basin", "1", "Number of the basin: all cells that drain to the same outlet.", true},
        {"receiver", "1", "ESRI direction code (1 to 128) of the neighbour that the cell drains to.", true},
        {"chi", "m",
         "Integral of (A0 / A)^(m/n) along the way from the outlet; straightens rivers at steady state."},
        {"distance_to_outlet", "m", "Length of the way that water takes to its outlet."},
        {"flow_length", "m", "Length of the longest way on which water comes to the cell."},
        {"specific_area", "m", "Drainage area over the width of contour that its water crosses."},
        {"flow_direction", "degrees", "Way of the water, clockwise from north."},
        {"ksn", "m^(2m/n)", "Normalised channel steepness k_sn of rivers; no data beside them."},
        {"height_above_drainage", "m", "Height above the river that the cell's water reaches first."},
        {"wetness_index", "1", "Topographic wetness index: logarithm of specific area over slope."},
        {"curvature", "1/m", "Laplacian of elevation: negative on ridges, positive in hollows."},
        {"profile_curvature", "1/m", "Curvature down the slope: positive where it steepens downhill."},
        {"tangential_curvature", "1/m", "Curvature across the slope: positive on spurs."},
        {"water_elevation", "m", "Height of the water surface; no data where the ground is dry."},
        {"water_depth", "m", "Water surface above the ground; 0 where that is dry."},
        {"lake", "1", "Number of the lake, 0 outside lakes.", true},
        {"wear", "m", "How far the ground lies below its start, raised by uplift: depth of what was eroded."},
        {"deposit", "m",
         "How far the ground lies above its start, raised by uplift: thickness of what was laid down."},
        {"ridge", "1", "How much the cell is part of a ridge, 0 to 1."},
        {"valley", "1", "How much the cell is part of a valley, 0 to 1."},
    };
    return catalogue;
}

std::string layer_unit(const std::string& name) {
    for (const LayerDescription& layer : layer_catalogue())
        if (layer.name == name) return layer.unit;
    return "1";
}

const Field<float>& Landscape::layer(const std::string& name) const {
    if (const auto found = layers.find(name); found != layers.end()) return found->second.values;
    const std::vector<std::string> makers = stages_that_write(name);
    const std::string hint =
        makers.empty() ? std::string() : fmt::format("; made by stage {}", fmt::join(makers, ", "));
    throw Error::input(
        fmt::format("there is no layer \"{}\"{}; present are: {}", name, hint,
                    layers.empty() ? "none" : fmt::format("{}", fmt::join(names_of(layers), ", "))));
}

void Landscape::set(const std::string& name, Field<float> values, LayerSource source) {
    layers.insert_or_assign(name, Layer{std::move(values), std::move(source)});
}

bool holds_whole_numbers(const std::string& layer) {
    const auto& catalogue = layer_catalogue();
    const auto known = std::ranges::find(catalogue, layer, &LayerDescription::name);
    return known != catalogue.end() && known->whole_numbers;
}

}  // namespace thalweg
