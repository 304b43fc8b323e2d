// The stage `particles` under way.
#pragma once

#include "thalweg/project/particles/particles_stage.hpp"
#include "thalweg/project/simulation.hpp"

#include <memory>

namespace thalweg {

/// Droplets on the context's landscape, before the first cycle. Edits: "particles" with parameters of the
/// stage, but those of its start, from then on; and the name of any other stage that writes elevation, with
/// its parameters: it works on the elevation there is, and cells that it leaves as they are keep their bits.
/// Throws Error::input.
std::unique_ptr<Simulation> simulate_droplets(const ParticleStageParameters& parameters,
                                              StageContext& context);

}  // namespace thalweg
