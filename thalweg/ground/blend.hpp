// Smooth steps and exponentials of floats, with the same bits on every machine.
#pragma once

#include "thalweg/core/power.hpp"

#include <algorithm>

namespace thalweg {

/// 0 below `from`, 1 above `to`, smooth between. from < to.
inline float step_up(float from, float to, float value) {
    const float t = std::clamp((value - from) / (to - from), 0.0F, 1.0F);
    return t * t * (3.0F - 2.0F * t);
}

/// e^-x, x >= 0.
inline float decay(float x) {
    return fast_exp2(std::max(-1.442695041F * x, -100.0F));
}

}  // namespace thalweg
