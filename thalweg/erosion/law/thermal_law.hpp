// Thermal erosion on one cell: which uplift and celerity hold where slopes slide.
#pragma once

#include "thalweg/erosion/erosion_law.hpp"

namespace thalweg {

/// Uplift and celerity that hold on one cell, with the thermal term where it is on.
struct LocalLaw {
    float uplift;    // m/yr
    float celerity;  // m/yr
};

/// The thermal term of Tzathas et al. 2024, eqs. 28 and 29: above the critical slope s_c, k_t is added to the
/// celerity and k_t s_c to the uplift.
class ThermalLaw {
  public:
    explicit ThermalLaw(const ErosionLaw& law)
        : rate_(law.thermal ? static_cast<float>(law.thermal_erosion) : 0.0F),
          critical_slope_(static_cast<float>(law.critical_slope)) {}

    [[nodiscard]] float rate() const { return rate_; }
    [[nodiscard]] float critical_slope() const { return critical_slope_; }
    [[nodiscard]] LocalLaw sliding(float uplift, float celerity) const {
        return {uplift + rate_ * critical_slope_, celerity + rate_};
    }
    [[nodiscard]] bool slides(float slope) const { return rate_ > 0.0F && slope > critical_slope_; }
    [[nodiscard]] LocalLaw at_steady_state(float uplift, float celerity) const {
        return slides(uplift / celerity) ? sliding(uplift, celerity) : LocalLaw{uplift, celerity};
    }

  private:
    float rate_;            // m/yr
    float critical_slope_;  // m/m
};

}  // namespace thalweg
