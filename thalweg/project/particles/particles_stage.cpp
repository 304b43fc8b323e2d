#include "thalweg/project/particles/particles_stage.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/particles/running_droplets.hpp"
#include "thalweg/project/parts/layer_edit.hpp"
#include "thalweg/project/parts/simulated_stage.hpp"
#include "thalweg/project/project_checks.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace thalweg {
namespace {

std::string why_particles_leave_out(const void* parameters, const std::string& dataset) {
    const auto& given = *static_cast<const ParticleStageParameters*>(parameters);
    if (dataset == kHistory && given.history_every == 0)
        return "it takes history_every, the cycles between its snapshots";
    if (dataset == kPigment && !given.has_pigment())
        return "it takes pigment, a layer of it or a number, or pigment_formation";
    if ((dataset == kGroundRed || dataset == kGroundGreen || dataset == kGroundBlue) &&
        !given.has_ground_colours)
        return "it takes ground_colours = true, the colours of the rock";
    if (dataset == kVegetation && !given.has_plants())
        return "it takes plant_time, the years in which plants grow";
    if (dataset == kSoil && !given.has_soil())
        return given.particles.soil_time > 0.0
                   ? "it takes plant_time, the years in which plants grow, which make it"
                   : "it takes soil_depth, a layer of it or a number, or soil_time and plant_time: plants "
                     "make it";
    return "";
}

/// What the stage holds at once, bytes a cell: ground, averages and water, twice within a cycle; traces of a
/// thread (docs/theory/particles.md).
constexpr double kGroundBytes = 84.0;

double particle_working_bytes(const void* parameters, const StageWork& work) {
    constexpr double kBedrockBytes = 24.0;  // maps, twice, and what is made of them
    constexpr double kRockBytes = 60.0;     // its columns, and what of it lies at the ground
    constexpr double kSoilBytes = 36.0;     // what lies there and is owed, twice, its changes and traces
    constexpr double kPigmentBytes = 52.0;  // of ground and bedrock, twice, of what slides, and traces
    constexpr double kColourBytes = 92.0;   // three of these
    constexpr double kPlantBytes = 16.0;    // twice, their roots, and the slopes that these hold
    const auto& given = *static_cast<const ParticleStageParameters*>(parameters);
    const double bytes =
        kGroundBytes + (given.has_bedrock() ? kBedrockBytes : 0.0) + (given.has_rock ? kRockBytes : 0.0) +
        (given.has_soil() ? kSoilBytes : 0.0) + (given.has_pigment() ? kPigmentBytes : 0.0) +
        (given.has_ground_colours ? kColourBytes : 0.0) + (given.has_plants() ? kPlantBytes : 0.0);
    return bytes * static_cast<double>(work.grid.cells());
}

std::vector<StageEdit> edits_of_particles(const void* parameters) {
    std::vector<StageEdit> edits;
    for (const ParticleEdit& edit : static_cast<const ParticleStageParameters*>(parameters)->edits)
        edits.push_back(stage_edit(find_stage(edit.stage), values_of(edit)));
    return edits;
}

void check_stage(const void* parameters) {
    const auto& given = *static_cast<const ParticleStageParameters*>(parameters);
    check_particles(given.particles);
    for (const ParticleEdit& edit : given.edits)
        with_place(fmt::format("edit at cycle {}: ", edit.cycle), [&] { check_edit(edit); });
    if (given.has_rock && !given.bedrock_erodibility.is_number())
        throw Error::input(
            fmt::format("bedrock_erodibility = \"{}\" is not allowed with rock = true: give "
                        "that of ordinary rock as a number",
                        given.bedrock_erodibility.layer));
    if (given.has_ground_colours && !given.has_rock)
        throw Error::input("ground_colours = true takes rock = true");
    if (given.has_ground_colours && given.has_pigment())
        throw Error::input(
            "ground_colours = true is not allowed with pigment or pigment_formation: give one "
            "of them");
    if (given.pigment_formation.empty()) return;
    const std::string named = fmt::format("pigment_formation = \"{}\"", given.pigment_formation);
    if (!given.has_rock) throw Error::input(named + " takes rock = true");
    if (!given.pigment.is_number() || given.pigment.number > 0.0)
        throw Error::input(named + " is not allowed with pigment: give one of them");
}

}  // namespace

bool ParticleStageParameters::has_soil() const {
    const auto sets_time = [](const ParticleEdit& edit) {
        return sets(edit, "soil_time") || sets(edit, "plant_time");
    };
    return !soil_depth.is_number() || soil_depth.number > 0.0 ||
           (particles.soil_time > 0.0 && particles.plant_time > 0.0) ||
           std::ranges::any_of(edits, sets_time) ||
           std::ranges::any_of(edits, [](const ParticleEdit& edit) { return changes_layer(edit, kSoil); });
}

bool ParticleStageParameters::has_plants() const {
    return particles.plant_time > 0.0 ||
           std::ranges::any_of(edits, [](const ParticleEdit& edit) { return sets(edit, "plant_time"); });
}

void ParticleStageParameters::declare(Declaration<ParticleStageParameters>& d) {
    d.include(&ParticleStageParameters::particles,
              {"rainfall", "sediment_depth", "soil_depth", "bedrock_erodibility", "bedrock_repose_slope",
               "pigment", "plant_cover"});
    const auto number_or_layer = [&](const char* name, NumberOrLayer ParticleStageParameters::* member) {
        d.number_or_layer(name, member, parameters_of<ParticleParameters>().at(name).notes);
    };
    number_or_layer("rainfall", &ParticleStageParameters::rainfall);
    number_or_layer("sediment_depth", &ParticleStageParameters::sediment_depth);
    number_or_layer("soil_depth", &ParticleStageParameters::soil_depth);
    number_or_layer("bedrock_erodibility", &ParticleStageParameters::bedrock_erodibility);
    number_or_layer("bedrock_repose_slope", &ParticleStageParameters::bedrock_repose_slope);
    number_or_layer("pigment", &ParticleStageParameters::pigment);
    number_or_layer("plant_cover", &ParticleStageParameters::plant_cover);
    d.boolean("rock", &ParticleStageParameters::has_rock,
              {.label = "Rock of the landscape",
               .group = "Materials",
               .unit = "",
               .sentence = "Whether bedrock is that of stage rock, wherever droplets come to in it: "
                           "bedrock_erodibility is that of ordinary rock then, harder formations have less, "
                           "and all stand by their critical slope."});
    d.text(
        "pigment_formation", &ParticleStageParameters::pigment_formation,
        {.label = "Formation that has pigment",
         .group = "Materials",
         .unit = "",
         .sentence =
             "Name of a formation of stage rock, with rock = true: pigment is the share of the ground that "
             "comes from it.",
         .enabled_when = {differs("rock", {false})}});
    d.boolean(
        "ground_colours", &ParticleStageParameters::has_ground_colours,
        {.label = "Colours of the rock",
         .group = "Materials",
         .unit = "",
         .sentence = "Whether droplets wash the colours that formations of stage rock have, with rock = "
                     "true: layers ground_red, ground_green and ground_blue, and pictures in natural "
                     "colours.",
         .enabled_when = {differs("rock", {false})}});
    d.tables("edits", &ParticleStageParameters::edits,
             {.label = "Edits",
              .group = "Control",
              .unit = "",
              .sentence = "What is done while droplets run, in the order of its cycles; of one cycle, as it "
                          "stands here."});
    d.integer(
        "history_every", &ParticleStageParameters::history_every,
        {.label = "Cycles between snapshots",
         .group = "Time",
         .unit = "1",
         .sentence = "From snapshot to snapshot of the history, where that is asked for; 0: no history.",
         .minimum = 0.0,
         .maximum = 1e7,
         .usual = {1.0, 100.0, SliderScale::Logarithmic},
         .automatic = 0.0});
    d.integer("metrics_every", &ParticleStageParameters::metrics_every,
              {.label = "Cycles between records",
               .group = "Time",
               .unit = "1",
               .sentence = "From record to record of particle_metrics, where that is asked for.",
               .minimum = 1.0,
               .maximum = 1e7,
               .usual = {1.0, 100.0, SliderScale::Logarithmic}});
}

Stage particles_stage() {
    return make_simulated_stage<ParticleStageParameters>(
        {
            .name = "particles",
            .summary = "Lets droplets carry water, momentum and sediment over terrain: streams that meander.",
            .description =
                "Rain falls in droplets, which run downhill, feel the stream around them, and take up and "
                "lay "
                "down sediment by the slope and by how much water flows (McDonald 2023). Streams find each "
                "other, cut valleys, fill basins and, on plains, meander. Depressions hold lakes that fill, "
                "spill and merge; where rivers enter them, deltas grow. Steep ground slides. Nothing is "
                "lost: "
                "sediment and water are counted in whole units. The ground is bedrock under loose sediment, "
                "and soil where that is asked for, "
                "each with a slope and erodibility of its own; layers sediment and soil tell how thick they "
                "have become. Lengths and volumes are metres, so that a "
                "place has the same rivers on cells of any size; the number of droplets is sampling alone. "
                "`edits` change elevation, materials, plants, rain and parameters on the way. "
                "particle_metrics "
                "is no layer but an analysis, by cycle, as table or charts.",
            .reads = {kElevation},
            .reads_if_present = {kRock, kRockUplift},
            .writes = {kElevation, "discharge", kMomentumEast, kMomentumNorth, kWaterElevation, kWaterDepth,
                       kSediment, kSoil, kPigment, kGroundRed, kGroundGreen, kGroundBlue, kVegetation,
                       kParticleMetrics, kHistory},
            .on_request = {kParticleMetrics, kHistory},
            .primary = kElevation,
            .measures = true,
            .bytes_per_cell = kGroundBytes,
            .working_bytes = particle_working_bytes,
            .time = {.parameter = "cycles", .unit = "cycles"},
            .why_left_out = why_particles_leave_out,
            .edits = edits_of_particles,
            .check = check_stage,
        },
        simulate_droplets);
}

}  // namespace thalweg
