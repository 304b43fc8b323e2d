// The shape of one lobe: how its surface falls with the way from the apex, and where the way is easy.
#pragma once

#include "thalweg/erosion/fans.hpp"
#include "thalweg/noise/bases.hpp"

namespace thalweg {

class LobeShape {
  public:
    LobeShape(const FanInputs& inputs, const FanApex& apex, int number);

    /// D, m: how far the surface lies below the apex at the way d (m).
    [[nodiscard]] double drop(double way) const;

    /// dD/dd, m/m.
    [[nodiscard]] double slope(double way) const;

    /// Metres of way per metre at a place, on smooth ground: more aside of the lobe's course.
    [[nodiscard]] double cost(Position place) const;

    /// c, m: depth of the channels at a place.
    [[nodiscard]] double channels(Position place);

    [[nodiscard]] Position apex() const { return apex_; }

  private:
    Position apex_;
    double slope_;   // s, m/m
    double length_;  // L, m
    double course_;  // radians, of the lobe, and the unit vector that way
    double east_;
    double north_;
    GradientBasis bends_;
    GradientBasis channels_;
};

/// Where a fan lies that would reach the height u (m) on land: there, and steeper below water (m; NaN: none).
double fan_surface(double height, double water);

/// The inverse: the height on land of a fan whose surface is there.
double height_of_surface(double surface, double water);

}  // namespace thalweg
