#include "thalweg/project/stages/flow_stage.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/project/stages/stages.hpp"

#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsAtOnce = 65536;  // grain of cell-by-cell work

/// The values as a layer; cells without elevation get no data.
template <class T>
Field<float> as_layer(const Field<T>& values, const Field<float>& elevation) {
    Field<float> layer(values.grid());
    parallel_for(0, values.size(), kCellsAtOnce, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            layer[cell] = is_no_data(elevation[cell]) ? kNoData : static_cast<float>(values[cell]);
    });
    return layer;
}

/// Slope, and what follows from it.
void set_slopes(const FlowResult& result, StageContext& context) {
    if (!context.wanted.has("slope") && !context.wanted.has("stream_power")) return;
    Field<float> slope = receiver_slope(result.elevation, result.tree, eight_neighbours(result.tree.grid));
    if (context.wanted.has("stream_power"))
        context.landscape.set("stream_power", stream_power(result.drainage_area, slope));
    if (context.wanted.has("slope")) context.landscape.set("slope", std::move(slope));
}

/// Lakes as layers, and what there is to tell of them.
void set_lakes(Lakes& lakes, StageContext& context) {
    const auto set = [&](const char* layer, Field<float>& values) {
        if (context.wanted.has(layer)) context.landscape.set(layer, std::move(values));
    };
    if (context.wanted.has("lake")) context.landscape.set("lake", as_layer(lakes.lake, lakes.water_depth));
    set("water_elevation", lakes.water_elevation);
    set("water_depth", lakes.water_depth);
    auto& values = context.diagnostics.values;
    values.emplace_back("lakes", static_cast<std::int64_t>(lakes.lakes.size()));
    values.emplace_back("lake_volume_m3", lakes.volume);
    values.emplace_back("outflow_m3", lakes.outflow);
    values.emplace_back("volume_error", lakes.volume_error);
}

bool makes_lakes(const FlowStageParameters& parameters) {
    return parameters.drainage.flow.conditioning.depressions == Depressions::Lakes;
}

bool leaves_out(const void* parameters, const std::string& layer) {
    return (layer == "lake" || layer == "water_elevation" || layer == "water_depth") &&
           !makes_lakes(*static_cast<const FlowStageParameters*>(parameters));
}

void run(const FlowStageParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    FlowResult result = drain(landscape.layer("elevation"), parameters.drainage, context.progress);
    const auto set = [&](const char* layer, const auto& compute) {
        if (context.wanted.has(layer)) landscape.set(layer, as_layer(compute(), result.elevation));
    };
    set("drainage_area", [&]() -> const auto& { return result.drainage_area; });
    set("strahler", [&] { return strahler_order(result.tree); });
    set("basin", [&] { return basin_labels(result.tree); });
    set("receiver", [&] { return esri_directions(result.tree); });
    set_slopes(result, context);
    if (parameters.condition) landscape.set("elevation", std::move(result.elevation));
    context.diagnostics.values = {{"pits", result.pits},
                                  {"conditioned_cells", result.changed_cells},
                                  {"conditioned_volume_m3", result.removed_volume + result.added_volume}};
    if (result.lakes) set_lakes(*result.lakes, context);
}

}  // namespace

void FlowStageParameters::declare(Declaration<FlowStageParameters>& d) {
    d.include(&FlowStageParameters::drainage);
    d.boolean("condition", &FlowStageParameters::condition,
              {.unit = "",
               .sentence = "Whether elevation becomes the conditioned one, which never rises downstream."});
}

Stage flow_stage() {
    return make_stage<FlowStageParameters>(
        {
            .name = "flow",
            .summary = "Finds where water goes: receivers, drainage area, slope, order and basins.",
            .description = "Every cell drains to its steepest lower neighbour of 8 (D8). Depressions are "
                           "breached or filled, so that all water reaches an edge of the data; or they hold "
                           "lakes, as full as the runoff makes them. Water ends in lakes that are not full. "
                           "The layers water_elevation, water_depth and lake are there with lakes alone.",
            .reads = {"elevation"},
            .writes = {"drainage_area", "slope", "stream_power", "strahler", "basin", "receiver",
                       "water_elevation", "water_depth", "lake"},
            .primary = "drainage_area",
            .bytes_per_cell = 64.0,  // routing's own 40 (route.hpp), a copy of one result, lakes
            .leaves_out = leaves_out,
        },
        run);
}

}  // namespace thalweg
