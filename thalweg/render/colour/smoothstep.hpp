// A smooth change from 0 to 1. Private to render.
#pragma once

#include <algorithm>

namespace thalweg {

/// 0 up to `from`, 1 from `to` on, and 3 t^2 - 2 t^3 between; `to` may be below `from`.
inline float smoothstep(float from, float to, float value) {
    const float t = std::clamp((value - from) / (to - from), 0.0F, 1.0F);
    return t * t * (3.0F - 2.0F * t);
}

}  // namespace thalweg
