// Where droplets begin, and with how much water.
#pragma once

#include "thalweg/particles/droplets/droplet_batch.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// The droplets of a cycle: those of rain, and of each spring in turn.
class DropletStarts {
  public:
    explicit DropletStarts(const ParticleState& state);

    /// Water of a mean droplet, m^3; 0 where no water comes.
    [[nodiscard]] double mean_volume() const { return mean_volume_; }

    /// Water of a cycle, m^3.
    [[nodiscard]] double volume() const;

    /// How many batches they come in.
    [[nodiscard]] int batches() const { return batches_; }

    /// The droplets of a batch: an even share of those of rain and of each spring. Those that fall where
    /// there is no data are left out.
    [[nodiscard]] std::vector<DropletStart> of_batch(int batch) const;

  private:
    struct Source {
        std::int64_t droplets = 0;
        float volume = 0.0F;                     // of a mean droplet, each
        Vector2 fall = {};                       // m/m, of the bed of a fed spring
        const ParticleSpring* spring = nullptr;  // or rain
    };

    /// `number`: of all droplets of the cycle.
    [[nodiscard]] DropletStart start_of(const Source& source, std::int64_t number) const;

    const ParticleState& state_;
    int batches_ = 0;
    double mean_volume_ = 0.0;  // m^3
    double mean_runoff_ = 0.0;  // m/yr
    std::vector<Source> sources_;
};

}  // namespace thalweg
