#include "thalweg/project/riverscape/water_stage.hpp"

#include "thalweg/grid/rectangle.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/stopwatch.hpp"
#include "thalweg/riverscape/flowing_water.hpp"
#include "thalweg/riverscape/river_beds.hpp"
#include "thalweg/riverscape/river_drift.hpp"
#include "thalweg/riverscape/river_water.hpp"
#include "thalweg/riverscape/standing_water.hpp"
#include "thalweg/riverscape/water_edits.hpp"
#include "thalweg/water/water_surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kLongestWater = 1e9;  // s

struct WaterParameters {
    double time = 0.0;  // s
    RiverWaterParameters water;
    RiverDriftRates drift;
    std::vector<WaterEdit> edits;

    static void declare(Declaration<WaterParameters>& declaration);
};

/// What water at any time is made from.
struct PreparedWater {
    CarvedWindow still;
    Field<float> lakes;         // m, levels of those that lie over the rivers or beside them; else no data
    WaterTreeTable primitives;  // where they are asked for
    WaterSurface surface;
    std::optional<Drift> drift;
};

/// Levels of the water that lakes have changed, or that is theirs.
Field<float> lakes_over(const CarvedWindow& still, const RiverBeds& beds, Progress& progress) {
    if (beds.lakes.empty()) return Field<float>(still.elevation.grid(), kNoData);
    const StandingWater standing{.terrain = beds.terrain, .level = beds.lakes};
    CarvedWindow with_lakes = still;
    let_stand(standing, with_lakes, progress);
    CarvedWindow alone = still;
    alone.water_elevation = Field<float>(still.elevation.grid(), kNoData);
    let_stand(standing, alone, progress);
    Field<float> lakes = std::move(with_lakes.water_elevation);
    for (std::int64_t cell = 0; cell < lakes.size(); ++cell)
        if (lakes[cell] == still.water_elevation[cell] && lakes[cell] != alone.water_elevation[cell])
            lakes[cell] = kNoData;
    return lakes;
}

/// Takes away water below the ground, and lets that of lakes stand; what is left has a depth.
void set_layers(WaterLayers flowing, const PreparedWater& water, Landscape& landscape) {
    Field<float> depth(landscape.grid, 0.0F);
    Field<float> speed(landscape.grid, 0.0F);
    const Field<float>& ground = landscape.layer(kElevation);
    for (std::int64_t cell = 0; cell < depth.size(); ++cell) {
        const bool is_wet =
            !is_no_data(water.still.water_elevation[cell]) && flowing.elevation[cell] > ground[cell];
        const bool is_lake = water.lakes[cell] > ground[cell];
        if (is_wet && !is_lake) {
            speed[cell] = std::hypot(flowing.velocity_x[cell], flowing.velocity_y[cell]);
        } else {
            flowing.elevation[cell] = is_lake ? water.lakes[cell] : kNoData;
            flowing.velocity_x[cell] = 0.0F;
            flowing.velocity_y[cell] = 0.0F;
            flowing.foam[cell] = 0.0F;
        }
        if (is_wet || is_lake) depth[cell] = flowing.elevation[cell] - ground[cell];
    }
    landscape.set(kWaterElevation, std::move(flowing.elevation));
    landscape.set(kWaterDepth, std::move(depth));
    landscape.set(kVelocity, std::move(speed));
    landscape.set(kVelocityEast, std::move(flowing.velocity_x));
    landscape.set(kVelocityNorth, std::move(flowing.velocity_y));
    landscape.set(kFoam, std::move(flowing.foam));
}

/// What drifts where there is water at the landscape's time.
std::vector<Drifter> floating(const Drift& drift, double time, const Landscape& landscape) {
    const Field<float>& depth = landscape.layer(kWaterDepth);
    const Grid& grid = depth.grid();
    std::vector<Drifter> afloat = drift.at(time);
    std::erase_if(afloat, [&](const Drifter& thing) {
        const int column = static_cast<int>(std::floor(grid.column_at(thing.position.x) + 0.5));
        const int row = static_cast<int>(std::floor(grid.row_at(thing.position.y) + 0.5));
        return !grid.contains(column, row) || !(depth(column, row) > 0.0F);
    });
    return afloat;
}

void edit_water(const std::vector<WaterEdit>& edits, BlendFlowTree& tree) {
    for (std::size_t i = 0; i < edits.size(); ++i)
        with_place(fmt::format("edit {}: ", i + 1), [&] { apply_edit(edits[i], tree); });
}

/// Tells of wet cells from which edits have taken the water.
void note_gaps(const std::vector<WaterEdit>& edits, const WaterSurface& surface, const CarvedWindow& still,
               StageContext& context) {
    const auto takes = [](const WaterEdit& edit) {
        return edit.command == WaterCommand::Remove || edit.command == WaterCommand::Move;
    };
    if (std::ranges::none_of(edits, takes)) return;
    const WaterLayers flowing = surface.on_grid(context.landscape.grid, 0.0, context.progress);
    std::int64_t gaps = 0;
    for (std::int64_t cell = 0; cell < flowing.elevation.size(); ++cell)
        gaps += !is_no_data(still.water_elevation[cell]) && is_no_data(flowing.elevation[cell]) ? 1 : 0;
    if (gaps > 0)
        context.diagnostics.notes.push_back(
            fmt::format("edits leave {} wet cells of beds without water: insert a primitive there, or take "
                        "fewer away",
                        gaps));
}

void describe_water(const BlendFlowTree& tree, const WaterSurface& surface, Diagnostics& diagnostics) {
    const std::int64_t primitives = tree.leaves();
    const double bytes =
        primitives > 0 ? static_cast<double>(surface.buffers().bytes()) / static_cast<double>(primitives)
                       : 0.0;
    for (const auto& [phase, milliseconds] : diagnostics.phases_ms)
        if (phase != "bed") diagnostics.values.emplace_back(phase + "_ms", milliseconds);
    diagnostics.values.emplace_back("primitives_water", primitives);
    diagnostics.values.emplace_back("bytes_per_primitive", bytes);
    constexpr std::int64_t kMany = 5'000'000;
    if (primitives > kMany)
        diagnostics.notes.push_back(fmt::format(
            "{:.1f} million primitives of water take {:.1f} GB: a smaller density makes fewer and larger "
            "ones",
            1e-6 * static_cast<double>(primitives), 1e-9 * static_cast<double>(surface.buffers().bytes())));
    if (primitives == 0)
        diagnostics.notes.emplace_back("no river has a bed within the landscape: it stays dry");
}

constexpr double kPlacingShare = 0.7;  // of the progress

PreparedWater prepare(const WaterParameters& parameters, StageContext& context) {
    const Landscape& landscape = context.landscape;
    const RiverBeds& beds = landscape.get<RiverBeds>(kRiverBeds);
    const Rectangle extent = extent_of(landscape.grid);
    const Stopwatch watch;
    const BedTree tree = beds_near(beds, extent);
    CarvedWindow still = tree.carve(landscape.grid, context.progress);
    const double bed_ms = watch.milliseconds();
    ProgressPart placing(context.progress, 0.0, kPlacingShare);
    RiverWaterTree water = river_water(tree, beds.courses, extent, parameters.water, landscape.seed, placing);
    edit_water(parameters.edits, water.tree);
    const double seeded_ms = watch.milliseconds();
    ProgressPart compiling(context.progress, kPlacingShare, 1.0);
    WaterSurface surface(water.tree, compiling);
    const double indexed_ms = watch.milliseconds();
    context.diagnostics.phases_ms = {
        {"bed", bed_ms}, {"seed", seeded_ms - bed_ms}, {"index", indexed_ms - seeded_ms}};
    describe_water(water.tree, surface, context.diagnostics);
    note_gaps(parameters.edits, surface, still, context);
    if (context.is_measured) {
        constexpr std::int64_t kPlaces = 100000;
        context.diagnostics.values.emplace_back(
            "coverage_holes", coverage_holes(tree, beds.courses, surface, extent, kPlaces, landscape.seed));
    }
    std::optional<Drift> drift;
    if (parameters.drift.leaves > 0.0 || parameters.drift.foam_patches > 0.0)
        drift = river_drift(still, beds.courses, surface, parameters.drift, landscape.seed, context.progress);
    Field<float> lakes = lakes_over(still, beds, context.progress);
    return {.still = std::move(still),
            .lakes = std::move(lakes),
            .primitives = context.wanted.has(kWaterPrimitives) ? water.tree.table() : WaterTreeTable{},
            .surface = std::move(surface),
            .drift = std::move(drift)};
}

StageAtTime water_at_times(const void* stage_parameters, StageContext& context) {
    const auto& parameters = *static_cast<const WaterParameters*>(stage_parameters);
    const auto water = std::make_shared<const PreparedWater>(prepare(parameters, context));
    return [water](double time, StageContext& frame) {
        Landscape& landscape = frame.landscape;
        const Stopwatch evaluating;
        WaterLayers flowing = water->surface.on_grid(landscape.grid, time, frame.progress);
        const double seconds = 1e-3 * evaluating.milliseconds();
        const auto dry = std::ranges::count_if(flowing.elevation, is_no_data);
        if (seconds > 0.0)
            frame.diagnostics.values.emplace_back(
                "evaluations_per_second", static_cast<double>(landscape.grid.cells() - dry) / seconds);
        set_layers(std::move(flowing), *water, landscape);
        FlowingWater state{.time = time,
                           .loop_period = water->surface.setting().loop_period,
                           .primitives = water->primitives};
        if (water->drift) state.drifters = floating(*water->drift, time, landscape);
        landscape.put(kFlowingWater, std::move(state));
    };
}

void run(const WaterParameters& parameters, StageContext& context) {
    water_at_times(&parameters, context)(parameters.time, context);
}

}  // namespace

void WaterParameters::declare(Declaration<WaterParameters>& d) {
    d.number("time", &WaterParameters::time,
             {.label = "Time",
              .group = "Time",
              .unit = "s",
              .sentence = "Time at which the water is shown; it moves on with it, and comes round to where "
                          "it was after loop_period.",
              .minimum = 0.0,
              .maximum = kLongestWater,
              .usual = {0.0, 60.0}});
    d.include(&WaterParameters::water);
    d.include(&WaterParameters::drift);
    d.tables("edits", &WaterParameters::edits,
             {.label = "Edits of the water",
              .group = "Water",
              .unit = "",
              .sentence = "What is done to the primitives of the water, one edit after another: insert, "
                          "replace, remove, move, retune."});
}

Stage water_stage() {
    Stage stage = make_stage<WaterParameters>(
        {
            .name = "water",
            .summary = "Lets water flow over the beds that `carve` has made.",
            .description =
                "The water of a river is put together from thousands of small pieces that move each in its "
                "way: calm, rippled and turbulent water, standing waves, falls, whirlpools, and waves that "
                "banks throw back (Peytavie et al. 2019). They are placed by the bed, the flow, the type of "
                "the river and its rocks. The surface at any time is known at once, and comes round to "
                "itself after loop_period. Waves are as long as rivers are deep: cells of a decimetre or "
                "two show them.\n\nWhere layers of [output] name them: mesh is terrain and water as .glb, "
                "water_primitives and drift are tables of points, flow_map, foam_map, depth_map and "
                "shore_map are textures with a .json that tells what their bytes stand for.",
            .reads = {kElevation, kRiverBeds},
            .writes = {kWaterElevation, kWaterDepth, kVelocity, kVelocityEast, kVelocityNorth, kFoam,
                       kWaterPrimitives, kDrift, kFlowMap, kFoamMap, kDepthMap, kShoreMap, kMesh},
            .settings = {kFlowingWater},
            .on_request = {kWaterPrimitives, kDrift, kFlowMap, kFoamMap, kDepthMap, kShoreMap, kMesh},
            .primary = kWaterElevation,
            .verb_after = "carve",
            .verb_takes_window = true,
            .measures = true,
            .bytes_per_cell = 120.0,
            .time = {.parameter = "time", .unit = "s"},
        },
        run);
    stage.at_times = water_at_times;
    return stage;
}

}  // namespace thalweg
