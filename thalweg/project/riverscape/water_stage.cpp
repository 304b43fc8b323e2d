#include "thalweg/project/riverscape/water_stage.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/stopwatch.hpp"
#include "thalweg/riverscape/river_beds.hpp"
#include "thalweg/riverscape/river_water.hpp"
#include "thalweg/water/water_surface.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kLongestWater = 1e9;  // s

struct WaterParameters {
    double time = 0.0;  // s
    RiverWaterParameters water;

    static void declare(Declaration<WaterParameters>& declaration);
};

/// Takes away water below the ground; what is left has a depth.
void set_layers(WaterLayers flowing, const CarvedWindow& still, Landscape& landscape) {
    Field<float> depth(landscape.grid, 0.0F);
    Field<float> speed(landscape.grid, 0.0F);
    const Field<float>& ground = landscape.layer(kElevation);
    for (std::int64_t cell = 0; cell < depth.size(); ++cell) {
        const bool is_wet =
            !is_no_data(still.water_elevation[cell]) && flowing.elevation[cell] > ground[cell];
        if (is_wet) {
            depth[cell] = flowing.elevation[cell] - ground[cell];
            speed[cell] = std::hypot(flowing.velocity_x[cell], flowing.velocity_y[cell]);
        } else {
            flowing.elevation[cell] = kNoData;
            flowing.velocity_x[cell] = 0.0F;
            flowing.velocity_y[cell] = 0.0F;
            flowing.foam[cell] = 0.0F;
        }
    }
    landscape.set(kWaterElevation, std::move(flowing.elevation));
    landscape.set(kWaterDepth, std::move(depth));
    landscape.set(kVelocity, std::move(speed));
    landscape.set(kVelocityEast, std::move(flowing.velocity_x));
    landscape.set(kVelocityNorth, std::move(flowing.velocity_y));
    landscape.set(kFoam, std::move(flowing.foam));
}

StageAtTime water_at_times(const void* stage_parameters, StageContext& context) {
    const auto& parameters = *static_cast<const WaterParameters*>(stage_parameters);
    const Landscape& landscape = context.landscape;
    const auto* const carved = landscape.find<RiverBeds>(kRiverBeds);
    if (carved == nullptr)
        throw Error::input("stage water needs the beds that stage carve leaves: put carve before it");
    const RiverBeds& beds = *carved;
    const WaterExtent extent = extent_of(landscape.grid);
    const Stopwatch watch;
    const BedTree tree = beds_near(beds, extent);
    const auto still = std::make_shared<const CarvedWindow>(tree.carve(landscape.grid, context.progress));
    const double bed_ms = watch.milliseconds();
    const RiverWaterTree water =
        river_water(tree, beds.courses, extent, parameters.water, landscape.seed, context.progress);
    const double seeded_ms = watch.milliseconds();
    const auto surface = std::make_shared<const WaterSurface>(water.tree, context.progress);
    const double indexed_ms = watch.milliseconds();
    context.diagnostics.phases_ms = {
        {"bed", bed_ms}, {"seed", seeded_ms - bed_ms}, {"index", indexed_ms - seeded_ms}};
    const auto primitives = static_cast<std::int64_t>(water.tree.leaves());
    const double bytes =
        primitives > 0 ? static_cast<double>(surface->buffers().bytes()) / static_cast<double>(primitives)
                       : 0.0;
    context.diagnostics.values = {{"primitives_water", primitives}, {"bytes_per_primitive", bytes}};
    if (context.is_measured) {
        constexpr std::int64_t kPlaces = 100000;
        context.diagnostics.values.emplace_back(
            "coverage_holes",
            coverage_holes(tree, water.tree, extent, kPlaces, landscape.seed, context.progress));
    }
    if (primitives == 0)
        context.diagnostics.notes.emplace_back("no river has a bed within the landscape: it stays dry");
    return [still, surface](double time, StageContext& frame) {
        const Stopwatch evaluating;
        WaterLayers flowing = surface->on_grid(frame.landscape.grid, time, frame.progress);
        const double seconds = 1e-3 * evaluating.milliseconds();
        if (seconds > 0.0)
            frame.diagnostics.values.emplace_back(
                "evaluations_per_second", static_cast<double>(frame.landscape.grid.cells()) / seconds);
        set_layers(std::move(flowing), *still, frame.landscape);
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
                "two show them.",
            .reads = {kElevation},
            .reads_if_present = {kRiverBeds},
            .writes = {kWaterElevation, kWaterDepth, kVelocity, kVelocityEast, kVelocityNorth, kFoam},
            .primary = kWaterElevation,
            .bytes_per_cell = 120.0,
            .time = {.parameter = "time", .unit = "s"},
        },
        run);
    stage.at_times = water_at_times;
    return stage;
}

}  // namespace thalweg
