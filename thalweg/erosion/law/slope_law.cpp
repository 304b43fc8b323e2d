#include "thalweg/erosion/law/slope_law.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/power.hpp"
#include "thalweg/erosion/law/least_rise.hpp"
#include "thalweg/erosion/law/residuals.hpp"
#include "thalweg/erosion/law/slope_equation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace thalweg {
namespace {

constexpr double kSlopeTolerance = 1e-9;  // m/m: a millimetre over 1000 km
constexpr float kLeastArea = 1e-6F;       // m^2, of dry cells
constexpr double kSteepest = 1e6;         // m/m, so that elevations stay finite
constexpr std::int64_t kCellsPerTask = 1 << 14;

}  // namespace

SlopeLaw::SlopeLaw(const ErosionLaw& law, double exponent, std::span<const float> erodibility)
    : law_(law),
      exponent_(exponent),
      thermal_(law.thermal ? law.thermal_erosion : 0.0),
      erodibility_(erodibility),
      common_least_area_(law.hillslope_area(law.erodibility)) {
}

SlopeRates SlopeLaw::rates(std::int64_t cell, float area) const {
    const bool even = erodibility_.empty();
    const float erodibility = even ? static_cast<float>(law_.erodibility) : erodibility_[at(cell)];
    const double least = even ? common_least_area_ : law_.hillslope_area(static_cast<double>(erodibility));
    const float counted = std::max({area, static_cast<float>(least), kLeastArea});
    SlopeRates rates;
    rates.power = erodibility * fast_power(counted, static_cast<float>(law_.area_exponent));
    rates.creep = static_cast<float>(law_.debris_flow_celerity);
    if (law_.hillslope)
        rates.creep += static_cast<float>(law_.hillslope_diffusivity / law_.hack_constant) *
                       fast_power(counted, static_cast<float>(-law_.hack_exponent));
    return rates;
}

double SlopeLaw::erosion(const SlopeRates& rates, double slope) const {
    if (!(slope > 0.0)) return 0.0;
    return static_cast<double>(rates.power) * std::pow(slope, exponent_) +
           static_cast<double>(rates.creep) * slope + thermal_ * std::max(0.0, slope - law_.critical_slope);
}

float SlopeLaw::steady_slope(const SlopeRates& rates, float uplift, std::int64_t& capped) const {
    if (!(uplift > 0.0F)) return 0.0F;
    const SlopeTerms terms = {.power = static_cast<double>(rates.power),
                              .creep = static_cast<double>(rates.creep),
                              .thermal = thermal_};
    const SlopeEquation equation(terms, law_.critical_slope, exponent_, static_cast<double>(uplift));
    return static_cast<float>(std::min(equation.solve(kSlopeTolerance, capped), kSteepest));
}

std::int64_t steady_slopes(const SlopeLaw& law, std::span<const float> area, std::span<const float> uplift,
                           std::span<float> slope) {
    const auto solve = [&](std::int64_t first, std::int64_t last) {
        std::int64_t capped = 0;
        for (std::int64_t cell = first; cell < last; ++cell)
            slope[at(cell)] = law.steady_slope(law.rates(cell, area[at(cell)]), uplift[at(cell)], capped);
        return capped;
    };
    return parallel_reduce(0, static_cast<std::int64_t>(area.size()), kCellsPerTask, std::int64_t{0}, solve,
                           std::plus<>());
}

std::vector<float> slope_residuals(const FlowTree& tree, const SlopeLaw& law, const SlopeInputs& inputs,
                                   const Field<float>& elevation) {
    std::vector<float> slopes(inputs.area.size());
    steady_slopes(law, inputs.area, inputs.uplift, slopes);
    const auto change_at = [&](std::int32_t cell, std::int32_t receiver) {
        const float length = inputs.length[at(cell)];
        const float below = elevation[receiver];
        if (slopes[at(cell)] * length <= least_above(below, length) - below) return kUncounted<double>;
        const double slope = static_cast<double>(elevation[cell] - below) / static_cast<double>(length);
        return std::abs(static_cast<double>(inputs.uplift[at(cell)]) -
                        law.erosion(law.rates(cell, inputs.area[at(cell)]), slope));
    };
    return changes_over_uplift(tree, inputs.uplift, change_at);
}

}  // namespace thalweg
