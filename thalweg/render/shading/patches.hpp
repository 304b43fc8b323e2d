// Noise that breaks the borders of land cover.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/noise/bases.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Fractal sum of gradient noise, about -1 to 1, of patches `wavelength` metres wide.
class Patches {
  public:
    Patches(std::uint64_t key, double wavelength, int octaves) : wavelength_(wavelength) {
        for (int k = 0; k < octaves; ++k)
            bases_.emplace_back(random_bits(key, Stream::Render, static_cast<std::uint64_t>(k)));
    }

    float operator()(double x, double y) {
        float sum = 0.0F;
        float share = 1.0F;
        double frequency = 1.0 / wavelength_;
        for (GradientBasis& basis : bases_) {
            sum += share * basis(x * frequency, y * frequency);
            share *= 0.55F;
            frequency *= 2.03;
        }
        return sum;
    }

  private:
    double wavelength_;
    std::vector<GradientBasis> bases_;
};

}  // namespace thalweg
