// Rivers on a grid whose first and last columns are neighbours.
#pragma once

#include "thalweg/river/network.hpp"

#include <cmath>
#include <cstdint>

namespace thalweg {

/// The edge at which the plane is rolled up; a width of 0 is a plane that is not.
struct Seam {
    double west = 0.0;   // m, x of the edge
    double width = 0.0;  // m, from there to the edge again

    /// The x of the same place that is nearest to another x.
    [[nodiscard]] double x_near(double x, double other) const {
        return width > 0.0 ? x + width * std::round((other - x) / width) : x;
    }
    [[nodiscard]] RiverPoint near(const RiverPoint& point, const RiverPoint& other) const {
        return {x_near(point.x, other.x), point.y, point.z};
    }
    /// The x of the same place between the edges.
    [[nodiscard]] double x_inside(double x) const {
        return width > 0.0 ? x - width * std::floor((x - west) / width) : x;
    }
};

/// Horizontal distance, m.
double distance_between(const RiverPoint& a, const RiverPoint& b);

/// Sets length, slope and sinuosity from the reach's points.
void measure_line(Reach& reach);

/// Cuts each reach whose line leaves the grid at the seam. The pieces follow each other, keep what the reach
/// carries, as a whole and at each point, and have length, slope and sinuosity of their own; the first keeps
/// the reach's id. The k-th cut of a reach adds a node at both edges and has ids from `cells` (of the grid)
/// on: cells (2 k + 1) + reach id and cells (2 k + 2) + reach id, k from 0.
void cut_at_seam(RiverNetwork& network, const Seam& seam, std::int64_t cells);

}  // namespace thalweg
