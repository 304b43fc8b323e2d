// The shape of one lobe: how its surface falls with the way from the apex, and where the way is easy.
#pragma once

#include "thalweg/erosion/fans.hpp"

namespace thalweg {

class LobeShape {
  public:
    LobeShape(const FanInputs& inputs, const FanApex& apex, int number);

    /// D, m: how far the surface lies below the apex at the way d (m).
    [[nodiscard]] double drop(double way) const;

    /// Metres of way per metre at a place: more aside of the lobe's course.
    [[nodiscard]] double cost(Position place) const;

    /// c, m: depth of the channels at a place.
    [[nodiscard]] double channels(Position place) const;

    /// The height of ground on a surface u = H - D - c (m): u above the sea, steeper below; and its inverse.
    [[nodiscard]] double surface(double height) const;
    [[nodiscard]] double height_of_surface(double surface) const;
    [[nodiscard]] double steepness(double height) const { return height < sea_level_ ? kForeset : 1.0; }

    static constexpr double kForeset = 6.0;  // how much steeper a fan falls under water (empirical)

  private:
    Position apex_;
    double slope_;   // s, m/m
    double length_;  // L, m
    double course_;  // radians, of the lobe, and the unit vector that way
    double east_;
    double north_;
    double sea_level_;
    std::uint64_t seed_;
};

/// Smooth noise, -1 to 1, of a place in units of its wavelength.
double fan_noise(std::uint64_t seed, std::uint64_t draw, double x, double y);

}  // namespace thalweg
