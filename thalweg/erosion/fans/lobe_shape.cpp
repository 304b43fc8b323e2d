#include "thalweg/erosion/fans/lobe_shape.hpp"

#include "thalweg/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

// Empirical, by eye.
constexpr double kSpread = 1.2;            // radians, that lobes turn aside of the valley's heading
constexpr double kAside = 5.0;             // how much longer ways are across a lobe's course
constexpr double kRough = 0.25;            // how much ways differ from place to place
constexpr double kPlaceScale = 2000.0;     // m, over which the draws of apexes differ
constexpr double kSteepnessSpread = 0.15;  // of slope, from lobe to lobe
constexpr double kNearApex = 100.0;        // m, within which bearings tell little
constexpr double kChannelDepth = 3.0;      // m
constexpr double kChannelsPerRadian = 6.0;

/// The number-th of a sequence that fills [0, 1) evenly (van der Corput).
double spread_evenly(int number) {
    double value = 0.0, digit = 0.5;
    for (int n = number + 1; n > 0; n /= 2, digit *= 0.5) value += digit * (n % 2);
    return value;
}

double corner(std::uint64_t seed, std::uint64_t draw, double x, double y) {
    const auto cell = [](double v) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(v)); };
    return 2.0 * unit_double(random_bits(seed, Stream::Fan, cell(x), cell(y), draw)) - 1.0;
}

double eased(double t) {
    return t * t * (3.0 - 2.0 * t);
}

/// What noise is drawn for.
enum Draw : std::uint64_t { Turn, Roughness, FineRoughness, Bends, Channels, Steepness = 100 };

}  // namespace

double fan_noise(std::uint64_t seed, std::uint64_t draw, double x, double y) {
    const double x0 = std::floor(x), y0 = std::floor(y), u = eased(x - x0), v = eased(y - y0);
    const double low = std::lerp(corner(seed, draw, x0, y0), corner(seed, draw, x0 + 1.0, y0), u);
    const double high =
        std::lerp(corner(seed, draw, x0, y0 + 1.0), corner(seed, draw, x0 + 1.0, y0 + 1.0), u);
    return std::lerp(low, high, v);
}

LobeShape::LobeShape(const FanInputs& inputs, const FanApex& apex, int number)
    : length_(4.0 * std::sqrt(apex.area)), sea_level_(inputs.sea_level), seed_(inputs.seed) {
    const Grid& grid = inputs.elevation.grid();
    apex_ = grid.centre(grid.column_of(apex.cell), grid.row_of(apex.cell));
    const double x = apex_.x / kPlaceScale, y = apex_.y / kPlaceScale;
    const double turn = 2.0 * spread_evenly(number) - 1.0 + 0.5 * fan_noise(seed_, Draw::Turn, x, y);
    course_ = apex.heading + kSpread * std::clamp(turn, -1.0, 1.0);
    east_ = std::cos(course_);
    north_ = std::sin(course_);
    const auto draw = static_cast<std::uint64_t>(Draw::Steepness) + static_cast<std::uint64_t>(number);
    slope_ = apex.slope * (1.0 + kSteepnessSpread * fan_noise(seed_, draw, x, y));
}

double LobeShape::drop(double way) const {
    return slope_ * length_ * -std::expm1(-way / length_);
}

double LobeShape::cost(Position place) const {
    const double x = place.x - apex_.x, y = place.y - apex_.y, distance = std::hypot(x, y);
    const double scale = 0.1 * length_;
    const double rough =
        1.0 + kRough * fan_noise(seed_, Draw::Roughness, place.x / scale, place.y / scale) +
        kRough * fan_noise(seed_, Draw::FineRoughness, 4.0 * place.x / scale, 4.0 * place.y / scale);
    const double along = (x * east_ + y * north_) / (distance + kNearApex);
    const double aside = distance / (distance + kNearApex) - along;
    return rough * (1.0 + 0.5 * kAside * aside);
}

double LobeShape::channels(Position place) const {
    const double x = place.x - apex_.x, y = place.y - apex_.y, distance = std::hypot(x, y);
    const double scale = 0.1 * length_;
    const double bend =
        fan_noise(seed_, Draw::Bends, place.x / scale, place.y / scale) * scale / (distance + scale);
    const double bearing = std::atan2(y, x) - course_ + 0.3 * bend;
    const double folded = std::remainder(bearing, 2.0 * std::numbers::pi);
    const double noise = fan_noise(seed_, Draw::Channels, kChannelsPerRadian * folded + apex_.x / kPlaceScale,
                                   apex_.y / kPlaceScale);
    const double depth = std::min(kChannelDepth, 0.1 * slope_ * distance);
    return depth * (1.0 - std::abs(noise));
}

double LobeShape::surface(double height) const {
    return height < sea_level_ ? sea_level_ - kForeset * (sea_level_ - height) : height;
}

double LobeShape::height_of_surface(double surface) const {
    return surface < sea_level_ ? sea_level_ - (sea_level_ - surface) / kForeset : surface;
}

}  // namespace thalweg
