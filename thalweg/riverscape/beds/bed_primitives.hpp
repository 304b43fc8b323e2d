// What carved beds are made of.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/bed_tree.hpp"
#include "thalweg/riverscape/beds/bed_records.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg {

/// A channel at one of its points, and what is merged between them: the numbers of SectionNumber.
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
static_assert(sizeof(BedSection) == kSectionNumbers * sizeof(float));
static_assert(offsetof(BedSection, half_width) == SectionHalfWidth * sizeof(float));
static_assert(offsetof(BedSection, octave) == SectionOctave * sizeof(float));

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
    float bank = 0.0F;        // m, level of the banks; what follows are the numbers of BankNumber
    float inner = 0.0F;       // m from the line, up to which ground is at that level
    float outer = 0.0F;       // m from the line, from which it is the terrain
    float relief = 0.0F;      // m, of bars on the banks
    float octave = 0.0F;      // of noise as long as the channel is wide
    float material = 0.0F;    // BedMaterial, between kinds; 0: ground
};
static_assert(sizeof(BankNode) == (3 + kBankNumbers) * sizeof(float));

struct BedPrimitives {
    Position origin;  // m, the middle of the terrain
    std::vector<BedNode> nodes = {};
    std::vector<BankNode> banks = {};
    std::vector<BedMound> mounds = {};
    std::vector<BedDeflector> deflectors = {};  // by course
    std::vector<std::uint32_t> valley_of_course = {};
};

/// The segment from node i on, and the piece of banks, in the form of kernels.
ChannelPiece channel_piece(const BedPrimitives& primitives, std::size_t i);
BankPiece bank_piece(const BedPrimitives& primitives, std::size_t i);

BedPrimitives make_primitives(const BedCourses& courses, const Field<float>& elevation,
                              const BedTreeParameters& parameters, std::uint64_t seed);

}  // namespace thalweg
