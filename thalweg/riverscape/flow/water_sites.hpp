// What flows at a place, told by the courses around it.
#pragma once

#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/beds/cell_lists.hpp"
#include "thalweg/water/disc_seeding.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg {

/// The nearest place of a course.
struct WaterSite {
    double distance = 0.0;  // m from the course's line
    std::size_t course = 0;
    std::size_t point = 0;     // the point before it
    double along = 0.0;        // m along the course
    double direction_x = 1.0;  // 1, downstream
    double direction_y = 0.0;
    double width = 0.0;     // m
    double depth = 0.0;     // m, mean over the section
    double velocity = 0.0;  // m/s
    double level = 0.0;     // m
    double slope = 0.0;     // m/m, that the level falls
};

/// The pieces of courses by place. Const calls may come from many threads.
class WaterSites {
  public:
    /// How far beyond its edge water is still looked for, m.
    static constexpr double kReach = 24.0;

    /// Those whose water reaches into `extent`.
    WaterSites(const BedCourses& beds, const Rectangle& extent);

    /// A lower bound of the distance to the nearest water, m; kReach where none is near.
    [[nodiscard]] double distance_to_water(Position p) const;

    /// The radius that primitives should have, m, for as many of them as `density` says; changes by half a
    /// metre a metre at most.
    [[nodiscard]] double radius(Position p, double density) const;

    /// The nearest piece, weighed by width; false where none is near.
    [[nodiscard]] bool nearest(Position p, WaterSite& site) const;

  private:
    struct Piece {
        std::uint32_t course = 0;
        std::uint32_t point = 0;
    };
    [[nodiscard]] const BedCoursePoint& begin_of(const Piece& piece) const;
    [[nodiscard]] const BedCoursePoint& end_of(const Piece& piece) const;
    [[nodiscard]] double distance_to(const Piece& piece, Position p, double& share) const;
    [[nodiscard]] std::span<const std::uint32_t> near(Position p) const;

    const BedCourses& beds_;
    Position origin_;
    std::vector<Piece> pieces_;
    CellLists lists_;
};

/// Half of the width on which water may stand, over the width between banks: beds are irregular.
inline constexpr double kWettedHalf = 0.72;

inline constexpr double kLeastWaterRadius = 0.2;    // m
inline constexpr double kLargestWaterRadius = 6.0;  // m

}  // namespace thalweg
