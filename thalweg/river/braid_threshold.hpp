// From which stream power on rivers braid.
#pragma once

namespace thalweg {

/// alpha of reference widths w = alpha Q^0.5, s^0.5 m^-0.5, of a median grain size in m: 4.7 for sand, 3.0
/// for gravel, which is 2 mm and more (Kleinhans and van den Berg 2011).
double reference_width_factor(double grain_size);

/// Potential specific stream power, W/m^2 (van den Berg 1995; Kleinhans and van den Berg 2011),
///
///   omega = rho g Q^0.5 S / alpha
///
/// with the bankfull flow Q (m^3/s) and the slope S of the valley (m/m).
double potential_stream_power(double bankfull_flow, double valley_slope, double grain_size);

/// The power from which on rivers of a median grain size D (m) braid (same sources), W/m^2:
///
///   omega_t = 900 D^0.42
double braiding_power(double grain_size);

}  // namespace thalweg
