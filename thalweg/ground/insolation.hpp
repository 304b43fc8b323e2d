// Sunshine on slopes through the warm half of the year.
#pragma once

#include <cmath>
#include <vector>

namespace thalweg {

/// Light that a slope gets from sun and sky through the warm half of the year, over that of level ground at
/// the same latitude:
///
///   I = (sum of w max(0, n . s) + D (1 + n_z) / 2) / (sum of w s_z + D)
///
/// over places s of the sun, every 30 degrees of the hour angle on five days from two months before to two
/// months after midsummer; n: the slope's normal; w = 0.7^(1 / s_z), clear air at the sun's height s_z; D:
/// light from the sky, 0.35 of the sun's on level ground. Shadows of other ground do not count. Source:
/// Swift 1976 (Water Resources Research 12, 108-112); differs in: sums over hours instead of integrals, so
/// that a slope's own sunrise needs no cases.
class Insolation {
  public:
    explicit Insolation(double latitude);  // degrees

    /// rise: m/m, to the east and the north.
    [[nodiscard]] float at(float rise_east, float rise_north) const {
        const float up = 1.0F / std::sqrt(1.0F + rise_east * rise_east + rise_north * rise_north);
        float sum = 0.0F;
        for (const Sun& sun : suns_) {
            const float along = sun.up - rise_east * sun.east - rise_north * sun.north;
            sum += along > 0.0F ? along : 0.0F;
        }
        return (up * sum + sky_ * 0.5F * (1.0F + up)) * per_level_;
    }

  private:
    /// Towards the sun, times its light.
    struct Sun {
        float east;
        float north;
        float up;
    };

    std::vector<Sun> suns_;
    float sky_ = 0.0F;
    float per_level_ = 0.0F;  // 1 / light on level ground
};

}  // namespace thalweg
