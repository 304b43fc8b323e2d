// Stream power with any exponent of slope: what it erodes, and the slopes that it holds up at steady state.
#pragma once

#include "thalweg/erosion/erosion_law.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// What erodes a cell at a slope of 1, m/yr.
struct SlopeRates {
    float power = 0.0F;  // f = k A^m, the factor of S^n
    float creep = 0.0F;  // c = a_d + (k_h/C) A^-h, m/yr, the factor of S
};

/// The law of ErosionLaw with the slope exponent n in its first term alone:
///   erosion = f S^n + c S + k_t max(0, S - s_c)
/// A is no smaller than A* (ErosionLaw::hillslope_area). `erodibility` has one value a cell, or is empty for
/// the law's own; it must outlive this.
class SlopeLaw {
  public:
    SlopeLaw(const ErosionLaw& law, double exponent, std::span<const float> erodibility);

    /// Of `cell` where it drains `area`, m^2; at least a square millimetre counts.
    [[nodiscard]] SlopeRates rates(std::int64_t cell, float area) const;

    /// Erosion at a slope, m/yr; 0 where the ground does not fall.
    [[nodiscard]] double erosion(const SlopeRates& rates, double slope) const;

    /// Slope at which erosion equals `uplift` [m/yr], m/m, to within 1e-9: 0 where nothing rises, and at most
    /// 1e6. `capped` is counted up where SlopeEquation ends at its cap of 60 iterations.
    [[nodiscard]] float steady_slope(const SlopeRates& rates, float uplift, std::int64_t& capped) const;

  private:
    ErosionLaw law_;
    double exponent_;  // n
    double thermal_;   // k_t, m/yr; 0 where the term is off
    std::span<const float> erodibility_;
    double common_least_area_;  // A* of the law's own erodibility, m^2
};

/// Steady slope of every cell, m/m. area [m^2], uplift [m/yr] and slope have one value a cell. Returns how
/// many cells ended at the cap of iterations (none has been seen to). Parallel; the same bits on any number
/// of threads.
std::int64_t steady_slopes(const SlopeLaw& law, std::span<const float> area, std::span<const float> uplift,
                           std::span<float> slope);

/// What slopes follow from, one value a cell.
struct SlopeInputs {
    std::span<const float> length;  // m, way to the receiver times the slope factor
    std::span<const float> area;    // m^2
    std::span<const float> uplift;  // m/yr
};

/// As steady_residuals (steady_state.hpp), for any slope exponent: |uplift - erosion| at the slopes that the
/// elevations have, over the largest uplift.
std::vector<float> slope_residuals(const FlowTree& tree, const SlopeLaw& law, const SlopeInputs& inputs,
                                   const Field<float>& elevation);

}  // namespace thalweg
