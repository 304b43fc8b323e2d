// How fast and where to a meandering channel wanders.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/meander/channel_line.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// What the sinuosity of the channel slows: all migration, the share from upstream alone, as equation 4 of
/// the paper is printed, or nothing.
enum class SinuosityScaling { Both, UpstreamAsPrinted, None };

/// What the length over which bends upstream are felt follows: depth over friction, or width.
enum class MemoryLength { Friction, Width };

/// How a step of time is made: at once, or as twice two half steps less the whole one, which is of second
/// order.
enum class TimeScheme { Extrapolated, SemiImplicit };

/// The law of migration, and how it is followed.
struct MigrationParameters {
    double rate = 59.9;              // k, m/yr: 0.164 m a day
    double friction_factor = 0.011;  // f, 1
    double upstream_weight = 2.5;    // gamma, 1
    MemoryLength memory = MemoryLength::Friction;
    SinuosityScaling sinuosity_scaling = SinuosityScaling::Both;
    double sinuosity_window = 0.0;  // channel widths; 0: the whole channel
    double end_damping = 5.0;       // channel widths along the line
    double time_step = 0.5;         // yr
    TimeScheme time_scheme = TimeScheme::Extrapolated;

    static void declare(Declaration<MigrationParameters>& declaration);
};

/// Rate at which each point of a line migrates towards its right, m/yr, seen downstream:
///
///   R  = sigma^(-2/3) (omega R0 + gamma J),   R0 = k w kappa,   omega = -1
///   J' = alpha (R0 - J) along the line, J = `inflow` at its head, alpha = 2 f / d, or 0.75 / w
///
/// where kappa is the curvature (that of the circle through three points; a bend to the left is positive), w
/// the width, d the depth, sigma the sinuosity of the channel or of a window of it, and J the mean of R0
/// upstream with the weight alpha exp(-alpha zeta) at distance zeta, as an exact recursive filter for R0 that
/// is linear between points (exp by its Pade approximant, to 1e-6 where points are closer than 0.6 / alpha).
///
/// Source: Howard and Knutson 1984; Sylvester et al. 2019; Paris et al. 2023, eqs. 2 to 5. Differs in: the
/// sinuosity scales both terms, as those authors' programs do and the printed equation 4 does not; the
/// integral is normalised, and not a sum at points.
/// O(points); the ends have curvature 0.
///
/// Example:
///     std::vector<double> rates;
///     migration_rates(line, {.rate = 20.0}, 0.0, rates);
void migration_rates(const ChannelLine& line, const MigrationParameters& parameters, double inflow,
                     std::vector<double>& rates);

}  // namespace thalweg
