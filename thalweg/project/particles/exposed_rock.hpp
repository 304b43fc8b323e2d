// The landscape's rock as bedrock under droplets.
#pragma once

#include "thalweg/particles/particle_simulation.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/rock/rock_body.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// What rock lies at the top of bedrock, wherever that has come to.
class ExposedRock {
  public:
    /// `pigment_formation`: whose bedrock has pigment 1, and that of all others 0; empty: none has any.
    /// `has_colours`: pigments are red, green and blue of all formations, linear light, instead.
    /// Throws Error::input where the context's landscape has no rock, or none of that name.
    ExposedRock(StageContext& context, const std::string& pigment_formation, bool has_colours);

    /// Gives droplets the bedrock that they have come to: its erodibility is `ordinary`, that of ordinary
    /// rock over that of sediment, times the factor of the rock, and 1 at most. About 80 ns a cell.
    void expose(ParticleSimulation& droplets, double ordinary, Progress& progress) const;

  private:
    RockBody body_;
    RockColumns columns_;
    std::vector<std::vector<float>> pigments_;  // 1, of each formation
    Field<float> risen_;                        // m, since rock was laid out; empty: nowhere
};

}  // namespace thalweg
