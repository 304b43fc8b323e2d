// Rectangles of the world.
#pragma once

#include "thalweg/grid/grid.hpp"

namespace thalweg {

/// A rectangle of the world with sides along its axes, m.
struct Rectangle {
    double west = 0.0;
    double south = 0.0;
    double east = 0.0;
    double north = 0.0;

    [[nodiscard]] constexpr double width() const { return east - west; }
    [[nodiscard]] constexpr double height() const { return north - south; }

    /// Whether a position lies in it or on its edge, or at most `beyond` metres beyond that.
    [[nodiscard]] constexpr bool contains(Position p, double beyond = 0.0) const {
        return p.x >= west - beyond && p.x <= east + beyond && p.y >= south - beyond && p.y <= north + beyond;
    }
};

/// What a grid covers, m.
///
/// Example:
///     const Rectangle place = extent_of(make_grid(200.0, 100.0, 400));
///     const bool is_inside = place.contains({.x = 20.0, .y = 30.0});
inline Rectangle extent_of(const Grid& grid) {
    return {grid.west, grid.north - grid.height(), grid.west + grid.width(), grid.north};
}

}  // namespace thalweg
