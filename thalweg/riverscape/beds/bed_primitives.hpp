// What carved beds are made of.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/bed_tree.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg {

/// How far a channel's support reaches, in half widths from its line.
inline constexpr float kChannelEdge = 1.6F;

/// A channel at one of its points, and what is merged between them: numbers alone. What the stream needs
/// stands together.
struct BedSection {
    float water = 0.0F;           // m
    float depth = 0.0F;           // m, the greatest
    float half_width = 0.0F;      // m
    float left_bank = 0.0F;       // SectionForm
    float right_bank = 0.0F;      // SectionForm
    float roughness = 0.0F;       // m, of the bed
    float material = 0.0F;        // BedMaterial, between kinds
    float thalweg = 0.0F;         // SectionForm
    float left_flatness = 0.0F;   // SectionForm
    float right_flatness = 0.0F;  // SectionForm
    float discharge = 0.0F;       // m^3/s
    float irregularity = 0.0F;    // of the water's edge, in half widths
    float octave = 0.0F;          // of noise as long as the channel is wide
};
using SectionNumbers = std::array<float, 13>;
inline constexpr std::size_t kStreamNumbers = 6;  // the last ones
static_assert(sizeof(BedSection) == sizeof(SectionNumbers));

/// A point of a channel; with the next one of its course it makes a segment.
struct BedNode {
    float x = 0.0F;           // m from the origin
    float y = 0.0F;           // m from the origin
    float per_square = 0.0F;  // 1/m^2: 1 over the square of the segment's length; 0 at the end of a course
    BedSection section;
    std::uint32_t course = 0;
};

/// A point of a valley's middle; with the next one it makes a piece of banks.
struct BankNode {
    float x = 0.0F;           // m from the origin
    float y = 0.0F;           // m from the origin
    float per_square = 0.0F;  // as of BedNode
    float bank = 0.0F;        // m, level of the banks
    float inner = 0.0F;       // m from the line, up to which ground is at that level
    float outer = 0.0F;       // m from the line, from which it is the terrain
    float relief = 0.0F;      // m, of bars on the banks
    float octave = 0.0F;      // of noise as long as the channel is wide
    float material = 0.0F;    // BedMaterial, between kinds; 0: ground
};

/// What is added to the ground within an ellipse.
struct BedMound {
    float x = 0.0F;          // m from the origin
    float y = 0.0F;          // m from the origin
    float along_x = 1.0F;    // 1/m, of the axis downstream, over its half length
    float along_y = 0.0F;    // 1/m
    float across_x = 0.0F;   // 1/m, of the axis across, over its half length
    float across_y = 1.0F;   // 1/m
    float height = 0.0F;     // m
    std::uint32_t draw = 0;  // a rock's form; 0: a smooth mound
};

/// A rock that comes near the surface: water of its course goes around it.
struct BedDeflector {
    float x = 0.0F;      // m from the origin
    float y = 0.0F;      // m from the origin
    float core = 0.0F;   // m, radius within which none flows
    float reach = 0.0F;  // m, radius within which ways are bent
    float part = 1.0F;   // 1, of the flow over it that is bent off
    float share = 0.0F;  // flow_to_the_right that its core has
    std::uint32_t course = 0;
};

struct BedPrimitives {
    Position origin;  // m
    std::vector<BedNode> nodes = {};
    std::vector<BankNode> banks = {};
    std::vector<BedMound> mounds = {};
    std::vector<BedDeflector> deflectors = {};  // by course
    std::vector<std::uint32_t> valley_of_course = {};
};

BedPrimitives make_primitives(const BedCourses& courses, const Field<float>& elevation,
                              const BedTreeParameters& parameters, std::uint64_t seed);

}  // namespace thalweg
