// River beds carved into terrain: evaluated anywhere, at any resolution.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/riverscape/bed_course.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace thalweg {

/// What lies on the surface, coarse to fine (Rosgen 1994); `Ground` is outside of beds and banks.
enum class BedMaterial : std::uint8_t { Ground, Bedrock, Boulders, Gravel, Sand, Silt };

/// How beds are carved.
struct BedTreeParameters {
    double side_slope = 0.5;  // m/m, of the ground between banks and terrain
    double roughness = 1.0;   // 1, times the roughness of beds and the irregularity of banks

    static void declare(Declaration<BedTreeParameters>& declaration);
};

/// The carved terrain at a point.
struct BedSample {
    float elevation = kNoData;  // m
    float water = kNoData;      // m, level; no data where it is dry
    float velocity_x = 0.0F;    // m/s, mean over the depth
    float velocity_y = 0.0F;    // m/s
    BedMaterial material = BedMaterial::Ground;
};

/// A window of it, with the same grid throughout.
struct CarvedWindow {
    Field<float> elevation;        // m
    Field<float> water_elevation;  // m, no data where it is dry
    Field<float> water_depth;      // m, 0 where it is dry
    Field<float> material;         // BedMaterial
    std::int64_t wet_cells = 0;
};

/// Primitives of a tree, and what they take.
struct BedTreeCounts {
    std::int64_t segments = 0;    // pieces of channels
    std::int64_t blends = 0;      // pieces of banks
    std::int64_t mounds = 0;      // basins, rocks, scours and wakes
    std::int64_t deflectors = 0;  // rocks that water goes around
    double bytes_each = 0.0;      // of primitives and index, mean

    [[nodiscard]] std::int64_t all() const { return segments + blends + mounds + deflectors; }
};

/// How far the flow through sections of valleys is from their discharge, as a share of it.
struct FlowErrors {
    std::int64_t sections = 0;
    std::int64_t shared = 0;  // left out beside them: two rivers, or bends, stand on them
    double mean = 0.0;        // 1, with its sign
    double largest = 0.0;     // 1, of any section
    double off = 0.0;         // 1, share of sections that are off by more than a hundredth
};

/// Terrain with the beds of courses: a tree of compact primitives in sparse lists of cells. At a point p,
///
///   E_1 = T + c (B - T)                 banks: B their level, c from 1 beside the water to 0 at the edge
///   E_k = (1 - g) E_1 + g C_k           channel k: C_k its section (cross_section.hpp) and banks above
///   E   = E_1 + min(0, E_k - E_1 ...) + max(0, E_k - E_1 ...) + sum m
///                                       the lowest channel (Peytavie et al. 2019, sec. 5.2), then mounds
///
/// T is `elevation` by cubic convolution (sample_bicubic). c and g are quintic steps: the edge of the banks'
/// support lies where the ground between it and the water is as steep as `side_slope`, or twice as steep as
/// the terrain where that is steeper; g falls beside the water. Pieces of a course, or of banks, are merged
/// with weights ((1 - (r - r_least) / 0.25)+^2 (1 - r^2)), r the distance over that of their edge, which is
/// continuous everywhere; of banks r_least is rounded off, so that they have no creases. Water's edges and
/// beds are roughened by noise; mounds are domes with flat faces, scours before and tails behind them, and
/// basins below drops. The greatest E_k counts where it stands above E_1, as over falls whose banks are
/// merged with those at their foot: differs in that, so that none runs dry.
///
/// Outside of all supports E has the bits of T; across their edges it is continuous, with its slope. Thalwegs
/// lie under water. Velocity comes from a stream function, so that the flow through any section is its
/// discharge:
///
///   (u, v) h = (d psi / dy, - d psi / dx),   psi = sum over channels of Q_k P_k(a_k)
///
/// a_k from -1 at the right edge of channel k's water to 1 at the left one, P_k from -1/2 to 1/2 with a slope
/// in proportion to h (1 + 2 h) / 3, h the depth of its section over the greatest one: within 7 % of Chezy's
/// h^1.5. Around rocks that reach into the upper part of the water psi goes over to its value at their
/// middle, or to the bank's where they touch it, so that water goes around them (Bridson et al. 2007, eq. 3).
/// Beyond the ends of a course, where its bed is round, the stream goes straight on and fades to the edge of
/// the water. Where the stream runs, the bed is open: its depth is at least what lets it through at 16 Q / (w
/// D), up to 3 D, so that nothing is lost between rocks. Water of a channel runs over banks of another one
/// that are lower than its bed, as deep as in its bed.
///
/// A primitive takes 28 to 68 bytes, and about 95 with its share of the index; more where rivers are short.
/// Evaluation costs about as much as sampling T, and several times that in channels; const calls may come
/// from many threads. Copies share the primitives.
///
/// Example:
///     const std::vector<RiverStretch> stretches = classify_reaches(network, elevation, {});
///     const BedCourses beds = bed_courses(network, stretches, elevation, {}, seed, progress);
///     const BedTree tree(elevation, beds, {}, seed);
///     const CarvedWindow close = tree.carve(make_grid(100.0, 100.0, 1000), progress);
class BedTree {
  public:
    /// O(primitives log primitives), and five evaluations a rock.
    BedTree(Field<float> elevation, const BedCourses& courses, const BedTreeParameters& parameters,
            std::uint64_t seed);

    [[nodiscard]] BedSample at(Position position) const;

    /// The same without the index, over all primitives: an oracle for tests. O(primitives).
    [[nodiscard]] BedSample at_by_all(Position position) const;

    /// Elevations at many points, m; `elevations` has as many places. Parallel, same bits on any number of
    /// threads.
    void elevation_at(std::span<const Position> positions, std::span<float> elevations) const;

    /// Everything at the centres of `window`, parallel by rows; polls `progress`.
    [[nodiscard]] CarvedWindow carve(const Grid& window, Progress& progress) const;

    [[nodiscard]] BedTreeCounts counts() const;

    /// Of all sections of the valleys of `courses`, which it was made of: half way between their
    /// points. Sections on which the water of another valley stands, or that of another bend, carry more than
    /// the reach: they are counted, and left out. The flow is summed over 200 places across each channel, and
    /// over 2000 where half a hundredth is missing: water is fast in narrow gaps. O(sections); parallel, same
    /// bits on any number of threads.
    [[nodiscard]] FlowErrors flow_errors(const BedCourses& courses) const;

    struct Parts;
    [[nodiscard]] const Parts& parts() const { return *parts_; }

  private:
    std::shared_ptr<const Parts> parts_;
};

}  // namespace thalweg
