#include "thalweg/river/hydraulics.hpp"

#include "thalweg/core/portable_power.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kGravity = 9.81;  // m/s^2
constexpr double kSquareMetresPerSquareKilometre = 1e6;

/// Depth from Manning's law, m.
double manning_depth(double flow, double slope, const HydraulicParameters& p) {
    return portable_power(flow * p.manning_roughness / (p.width_coefficient * std::sqrt(slope)),
                          1.0 / (p.width_exponent + 5.0 / 3.0));
}

/// Depth of a flow at the greatest Froude number, m.
double capped_depth(double flow, const HydraulicParameters& p) {
    return portable_power(flow / (p.width_coefficient * p.maximum_froude * std::sqrt(kGravity)),
                          1.0 / (p.width_exponent + 1.5));
}

}  // namespace

double mean_discharge(double drainage_area, const HydraulicParameters& parameters) {
    return drainage_area * parameters.runoff_rate / kSecondsPerYear;
}

double bankfull_discharge(double drainage_area, const HydraulicParameters& parameters) {
    if (!(drainage_area > 0.0)) return 0.0;
    return parameters.bankfull_factor * parameters.bankfull_coefficient *
           portable_power(drainage_area / kSquareMetresPerSquareKilometre, parameters.bankfull_exponent);
}

double depth_of_width(double width, const HydraulicParameters& parameters) {
    return portable_power(width / parameters.width_coefficient, 1.0 / parameters.width_exponent);
}

ChannelFlow channel_flow(double flow, double slope, const HydraulicParameters& parameters) {
    if (!(flow > 0.0)) return {};
    // The capped flow is the deeper one exactly where Manning's flow is too fast.
    const double depth = std::max(manning_depth(flow, std::max(slope, parameters.minimum_slope), parameters),
                                  capped_depth(flow, parameters));
    const double width = parameters.width_coefficient * portable_power(depth, parameters.width_exponent);
    return {.width = width, .depth = depth, .velocity = flow / (width * depth)};
}

namespace {

/// How much water runs off.
void declare_discharge(Declaration<HydraulicParameters>& declaration) {
    using P = HydraulicParameters;
    declare_runoff_rate(declaration);
    declaration.number("bankfull_factor", &P::bankfull_factor,
                       {.label = "Bankfull factor",
                        .group = "Hydraulics",
                        .unit = "1",
                        .sentence = "Multiplies bankfull discharge everywhere, and with it width, depth and "
                                    "speed: 1 is near that of small basins.",
                        .minimum = 0.0,
                        .maximum = 1000.0,
                        .usual = {0.01, 10.0, SliderScale::Logarithmic},
                        .minimum_excluded = true,
                        .formerly = "discharge_factor"});
    declaration.number("bankfull_coefficient", &P::bankfull_coefficient,
                       {.label = "Bankfull discharge of 1 km^2",
                        .group = "Hydraulics",
                        .unit = "m^3/s",
                        .sentence = "Bankfull discharge from a basin of 1 km^2.",
                        .minimum = 0.0,
                        .maximum = 1000.0,
                        .usual = {0.01, 10.0, SliderScale::Logarithmic},
                        .source = "Dunne 1978, in Peytavie et al. 2019, sec. 4",
                        .minimum_excluded = true,
                        .is_advanced = true,
                        .formerly = "discharge_coefficient"});
    declaration.number("bankfull_exponent", &P::bankfull_exponent,
                       {.label = "Bankfull exponent",
                        .group = "Hydraulics",
                        .unit = "1",
                        .sentence = "Exponent of drainage area in bankfull discharge.",
                        .minimum = 0.1,
                        .maximum = 2.0,
                        .usual = {0.5, 1.0},
                        .source = "Dunne 1978, in Peytavie et al. 2019, sec. 4",
                        .is_advanced = true,
                        .formerly = "discharge_exponent"});
}

}  // namespace

void HydraulicParameters::declare(Declaration<HydraulicParameters>& declaration) {
    using P = HydraulicParameters;
    declare_discharge(declaration);
    declaration.number("manning_roughness", &P::manning_roughness,
                       {.label = "Manning roughness",
                        .group = "Hydraulics",
                        .unit = "s/m^(1/3)",
                        .sentence = "Manning's roughness of the bed: 0.03 for clean and straight channels, "
                                    "0.05 for cobbles, 0.1 for weeds and logs.",
                        .minimum = 0.005,
                        .maximum = 0.5,
                        .usual = {0.02, 0.15},
                        .source = "Chow 1959, table 5-6"});
    declaration.number("width_coefficient", &P::width_coefficient,
                       {.label = "Width at a depth of 1 m",
                        .group = "Hydraulics",
                        .unit = "m",
                        .sentence = "Width of a channel that is 1 m deep.",
                        .minimum = 0.1,
                        .maximum = 1000.0,
                        .usual = {5.0, 50.0},
                        .source = "Konsoer et al. 2013"});
    declaration.number("width_exponent", &P::width_exponent,
                       {.label = "Width exponent",
                        .group = "Hydraulics",
                        .unit = "1",
                        .sentence = "Exponent of depth in width.",
                        .minimum = 0.0,
                        .maximum = 4.0,
                        .usual = {0.5, 2.5},
                        .source = "Konsoer et al. 2013",
                        .is_advanced = true});
    declaration.number("minimum_slope", &P::minimum_slope,
                       {.label = "Least slope",
                        .group = "Hydraulics",
                        .unit = "m/m",
                        .sentence = "Slopes below this one count as this one where depth is computed.",
                        .minimum = 1e-7,
                        .maximum = 1.0,
                        .usual = {1e-6, 1e-2, SliderScale::Logarithmic},
                        .source = "empirical: 10 cm per km, a lowland river",
                        .is_advanced = true});
    declaration.number("maximum_froude", &P::maximum_froude,
                       {.label = "Greatest Froude number",
                        .group = "Hydraulics",
                        .unit = "1",
                        .sentence = "Greatest Froude number: faster flow is slowed to it and made deeper.",
                        .minimum = 0.1,
                        .maximum = 10.0,
                        .usual = {0.5, 2.0},
                        .source = "Grant 1997: steep streams stay near critical flow",
                        .is_advanced = true});
}

}  // namespace thalweg
