#include "thalweg/project/particles/particles_stage.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/particles/running_droplets.hpp"
#include "thalweg/project/parts/simulated_stage.hpp"

namespace thalweg {
namespace {

std::string why_particles_leave_out(const void* parameters, const std::string& dataset) {
    const bool has_history = static_cast<const ParticleStageParameters*>(parameters)->history_every > 0;
    return dataset == kHistory && !has_history ? "it takes history_every, the cycles between its snapshots"
                                               : "";
}

}  // namespace

void ParticleStageParameters::declare(Declaration<ParticleStageParameters>& d) {
    d.include(&ParticleStageParameters::particles, {"rainfall"});
    const Parameter& rainfall = parameters_of<ParticleParameters>().at("rainfall");
    d.number_or_layer("rainfall", &ParticleStageParameters::rainfall, rainfall.notes);
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
                "sediment and water are counted in whole units. Lengths and volumes are metres, so that a "
                "place has the same rivers on cells of any size; the number of droplets is sampling alone. "
                "An elevation or rain that changes on the way is an edit of the simulation.",
            .reads = {kElevation},
            .writes = {kElevation, "discharge", kMomentumEast, kMomentumNorth, kWaterElevation, kWaterDepth,
                       kHistory},
            .on_request = {kHistory},
            .primary = kElevation,
            .bytes_per_cell = 170.0,  // ground, averages and water, twice within a cycle; traces of a thread
            .time = {.parameter = "cycles", .unit = "cycles"},
            .why_left_out = why_particles_leave_out,
            .check =
                [](const void* parameters) {
                    check_particles(static_cast<const ParticleStageParameters*>(parameters)->particles);
                },
        },
        simulate_droplets);
}

}  // namespace thalweg
