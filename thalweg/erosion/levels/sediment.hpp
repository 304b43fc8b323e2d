// Sediment that rivers lay down again: deposition along one network.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/erosion_report.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <span>
#include <vector>

namespace thalweg {

/// What makes the gross erosion of a cell at slope S: f S^n + c S + k_t max(0, S - s_c), m/yr.
struct ErosionRates {
    std::span<const float> length;  // m, to the receiver times the slope factor
    std::span<const float> power;   // f, m/yr
    std::span<const float> creep;   // c, m/yr; empty: 0
    double slope_exponent = 1.0;    // n
    double thermal = 0.0;           // k_t, m/yr
    double critical_slope = 1.0;    // s_c, m/m

    /// Of a cell that stands `drop` [m] above its receiver; 0 where it does not.
    [[nodiscard]] double gross_erosion(std::int64_t cell, double drop) const;
};

/// The rates of `network` under the law; `creep` [m/yr]: empty where n = 1.
ErosionRates erosion_rates(const ErosionLaw& law, const ErosionNetwork& network, double slope_exponent = 1.0,
                           std::span<const float> creep = {});

/// The deposition term beside the stream power law,
///   dz/dt = u - a S + D
///   D = (G / A) Q,   Q = sum over all cells upstream of (u - dz/dt) times cell area
/// with D [m/yr], the deposition coefficient G [1], the weighted drainage area A [m^2], sources included, and
/// Q [m^3/yr], the sediment that arrives.
/// Source: Davy and Lague 2009; Yuan et al. 2019, eq. 7. What a cell erodes itself is not laid down in it.
/// At steady state Q is the uplift upstream, and D follows at once. Over an increment of time D follows from
/// a gross erosion E, passed down the tree, so that what arrives is what was eroded less what was laid down:
/// at first that of the slopes at the start, then E = u + D - dz/dt of the solution before. D is bounded: no
/// more is laid down than arrives; and over an increment no bed rises by more than to its lowest bank (the
/// lowest neighbour but its receiver) and kLeveeSlope times the cell size on top, since its river would then
/// find another course. What is not laid down goes on. Nothing rises above the lake of a closed basin
/// (transient.hpp). O(cells), serial: the same bits on any number of threads; polls `progress`.
class Sediment {
  public:
    static constexpr double kLeveeSlope = 0.02;  // m/m (empirical)

    explicit Sediment(double coefficient) : coefficient_(coefficient) {}

    [[nodiscard]] bool is_deposited() const { return coefficient_ > 0.0; }

    /// u + D at steady state, m/yr.
    const std::vector<float>& steady_uplift(const ErosionLevel& level, const FlowTree& tree,
                                            const Progress& progress);

    /// Takes the gross erosion of the slopes of `start`.
    template <class Elevation>
    void estimate_erosion(const Field<Elevation>& start, const FlowTree& tree, const ErosionRates& rates);

    /// u + D over the next `years` from `start`, m/yr.
    template <class Elevation>
    const std::vector<float>& uplift_over(double years, const Field<Elevation>& start,
                                          const ErosionLevel& level, const FlowTree& tree,
                                          const Progress& progress);

    /// Takes over the gross erosion of an increment from `start` to `end` with the uplift last given.
    template <class Elevation>
    void take_erosion(double years, const Field<Elevation>& start, const Field<Elevation>& end,
                      const ErosionLevel& level, const FlowTree& tree);

    /// Gross erosion of every cell, m/yr, that uplift_over goes by.
    [[nodiscard]] std::vector<float>& gross_erosion() { return gross_erosion_; }

    /// u + D as it was last given, m/yr.
    [[nodiscard]] const std::vector<float>& uplift() const { return uplift_; }

    [[nodiscard]] const SedimentReport& report() const { return report_; }

  private:
    /// Passes `erosion_of(cell)` [m/yr] down the tree, and lays down up to `most(cell)` [m/yr] of it.
    template <class Erosion, class Bound>
    void pass_down(const ErosionLevel& level, const FlowTree& tree, const Erosion& erosion_of,
                   const Bound& most, const Progress& progress);

    double coefficient_;                // G
    std::vector<float> gross_erosion_;  // E, m/yr
    std::vector<float> deposition_;     // D, m/yr
    std::vector<float> uplift_;         // u + D, m/yr
    std::vector<double> area_;          // A, m^2
    std::vector<double> flux_;          // Q, m^3/yr
    SedimentReport report_;
};

}  // namespace thalweg
