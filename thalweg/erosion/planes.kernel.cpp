#include "thalweg/core/vectors.hpp"
#include "thalweg/erosion/plane_rows.hpp"
#include "thalweg/erosion/vector_power.hpp"

namespace thalweg {
namespace {

/// Weighted sums for z = z0 + p x + q y around the place, one plane a lane.
struct Sums {
    Floats w{}, x{}, y{}, xx{}, xy{}, yy{}, z{}, xz{}, yz{};
    Floats lowest = Floats{} + 3e38F, highest = Floats{} - 3e38F;  // of the nodes, m
};

[[gnu::always_inline]] inline void add(Sums& sums, Floats w, Floats x, Floats y, Floats z) {
    const Floats wx = w * x;
    const Floats wy = w * y;
    sums.w += w;
    sums.x += wx;
    sums.y += wy;
    sums.xx += wx * x;
    sums.xy += wx * y;
    sums.yy += wy * y;
    sums.z += w * z;
    sums.xz += wx * z;
    sums.yz += wy * z;
}

/// As PlaneFit::at_origin (plane_fit.cpp).
[[gnu::always_inline]] inline Floats height_at_origin(const Sums& s) {
    const Floats scale = 1.0F / s.w;
    const Floats mean_x = s.x * scale, mean_y = s.y * scale, mean_z = s.z * scale;
    const Floats cxx = s.xx * scale - mean_x * mean_x;
    const Floats cyy = s.yy * scale - mean_y * mean_y;
    const Floats cxy = s.xy * scale - mean_x * mean_y;
    const Floats cxz = s.xz * scale - mean_x * mean_z;
    const Floats cyz = s.yz * scale - mean_y * mean_z;
    const Floats determinant = cxx * cyy - cxy * cxy;
    constexpr float kSmall = 1e-4F;  // of the spread squared: below it a plane is not determined (empirical)
    const Ints determined = determinant > kSmall * (cxx + cyy) * (cxx + cyy);
    const Floats p = (cxz * cyy - cyz * cxy) / determinant;
    const Floats q = (cyz * cxx - cxz * cxy) / determinant;
    return choose(determined, mean_z - p * mean_x - q * mean_y, mean_z);
}

[[gnu::always_inline]] inline void fit_block(const PlaneRun& run, std::int64_t i, float* result) {
    const Floats zero{};
    const Floats target_x = load(run.target_x + i);
    const Floats target_y = load(run.target_y + i);
    // Heights are taken relative to the cell's own, which keeps the sums precise.
    const Floats own = load(run.values + i);
    const Floats reference = choose(own == own, own, zero);
    Sums sums;
    for (int r = run.first_row; r <= run.last_row; ++r) {
        for (int c = run.first_column; c <= run.last_column; ++c) {
            const std::int64_t other = i + r * run.stride + c;
            const Floats value = load(run.values + other);
            const Ints has_data = value == value;
            const Floats x = static_cast<float>(c) + load(run.offset_x + other) - target_x;
            const Floats y = static_cast<float>(r) + load(run.offset_y + other) - target_y;
            const Floats weight = exp2_of(run.sharpness * (x * x + y * y));
            const Floats height = value - reference;
            add(sums, choose(has_data, weight, zero), x, y, choose(has_data, height, zero));
            sums.lowest = choose(height < sums.lowest, height, sums.lowest);
            sums.highest = choose(height > sums.highest, height, sums.highest);
        }
    }
    // The plane may not leave the range of its nodes: beside fixed edges it would dig below the outlets.
    Floats height = height_at_origin(sums);
    height = choose(height < sums.lowest, sums.lowest, height);
    height = choose(height > sums.highest, sums.highest, height);
    store(result + i, reference + height);
}

}  // namespace

template <>
void planes_in_lanes<kLanes>(const PlaneRun& run, float* result) {
    std::int64_t i = 0;
    for (; i + kLanes <= run.count; i += kLanes) fit_block(run, i, result);
    // The last block overlaps the one before: both write the same.
    if (i < run.count) fit_block(run, run.count - kLanes, result);
}

}  // namespace thalweg
