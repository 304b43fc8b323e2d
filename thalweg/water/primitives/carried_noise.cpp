#include "thalweg/water/primitives/carried_noise.hpp"

#include "thalweg/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr double kGravity = 9.81;         // m/s^2
constexpr double kDirectionSteps = 16.0;  // of a component of a direction (empirical)
constexpr double kLongestPeriod = 64.0;   // cells, about: longer ones are not seen as such
constexpr double kFewestCells = 4.0;      // that a noise moves in a loop: with fewer its repeats are seen
constexpr double kStandingCells = 2.0;    // below which it stands
constexpr double kStillWater = 1e-6;      // m/s

/// Of deep water, m/s.
double celerity(double wavelength) {
    return std::sqrt(kGravity * wavelength / (2.0 * std::numbers::pi));
}

/// std::floor of what is below 2^62: without a call, which it is on machines of before SSE4.1.
double whole_below(double value) {
    const auto whole = static_cast<double>(static_cast<std::int64_t>(value));
    return whole > value ? whole - 1.0 : whole;
}

UnitVector rounded_direction(UnitVector direction) {
    const double x = whole_below(direction.x * kDirectionSteps + 0.5);
    const double y = whole_below(direction.y * kDirectionSteps + 0.5);
    const double length = std::sqrt(x * x + y * y);
    return {x / length, y / length};
}

double modulo(double value, double period) {
    const double rest = value - period * whole_below(value / period);
    return rest < period ? rest : 0.0;  // rounded up
}

/// The nearest of 1, sqrt(2), 2, ... and their like below 1.
double rounded_wavelength(double wavelength) {
    int exponent = 0;
    const double mantissa = std::frexp(wavelength, &exponent);  // [1/2, 1)
    constexpr double kQuarterOctave = 0.594603557501360533;     // 2^(-3/4)
    const double rounded = mantissa < kQuarterOctave                         ? 0.5
                           : mantissa < std::numbers::sqrt2 * kQuarterOctave ? 0.5 * std::numbers::sqrt2
                                                                             : 1.0;
    return std::ldexp(rounded, exponent);
}

std::uint32_t noise_key(const WaterPrimitive& primitive, std::size_t number) {
    return static_cast<std::uint32_t>(
        mix64(static_cast<std::uint64_t>(primitive.seed) * kMostNoises + number));
}

/// Axes of a noise along `axis`, and its shift at the primitive's centre, not wrapped.
CarriedNoise still_noise(const NoiseForm& form, UnitVector axis, double wavelength,
                         const WaterPrimitive& primitive, const WaterSetting& setting) {
    CarriedNoise noise;
    noise.along_x = axis.x / (form.along * wavelength);
    noise.along_y = axis.y / (form.along * wavelength);
    noise.across_x = -axis.y / (form.across * wavelength);
    noise.across_y = axis.x / (form.across * wavelength);
    const double x = primitive.x - setting.origin.x;
    const double y = primitive.y - setting.origin.y;
    noise.shift_along = noise.along_x * x + noise.along_y * y;
    noise.shift_across = noise.across_x * x + noise.across_y * y;
    noise.period = kLongestPeriod;
    return noise;
}

/// The noise's gradient at a lattice point, times the offset from it.
double corner_of(double column, double row, double x, double y, const CarriedNoise& noise) {
    const auto wrapped = static_cast<std::uint32_t>(static_cast<std::int64_t>(modulo(column, noise.period)));
    const auto across = static_cast<std::uint32_t>(static_cast<std::int64_t>(row));
    std::uint32_t h = wrapped * kColumnFactor + across * kRowFactor + noise.key;
    h ^= h >> 15;
    h *= kMixFactor;
    const double gradient_x = (h & 0x007fffffU) * 0x1p-22 - 1.0;
    const double gradient_y = (h >> 9) * 0x1p-22 - 1.0;
    return gradient_x * x + gradient_y * y;
}

double quintic_of(double t) {
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

}  // namespace

Flow flow_of(const WaterPrimitive& primitive) {
    const double speed =
        std::sqrt(primitive.velocity_x * primitive.velocity_x + primitive.velocity_y * primitive.velocity_y);
    if (speed < kStillWater) return {};
    return {speed, {primitive.velocity_x / speed, primitive.velocity_y / speed}};
}

UnitVector turned(UnitVector direction, double turns) {
    const double sine = std::sin(2.0 * std::numbers::pi * turns);
    const double cosine = std::cos(2.0 * std::numbers::pi * turns);
    return {cosine * direction.x - sine * direction.y, sine * direction.x + cosine * direction.y};
}

double loop_share(const WaterSetting& setting, double time) {
    return modulo(time / setting.loop_period, 1.0);
}

NoiseCarrier::NoiseCarrier(const WaterPrimitive& primitive, const WaterSetting& setting, double time)
    : primitive_(primitive),
      setting_(setting),
      flow_(flow_of(primitive)),
      direction_(rounded_direction(flow_.direction)),
      wavelength_(rounded_wavelength(primitive.wavelength)),
      loop_share_(loop_share(setting, time)) {
}

CarriedNoise NoiseCarrier::noise(std::span<const NoiseForm> forms, std::size_t number) const {
    const NoiseForm& form = forms[number];
    const UnitVector axis{form.cosine * direction_.x - form.sine * direction_.y,
                          form.sine * direction_.x + form.cosine * direction_.y};
    CarriedNoise noise = still_noise(form, axis, wavelength_, primitive_, setting_);
    noise.key = noise_key(primitive_, number);
    // Round the cells that it moves in a loop to a whole number of periods.
    const double length = form.along * wavelength_;
    const double along_axis = flow_.direction.x * axis.x + flow_.direction.y * axis.y;
    const double waves = form.celerity != 0.0 ? form.celerity * celerity(length) : 0.0;
    const double speed = form.carried * flow_.speed * along_axis + waves;
    const double cells = std::abs(speed) * setting_.loop_period / length;
    double moved = 0.0;
    if (cells >= kStandingCells) {
        const double whole = std::max(kFewestCells, whole_below(cells + 0.5));
        const double periods = std::max(1.0, whole_below(whole / kLongestPeriod + 0.5));
        noise.period = whole_below(whole / periods + 0.5);
        moved = std::copysign(noise.period * periods, speed);
    }
    noise.shift_along = modulo(noise.shift_along - moved * loop_share_, noise.period);
    return noise;
}

CarriedNoise turning_noise(const WaterPrimitive& primitive, const WaterSetting& setting, double time) {
    const UnitVector axis = rounded_direction(flow_of(primitive).direction);
    const double wavelength = rounded_wavelength(primitive.wavelength);
    const CarriedNoise still = still_noise(kVortexForms[0], axis, wavelength, primitive, setting);
    const double turns = std::abs(primitive.rotation) * setting.loop_period / (2.0 * std::numbers::pi);
    const double whole = turns > 0.0 ? std::max(1.0, whole_below(turns + 0.5)) : 0.0;
    const double turn = std::copysign(whole * loop_share(setting, time), primitive.rotation);
    CarriedNoise noise =
        still_noise(kVortexForms[0], turned(axis, modulo(turn, 1.0)), wavelength, primitive, setting);
    noise.key = noise_key(primitive, 0);
    noise.shift_along = modulo(still.shift_along, noise.period);
    noise.shift_across = still.shift_across;
    return noise;
}

CarriedWave echo_wave(const WaterPrimitive& primitive, const WaterSetting& setting, double time,
                      double side) {
    const double turns = primitive.bank_angle / (2.0 * std::numbers::pi) + side * kEchoSpread;
    const UnitVector axis = turned(rounded_direction(flow_of(primitive).direction), turns);
    CarriedWave wave{axis.x / primitive.wavelength, axis.y / primitive.wavelength, 0.0};
    const double waves = celerity(primitive.wavelength) * setting.loop_period / primitive.wavelength;
    const double whole = std::max(1.0, whole_below(waves + 0.5));
    wave.shift =
        modulo(wave.along_x * (primitive.x - setting.origin.x) +
                   wave.along_y * (primitive.y - setting.origin.y) - whole * loop_share(setting, time),
               1.0);
    return wave;
}

double noise_at(const CarriedNoise& noise, double dx, double dy) {
    const double s = noise.along_x * dx + noise.along_y * dy + noise.shift_along;
    const double n = noise.across_x * dx + noise.across_y * dy + noise.shift_across;
    const double column = whole_below(s);
    const double row = whole_below(n);
    const double x = s - column;
    const double y = n - row;
    const double blend = quintic_of(x);
    const auto mixed = [](double a, double b, double t) { return a + t * (b - a); };
    const double near =
        mixed(corner_of(column, row, x, y, noise), corner_of(column + 1.0, row, x - 1.0, y, noise), blend);
    const double far = mixed(corner_of(column, row + 1.0, x, y - 1.0, noise),
                             corner_of(column + 1.0, row + 1.0, x - 1.0, y - 1.0, noise), blend);
    return mixed(near, far, quintic_of(y));
}

}  // namespace thalweg
