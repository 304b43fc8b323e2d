// The steady slope with the thermal term (thermal_law.hpp), in vectors.
#pragma once

#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

/// Uplift and celerity of every lane, m/yr.
struct SteadyLaw {
    Floats uplift, celerity;
};

/// As ThermalLaw::at_steady_state; the thermal rate is 0 without that term.
[[maybe_unused, gnu::always_inline]] inline SteadyLaw steady_law_of(Floats uplift, Floats celerity,
                                                                    float thermal_rate,
                                                                    float critical_slope) {
    const Ints slides = (uplift / celerity > critical_slope) & ((Floats{} + thermal_rate) > 0.0F);
    return {choose(slides, uplift + thermal_rate * critical_slope, uplift),
            choose(slides, celerity + thermal_rate, celerity)};
}

/// u/a of that, m/m.
[[maybe_unused, gnu::always_inline]] inline Floats steady_slope_of(Floats uplift, Floats celerity,
                                                                   float thermal_rate, float critical_slope) {
    const SteadyLaw law = steady_law_of(uplift, celerity, thermal_rate, critical_slope);
    return law.uplift / law.celerity;
}

}  // namespace
}  // namespace thalweg
