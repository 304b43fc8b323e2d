#include "thalweg/water/water_primitive.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/water/primitives/half_float.hpp"

#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <tuple>

#include <fmt/format.h>

namespace thalweg {
namespace {

using P = WaterPrimitive;

/// All numbers of a primitive, in their order of declaration.
constexpr double P::* kNumbers[] = {
    &P::x,          &P::y,          &P::radius, &P::elevation,   &P::slope,    &P::amplitude,  &P::velocity_x,
    &P::velocity_y, &P::wavelength, &P::fall,   &P::fall_length, &P::rotation, &P::bank_angle, &P::foam};

/// Those that a record keeps of every kind in 16 bits.
constexpr double P::* kHalves[] = {&P::radius,     &P::slope,      &P::amplitude, &P::velocity_x,
                                   &P::velocity_y, &P::wavelength, &P::fall,      &P::foam};

constexpr double kFarthest = 2e7;         // m
constexpr double kLeastLength = 0.01;     // m
constexpr double kGreatestLength = 1e4;   // m
constexpr std::int64_t kLastSeed = 4095;  // twelve bits of a record

/// What is allowed of a number, looked up once: trees of millions are checked.
struct NumberLimits {
    double P::* member;
    double minimum;
    double maximum;
};

const std::vector<NumberLimits>& number_limits() {
    static const std::vector<NumberLimits> limits = [] {
        std::vector<NumberLimits> found;
        std::size_t number = 0;
        for (const Parameter& parameter : parameters_of<P>().parameters())
            if (parameter.type == ParameterType::Number)
                found.push_back({kNumbers[number++], parameter.notes.minimum, parameter.notes.maximum});
        return found;
    }();
    return limits;
}

/// Throws the sentence for the first value that is not allowed.
void refuse(const WaterPrimitive& primitive) {
    for (const Parameter& parameter : parameters_of<P>().parameters()) {
        if (parameter.name == "kind") continue;
        try {
            (void)parameter.checked(parameter.get(&primitive));
        } catch (const Error& error) {
            throw Error::input(
                fmt::format("water primitive at ({}, {}) m: {}", primitive.x, primitive.y, error.what()));
        }
    }
}

double as_half(double value) {
    return float_of(half_of(static_cast<float>(value)));
}

void declare_place(Declaration<P>& d) {
    d.number("x", &P::x,
             {.label = "East",
              .unit = "m",
              .sentence = "Of the centre.",
              .minimum = -kFarthest,
              .maximum = kFarthest,
              .usual = {0.0, 1e4}});
    d.number("y", &P::y,
             {.label = "North",
              .unit = "m",
              .sentence = "Of the centre.",
              .minimum = -kFarthest,
              .maximum = kFarthest,
              .usual = {0.0, 1e4}});
    d.number("radius", &P::radius,
             {.label = "Radius",
              .unit = "m",
              .sentence = "Beyond it the primitive has no weight.",
              .minimum = kLeastLength,
              .maximum = kGreatestLength,
              .usual = {0.3, 20.0, SliderScale::Logarithmic}});
    d.number("elevation", &P::elevation,
             {.label = "Elevation",
              .unit = "m",
              .sentence = "Mean water elevation at the centre.",
              .minimum = -2e4,
              .maximum = 2e4,
              .usual = {0.0, 3000.0}});
    d.number("slope", &P::slope,
             {.label = "Slope",
              .unit = "1",
              .sentence = "How fast the mean water elevation falls along the velocity.",
              .minimum = -10.0,
              .maximum = 10.0,
              .usual = {0.0, 0.05}});
}

void declare_waves(Declaration<P>& d) {
    d.number("amplitude", &P::amplitude,
             {.label = "Amplitude",
              .unit = "m",
              .sentence = "The most that waves rise above the mean; they mostly rise a third of it.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.01, 0.5, SliderScale::Logarithmic}});
    for (const auto& [name, member, side] : {std::tuple{"velocity_x", &P::velocity_x, "east"},
                                             std::tuple{"velocity_y", &P::velocity_y, "north"}})
        d.number(name, member,
                 {.label = fmt::format("Velocity {}", side),
                  .unit = "m/s",
                  .sentence = fmt::format("Mean velocity of the water towards the {}.", side),
                  .minimum = -100.0,
                  .maximum = 100.0,
                  .usual = {-3.0, 3.0}});
    d.number("wavelength", &P::wavelength,
             {.label = "Wavelength",
              .unit = "m",
              .sentence = "Of the longest waves, about.",
              .minimum = kLeastLength,
              .maximum = kGreatestLength,
              .usual = {0.1, 5.0, SliderScale::Logarithmic}});
    d.number("fall", &P::fall,
             {.label = "Fall",
              .unit = "m",
              .sentence = "Drop of a cascade, height of standing waves, or dip of a vortex.",
              .minimum = -100.0,
              .maximum = 100.0,
              .usual = {0.0, 2.0}});
}

void declare_special(Declaration<P>& d) {
    d.number("fall_length", &P::fall_length,
             {.label = "Fall length",
              .unit = "m",
              .sentence = "Half the way on which a cascade drops.",
              .minimum = kLeastLength,
              .maximum = kGreatestLength,
              .usual = {0.2, 2.0}});
    d.number("rotation", &P::rotation,
             {.label = "Rotation",
              .unit = "rad/s",
              .sentence = "How fast the middle of a vortex turns, counterclockwise.",
              .minimum = -100.0,
              .maximum = 100.0,
              .usual = {-3.0, 3.0}});
    d.number("bank_angle", &P::bank_angle,
             {.label = "Bank angle",
              .unit = "rad",
              .sentence = "Where a bank sends its waves, counterclockwise from the velocity.",
              .minimum = -7.0,
              .maximum = 7.0,
              .usual = {-1.6, 1.6}});
    d.number("foam", &P::foam,
             {.label = "Foam",
              .unit = "1",
              .sentence = "Share of foam where the water is whitest.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.0, 1.0}});
    d.integer("seed", &P::seed,
              {.label = "Seed",
               .unit = "1",
               .sentence = "Primitives that are equal in all but place share their waves.",
               .minimum = 0.0,
               .maximum = static_cast<double>(kLastSeed),
               .usual = {0.0, 100.0}});
}

}  // namespace

void WaterPrimitive::declare(Declaration<WaterPrimitive>& declaration) {
    std::vector<Choice<WaterKind>> kinds;
    for (const WaterKindRow& row : built_in_water_kinds())
        kinds.push_back({row.name, static_cast<WaterKind>(kinds.size()), row.sentence});
    declaration.choice("kind", &P::kind, kinds,
                       {.label = "Kind", .unit = "", .sentence = "How the water moves."});
    declare_place(declaration);
    declare_waves(declaration);
    declare_special(declaration);
}

void check_water_primitive(const WaterPrimitive& primitive, std::span<const WaterKindRow> kinds) {
    const auto kind = static_cast<std::size_t>(primitive.kind);
    if (kind >= kinds.size())
        throw Error::input(fmt::format("water primitive at ({}, {}) m: there is no kind {}: give 0 to {}",
                                       primitive.x, primitive.y, kind, std::ssize(kinds) - 1));
    bool is_allowed = primitive.seed >= 0 && primitive.seed <= kLastSeed;
    for (const NumberLimits& number : number_limits()) {
        const double value = primitive.*number.member;
        is_allowed = is_allowed && value >= number.minimum && value <= number.maximum;
    }
    if (!is_allowed) refuse(primitive);
}

void check_water_time(double time) {
    constexpr double kLatest = 1e12;  // s, where the loop's share is still known to 1e-4 s
    if (!(std::abs(time) <= kLatest))
        throw Error::input(
            fmt::format("time = {} s is not allowed: give one within {:g} s of 0", time, kLatest));
}

void check_water_setting(const WaterSetting& setting) {
    constexpr double kShortest = 0.01;  // s
    constexpr double kLongest = 1e7;    // s
    if (!(setting.loop_period >= kShortest && setting.loop_period <= kLongest))
        throw Error::input(fmt::format("loop_period = {} s is not allowed: from {} to {}",
                                       setting.loop_period, kShortest, kLongest));
    if (!(std::abs(setting.origin.x) <= kFarthest && std::abs(setting.origin.y) <= kFarthest))
        throw Error::input(fmt::format("the origin of water, ({}, {}) m, is not allowed: give up to {} m",
                                       setting.origin.x, setting.origin.y, kFarthest));
}

WaterPrimitive kept_form(const WaterPrimitive& primitive, const WaterKindRow& row,
                         const WaterSetting& setting) {
    WaterPrimitive kept = primitive;
    const auto as_float = [](double value) { return static_cast<double>(static_cast<float>(value)); };
    kept.x = setting.origin.x + as_float(primitive.x - setting.origin.x);
    kept.y = setting.origin.y + as_float(primitive.y - setting.origin.y);
    kept.elevation = as_float(primitive.elevation);
    for (double P::* const member : kHalves) kept.*member = as_half(primitive.*member);
    if (row.special != nullptr) kept.*row.special = as_half(primitive.*row.special);
    return kept;
}

}  // namespace thalweg
