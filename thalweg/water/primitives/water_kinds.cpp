// The evaluators of the built-in kinds, point by point and in double: what the kernels are held to.
#include "thalweg/water/primitives/carried_noise.hpp"
#include "thalweg/water/water_primitive.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

/// A point in a primitive, and what all kinds are made from.
struct WaterPlace {
    WaterPlace(const WaterPrimitive& p, Position point, const WaterSetting& s, double t)
        : primitive(p), setting(s), time(t), dx(point.x - p.x), dy(point.y - p.y) {
        direction = flow_of(p).direction;
        along = direction.x * dx + direction.y * dy;
        across = direction.x * dy - direction.y * dx;
    }

    [[nodiscard]] double noise(std::span<const NoiseForm> forms, std::size_t number) const {
        return noise_at(carried_noise(forms, number, primitive, setting, time), dx, dy);
    }
    /// Mean elevation, m, and velocity; `offset` m above it; `whiteness` of the foam, any number.
    [[nodiscard]] WaterSample sample(double offset, double whiteness) const {
        const double t = std::clamp(whiteness, 0.0, 1.0);
        return {.elevation = primitive.elevation - primitive.slope * along + offset,
                .velocity_x = primitive.velocity_x,
                .velocity_y = primitive.velocity_y,
                .foam = primitive.foam * t * t * (3.0 - 2.0 * t)};
    }

    const WaterPrimitive& primitive;
    const WaterSetting& setting;
    double time;
    double dx;  // m, from the centre
    double dy;
    UnitVector direction;
    double along;   // m, with the flow
    double across;  // m, to the left of it
};

double ridge_of(double n) {
    return kRidgeTop - 2.0 * std::sqrt(n * n + kRidgeSoftness);
}

double cosine_of_turns(double turns) {
    return std::cos(2.0 * std::numbers::pi * turns);
}

WaterSample calm_water(const WaterPrimitive& primitive, Position point, const WaterSetting& setting,
                       double time) {
    const WaterPlace place(primitive, point, setting, time);
    const double streak = place.noise(kCalmForms, 0);
    const double swell = place.noise(kCalmForms, 1);
    return place.sample(primitive.amplitude * (kCalmShares[0] * streak + kCalmShares[1] * swell),
                        0.5 + 1.5 * streak);
}

WaterSample rippled_water(const WaterPrimitive& primitive, Position point, const WaterSetting& setting,
                          double time) {
    const WaterPlace place(primitive, point, setting, time);
    const double down = place.noise(kRippleForms, 0);
    const double up = place.noise(kRippleForms, 1);
    return place.sample(primitive.amplitude * (kRippleShares[0] * down + kRippleShares[1] * up),
                        0.5 + 1.5 * down);
}

WaterSample turbulent_water(const WaterPrimitive& primitive, Position point, const WaterSetting& setting,
                            double time) {
    const WaterPlace place(primitive, point, setting, time);
    const double bulge = place.noise(kTurbulentForms, 0);
    const double ridge = ridge_of(place.noise(kTurbulentForms, 1));
    const double chop = place.noise(kTurbulentForms, 2);
    return place.sample(primitive.amplitude * (kTurbulentShares[0] * bulge + kTurbulentShares[1] * ridge +
                                               kTurbulentShares[2] * chop),
                        0.3 + 1.2 * ridge + 0.8 * bulge);
}

WaterSample standing_waves(const WaterPrimitive& primitive, Position point, const WaterSetting& setting,
                           double time) {
    const WaterPlace place(primitive, point, setting, time);
    const double chop = place.noise(kWaveForms, 0);
    const double wander = place.noise(kWaveForms, 1);
    const double sag = kCrestBend * place.across * place.across / primitive.radius;
    const double c = cosine_of_turns((place.along - sag) / primitive.wavelength + kCrestWander * wander);
    const double crest = kCrest * (c + 0.5 * c * c - 0.25);
    const double height = primitive.fall * (kCrestMean + kCrestGust * wander);
    return place.sample(height * crest + primitive.amplitude * chop, 0.8 * crest - 0.1 + 0.8 * chop);
}

WaterSample cascading_water(const WaterPrimitive& primitive, Position point, const WaterSetting& setting,
                            double time) {
    const WaterPlace place(primitive, point, setting, time);
    const double bulge = place.noise(kCascadeForms, 0);
    const double ridge = ridge_of(place.noise(kCascadeForms, 1));
    const double ragged = place.noise(kCascadeForms, 2);
    const double way = place.along / primitive.fall_length + kRaggedLip * ragged;  // in fall lengths
    const double t = std::clamp(0.5 * way + 0.5, 0.0, 1.0);
    const double above = 1.0 - t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    const double q = std::min(1.0, std::abs(0.5 * way - 1.0));
    const double pool = (1.0 - q * q) * (1.0 - q * q) * (1.0 - q * q);
    const double upper = 0.5 * primitive.fall + kCalmAbove * primitive.amplitude * bulge;
    const double lower = -0.5 * primitive.fall - kPlungeDepth * primitive.fall * pool +
                         primitive.amplitude * (kCascadeShares[0] * bulge + kCascadeShares[1] * ridge);
    const double face = 4.0 * above * (1.0 - above);
    return place.sample(above * upper + (1.0 - above) * lower,
                        kFaceFoam * face + (1.0 - above) * (0.45 + 0.8 * ridge + 0.6 * bulge));
}

WaterSample whirling_water(const WaterPrimitive& primitive, Position point, const WaterSetting& setting,
                           double time) {
    const WaterPlace place(primitive, point, setting, time);
    const double dx = place.dx;
    const double dy = place.dy;
    const double r2 = (dx * dx + dy * dy) / (primitive.radius * primitive.radius);
    // Turn the point back about the centre, the less the farther out.
    const double lag = std::copysign(kVortexShear, primitive.rotation) * std::sqrt(r2);
    const UnitVector back = turned({dx, dy}, lag);
    const double swirl = noise_at(turning_noise(primitive, setting, time), back.x, back.y);
    const double streak = place.noise(kVortexForms, 1);
    const double inside = std::max(0.0, 1.0 - r2);
    const double rim = inside * inside;
    const double waves = kVortexShares[0] * rim * swirl + kVortexShares[1] * (1.0 - rim) * streak;
    WaterSample sample = place.sample(primitive.amplitude * waves - primitive.fall * rim * rim,
                                      0.35 + 1.2 * rim * swirl + (1.0 - rim) * streak);
    sample.velocity_x -= primitive.rotation * rim * dy;
    sample.velocity_y += primitive.rotation * rim * dx;
    return sample;
}

WaterSample echoed_water(const WaterPrimitive& primitive, Position point, const WaterSetting& setting,
                         double time) {
    const WaterPlace place(primitive, point, setting, time);
    const double wander = place.noise(kBankEchoForms, 0);
    const auto wave = [&](double side) {
        const CarriedWave w = echo_wave(primitive, setting, time, side);
        return cosine_of_turns(w.along_x * place.dx + w.along_y * place.dy + w.shift + kEchoWander * wander);
    };
    return place.sample(0.5 * primitive.amplitude * (wave(1.0) + wave(-1.0)), 0.5 + 1.5 * wander);
}

/// Of the tilt of the mean surface.
double greatest_tilt(const WaterPrimitive& p) {
    return std::abs(p.slope) * p.radius;
}

double smooth_offset(const WaterPrimitive& p) {
    return greatest_tilt(p) + p.amplitude;
}
double ridged_offset(const WaterPrimitive& p) {
    return greatest_tilt(p) + kDeepestRidge * p.amplitude;
}
double wave_offset(const WaterPrimitive& p) {
    return smooth_offset(p) + (kCrestMean + kCrestGust) * std::abs(p.fall);
}
double cascade_offset(const WaterPrimitive& p) {
    return ridged_offset(p) + (0.5 + kPlungeDepth) * std::abs(p.fall);
}
double vortex_offset(const WaterPrimitive& p) {
    return smooth_offset(p) + std::abs(p.fall);
}

}  // namespace

std::span<const WaterKindRow> built_in_water_kinds() {
    using P = WaterPrimitive;
    static const std::array<WaterKindRow, static_cast<std::size_t>(WaterKind::Extra)> rows{{
        {"calm",
         "Swell, and low streaks along the flow.",
         calm_water,
         smooth_offset,
         nullptr,
         {"slope", "amplitude", "wavelength", "foam", "seed"}},
        {"ripple",
         "Short waves that run up and down the flow.",
         rippled_water,
         smooth_offset,
         nullptr,
         {"slope", "amplitude", "wavelength", "foam", "seed"}},
        {"turbulent",
         "Bulges and ridges that the flow carries.",
         turbulent_water,
         ridged_offset,
         nullptr,
         {"slope", "amplitude", "wavelength", "foam", "seed"}},
        {"wave",
         "Waves that stand across the flow.",
         standing_waves,
         wave_offset,
         nullptr,
         {"slope", "amplitude", "wavelength", "fall", "foam", "seed"}},
        {"cascade",
         "A fall, and the turbulent pool below it.",
         cascading_water,
         cascade_offset,
         &P::fall_length,
         {"slope", "amplitude", "wavelength", "fall", "fall_length", "foam", "seed"}},
        {"vortex",
         "A whirlpool with a dip.",
         whirling_water,
         vortex_offset,
         &P::rotation,
         {"slope", "amplitude", "wavelength", "fall", "rotation", "foam", "seed"}},
        {"bank_echo",
         "Crossing waves that a bank throws back.",
         echoed_water,
         smooth_offset,
         &P::bank_angle,
         {"slope", "amplitude", "wavelength", "bank_angle", "foam", "seed"}},
    }};
    return rows;
}

double water_weight(const WaterPrimitive& primitive, Position point) {
    const double dx = point.x - primitive.x;
    const double dy = point.y - primitive.y;
    const double inside = 1.0 - (dx * dx + dy * dy) / (primitive.radius * primitive.radius);
    return inside > 0.0 ? inside * inside * inside : 0.0;
}

}  // namespace thalweg
