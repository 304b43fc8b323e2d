// Planes by least squares for vectors, one plane a lane. Only for kernels (thalweg/core/vectors.hpp).
#pragma once

#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

/// Weighted sums over nodes around a place, one place a lane.
struct NodeSums {
    Floats w{}, x{}, y{}, xx{}, xy{}, yy{};
};

/// And over their heights, for z = z0 + p x + q y.
struct HeightSums {
    Floats z{}, xz{}, yz{};
};

[[gnu::always_inline]] inline void add(NodeSums& sums, Floats w, Floats x, Floats y) {
    const Floats wx = w * x;
    const Floats wy = w * y;
    sums.w += w;
    sums.x += wx;
    sums.y += wy;
    sums.xx += wx * x;
    sums.xy += wx * y;
    sums.yy += wy * y;
}

[[gnu::always_inline]] inline void add(HeightSums& sums, Floats w, Floats x, Floats y, Floats z) {
    const Floats wx = w * x;
    const Floats wy = w * y;
    sums.z += w * z;
    sums.xz += wx * z;
    sums.yz += wy * z;
}

/// As PlaneFit::at_origin (plane_fit.cpp).
[[gnu::always_inline]] inline Floats height_at_origin(const NodeSums& s, const HeightSums& h) {
    const Floats scale = 1.0F / s.w;
    const Floats mean_x = s.x * scale, mean_y = s.y * scale, mean_z = h.z * scale;
    const Floats cxx = s.xx * scale - mean_x * mean_x;
    const Floats cyy = s.yy * scale - mean_y * mean_y;
    const Floats cxy = s.xy * scale - mean_x * mean_y;
    const Floats cxz = h.xz * scale - mean_x * mean_z;
    const Floats cyz = h.yz * scale - mean_y * mean_z;
    const Floats determinant = cxx * cyy - cxy * cxy;
    constexpr float kSmall = 1e-4F;  // of the spread squared: below it a plane is not determined (empirical)
    const Ints determined = determinant > kSmall * (cxx + cyy) * (cxx + cyy);
    const Floats p = (cxz * cyy - cyz * cxy) / determinant;
    const Floats q = (cyz * cxx - cxz * cxy) / determinant;
    return choose(determined, mean_z - p * mean_x - q * mean_y, mean_z);
}

}  // namespace
}  // namespace thalweg
