// Trajectories of rivers refined by type: bends and braids in plan; falls, pools and riffles along them;
// rocks.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/river/network.hpp"
#include "thalweg/riverscape/river_types.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thalweg {

/// A point of a channel's line, and its water at bankfull.
struct BedCoursePoint {
    double x = 0.0;          // m
    double y = 0.0;          // m
    double distance = 0.0;   // m along the course, downstream
    double water = 0.0;      // m, level
    double bed = 0.0;        // m, at the thalweg
    double width = 0.0;      // m, of the water
    double depth = 0.0;      // m, mean over the section
    double discharge = 0.0;  // m^3/s
    double velocity = 0.0;   // m/s, mean over the section
    double curvature = 0.0;  // 1/m, positive where it turns left
    RiverType type = RiverType::B;
    bool is_fall = false;  // whether the water falls here: over a drop or a riffle

    bool operator==(const BedCoursePoint&) const = default;
};

/// A single channel of a stretch of river.
struct BedCourse {
    std::int64_t reach = 0;  // id
    std::size_t valley = 0;  // place of its BedValley
    double share = 1.0;      // of the water of the reach
    std::vector<BedCoursePoint> points = {};

    bool operator==(const BedCourse&) const = default;
};

/// A section across all channels of a stretch, which point i of each of its courses lies on.
struct ValleyPoint {
    double x = 0.0;          // m
    double y = 0.0;          // m
    double normal_x = 0.0;   // 1, across the river, to the left
    double normal_y = 1.0;   // 1
    double bank = 0.0;       // m, level of the banks
    double half_span = 0.0;  // m, from here to the outermost water
    double discharge = 0.0;  // m^3/s, through all channels

    bool operator==(const ValleyPoint&) const = default;
};

/// The middle line of a stretch of river; of a single channel, its own.
struct BedValley {
    std::int64_t reach = 0;  // id
    std::vector<ValleyPoint> points = {};

    bool operator==(const BedValley&) const = default;
};

enum class BedFeatureKind : std::uint8_t { Drop, Riffle, Pool };

/// A place along a course where water falls or stands deep.
struct BedFeature {
    BedFeatureKind kind = BedFeatureKind::Pool;
    std::size_t course = 0;
    double distance = 0.0;     // m along the course: the crest of falls, the middle of pools
    double x = 0.0;            // m
    double y = 0.0;            // m
    double direction_x = 1.0;  // 1, downstream
    double direction_y = 0.0;  // 1
    double height = 0.0;       // m that the water falls; 0 for pools
    double length = 0.0;       // m along the course
    double width = 0.0;        // m, of the water
    double depth = 0.0;        // m, the greatest

    bool operator==(const BedFeature&) const = default;
};

/// A rock in the bed or on its banks.
struct BedRock {
    std::size_t course = 0;
    double distance = 0.0;     // m along the course
    double x = 0.0;            // m
    double y = 0.0;            // m
    double direction_x = 1.0;  // 1, downstream
    double direction_y = 0.0;  // 1
    double radius = 0.0;       // m
    double height = 0.0;       // m above the bed

    bool operator==(const BedRock&) const = default;
};

/// All that beds and water are made of.
struct BedCourses {
    std::vector<BedCourse> courses;  // reach by reach in the network's order, downstream
    std::vector<BedValley> valleys;
    std::vector<BedFeature> features;  // by course, downstream
    std::vector<BedRock> rocks;        // by course, downstream
    std::vector<std::string> notes;    // one sentence each

    bool operator==(const BedCourses&) const = default;
};

/// Lakes as they stand before beds are carved.
struct StandingWater {
    Field<float> terrain;  // m
    Field<float> level;    // m, no data where none stands
};

/// How trajectories are refined.
struct BedCourseParameters {
    double sinuosity_factor = 1.0;  // 1, times what a type has more than a straight line
    double rock_density = 1.0;      // 1, times what a type has
    double freeboard = 0.15;        // bankfull depths from the water up to the banks

    static void declare(Declaration<BedCourseParameters>& declaration);
};

/// The courses of a network whose stretches have been classified; the network stays as it is.
///
/// Plan. Lines become cubics (river/centreline.hpp) in steps of a third of a width, and of a
/// sixth on slopes of more than 2 %. Where the network's points lie
/// more than a width apart, so that it can't show bends, channels of B, C, E, F and G get them: half waves of
/// the sine-generated curve theta = omega cos(pi t) (Langbein and Leopold 1966), 5 to 7 widths long (Leopold
/// and Wolman 1960: 10 to 14 w a wave), of the sinuosity of the type, 1 / J_0(omega), with amplitudes that
/// differ by hash of place, and no wider than the flood-prone ground. Others are left where they are, but
/// that no line turns on a circle of less than a width. Stretches of D and DA part into channels that sway
/// around the line, each with a share of the flow; all begin and end where the stretch does. Nodes stay where
/// they are.
///
/// Levels. Banks lie at bankfull level (classify_reaches), smoothed along the river, and are lowered wherever
/// they rise downstream or above a junction; all reaches have one level where they meet. Water stands
/// `freeboard` depths below. It falls at drops (A+, A, G) and riffles (the others), spaced by type in widths
/// (A+ 1-2, A 2-4, G and B 3-5, others 5-7: Chin 1989; Grant et al. 1990; Leopold et al. 1964), and is level
/// between, at confluences for one and a half widths of the widest reach; channels of a braid fall together.
/// Through `lakes`, and for one and a half widths below them, it has their level, and none falls; there may
/// be none (null). Heights of falls sum to the fall of the course, and water never rises. The thalweg is
/// deepest below falls; it never rises from fall to fall, but does out of pools.
///
/// Discharge of a reach is that at its lower end, w d u; widths go over from that above a node in four
/// widths. Rocks lie as densely as the type has them, beside the thalweg, and along the crests of drops;
/// none lies on the thalweg of another river that it meets.
///
/// Source: Peytavie et al. 2019, sec. 5.1. Draws are a hash of `seed`, reach and place. O(points); the same
/// bits on any number of threads; polls `progress`. Throws as classify_reaches.
///
/// Example:
///     const std::vector<RiverStretch> stretches = classify_reaches(network, elevation, {});
///     const BedCourses beds = bed_courses(network, stretches, elevation, {}, seed, progress);
BedCourses bed_courses(const RiverNetwork& network, const std::vector<RiverStretch>& stretches,
                       const Field<float>& elevation, const BedCourseParameters& parameters,
                       std::uint64_t seed, Progress& progress, const StandingWater* lakes = nullptr);

/// The largest cells that show the beds, m: a quarter of the narrowest channel's width. 0 without channels.
double resolution_needed(const BedCourses& courses);

/// A sentence where the cells of `grid` are larger than that; empty where they are not, and without channels.
std::string resolution_note(const BedCourses& courses, const Grid& grid);

/// A sentence where beds lie more than 10 m, and three of their own depths, below the ground of `elevation`
/// (m), as behind dams and on courses that leave their valley: over what length, and where most; else empty.
std::string deep_cut_note(const BedCourses& courses, const Field<float>& elevation);

}  // namespace thalweg
