// Which rivers braid, and in how many channels.
#pragma once

#include "thalweg/meander/channel_line.hpp"
#include "thalweg/meander/meander_state.hpp"

namespace thalweg {

/// What a reach's water and slope ask for.
struct BraidForm {
    double slope = 0.0;         // m/m, of the valley: fall over the distance of its ends
    double flow = 0.0;          // m^3/s, bankfull
    double stream_power = 0.0;  // W/m^2, potential specific stream power
    double threshold = 0.0;     // W/m^2, from which on rivers of that grain size braid
    double mode = 0.0;          // m, of bars in a section: 1 alternate bars, 2 a bar in the middle, ...
    double channels = 1.0;      // side by side
};

/// Potential specific stream power and its threshold (van den Berg 1995; Kleinhans and van den Berg 2011),
///
///   omega = rho g Q^0.5 S / alpha,   omega_t = 900 D^0.42
///
/// with the bankfull flow Q, the valley's slope S, the grain size D in m and alpha = 4.7 s^0.5 m^-0.5 for
/// sand and 3.0 for gravel (D of 2 mm and more); the mode of bars (Crosato and Mosselman 2009)
///
///   m^2 = 0.17 g (b - 3) w^3 S / ((1.65 D)^0.5 C Q),   b = 4 for sand and 10 for gravel
///
/// with the bankfull width w and Chezy's C = 8.1 g^0.5 (d / 2.5 D)^(1/6); and (m - 1) / 2 + 1 channels side
/// by side (Kleinhans and van den Berg 2011), but no more than one for each 1.6 widths of the plain
/// (braid_plain), in which they find room with their bars (empirical). `bankfull` (m^3/s) is 0 where it is
/// not known: then it is that of the width, Q = (w / alpha)^2.
BraidForm braid_form(const ChannelLine& line, double bankfull, const MeanderParameters& parameters);

/// Whether the reach shall run in several channels: where it does by now, a fifth below the threshold too.
bool shall_braid(const BraidForm& form, Braiding braiding, bool braids_by_now);

}  // namespace thalweg
