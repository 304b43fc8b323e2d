#include "thalweg/erosion/erosion_law.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/power.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 15;
constexpr const char* kTable = "Tzathas et al. 2024, table 1";

}  // namespace

void ErosionLaw::declare(Declaration<ErosionLaw>& d) {
    d.number("area_exponent", &ErosionLaw::area_exponent,
             {.unit = "1",
              .sentence = "Exponent m of drainage area in the stream power law.",
              .minimum = 0.1,
              .maximum = 1.0,
              .source = kTable});
    d.boolean("hillslope", &ErosionLaw::hillslope,
              {.unit = "",
               .sentence = "Whether hillslope creep rounds the ground where little water gathers.",
               .source = "Tzathas et al. 2024, eq. 26"});
    d.number("hillslope_diffusivity", &ErosionLaw::hillslope_diffusivity,
             {.unit = "m^2/yr",
              .sentence = "Diffusivity k_h of hillslope creep.",
              .minimum = 0.0,
              .maximum = 1e3,
              .source = kTable});
    d.number("hack_constant", &ErosionLaw::hack_constant,
             {.unit = "m^(1-2h)",
              .sentence = "Constant C of Hack's law, length = C area^h, behind the hillslope term.",
              .minimum = 0.1,
              .maximum = 10.0,
              .source = kTable});
    d.number("hack_exponent", &ErosionLaw::hack_exponent,
             {.unit = "1",
              .sentence = "Exponent h of Hack's law behind the hillslope term.",
              .minimum = 0.4,
              .maximum = 0.8,
              .source = kTable});
    d.boolean("thermal", &ErosionLaw::thermal,
              {.unit = "",
               .sentence = "Whether slopes above the critical slope also erode by landslides.",
               .source = "Tzathas et al. 2024, eqs. 28 and 29"});
    d.number("thermal_erosion", &ErosionLaw::thermal_erosion,
             {.unit = "m/yr",
              .sentence = "Rate k_t of thermal erosion above the critical slope.",
              .minimum = 0.0,
              .maximum = 1.0,
              .source = kTable});
    d.number("critical_slope", &ErosionLaw::critical_slope,
             {.unit = "m/m",
              .sentence = "Slope s_c above which landslides set in (0.57 is 30 degrees).",
              .minimum = 0.01,
              .maximum = 10.0,
              .source = kTable});
}

double ErosionLaw::hillslope_area(double erodibility_here) const {
    if (!hillslope || hillslope_diffusivity <= 0.0 || erodibility_here <= 0.0) return 0.0;
    const double ratio =
        hillslope_diffusivity * hack_exponent / (hack_constant * erodibility_here * area_exponent);
    return std::pow(ratio, 1.0 / (area_exponent + hack_exponent));
}

double ErosionLaw::celerity(double area, double erodibility_here) const {
    const double fluvial = erodibility_here * std::pow(area, area_exponent);
    return hillslope ? fluvial + hillslope_diffusivity / hack_constant * std::pow(area, -hack_exponent)
                     : fluvial;
}

void celerities(const ErosionLaw& law, std::span<const float> area, std::span<const float> erodibility,
                std::span<float> celerity) {
    const float m = static_cast<float>(law.area_exponent);
    const float h = static_cast<float>(-law.hack_exponent);
    const float creep =
        law.hillslope ? static_cast<float>(law.hillslope_diffusivity / law.hack_constant) : 0.0F;
    const float common_k = static_cast<float>(law.erodibility);
    // A* scales with k^(-1/(m+h)).
    const float common_least = static_cast<float>(law.hillslope_area(law.erodibility));
    const float exponent = static_cast<float>(-1.0 / (law.area_exponent + law.hack_exponent));
    const std::int64_t cells = static_cast<std::int64_t>(area.size());
    parallel_for(0, cells, kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        const bool varied = !erodibility.empty();
        for (std::size_t i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
            const float k = varied ? erodibility[i] : common_k;
            const float least = varied ? common_least * fast_power(k / common_k, exponent) : common_least;
            const float logarithm = fast_log2(std::max(area[i], least));
            celerity[i] = k * fast_exp2(m * logarithm) + creep * fast_exp2(h * logarithm);
        }
    });
}

}  // namespace thalweg
