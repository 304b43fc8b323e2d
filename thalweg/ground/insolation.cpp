#include "thalweg/ground/insolation.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/unit_vector.hpp"

#include <array>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kTilt = 23.44;        // degrees, of the earth's axis
constexpr double kClearAir = 0.7;      // of the light that passes one depth of air
constexpr double kSkyShare = 0.35;     // of the sun's light on level ground
constexpr double kHourStep = 30.0;     // degrees
constexpr double kLeastHeight = 0.05;  // sine of the height below which air is no thicker

/// Midsummer; a month before and after; two months.
struct Day {
    double declination;  // share of the tilt
    double days;
};
constexpr std::array<Day, 3> kDays{{{1.0, 1.0}, {0.8660, 2.0}, {0.5, 2.0}}};

}  // namespace

Insolation::Insolation(double latitude) {
    // direction_from_north() is sine and cosine with the same bits on every machine.
    const UnitVector at = direction_from_north(latitude);  // x: sine, y: cosine
    double level = 0.0;
    for (const Day& day : kDays) {
        const double tilt = (latitude < 0.0 ? -kTilt : kTilt) * day.declination;
        const UnitVector declination = direction_from_north(tilt);
        for (double hour = -180.0 + 0.5 * kHourStep; hour < 180.0; hour += kHourStep) {
            const UnitVector angle = direction_from_north(hour);
            const double up = at.x * declination.x + at.y * declination.y * angle.y;
            if (!(up > 0.0)) continue;
            const double light = day.days * portable_power(kClearAir, 1.0 / std::max(up, kLeastHeight));
            const double east = -declination.y * angle.x;
            const double north = at.y * declination.x - at.x * declination.y * angle.y;
            suns_.push_back({static_cast<float>(light * east), static_cast<float>(light * north),
                             static_cast<float>(light * up)});
            level += light * up;
        }
    }
    sky_ = static_cast<float>(kSkyShare * level);
    per_level_ = static_cast<float>(1.0 / (level * (1.0 + kSkyShare)));
}

}  // namespace thalweg
