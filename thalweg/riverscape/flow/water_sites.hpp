// What flows at a place, told by the courses around it.
#pragma once

#include "thalweg/grid/rectangle.hpp"
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
    static constexpr double kReach = 6.0;

    /// Those whose water reaches into `extent`, for as many primitives as `density` says.
    WaterSites(const BedCourses& beds, const Rectangle& extent, double density);

    /// A lower bound of the distance to the nearest water, m, below 0 in water; kReach where none is near.
    /// Changes by 1 m/m at most.
    [[nodiscard]] double distance_to_water(Position p) const;

    /// The radius that primitives should have, m; changes by kRadiusChange at most.
    [[nodiscard]] double radius(Position p) const;

    /// The nearest piece, weighed by width; false where none is near.
    [[nodiscard]] bool nearest(Position p, WaterSite& site) const;

    /// Whether water may come near any place of a rectangle: where not, distance_to_water is kReach.
    [[nodiscard]] bool may_reach(const Rectangle& rectangle) const;

  private:
    /// What is asked of a piece again and again.
    struct Piece {
        double x = 0.0;           // m, its begin
        double y = 0.0;           // m
        double along_x = 0.0;     // m, to its end
        double along_y = 0.0;     // m
        double per_square = 0.0;  // 1/m^2: 1 over the square of its length
        double half = 0.0;        // m, of the water
        double radius = 0.0;      // m, of primitives
        double per_width = 0.0;   // 1/m
        std::uint32_t course = 0;
        std::uint32_t point = 0;

        [[nodiscard]] double share(Position p) const;
        [[nodiscard]] double distance(Position p) const;
    };

    /// Pieces that follow each other, and bounds of what any of them says: `around` them all is a piece with
    /// the largest water, the smallest primitives and the widest width.
    struct Run {
        Piece around;
        double off = 0.0;         // m, of any point of theirs from its line
        std::uint32_t first = 0;  // piece
        std::uint32_t end = 0;
    };

    void add_pieces(std::size_t course, const Rectangle& extent, double density);
    void add_run(std::size_t first, std::size_t end);

    /// Calls `take(piece)` for pieces, but for those of runs of which `bound(around, distance)` is no less
    /// than `limit()`: nothing of theirs is, at that distance or farther.
    template <class Bound, class Limit, class Take>
    void for_each_near(Position p, const Bound& bound, const Limit& limit, const Take& take) const;

    const BedCourses& beds_;
    Position origin_;
    std::vector<Piece> pieces_;
    std::vector<Run> runs_;
    CellLists cells_;  // of runs
};

/// Half of the width on which water may stand, over the width between banks: beds are irregular.
inline constexpr double kWettedHalf = 0.72;

inline constexpr double kRadiusChange = 0.5;  // m/m

inline constexpr double kLeastWaterRadius = 0.2;    // m
inline constexpr double kLargestWaterRadius = 6.0;  // m

}  // namespace thalweg
