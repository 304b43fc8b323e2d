#include "thalweg/project/stages/ground_measures.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/channel_steepness.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/wetness.hpp"
#include "thalweg/grid/curvature.hpp"

#include <utility>
#include <vector>

namespace thalweg {
namespace {

/// 1 where `least_area` (m^2) or more drains through a cell.
Field<std::uint8_t> river_cells(const FlowResult& flow, double least_area) {
    Field<std::uint8_t> rivers(flow.tree.grid, 0);
    for (std::int64_t cell = 0; cell < rivers.size(); ++cell)
        rivers[cell] = flow.tree.direction[at(cell)] != kOutside && flow.drainage_area[cell] >= least_area;
    return rivers;
}

Field<float> steepness_of_rivers(const FlowResult& flow, const Field<std::uint8_t>& rivers,
                                 const FlowStageParameters& parameters, Progress& progress) {
    const StreamTree streams = stream_tree(flow.tree, eight_neighbours(flow.tree.grid), flow.drainage_area,
                                           flow.elevation, rivers, parameters.chi.concavity, progress);
    const std::vector<double> steepness = channel_steepness(streams, parameters.analysis.steepness_length);
    Field<float> layer(flow.tree.grid, kNoData);
    for (std::int32_t entry = 0; entry < streams.size(); ++entry)
        layer[streams.cell[at(entry)]] = static_cast<float>(steepness[at(entry)]);
    return layer;
}

void set_curvature(StageContext& context) {
    const WantedLayers& wanted = context.wanted;
    if (!wanted.has("curvature") && !wanted.has("profile_curvature") && !wanted.has("tangential_curvature"))
        return;
    Curvature found = curvature(context.landscape.layer("elevation"));
    if (wanted.has("curvature")) context.landscape.set("curvature", std::move(found.laplacian));
    if (wanted.has("profile_curvature")) context.landscape.set("profile_curvature", std::move(found.profile));
    if (wanted.has("tangential_curvature"))
        context.landscape.set("tangential_curvature", std::move(found.tangential));
}

}  // namespace

Field<float> water_bearings(const FlowResult& flow, Routing routing) {
    if (routing == Routing::Freeman || routing == Routing::Dinf)
        return dinf_bearings(flow.elevation, flow.tree.direction);
    Field<float> bearing(flow.tree.grid, kNoData);
    for (std::int64_t cell = 0; cell < bearing.size(); ++cell) {
        const std::uint8_t direction = flow.tree.direction[at(cell)];
        if (direction < kRoot) bearing[cell] = static_cast<float>(direction);
    }
    return bearing;
}

void measure_ground(const FlowResult& flow, const FlowStageParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    set_curvature(context);
    set_landforms(parameters.landforms, context);
    if (context.wanted.has("wetness_index"))
        landscape.set(
            "wetness_index",
            wetness_index(specific_area(flow.drainage_area,
                                        water_bearings(flow, parameters.drainage.flow.routing.routing)),
                          receiver_slope(flow.elevation, flow.tree, eight_neighbours(flow.tree.grid))));
    if (!context.wanted.has("ksn") && !context.wanted.has("height_above_drainage")) return;
    const Field<std::uint8_t> rivers = river_cells(flow, parameters.analysis.least_area);
    if (context.wanted.has("ksn"))
        landscape.set("ksn", steepness_of_rivers(flow, rivers, parameters, context.progress));
    if (context.wanted.has("height_above_drainage"))
        landscape.set("height_above_drainage", height_above_drainage(flow.tree, flow.elevation, rivers));
}

}  // namespace thalweg
