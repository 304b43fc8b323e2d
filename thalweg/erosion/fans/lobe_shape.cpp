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
constexpr double kPlaceScale = 2000.0;     // m, over which the draws of apexes differ
constexpr double kSteepnessSpread = 0.25;  // of slope, from lobe to lobe
constexpr double kNearApex = 100.0;        // m, within which bearings tell little
constexpr double kChannelDepth = 3.0;      // m
constexpr double kChannelsPerRadian = 6.0;
constexpr double kChannelLength = 1500.0;  // m, over which channels come and go
constexpr double kBend = 0.3;              // radians, by which channels bend at most
constexpr double kForeset = 6.0;           // how much steeper a fan falls under water

/// What noise is drawn for.
enum Draw : std::uint64_t { Turn, Bends, Channels, Steepness = 100 };

GradientBasis noise_of(const FanInputs& inputs, std::uint64_t draw) {
    return GradientBasis(random_bits(inputs.seed, Stream::Fan, draw));
}

/// The number-th of a sequence that fills [0, 1) evenly (van der Corput).
double spread_evenly(int number) {
    double value = 0.0, digit = 0.5;
    for (int n = number + 1; n > 0; n /= 2, digit *= 0.5) value += digit * (n % 2);
    return value;
}

}  // namespace

LobeShape::LobeShape(const FanInputs& inputs, const FanApex& apex, int number)
    : apex_(apex.place),
      length_(4.0 * std::sqrt(apex.area)),
      bends_(noise_of(inputs, Draw::Bends)),
      channels_(noise_of(inputs, Draw::Channels)) {
    const double x = apex_.x / kPlaceScale, y = apex_.y / kPlaceScale;
    // Lobes go to both sides of the heading, in an order that differs from place to place.
    const double turn = spread_evenly(number) + static_cast<double>(noise_of(inputs, Draw::Turn)(x, y));
    course_ = apex.heading + kSpread * (2.0 * (turn - std::floor(turn)) - 1.0);
    east_ = std::cos(course_);
    north_ = std::sin(course_);
    const auto draw = static_cast<std::uint64_t>(Draw::Steepness) + static_cast<std::uint64_t>(number);
    slope_ = apex.slope * (1.0 + kSteepnessSpread * static_cast<double>(noise_of(inputs, draw)(x, y)));
}

double LobeShape::drop(double way) const {
    return slope_ * length_ * -std::expm1(-way / length_);
}

double LobeShape::slope(double way) const {
    return slope_ * std::exp(-way / length_);
}

double LobeShape::cost(Position place) const {
    const double x = place.x - apex_.x, y = place.y - apex_.y, distance = std::hypot(x, y);
    // Above the apex as below it, so that what fills the valley there is no wall.
    const double along = std::abs(x * east_ + y * north_);
    return 1.0 + 0.5 * kAside * (distance - along) / (distance + kNearApex);
}

double LobeShape::channels(Position place) {
    const double x = place.x - apex_.x, y = place.y - apex_.y, distance = std::hypot(x, y);
    const double scale = 0.1 * length_;
    const double bend =
        static_cast<double>(bends_(place.x / scale, place.y / scale)) * scale / (distance + scale);
    const double bearing = std::remainder(std::atan2(y, x) - course_ + kBend * bend, 2.0 * std::numbers::pi);
    const auto noise = static_cast<double>(channels_(kChannelsPerRadian * bearing + apex_.x / kPlaceScale,
                                                     (distance + apex_.y) / kChannelLength));
    return std::min(kChannelDepth, 0.1 * slope_ * distance) * (1.0 - std::min(1.0, 2.0 * std::abs(noise)));
}

double fan_surface(double height, double water) {
    return height < water ? water - kForeset * (water - height) : height;
}

double height_of_surface(double surface, double water) {
    return surface < water ? water - (water - surface) / kForeset : surface;
}

}  // namespace thalweg
