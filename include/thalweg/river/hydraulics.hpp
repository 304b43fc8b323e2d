// How much water a river carries, and how wide, deep and fast it is.
#pragma once

#include "thalweg/core/parameters.hpp"

namespace thalweg {

inline constexpr double kSecondsPerYear = 31557600.0;  // of a Julian year

inline constexpr double kMeanRunoff = 0.3;  // m/yr, over all land

/// The empirical numbers behind discharge and channel form.
struct HydraulicParameters {
    double runoff_rate = kMeanRunoff;    // m/yr
    double bankfull_factor = 1.0;        // f, 1: multiplies bankfull discharge everywhere
    double bankfull_coefficient = 0.42;  // m^3/s from a basin of 1 km^2
    double bankfull_exponent = 0.69;     // of drainage area, 1
    double manning_roughness = 0.04;     // n, s/m^(1/3)
    double width_coefficient = 18.8;     // c, m: width of a channel 1 m deep
    double width_exponent = 1.41;        // b, of depth, 1
    double minimum_slope = 1e-4;         // m/m: slopes below count as this one
    double maximum_froude = 1.0;         // 1: faster flow is slowed to it, and so made deeper

    static void declare(Declaration<HydraulicParameters>& declaration);
};

/// Declares `runoff_rate` (m/yr) of any parameter struct that has it.
template <class P>
void declare_runoff_rate(Declaration<P>& declaration) {
    declaration.number("runoff_rate", &P::runoff_rate,
                       {.label = "Runoff rate",
                        .group = "Discharge",
                        .unit = "m/yr",
                        .sentence = "Water that runs off; discharge, the mean flow, is its sum.",
                        .minimum = 0.0,
                        .maximum = 100.0,
                        .usual = {0.0, 3.0},
                        .source = "Fekete et al. 2002, mean over all land"});
}

/// Flow through one cross-section of width * depth * velocity m^3/s.
struct ChannelFlow {
    double width = 0.0;     // m
    double depth = 0.0;     // m
    double velocity = 0.0;  // m/s
};

/// Discharge, the mean flow, in m^3/s from drainage area A in m^2: the sum of `runoff_rate` over it.
double mean_discharge(double drainage_area, const HydraulicParameters& parameters);

/// Bankfull discharge in m^3/s from drainage area A in m^2 (Dunne 1978, in Peytavie et al. 2019, sec. 4):
///
///   Q = f * 0.42 (A / 1 km^2)^0.69
///
/// Differs in: the paper prints A in m^2, which gives 139 000 m^3/s from 100 km^2 instead of 10.1. It is near
/// the bankfull flow of small basins, and many times their mean flow: f scales it to another climate or
/// stage. Zero for no area.
double bankfull_discharge(double drainage_area, const HydraulicParameters& parameters);

/// Depth of a channel from its width, both in m, at bankfull: w = c d^b (Konsoer et al. 2013).
double depth_of_width(double width, const HydraulicParameters& parameters = {});

/// Width w, depth d and velocity u of a wide rectangular channel that carries `flow` Q in m^3/s down
/// `slope` S in m/m, in closed form from
///
///   Q = w d u
///   u = d^(2/3) sqrt(S) / n                     (Manning, hydraulic radius = d)
///   w = c d^b                                   (Konsoer et al. 2013)
///   d = (Q n / (c sqrt S))^(1 / (b + 5/3))
///
/// Where that flow were faster than `maximum_froude` F, u = F sqrt(g d) replaces Manning's law, and
/// d = (Q / (c F sqrt g))^(1 / (b + 3/2)). Both agree at Froude number F. Zero flow gives zero
/// everywhere.
///
/// Example:
///     const double bankfull = bankfull_discharge(1e8, {});  // m^3/s from 100 km^2
///     const ChannelFlow channel = channel_flow(bankfull, 0.002, {});
ChannelFlow channel_flow(double flow, double slope, const HydraulicParameters& parameters);

}  // namespace thalweg
