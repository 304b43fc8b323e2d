// The landscape's rock as bedrock under droplets.
#pragma once

#include "thalweg/particles/particle_simulation.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/rock/rock_body.hpp"

#include <string>

namespace thalweg {

/// What rock lies at the top of bedrock, wherever that has come to.
class ExposedRock {
  public:
    /// `pigment_formation`: whose bedrock has pigment 1, and that of all others 0; empty: none has any.
    /// Throws Error::input where the context's landscape has no rock, or none of that name.
    ExposedRock(StageContext& context, const std::string& pigment_formation);

    /// Gives droplets the bedrock that they have come to: its erodibility is `ordinary`, that of ordinary
    /// rock over that of sediment, times the factor of the rock, and 1 at most. About 80 ns a cell.
    void expose(ParticleSimulation& droplets, double ordinary, Progress& progress) const;

  private:
    RockBody body_;
    RockColumns columns_;
    int painted_ = -1;    // number of the formation that has pigment; -1: none
    Field<float> risen_;  // m, since rock was laid out; empty: nowhere
};

}  // namespace thalweg
