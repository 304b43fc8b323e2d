// Primitives of flowing water: discs of it that move in one way each.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/grid/grid.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// How the water of a primitive moves. Kinds of a program's own are numbered on from Extra (WaterKindRow).
enum class WaterKind : std::uint8_t {
    Calm,       // swell, and low streaks along the flow
    Ripple,     // short waves up and down the flow
    Turbulent,  // carried bulges with ridges between them
    Wave,       // standing waves
    Cascade,    // a fall with its plunge pool
    Vortex,     // a whirlpool
    BankEcho,   // crossing waves that a bank throws back
    Extra       // the first that is not built in
};

/// The most kinds that there can be: a record keeps four bits.
inline constexpr int kMostWaterKinds = 16;

/// A disc of water. Numbers that its kind does not name (WaterKindRow::parameters) have no effect.
struct WaterPrimitive {
    WaterKind kind = WaterKind::Calm;
    double x = 0.0;            // m, centre c
    double y = 0.0;            // m
    double radius = 1.0;       // m, R: it has no weight beyond
    double elevation = 0.0;    // m, e: mean water elevation at the centre
    double slope = 0.0;        // 1, how fast the mean falls along the velocity
    double amplitude = 0.05;   // m, a: the most that waves rise
    double velocity_x = 0.0;   // m/s, u
    double velocity_y = 0.0;   // m/s
    double wavelength = 1.0;   // m, of the longest waves
    double fall = 0.0;         // m, h: a cascade's drop, a standing wave's height, a vortex's dip
    double fall_length = 0.5;  // m, half the way on which a cascade drops
    double rotation = 0.0;     // rad/s, of a vortex, counterclockwise
    double bank_angle = 1.5;   // rad, from the velocity counterclockwise to where a bank's waves go
    double foam = 0.0;         // 0 to 1, where the water is whitest
    std::int64_t seed = 0;     // 0 to 4095: equal primitives of equal seeds share their waves

    friend bool operator==(const WaterPrimitive&, const WaterPrimitive&) = default;
    static void declare(Declaration<WaterPrimitive>& declaration);
};

/// What all primitives are measured by.
struct WaterSetting {
    Position origin = {};       // m: centres are kept relative to it as floats, so a place near the water
    double loop_period = 60.0;  // s, T: the surface at time t + T is that at t; 0.01 to 1e7
};

/// The water at one place.
struct WaterSample {
    double elevation = 0.0;   // m, f
    double velocity_x = 0.0;  // m/s, u
    double velocity_y = 0.0;  // m/s
    double foam = 0.0;        // 0 to 1, s
    double weight = 0.0;      // alpha, 0 where nothing covers
};

/// One kind of water: all that the tree, its compiled form and its pages know of it. A program adds a kind by
/// a row of its own (BlendFlowTree); its evaluator is then called point by point, at about a tenth of the
/// speed of those that are built in, which have kernels.
struct WaterKindRow {
    const char* name;      // "calm"
    const char* sentence;  // what it looks like
    /// Elevation, velocity and foam of the primitive at a point [m] and a time [s]; the weight is left out.
    WaterSample (*evaluate)(const WaterPrimitive& primitive, Position point, const WaterSetting& setting,
                            double time);
    /// How far from its mean elevation the primitive's water gets at most, m.
    double (*greatest_offset)(const WaterPrimitive& primitive);
    /// The one number that a record keeps beside those of all kinds; null: none.
    double WaterPrimitive::* special = nullptr;
    std::vector<const char*> parameters =
        {};  // that it reads, besides centre, radius, elevation and velocity
};

/// The rows of the kinds that are built in, in the order of WaterKind (Peytavie et al. 2019, section 6.1).
///
///   calm, ripple, turbulent   f = e + a dh(w(p, t)),   w = p - t u
///   wave                      f = e + h n C(d . (p - c)) + a dh,   C a train of cosines with sharp crests, n
///   a noise about 0.7 cascade                   f = k f_u + (1 - k) f_d,   k = 1 - S((d . (p - c) + l) /
///   2l),   d = u / |u| vortex                    f = e - h m^2 + a (m dh(c + R(-psi)(p - c)) + (1 - m) dh(p
///   - t u)),
///                             psi = sigma r + b t,   m = (1 - r^2)^2
///   bank echo                 f = e + a (cos 2 pi k1 . p + cos 2 pi k2 . p) / 2, both moving
///
///   r     |p - c| / R
///   dh    sum of up to three gradient noises, stretched along or across the flow, each carried by a speed of
///         its own: a share of u and, for waves, the celerity sqrt(g L / 2 pi) of deep water
///   S     6 t^5 - 15 t^4 + 10 t^3, the quintic smooth step
///
/// Differs in: d is a unit vector, the vortex turns about its centre, has a dip and lets the
/// flow's own waves in towards its rim, speeds are rounded so
/// that noise is carried by whole periods of its own in a loop period (docs/theory/water_surface.md).
/// Velocities are the mean ones, steady, and are not rounded: those of a vortex add b (p - c) turned left,
/// fading as (1 - r^2)^2. Times beyond the loop are wrapped in double, so that a day is as smooth as a
/// second. Elevations are C1 in space and time.
///
/// Example:
///     const WaterPrimitive pool = {.radius = 3.0, .elevation = 12.0, .velocity_x = 0.4};
///     const WaterKindRow& calm = built_in_water_kinds()[static_cast<std::size_t>(pool.kind)];
///     const WaterSample here = calm.evaluate(pool, {.x = 1.0, .y = 0.5}, {.loop_period = 30.0}, 4.0);
std::span<const WaterKindRow> built_in_water_kinds();

/// g(r) = (1 - r^2)^3 at r = |p - c| / R, 0 beyond (Peytavie et al. 2019, section 6.1): C2.
double water_weight(const WaterPrimitive& primitive, Position point);

/// Throws Error::input, with what is allowed, unless all numbers are finite and in the ranges declared, the
/// kind is one of `kinds`, the setting's loop period is from 0.01 to 1e7 s, and a time within 1e12 s of 0.
void check_water_primitive(const WaterPrimitive& primitive, std::span<const WaterKindRow> kinds);
void check_water_setting(const WaterSetting& setting);
void check_water_time(double time);

/// The primitive as the 32 bytes of a record keep it: centre relative to the origin and elevation as float32,
/// other numbers as float16 (11 significant bits), by the row's `special`. A tree holds primitives so, so
/// that it and its compiled form agree.
WaterPrimitive kept_form(const WaterPrimitive& primitive, const WaterKindRow& row,
                         const WaterSetting& setting);

}  // namespace thalweg
