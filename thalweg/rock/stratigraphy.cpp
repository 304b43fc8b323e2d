#include "thalweg/rock/stratigraphy.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/rock/rock_keys.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

/// Beds over which a mean is taken; more differ little from their mean, 0.
constexpr double kMostBeds = 24.0;

}  // namespace

Stratigraphy::Stratigraphy(const RockParameters& resolved, std::uint64_t seed)
    : parameters_(resolved), seed_(seed), floors_(resolved.formations.size()) {
    for (const Formation& formation : resolved.formations) {
        period_ += formation.thickness;
        ln_factors_.push_back(portable_log(formation.erodibility_factor));
    }
}

Bed Stratigraphy::at(double s, double window) {
    const double depth = parameters_.top - s;
    const std::uint8_t here = formation_at(depth);
    const double above = ln_factors_[formation_at(depth - 0.5 * window)];
    const double below = ln_factors_[formation_at(depth + 0.5 * window)];
    Bed bed{0.25 * (above + below) + 0.5 * ln_factors_[here], here};
    if (parameters_.bed_thickness > 0.0 && window < kMostBeds * parameters_.bed_thickness)
        bed.ln_factor += parameters_.bed_contrast * beds_between(s - 0.5 * window, s + 0.5 * window);
    return bed;
}

std::uint8_t Stratigraphy::formation_at(double depth) {
    const double repeat = std::floor(depth / period_);
    look_at_repeat(static_cast<std::int64_t>(repeat));
    const double within = depth - repeat * period_;
    std::size_t formation = 0;
    while (formation + 1 < floors_.size() && within >= floors_[formation]) ++formation;
    return static_cast<std::uint8_t>(formation);
}

void Stratigraphy::look_at_repeat(std::int64_t repeat) {
    if (repeat == repeat_) return;
    repeat_ = repeat;
    double foot = 0.0;
    for (std::size_t i = 0; i < floors_.size(); ++i) {
        const double draw =
            unit_double(rock_bits(seed_, RockUse::Thickness, repeat, static_cast<std::int64_t>(i)));
        foot += parameters_.formations[i].thickness * (0.6 + 0.8 * draw);
        floors_[i] = foot;
    }
    for (double& floor : floors_) floor *= period_ / foot;
}

/// Mean of the beds' draws from height `bottom` to `top`, or the draw where both are one.
double Stratigraphy::beds_between(double bottom, double top) const {
    const IrregularLines beds{seed_, RockUse::BedBoundary, 0, parameters_.bed_thickness};
    const auto draw = [&](std::int64_t bed) { return nearly_normal(rock_bits(seed_, RockUse::Bed, bed)); };
    const IrregularLines::Strip first = beds.strip_at(bottom);
    std::int64_t bed = first.before;
    if (top <= bottom) return draw(bed);
    double sum = 0.0;
    double from = bottom;
    double end = first.end;
    for (; end < top; end = beds.line(++bed + 1)) {
        sum += draw(bed) * (end - from);
        from = end;
    }
    return (sum + draw(bed) * (top - from)) / (top - bottom);
}

}  // namespace thalweg
