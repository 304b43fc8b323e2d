#include "thalweg/erosion/erosion_law.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/law/celerity_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 13;
constexpr const char* kTable = "Tzathas et al. 2024, table 1";

void whole_vectors(const CelerityRow& row, std::int64_t count, float* celerity) {
    in_lanes([&](auto lanes) { celerities_in_lanes<lanes()>(row, count, celerity); });
}

/// The run in whole vectors, and the rest of it in one that is padded with its last cell.
void celerity_row(const CelerityRow& row, std::int64_t count, float* celerity) {
    whole_vectors(row, count, celerity);
    const std::int64_t done = count / kWidestVector * kWidestVector;
    if (done == count) return;
    std::array<float, kWidestVector> area{};
    std::array<float, kWidestVector> erodibility{};
    std::array<float, kWidestVector> result{};
    for (std::int64_t i = 0; i < kWidestVector; ++i) {
        const std::int64_t cell = std::min(done + i, count - 1);
        area[at(i)] = row.area[cell];
        if (row.erodibility != nullptr) erodibility[at(i)] = row.erodibility[cell];
    }
    CelerityRow rest = row;
    rest.area = area.data();
    if (row.erodibility != nullptr) rest.erodibility = erodibility.data();
    whole_vectors(rest, kWidestVector, result.data());
    std::copy_n(result.begin(), count - done, celerity + done);
}

/// Hillslope creep.
void declare_creep(Declaration<ErosionLaw>& d) {
    d.boolean("hillslope", &ErosionLaw::hillslope,
              {.label = "Hillslope creep",
               .group = "Hillslopes",
               .unit = "",
               .sentence = "Whether hillslope creep rounds the ground where little water gathers.",
               .source = "Tzathas et al. 2024, eq. 26"});
    d.number("hillslope_diffusivity", &ErosionLaw::hillslope_diffusivity,
             {.label = "Hillslope diffusivity",
              .group = "Hillslopes",
              .unit = "m^2/yr",
              .sentence = "Diffusivity k_h of hillslope creep.",
              .minimum = 0.0,
              .maximum = 1e3,
              .usual = {1e-3, 1.0, SliderScale::Logarithmic},
              .source = kTable,
              .enabled_when = {equals("hillslope", {true})}});
    d.number("hack_constant", &ErosionLaw::hack_constant,
             {.label = "Hack constant",
              .group = "Hillslopes",
              .unit = "m^(1-2h)",
              .sentence = "Constant C of Hack's law, length = C area^h, behind the hillslope term.",
              .minimum = 0.1,
              .maximum = 10.0,
              .usual = {1.0, 2.5},
              .source = kTable,
              .is_advanced = true,
              .enabled_when = {equals("hillslope", {true})}});
    d.number("hack_exponent", &ErosionLaw::hack_exponent,
             {.label = "Hack exponent",
              .group = "Hillslopes",
              .unit = "1",
              .sentence = "Exponent h of Hack's law behind the hillslope term.",
              .minimum = 0.4,
              .maximum = 0.8,
              .usual = {0.5, 0.65},
              .source = kTable,
              .is_advanced = true,
              .enabled_when = {equals("hillslope", {true})}});
}

}  // namespace

void ErosionLaw::declare(Declaration<ErosionLaw>& d) {
    d.number("area_exponent", &ErosionLaw::area_exponent,
             {.label = "Area exponent",
              .group = "Stream power",
              .unit = "1",
              .sentence = "Exponent m of drainage area in the stream power law.",
              .minimum = 0.1,
              .maximum = 1.0,
              .usual = {0.3, 0.6},
              .source = kTable,
              .is_advanced = true});
    d.number("debris_flow_celerity", &ErosionLaw::debris_flow_celerity,
             {.label = "Debris-flow celerity",
              .group = "Hillslopes",
              .unit = "m/yr",
              .sentence = "Celerity a_d that debris flows add everywhere: in small valleys, where rivers do "
                          "less, slopes no longer steepen towards the divide. 0: no debris flows.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.0, 5e-3},
              .source = "Stock and Dietrich 2003"});
    declare_creep(d);
    d.boolean("thermal", &ErosionLaw::thermal,
              {.label = "Landslides",
               .group = "Hillslopes",
               .unit = "",
               .sentence = "Whether slopes above the critical slope also erode by landslides.",
               .source = "Tzathas et al. 2024, eqs. 28 and 29"});
    d.number("thermal_erosion", &ErosionLaw::thermal_erosion,
             {.label = "Thermal erosion rate",
              .group = "Hillslopes",
              .unit = "m/yr",
              .sentence = "Rate k_t of thermal erosion above the critical slope.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {1e-5, 0.1, SliderScale::Logarithmic},
              .source = kTable,
              .enabled_when = {equals("thermal", {true})}});
    d.number("critical_slope", &ErosionLaw::critical_slope,
             {.label = "Critical slope",
              .group = "Hillslopes",
              .unit = "m/m",
              .sentence = "Slope s_c above which landslides set in (0.57 is 30 degrees).",
              .minimum = 0.01,
              .maximum = 10.0,
              .usual = {0.2, 1.2},
              .source = kTable,
              .enabled_when = {equals("thermal", {true})}});
    d.number(
        "base_slope", &ErosionLaw::base_slope,
        {.label = "Slope beyond the boundary",
         .group = "Boundary",
         .unit = "m/m",
         .sentence = "Slope of the rivers beyond the boundary: its cells cut down with time, the faster the "
                     "more water leaves there; 0 keeps their elevation.",
         .minimum = 0.0,
         .maximum = 1.0,
         .usual = {0.0, 0.02},
         .source = "Tzathas et al. 2024, section 7.3",
         .is_advanced = true,
         .enabled_when = {differs("time", {std::numeric_limits<double>::infinity()}),
                          equals("slope_exponent", {1.0})}});
}

double ErosionLaw::hillslope_area(double erodibility_here) const {
    if (!hillslope || hillslope_diffusivity <= 0.0 || erodibility_here <= 0.0) return 0.0;
    const double ratio =
        hillslope_diffusivity * hack_exponent / (hack_constant * erodibility_here * area_exponent);
    return std::pow(ratio, 1.0 / (area_exponent + hack_exponent));
}

double ErosionLaw::celerity(double area, double erodibility_here) const {
    const double fluvial = erodibility_here * std::pow(area, area_exponent) + debris_flow_celerity;
    return hillslope ? fluvial + hillslope_diffusivity / hack_constant * std::pow(area, -hack_exponent)
                     : fluvial;
}

void celerities(const ErosionLaw& law, std::span<const float> area, std::span<const float> erodibility,
                std::span<float> celerity) {
    const CelerityRow whole = {
        .area = area.data(),
        .erodibility = erodibility.empty() ? nullptr : erodibility.data(),
        .common_erodibility = static_cast<float>(law.erodibility),
        .common_least_area = static_cast<float>(law.hillslope_area(law.erodibility)),
        .least_area_at_unit = static_cast<float>(law.hillslope_area(1.0)),
        .least_exponent = static_cast<float>(-1.0 / (law.area_exponent + law.hack_exponent)),
        .area_exponent = static_cast<float>(law.area_exponent),
        .debris_flows = static_cast<float>(law.debris_flow_celerity),
        .creep = law.hillslope ? static_cast<float>(law.hillslope_diffusivity / law.hack_constant) : 0.0F,
        .creep_exponent = static_cast<float>(-law.hack_exponent)};
    parallel_for(0, static_cast<std::int64_t>(area.size()), kCellsPerTask,
                 [&](std::int64_t first, std::int64_t last) {
                     CelerityRow row = whole;
                     row.area += first;
                     if (row.erodibility != nullptr) row.erodibility += first;
                     celerity_row(row, last - first, celerity.data() + first);
                 });
}

}  // namespace thalweg
