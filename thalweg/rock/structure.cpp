#include "thalweg/rock/structure.hpp"

#include "thalweg/core/portable_power.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

// Empirical, from a study of what brings the statistics of terrain into the range of real mountains.
constexpr double kCrossFoldHeight = 0.45;        // 1, over that of the main folds
constexpr double kCrossFoldLength = 1.7;         // 1, the same of their length
constexpr double kCrossFoldAngle = 60.0;         // degrees, between both
constexpr double kFoldWander = 0.45;             // wavelengths
constexpr double kSecondFaultSpacing = 1.6;      // 1, over that of the first set
constexpr double kCourseWander = 0.35;           // spacings
constexpr double kFaultWeakness = 0.9;           // 1, ln k
constexpr double kFaultReach = 100.0;            // m
constexpr double kJointReach = 45.0;             // m
constexpr double kDykeWidth = 20.0;              // m
constexpr double kHeterogeneityLength = 1500.0;  // m
constexpr double kPlutonLength = 9000.0;         // m
constexpr double kPlutonSteepness = 2e4;         // m, that a top rises by where the noise does by 1
constexpr double kCoverRelief = 0.6;             // 1, of the cover's thickness
constexpr double kCoverLength = 6000.0;          // m
constexpr double kOldRelief = 100.0;             // m, of the land under an unconformity
constexpr double kOldLength = 4000.0;            // m

/// Standard deviation of gradient noise; measured over 1e7 draws.
constexpr double kNoiseDeviation = 0.327;

/// A wave of period 1 and height 2, smooth like a sine.
double wave(double phase) {
    const double x = 4.0 * std::abs(phase - std::floor(phase) - 0.5) - 1.0;
    return 0.5 * x * (3.0 - x * x);
}

/// x for which a share q of a normal distribution lies below it, within 0.01. Tukey's lambda.
double normal_quantile(double q) {
    return 4.91 * (portable_power(q, 0.14) - portable_power(1.0 - q, 0.14));
}

/// How far a zone of half width `reach` seems to reach on cells of `cell_size`, both m.
double smoothed(double reach, double cell_size) {
    return std::sqrt(reach * reach + cell_size * cell_size / 4.0);
}

}  // namespace

Wander::Wander(std::uint64_t seed, RockUse use, std::int64_t set, double wavelength)
    : per_metre_(1.0 / wavelength),
      shift_(unit_double(rock_bits(seed, use, set, 1))),
      basis_(rock_bits(seed, use, set, 0)) {
}

Folds::Folds(const RockParameters& resolved, std::uint64_t seed)
    : height_(0.5 * resolved.fold_height),
      length_(std::max(1.0, resolved.fold_length)),
      oblique_(direction_from_north(kCrossFoldAngle)),
      phase_(seed, RockUse::FoldPhase, 0, 2.0 * length_),
      cross_phase_(seed, RockUse::CrossFoldPhase, 0, 2.0 * length_) {
}

double Folds::operator()(double across, double along) {
    if (height_ == 0.0) return 0.0;
    const double main = across / length_ + kFoldWander * phase_(across, along);
    const double aside = oblique_.x * along + oblique_.y * across;
    const double cross = aside / (kCrossFoldLength * length_) + kFoldWander * cross_phase_(across, along);
    return height_ * (wave(main) + kCrossFoldHeight * wave(cross));
}

Lineaments::Lineaments(std::uint64_t seed, RockUse boundary, RockUse course, std::int64_t set, double degrees,
                       double spacing)
    : lines_{seed, boundary, set, std::max(1.0, spacing)},
      direction_(direction_from_north(degrees)),
      course_(seed, course, set, 3.0 * lines_.spacing) {
}

Lineaments::Place Lineaments::at(const Position& position) {
    const double across = direction_.y * position.x - direction_.x * position.y +
                          kCourseWander * lines_.spacing * course_(position.x, position.y);
    if (!(strip_.begin <= across && across < strip_.end)) strip_ = lines_.strip_at(across);
    const double behind = across - strip_.begin;
    const double ahead = strip_.end - across;
    return {.before = strip_.before,
            .nearest = behind <= ahead ? strip_.before : strip_.before + 1,
            .distance = std::min(behind, ahead)};
}

double Lineaments::along(const Position& position) const {
    return direction_.x * position.x + direction_.y * position.y;
}

Faults::Faults(const RockParameters& resolved, std::uint64_t seed, double cell_size)
    : seed_(seed),
      throw_(resolved.fault_throw),
      cell_size_(cell_size),
      first_(seed, RockUse::FaultBoundary, RockUse::FaultCourse, 0, resolved.strike + 12.0,
             resolved.fault_spacing),
      second_(seed, RockUse::FaultBoundary, RockUse::FaultCourse, 1, resolved.strike + 78.0,
              kSecondFaultSpacing * resolved.fault_spacing) {
}

Faults::Effect Faults::at(const Position& position) {
    Effect effect;
    add(first_, 0, position, effect);
    add(second_, 1, position, effect);
    return effect;
}

void Faults::add(Lineaments& lines, std::int64_t set, const Position& position, Effect& effect) const {
    const Lineaments::Place place = lines.at(position);
    effect.lift += throw_ * nearly_normal(rock_bits(seed_, RockUse::FaultBlock, set, place.before));
    const double reach = smoothed(kFaultReach, cell_size_);
    if (place.distance > 8.0 * reach) return;
    const double draw = unit_double(rock_bits(seed_, RockUse::FaultWeakness, set, place.nearest));
    effect.ln_factor +=
        kFaultWeakness * (0.3 + 0.7 * draw) * (kFaultReach / reach) * portable_exp(-place.distance / reach);
}

Joints::Joints(const RockParameters& resolved, std::uint64_t seed, double cell_size)
    : seed_(seed),
      strength_(resolved.joint_strength),
      cell_size_(cell_size),
      first_(seed, RockUse::JointBoundary, RockUse::JointCourse, 0, resolved.strike - 35.0,
             resolved.joint_spacing),
      second_(seed, RockUse::JointBoundary, RockUse::JointCourse, 1, resolved.strike + 40.0,
              resolved.joint_spacing),
      first_extent_(seed, RockUse::JointExtent, 0, 4.0 * std::max(1.0, resolved.joint_spacing)),
      second_extent_(seed, RockUse::JointExtent, 1, 4.0 * std::max(1.0, resolved.joint_spacing)) {
}

double Joints::at(const Position& position) {
    return of(first_, first_extent_, 0, position) + of(second_, second_extent_, 1, position);
}

double Joints::of(Lineaments& lines, Wander& extent, std::int64_t set, const Position& position) const {
    const Lineaments::Place place = lines.at(position);
    const double reach = smoothed(kJointReach, cell_size_);
    if (place.distance > 4.0 * reach) return 0.0;
    // Each joint fades in and out along its own course.
    const auto number = static_cast<double>(place.nearest);
    const double fade = std::clamp(0.5 + 2.0 * extent(lines.along(position), 7919.0 * number), 0.0, 1.0);
    const double draw = unit_double(rock_bits(seed_, RockUse::JointWeakness, set, place.nearest));
    const double distance = place.distance / reach;
    return strength_ * draw * draw * fade * (kJointReach / reach) * portable_exp(-distance * distance);
}

Dykes::Dykes(const RockParameters& resolved, std::uint64_t seed, double cell_size)
    : cell_size_(cell_size),
      lines_(seed, RockUse::DykeBoundary, RockUse::DykeCourse, 0, resolved.strike + 25.0,
             resolved.dyke_spacing) {
}

double Dykes::at(const Position& position) {
    const double distance = lines_.at(position).distance;
    const double left = std::max(distance - 0.5 * cell_size_, -0.5 * kDykeWidth);
    const double right = std::min(distance + 0.5 * cell_size_, 0.5 * kDykeWidth);
    return std::max(0.0, right - left) / cell_size_;
}

Heterogeneity::Heterogeneity(const RockParameters& resolved, std::uint64_t seed, double cell_size)
    : octaves_{{seed, RockUse::Heterogeneity, 0, kHeterogeneityLength},
               {seed, RockUse::Heterogeneity, 1, kHeterogeneityLength / 2.0},
               {seed, RockUse::Heterogeneity, 2, kHeterogeneityLength / 4.0},
               {seed, RockUse::Heterogeneity, 3, kHeterogeneityLength / 8.0},
               {seed, RockUse::Heterogeneity, 4, kHeterogeneityLength / 16.0},
               {seed, RockUse::Heterogeneity, 5, kHeterogeneityLength / 32.0}} {
    // Nearly equal shares, so that ground is as rough over 50 m as over 1 km; an octave fades out from 2 to 1
    // cells.
    constexpr double kFall = 1.1;
    constexpr double kDeviationOfShares = 1.98;
    double share = resolved.heterogeneity / (kDeviationOfShares * kNoiseDeviation);
    for (int i = 0; i < kOctaves; ++i, share /= kFall) {
        const double cells = kHeterogeneityLength / static_cast<double>(1 << i) / cell_size;
        shares_[i] = share * std::clamp(cells - 1.0, 0.0, 1.0);
    }
}

double Heterogeneity::at(const Position& position) {
    double sum = 0.0;
    for (int i = 0; i < kOctaves; ++i)
        if (shares_[i] > 0.0) sum += shares_[i] * octaves_[i](position.x, position.y);
    return sum;
}

Surfaces::Surfaces(const RockParameters& resolved, std::uint64_t seed)
    : pluton_threshold_(kNoiseDeviation * normal_quantile(1.0 - std::max(1e-3, resolved.pluton_share))),
      top_(resolved.top),
      cover_(resolved.cover),
      unconformity_(resolved.unconformity),
      pluton_(seed, RockUse::Pluton, 0, kPlutonLength),
      pluton_detail_(seed, RockUse::Pluton, 1, kPlutonLength / 4.0),
      cover_relief_(seed, RockUse::Cover, 0, kCoverLength),
      old_relief_(seed, RockUse::Unconformity, 0, kOldLength) {
}

double Surfaces::pluton_top(const Position& position) {
    const double above =
        pluton_(position.x, position.y) + 0.12 * pluton_detail_(position.x, position.y) - pluton_threshold_;
    return above < -0.2 ? -std::numeric_limits<double>::infinity() : kPlutonSteepness * above;
}

double Surfaces::cover_base(const Position& position) {
    return top_ - cover_ * (1.0 + kCoverRelief * cover_relief_(position.x, position.y));
}

double Surfaces::old_land(const Position& position) {
    return top_ - unconformity_ + kOldRelief * old_relief_(position.x, position.y);
}

}  // namespace thalweg
