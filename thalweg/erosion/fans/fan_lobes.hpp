// One lobe of a fan after another, each a surface that falls from the apex.
#pragma once

#include "thalweg/erosion/fans.hpp"

#include <memory>

namespace thalweg {

/// Lays lobes on a terrain.
class LobeLayer {
  public:
    explicit LobeLayer(const FanInputs& inputs);
    ~LobeLayer();
    LobeLayer(const LobeLayer&) = delete;
    LobeLayer& operator=(const LobeLayer&) = delete;

    /// Adds `volume` (m^3) to `elevation` as lobe `number` of a fan.
    void lay(const FanApex& apex, int number, double volume, Field<float>& elevation, Progress& progress);

  private:
    class March;
    const FanInputs& inputs_;
    std::unique_ptr<March> march_;
};

}  // namespace thalweg
