// What carved beds are made of, in the form that kernels read: it holds no functions.
#pragma once

#include <cstdint>

namespace thalweg {

/// How far a channel's support reaches, in half widths from its line.
inline constexpr float kChannelEdge = 1.6F;

/// The numbers of a channel's section (BedSection). What the stream needs stands together.
enum SectionNumber : std::uint8_t {
    SectionWater,
    SectionDepth,
    SectionHalfWidth,
    SectionLeftBank,
    SectionRightBank,
    SectionRoughness,
    SectionMaterial,
    SectionThalweg,
    SectionLeftFlatness,
    SectionRightFlatness,
    SectionDischarge,
    SectionIrregularity,
    SectionOctave,
};
inline constexpr int kSectionNumbers = 13;
inline constexpr int kStreamNumbers = 6;  // the last ones

/// The numbers of banks (BankNode).
enum BankNumber : std::uint8_t { BankLevel, BankInner, BankOuter, BankRelief, BankOctave, BankMaterial };
inline constexpr int kBankNumbers = 6;

/// Bits of ChannelPiece::ends.
inline constexpr std::uint32_t kCourseBegins = 1;
inline constexpr std::uint32_t kCourseEnds = 2;

/// A segment of a channel: from one node to the next.
struct ChannelPiece {
    float x;           // m from the origin, of its begin
    float y;           // m
    float along_x;     // m, to its end
    float along_y;     // m
    float per_square;  // 1/m^2: 1 over the square of its length
    float per_length;  // 1/m
    std::uint32_t course;
    std::uint32_t valley;
    std::uint32_t ends;             // of the course that are its own: kCourseBegins, kCourseEnds
    float from[kSectionNumbers];    // at its begin
    float change[kSectionNumbers];  // to its end
};

/// A piece of banks, as ChannelPiece.
struct BankPiece {
    float x;
    float y;
    float along_x;
    float along_y;
    float per_square;
    float from[kBankNumbers];
    float change[kBankNumbers];
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

}  // namespace thalweg
