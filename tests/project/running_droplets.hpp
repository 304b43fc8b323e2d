// Droplets of stage `particles` on a small landscape, as tests look at them.
#pragma once

#include "thalweg/noise/noise.hpp"
#include "thalweg/project/geology/rock_stage.hpp"
#include "thalweg/project/particles/particles_stage.hpp"
#include "thalweg/project/simulation.hpp"
#include "thalweg/project/stages/strokes_stage.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include "tests/project/archives.hpp"

namespace thalweg {

/// Droplets on a landscape, with the ways to look at it.
class Droplets {
  public:
    explicit Droplets(const ParticleStageParameters& parameters = {}) {
        landscape_.grid = make_grid(480.0, 400.0, 48);
        landscape_.seed = 5;
        landscape_.set("elevation", make_noise(landscape_.grid, {.amplitude = 30.0}, 5, quiet_));
        Field<float> rain(landscape_.grid, 0.5F);
        landscape_.set("wet", std::move(rain));
        StageContext context = context_on(landscape_);
        if (parameters.has_rock) {
            RockStageParameters rock;
            rock.rock.preset = RockPreset::Badlands;  // thin formations
            find_stage("rock").run(&rock, context);
        }
        simulation = find_stage("particles").simulate(&parameters, context);
    }

    void advance(double cycles) { simulation->advance(cycles, quiet_); }

    void edit(const std::string& command, const ValueTable& values) {
        StageContext context = context_on(landscape_);
        simulation->edit(command, values, context);
    }

    /// What the stage leaves now, and what it tells of it.
    [[nodiscard]] Landscape landscape() {
        Landscape shown = landscape_;
        StageContext context = context_on(shown);
        simulation->snapshot(context);
        told = context.diagnostics;
        return shown;
    }

    [[nodiscard]] std::vector<std::byte> saved() {
        return archived_by([&](ArchiveWriter& archive) { simulation->save(archive); });
    }

    void restore(const std::vector<std::byte>& bytes) {
        read_from_archive(bytes, [&](ArchiveReader& archive) { simulation->restore(archive); });
    }

    void replay_until(double time, const std::vector<SimulationEdit>& edits) {
        StageContext context = context_on(landscape_);
        replay(*simulation, edits, time, context);
    }

    std::unique_ptr<Simulation> simulation;
    Diagnostics told;

  private:
    StageContext context_on(Landscape& landscape) { return {landscape, "", quiet_, {}, true, {}}; }

    Landscape landscape_;
    QuietProgress quiet_;
};

/// A dam of 20 m across the middle.
inline ValueTable dam() {
    StrokesParameters parameters;
    parameters.strokes = {
        {.points = {240.0, 50.0, 240.0, 350.0}, .radius = 20.0, .falloff = 10.0, .strength = 20.0}};
    return parameters_of<StrokesParameters>().values(&parameters);
}

const ValueTable kDrier{{{"rainfall", 0.3}, {"momentum_transfer", 0.0}}};

/// On bedrock of the landscape's rock, with soil, pigment and plants.
inline ParticleStageParameters with_all_that_covers() {
    ParticleStageParameters parameters;
    parameters.has_rock = true;
    parameters.sediment_depth.number = 0.05;
    parameters.soil_depth.layer = "wet";
    parameters.bedrock_erodibility.number = 0.3;
    parameters.pigment.layer = "wet";
    parameters.particles.plant_time = 4.0;
    return parameters;
}

}  // namespace thalweg
