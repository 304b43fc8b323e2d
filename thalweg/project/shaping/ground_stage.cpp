#include "thalweg/project/shaping/ground_stage.hpp"

#include "thalweg/grid/rows.hpp"
#include "thalweg/ground/ground_cover.hpp"
#include "thalweg/io/latitude.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/parts/drainage.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr double kRoutingShare = 0.3;    // of the stage's progress
constexpr double kUsualLatitude = 45.0;  // degrees, of maps without a coordinate system
constexpr float kFloorSediment = 2.0F;   // m, under the floors of valleys (empirical)
constexpr const char* kPrecipitationFactor = "precipitation_factor";

Field<float> layer_or_none(const Landscape& landscape, const char* name) {
    return landscape.has(name) ? landscape.layer(name) : Field<float>();
}

/// What rivers and slopes have laid down, m; empty where no layer tells.
Field<float> sediment_of(const Landscape& landscape) {
    const bool has_floor = landscape.has(kFloor);
    if (!landscape.has(kDeposit) && !has_floor) return {};
    Field<float> sediment =
        landscape.has(kDeposit) ? landscape.layer(kDeposit) : Field<float>(landscape.grid);
    if (!has_floor) return sediment;
    const Field<float>& floor = landscape.layer(kFloor);
    for (std::int64_t cell = 0; cell < sediment.size(); ++cell)
        sediment[cell] = std::max(sediment[cell], kFloorSediment * floor[cell]);
    return sediment;
}

/// Cells of the sea and of lakes; empty where there are none.
Field<std::uint8_t> water_of(const Landscape& landscape) {
    const double sea_level = landscape.boundary().sea_level;
    const Field<float> depth = layer_or_none(landscape, kWaterDepth);
    if (std::isinf(sea_level) && depth.empty()) return {};
    const Field<float>& elevation = landscape.layer(kElevation);
    Field<std::uint8_t> water(landscape.grid);
    for (std::int64_t cell = 0; cell < water.size(); ++cell)
        water[cell] =
            static_cast<double>(elevation[cell]) <= sea_level || (!depth.empty() && depth[cell] > 0.0F);
    return water;
}

void describe(const GroundReport& report, double latitude, Diagnostics& diagnostics) {
    diagnostics.values.insert(diagnostics.values.end(), {{"latitude_degrees", latitude},
                                                         {"tree_line_m", report.tree_line},
                                                         {"snow_line_m", report.snow_line},
                                                         {"bare_rock_share", report.bare_share},
                                                         {"scree_share", report.scree_share},
                                                         {"vegetation_share", report.vegetation_share},
                                                         {"forest_share", report.forest_share},
                                                         {"snow_share", report.snow_share}});
}

void run(const GroundParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    const DrainageParameters drainage;
    const FlowBoundary boundary = flow_boundary(drainage, context);
    ProgressPart routing(context.progress, 0.0, kRoutingShare);
    const SharedFlow shared = take_or_drain(drainage, boundary, context, routing);
    ProgressPart covering(context.progress, kRoutingShare, 1.0);
    const double map_latitude = latitude_of(landscape.grid).value_or(kUsualLatitude);
    GroundCover cover = ground_cover({.elevation = landscape.layer(kElevation),
                                      .flow = *shared.flow,
                                      .critical_slope = layer_or_none(landscape, kCriticalSlope),
                                      .precipitation_factor = layer_or_none(landscape, kPrecipitationFactor),
                                      .sediment = sediment_of(landscape),
                                      .water = water_of(landscape)},
                                     parameters, map_latitude, covering);
    describe(cover.report, resolved(parameters.climate, map_latitude).latitude, context.diagnostics);
    const std::pair<const char*, Field<float>*> layers[] = {
        {kSoilDepth, &cover.soil_depth},  {kBareRock, &cover.bare_rock}, {kScree, &cover.scree},
        {kVegetation, &cover.vegetation}, {kForest, &cover.forest},      {kSnow, &cover.snow}};
    for (const auto& [name, values] : layers) landscape.set(name, std::move(*values));
}

}  // namespace

Stage ground_stage() {
    return make_stage<GroundParameters>(
        {
            .name = "ground",
            .summary = "Covers the ground with soil, bare rock, scree, plants and snow.",
            .description =
                "Soil forms on rock and creeps off ridges; none stays on steep slopes, where rock is bare "
                "and "
                "frost makes scree that rests below. Plants want warmth, water and soil, so that they change "
                "with height, aspect, slope and hollows; trees end at the tree line. Snow lies high up, "
                "longest in shade and in hollows, and slides off walls. All layers but soil_depth are shares "
                "of a cell from 0 to 1. Layers critical_slope, precipitation_factor, deposit, floor and "
                "water_depth count where they are there. Maps and views show the layers.",
            .reads = {kElevation},
            .reads_if_present = {kWaterBoundary, kDrainage, kCriticalSlope, kPrecipitationFactor, kDeposit,
                                 kFloor, kWaterDepth},
            .writes = {kSoilDepth, kBareRock, kScree, kVegetation, kForest, kSnow},
            .primary = kVegetation,
            .bytes_per_cell = 95.0,  // ground_cover.hpp, and copies of three layers
        },
        run);
}

}  // namespace thalweg
