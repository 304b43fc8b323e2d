#include "thalweg/project/stages/flow_stage.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/lake_outlines.hpp"
#include "thalweg/flow/river_profile.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/model/parameter_layers.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stages/flow_in_tiles.hpp"
#include "thalweg/project/stages/ground_measures.hpp"
#include "thalweg/project/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsAtOnce = 65536;  // grain of cell-by-cell work

/// What the stage can make.
struct Made {
    const char* name;
    bool follows_order = false;  // whether it is found along the tree's cells in their order
    bool needs_area = false;     // whether it is found from the drainage area of all cells
    bool is_of_lakes = false;    // whether it is there with lakes alone
    bool is_on_request = false;  // whether it is made where it is named alone
};
constexpr std::array kMade = {
    Made{"drainage_area"},
    Made{"slope"},
    Made{.name = "stream_power", .needs_area = true},
    Made{.name = "strahler", .follows_order = true},
    Made{.name = "basin", .follows_order = true},
    Made{"receiver"},
    Made{.name = "water_elevation", .is_of_lakes = true},
    Made{.name = "water_depth", .is_of_lakes = true},
    Made{.name = "lake", .is_of_lakes = true},
    Made{.name = kLakes, .is_of_lakes = true},
    Made{.name = "chi", .follows_order = true, .needs_area = true, .is_on_request = true},
    Made{.name = "discharge", .follows_order = true, .is_on_request = true},
    Made{.name = "distance_to_outlet", .follows_order = true, .is_on_request = true},
    Made{.name = "flow_length", .follows_order = true, .is_on_request = true},
    Made{.name = "specific_area", .needs_area = true, .is_on_request = true},
    Made{.name = "flow_direction", .is_on_request = true},
    Made{kElevation},
    Made{.name = "ksn", .follows_order = true, .needs_area = true, .is_on_request = true},
    Made{.name = "height_above_drainage", .follows_order = true, .needs_area = true, .is_on_request = true},
    Made{.name = "wetness_index", .needs_area = true, .is_on_request = true},
    Made{.name = "curvature", .is_on_request = true},
    Made{.name = "profile_curvature", .is_on_request = true},
    Made{.name = "tangential_curvature", .is_on_request = true},
    Made{.name = "ridge", .is_on_request = true},
    Made{.name = "valley", .is_on_request = true},
    Made{.name = kBasins, .follows_order = true, .is_on_request = true},
    Made{.name = kCatchments, .follows_order = true, .needs_area = true, .is_on_request = true},
    Made{.name = "slope_area", .follows_order = true, .is_on_request = true},
    Made{.name = "hack", .follows_order = true, .is_on_request = true},
    Made{.name = "hypsometry", .follows_order = true, .is_on_request = true},
    Made{.name = "chi_profiles", .follows_order = true, .is_on_request = true},
    Made{.name = kAnalyses, .follows_order = true, .is_on_request = true},
};

std::vector<std::string> all_names() {
    std::vector<std::string> names;
    for (const Made& made : kMade) names.emplace_back(made.name);
    return names;
}

std::vector<std::string> names_on_request() {
    std::vector<std::string> names;
    for (const Made& made : kMade)
        if (made.is_on_request) names.emplace_back(made.name);
    return names;
}

/// Values as a layer; cells without elevation get no data.
template <class T>
Field<float> as_layer(const Field<T>& values, const Field<float>& elevation) {
    Field<float> layer(elevation.grid());
    parallel_for(0, layer.size(), kCellsAtOnce, [&](std::int64_t first, std::int64_t last) {
        const float* const height = elevation.data();
        const T* const value = values.data();
        float* const out = layer.data();
        for (std::int64_t cell = first; cell < last; ++cell) {
            const float of_cell = static_cast<float>(value[cell]);
            out[cell] = is_no_data(height[cell]) ? kNoData : of_cell;
        }
    });
    return layer;
}

/// m^2 that drain through each cell with elevation. A plain loop where the tree's counts tell it, for
/// vectors.
Field<float> area_layer(const FlowResult& result) {
    if (!result.drainage_area.empty()) return as_layer(result.drainage_area, result.elevation);
    Field<float> layer(result.tree.grid);
    const double cell_area = result.tree.grid.cell_area();
    const std::uint32_t* const upstream = result.tree.upstream_cells.data();
    float* const area = layer.data();
    parallel_for(0, layer.size(), kCellsAtOnce, [=](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            const auto cells = static_cast<std::int32_t>(upstream[cell]);  // 0 outside
            const float of_cell = static_cast<float>(cells * cell_area);
            area[cell] = cells == 0 ? kNoData : of_cell;
        }
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

/// Lakes as layers and outlines.
void set_lakes(Lakes& lakes, StageContext& context) {
    const auto set = [&](const char* layer, Field<float>& values) {
        if (context.wanted.has(layer)) context.landscape.set(layer, std::move(values));
    };
    if (context.wanted.has("lake")) context.landscape.set("lake", as_layer(lakes.lake, lakes.water_depth));
    if (context.wanted.has(kLakes)) context.landscape.put(kLakes, outline(lakes, context.progress));
    set("water_elevation", lakes.water_elevation);
    set("water_depth", lakes.water_depth);
}

bool makes_lakes(const FlowStageParameters& parameters) {
    return parameters.drainage.flow.conditioning.depressions == Depressions::Lakes;
}

std::string why_flow_leaves_out(const void* parameters, const std::string& layer) {
    const auto& of_stage = *static_cast<const FlowStageParameters*>(parameters);
    if (layer == kElevation) return of_stage.condition ? "" : "it takes condition = true";
    if (layer == kCatchments)
        return has_pour_points(of_stage.catchments) ? "" : "it takes pour_points or pour_points_file";
    const bool is_of_lakes =
        std::ranges::any_of(kMade, [&](const Made& made) { return made.is_of_lakes && layer == made.name; });
    return is_of_lakes && !makes_lakes(of_stage) ? "it takes depressions = \"lakes\"" : "";
}

/// m^3/s of water that each cell adds, and that comes in there from sources.
Field<double> runoff_of(const FlowStageParameters& parameters, const FlowTree& tree, StageContext& context) {
    const ParameterTable& declared = parameters_of<FlowStageParameters>();
    const Grid& grid = context.landscape.grid;
    const Field<float> precipitation =
        parameter_source(parameters.precipitation_factor, declared.at("precipitation_factor"), context)(
            grid, context.progress);
    Field<double> runoff(grid);
    for_each_polled(0, runoff.size(), [&](std::int64_t cell) {
        runoff[cell] = static_cast<double>(precipitation[cell]) * parameters.runoff_rate * grid.cell_area() /
                       kSecondsPerYear;
    });
    for (const NodeSource& source : tree.sources)
        runoff[source.node] += source.area * parameters.runoff_rate / kSecondsPerYear;
    return runoff;
}

/// What adds up along the way of the water.
void set_path_quantities(const FlowResult& result, const FlowStageParameters& parameters,
                         StageContext& context) {
    const auto set = [&](const char* layer, const auto& compute) {
        if (context.wanted.has(layer)) context.landscape.set(layer, as_layer(compute(), result.elevation));
    };
    const Lattice lattice = eight_neighbours(result.tree.grid);
    const RoutingParameters& routing = parameters.drainage.flow.routing;
    set("chi", [&] { return chi(result.tree, lattice, result.drainage_area, parameters.chi); });
    set("distance_to_outlet", [&] { return distance_to_outlet(result.tree, lattice); });
    set("flow_length", [&] { return longest_flow_length(result.tree, lattice); });
    set("discharge", [&] {
        return accumulate(result, runoff_of(parameters, result.tree, context), routing, context.progress);
    });
    if (!context.wanted.has("flow_direction") && !context.wanted.has("specific_area")) return;
    const Field<float> bearing = water_bearings(result, routing.routing);
    set("flow_direction", [&] { return compass_degrees(bearing); });
    set("specific_area", [&] { return specific_area(result.drainage_area, bearing); });
}

/// Whether the stage shall make anything of the kind that `of_kind` is true for.
bool makes(const WantedLayers& wanted, bool Made::* of_kind) {
    return std::ranges::any_of(kMade,
                               [&](const Made& made) { return made.*of_kind && wanted.has(made.name); });
}

void set_analyses(const FlowResult& result, const FlowStageParameters& parameters, StageContext& context) {
    const auto is_wanted = [&](const char* name) {
        return context.wanted.has(name) || context.wanted.has(kAnalyses);
    };
    const WantedAnalyses wanted{.slope_area = is_wanted("slope_area"),
                                .hack = is_wanted("hack"),
                                .hypsometry = is_wanted("hypsometry"),
                                .chi_profiles = is_wanted("chi_profiles")};
    if (!wanted.slope_area && !wanted.hack && !wanted.hypsometry && !wanted.chi_profiles) return;
    context.landscape.put(kAnalyses,
                          analyse_terrain(context.landscape.layer("elevation"), result, parameters.analysis,
                                          parameters.chi, wanted, context.progress));
}

/// Where water goes, and what of that later stages may take.
struct Routed {
    FlowResult flow;
    std::optional<Drainage> shared = {};  // still without the flow; nothing where no stage wants it
};

Routed route_water(const FlowStageParameters& parameters, StageContext& context) {
    const bool is_shared = context.wanted.has(kDrainage) && can_share_drainage(parameters.drainage) &&
                           !parameters.condition;  // which makes it that of another terrain
    DrainageParameters drainage = parameters.drainage;
    drainage.flow.routing.seed = context.landscape.seed;
    drainage.flow.orders_tree =
        is_shared || !drainage.rivers_file.empty() || makes(context.wanted, &Made::follows_order);
    drainage.flow.sums_area = is_shared || makes(context.wanted, &Made::needs_area);
    const Stopwatch watch;
    FlowBoundary boundary = flow_boundary(drainage, context);
    Routed routed{drain(drainage, boundary, context, context.progress)};
    describe_drainage(routed.flow, watch.milliseconds(), context.diagnostics);
    if (is_shared) routed.shared = drainage_to_share(drainage, std::move(boundary), context);
    return routed;
}

/// Leaves the flow, which nobody else needs any more, to later stages.
void share(Routed routed, Landscape& landscape) {
    if (!routed.shared) return;
    if (std::optional<Lakes>& lakes = routed.flow.lakes) {
        lakes->water_elevation = {};
        lakes->water_depth = {};
        lakes->lake = {};
    }
    routed.shared->flow = std::make_shared<const FlowResult>(std::move(routed.flow));
    landscape.put(kDrainage, *std::move(routed.shared));
}

void run(const FlowStageParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    Routed routed = route_water(parameters, context);
    FlowResult& result = routed.flow;
    const auto set = [&](const char* layer, const auto& compute) {
        if (context.wanted.has(layer)) landscape.set(layer, as_layer(compute(), result.elevation));
    };
    if (context.wanted.has("drainage_area")) landscape.set("drainage_area", area_layer(result));
    set("strahler", [&] { return strahler_order(result.tree); });
    set("basin", [&] { return basin_labels(result.tree); });
    set("receiver", [&] { return esri_directions(result.tree); });
    set_path_quantities(result, parameters, context);
    fill_trenches(parameters.drainage, landscape.layer("elevation"), result);
    set_slopes(result, context);
    measure_ground(result, parameters, context);
    trace_basins(result, parameters.catchments, parameters.analysis.least_area, context);
    set_analyses(result, parameters, context);
    const double integral = context.is_measured ? hypsometric_integral(landscape.layer("elevation")) : 0.0;
    if (parameters.condition) landscape.set("elevation", std::move(result.elevation));
    auto& values = context.diagnostics.values;
    values.emplace_back("conditioned_cells", result.changed_cells);
    values.emplace_back("conditioned_volume_m3", result.removed_volume + result.added_volume);
    if (context.is_measured) values.emplace_back("hypsometric_integral", integral);
    if (result.lakes) set_lakes(*result.lakes, context);
    share(std::move(routed), landscape);
}

/// Bytes a cell beside the layers, at the peak; measured at 2048^2 and 8192^2 cells.
double working_bytes_per_cell(const FlowStageParameters& parameters, const WantedLayers& wanted) {
    constexpr double kRouting = 15.0;
    constexpr double kOrdered = 22.0;
    constexpr double kWithArea = 26.0;
    constexpr double kWithChi = 38.0;
    constexpr double kLakesAndOutlines = 31.0;
    constexpr double kAnalysing = 52.0;
    const auto wants_any = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::any_of(names,
                                   [&](std::string_view name) { return wanted.has(std::string(name)); });
    };
    const Routing routing = parameters.drainage.flow.routing.routing;
    double bytes = kRouting;
    if (makes(wanted, &Made::follows_order) || routing != Routing::D8) bytes = kOrdered;
    if (wants_any({kDrainage, "stream_power", "discharge", "flow_length", "distance_to_outlet"}))
        bytes = kWithArea;
    if (makes_lakes(parameters)) bytes = std::max(bytes, wanted.has(kLakes) ? kLakesAndOutlines : kWithArea);
    if (wanted.has("chi") || wanted.has("specific_area")) bytes = std::max(bytes, kWithChi);
    if (std::ranges::any_of(datasets_of(DatasetKind::Analysis),
                            [&](const std::string& name) { return wanted.has(name); }))
        bytes = kAnalysing;
    return bytes;
}

double flow_working_bytes(const void* parameters, const StageWork& work) {
    return working_bytes_per_cell(*static_cast<const FlowStageParameters*>(parameters), work.wanted) *
           static_cast<double>(work.grid.cells());
}

}  // namespace

void FlowStageParameters::declare(Declaration<FlowStageParameters>& d) {
    d.include(&FlowStageParameters::drainage);
    d.boolean("condition", &FlowStageParameters::condition,
              {.label = "Leave the conditioned terrain",
               .group = "Depressions",
               .unit = "",
               .sentence = "Whether elevation becomes the conditioned one, which never rises downstream."});
    d.include(&FlowStageParameters::chi);
    d.include(&FlowStageParameters::analysis);
    d.include(&FlowStageParameters::catchments);
    d.include(&FlowStageParameters::landforms);
    d.number_or_layer(
        "precipitation_factor", &FlowStageParameters::precipitation_factor,
        {.label = "Precipitation factor",
         .group = "Discharge",
         .unit = "1",
         .sentence = "Rain that runs off, as a factor on runoff_rate: a number, a layer or a raster.",
         .minimum = 0.0,
         .maximum = 100.0,
         .usual = {0.0, 4.0},
         .formerly = "precipitation"});
    declare_runoff_rate(d);
}

Stage flow_stage() {
    Stage stage = make_stage<FlowStageParameters>(
        {
            .name = "flow",
            .summary = "Finds where water goes: receivers, drainage area, slope, order and basins.",
            .description =
                "Every cell drains to its steepest lower neighbour of 8 (D8); or its water parts, or goes to "
                "a neighbour drawn by chance, as routing says. Where it parts, drainage area, and what "
                "follows from that, is of all ways, while receiver, slope, strahler and basin are of "
                "the steepest. Depressions are "
                "breached or filled, so that all water reaches an edge of the data, the sea or an outlet; or "
                "they hold "
                "lakes, as full as the runoff makes them. Water ends in lakes that are not full. "
                "The layers water_elevation, water_depth and lake are there with lakes alone, and so are "
                "their outlines, lakes, as polygons; chi, discharge, distance_to_outlet, flow_length, "
                "specific_area, flow_direction, ksn (channel steepness of rivers), height_above_drainage, "
                "wetness_index, curvature, profile_curvature, tangential_curvature, ridge and valley where "
                "they are asked "
                "for by name; so are polygons of basins (of analysis_area and more) and of catchments (of "
                "pour_points) as .gpkg or .geojson. So are analyses of the terrain, which are no layers: "
                "slope_area, hack, hypsometry and chi_profiles, or analyses for all in one, as .json, .png "
                "or "
                ".svg. With condition it leaves elevation too, the conditioned one.",
            .reads = {"elevation"},
            .reads_if_present = {kWaterBoundary},
            .writes = all_names(),
            .settings = {kWaterBoundary},
            .gives_settings =
                [](const void* parameters) {
                    return gives_boundary(static_cast<const FlowStageParameters*>(parameters)->drainage);
                },
            .intermediates = {kDrainage},
            .on_request = names_on_request(),
            .primary = "drainage_area",
            .measures = true,
            .bytes_per_cell = 15.0,
            .working_bytes = flow_working_bytes,
            .why_left_out = why_flow_leaves_out,
        },
        run);
    stage.in_tiles = [](const void* parameters, const TiledRun& files, Progress& progress) {
        return flow_in_tiles(*static_cast<const FlowStageParameters*>(parameters), files, progress);
    };
    stage.tiled_writes = layers_in_tiles();
    return stage;
}

}  // namespace thalweg
