// Pieces of lines that reach a vector of points, merged by how near they are. Only for kernels, as
// core/vectors.hpp.
#pragma once

#include "thalweg/riverscape/beds/bed_points.hpp"
#include "thalweg/riverscape/beds/noise_lanes.hpp"

#include <cstddef>
#include <cstdint>

namespace thalweg {
namespace {

constexpr float kMerging = 0.25F;  // by how much further, in supports, a piece may be to be merged

/// Half the width, m, of the supports of channels and banks, at t from one node to the next.
template <class Value>
[[gnu::always_inline]] inline Value edge_of(const ChannelPiece& piece, Value t) {
    return kChannelEdge * (piece.from[SectionHalfWidth] + t * piece.change[SectionHalfWidth]);
}
template <class Value>
[[gnu::always_inline]] inline Value edge_of(const BankPiece& piece, Value t) {
    return piece.from[BankOuter] + t * piece.change[BankOuter];
}

/// The nearest place on a piece of line.
struct NearestPlace {
    Floats t;       // along it, from 0 to 1
    Floats cross;   // m^2: the way to its left times its length
    Floats square;  // m^2, of the distance
};

template <class Piece>
[[gnu::always_inline]] inline NearestPlace nearest_place(const Piece& piece, Floats x, Floats y) {
    const Floats px = x - piece.x;
    const Floats py = y - piece.y;
    NearestPlace place;
    place.t = clamped((px * piece.along_x + py * piece.along_y) * piece.per_square, 0.0F, 1.0F);
    const Floats ex = px - place.t * piece.along_x;
    const Floats ey = py - place.t * piece.along_y;
    place.square = ex * ex + ey * ey;
    place.cross = piece.along_x * py - piece.along_y * px;
    return place;
}

/// A piece whose support holds points, and where they lie.
struct NearPiece {
    std::int32_t piece;
    Floats t;      // as of NearestPlace
    Floats cross;  // as of NearestPlace
    Floats share;  // distance over that of the edge of its support; far from it where that holds no point
};

/// Those of pieces that are near.
class NearPieces {
  public:
    explicit NearPieces(const BedScratch& scratch) : values_(scratch.near), pieces_(scratch.pieces) {}

    /// Finds those of pieces `number(0)`, `number(1)`, ... whose support holds a point; returns the least
    /// share.
    template <class Piece, class Number>
    [[gnu::always_inline]] Floats find(const Piece* pieces, std::int64_t count, const Number& number,
                                       Floats x, Floats y) {
        constexpr float kFar = 2.0F;
        count_ = 0;
        Floats least = Floats{} + 1.0F;
        for (std::int64_t k = 0; k < count; ++k) {
            const std::int32_t i = number(k);
            const NearestPlace place = nearest_place(pieces[i], x, y);
            const Floats edge = edge_of(pieces[i], place.t);
            const Ints holds = place.square < edge * edge;
            if (!any_of(holds)) continue;
            const Floats share = holds ? square_root(place.square) / edge : Floats{} + kFar;
            float* const to = values_ + std::int64_t{3} * kLanes * count_;
            store(to, place.t);
            store(to + kLanes, place.cross);
            store(to + std::ptrdiff_t{2} * kLanes, share);
            pieces_[count_++] = i;
            least = share < least ? share : least;
        }
        return least;
    }

    [[nodiscard]] std::int64_t count() const { return count_; }
    [[nodiscard]] NearPiece operator[](std::int64_t i) const {
        const float* const from = values_ + std::int64_t{3} * kLanes * i;
        return {pieces_[i], load(from), load(from + kLanes), load(from + std::ptrdiff_t{2} * kLanes)};
    }

  private:
    float* values_;
    std::int32_t* pieces_;
    std::int64_t count_ = 0;
};

[[gnu::always_inline]] inline Floats magnitude(Floats v) {
    return as_floats(as_ints(v) & 0x7fffffff);
}

/// The least share of pieces, rounded off where several are about as near, so that it has a slope everywhere:
/// the smooth minimum (a, b) -> min(a, b) - (k - |a - b|)+^2 / 4 k, less near the edge of the farther
/// support.
[[gnu::always_inline]] inline Floats rounded_least(const NearPieces& near, Floats least_share) {
    constexpr float kRounding = 0.08F;  // k (empirical)
    constexpr float kNearEdge = 0.25F;  // from the edge, where pieces begin to take part less
    if (near.count() < 2) return least_share;
    Floats least = Floats{} + 1.0F;
    for (std::int64_t k = 0; k < near.count(); ++k) {
        const Floats share = near[k].share;
        // Most pieces are too far off to count.
        if (!any_of(share < least + kRounding)) continue;
        const Floats apart = magnitude(share - least);
        const Floats farther = share < least ? least : share;
        least = share < least ? share : least;
        const Ints is_as_near = (apart < kRounding) & (farther < 1.0F);
        const Floats part = (1.0F - farther) * (1.0F / kNearEdge);
        const Floats both = kRounding - apart;
        const Floats less = both * both * (part < 1.0F ? part : Floats{} + 1.0F) * (0.25F / kRounding);
        least = is_as_near ? least - less : least;
    }
    return least < 0.0F ? Floats{} : least;
}

/// The weight of a piece at r of its support, where the nearest one is at `least`.
[[gnu::always_inline]] inline Floats merging_weight(Floats r, Floats least) {
    const Floats near = 1.0F - (r - least) / kMerging;
    return near > 0.0F ? near * near * (1.0F - r * r) : Floats{};
}

/// Where t is that of an end of the course.
[[gnu::always_inline]] inline Ints is_at_end(const ChannelPiece& piece, Floats t) {
    const Ints is_at_begin = t <= 0.0F;
    const Ints is_behind = t >= 1.0F;
    return ((piece.ends & kCourseBegins) != 0 ? is_at_begin : Ints{}) |
           ((piece.ends & kCourseEnds) != 0 ? is_behind : Ints{});
}

/// MergedChannel::beside, `off` half widths from the end of a line and `aside` from what goes straight on:
/// less the farther beyond, as pieces that do not point the same way are merged.
[[gnu::always_inline]] inline Floats beyond_end(Floats off, Floats aside) {
    const Floats square = off * off - aside * aside;
    const Floats beyond = square_root(square > 0.0F ? square : Floats{});
    return aside > beyond ? aside - beyond : Floats{};
}

/// What the pieces of a course merge to: the numbers of their sections from `first` on.
template <int first>
struct MergedChannel {
    static constexpr int kCount = kSectionNumbers - first;
    Floats numbers[kCount] = {};
    Floats weight = {};
    Floats off = {};     // half widths from the line
    Floats beside = {};  // the same; less beyond the ends of a course, where streams go straight on
    Floats across = {};  // half widths to the left of the line

    [[gnu::always_inline]] Floats operator[](SectionNumber number) const { return numbers[number - first]; }
};

template <int first, class Number>
[[gnu::always_inline]] inline MergedChannel<first> merged(const ChannelPiece* pieces, std::int64_t count,
                                                          const Number& number, Floats x, Floats y,
                                                          NearPieces& near) {
    MergedChannel<first> channel;
    const Floats least = near.find(pieces, count, number, x, y);
    channel.off = kChannelEdge * least;
    channel.beside = channel.off;
    for (std::int64_t k = 0; k < near.count(); ++k) {
        const NearPiece at = near[k];
        const Floats weight = merging_weight(at.share, least);
        if (!any_of(weight > 0.0F)) continue;
        const ChannelPiece& piece = pieces[at.piece];
        for (int i = 0; i < MergedChannel<first>::kCount; ++i)
            channel.numbers[i] += weight * (piece.from[first + i] + at.t * piece.change[first + i]);
        const Floats half = piece.from[SectionHalfWidth] + at.t * piece.change[SectionHalfWidth];
        channel.weight += weight;
        channel.across += weight * at.cross * piece.per_length / half;
        if (piece.ends == 0) continue;
        const Ints is_beyond = (weight > 0.0F) & is_at_end(piece, at.t);
        if (!any_of(is_beyond)) continue;
        // Other pieces may be as near where the course bends or widens: the end counts by the merging.
        const Floats aside = magnitude(at.cross) * piece.per_length / half;
        const Floats off = kChannelEdge * at.share;
        const Floats near_end = 1.0F - (at.share - least) / kMerging;
        const Floats beside = off + near_end * (beyond_end(off, aside) - off);
        channel.beside = is_beyond & (beside < channel.beside) ? beside : channel.beside;
    }
    // Sums become means.
    const Floats per = 1.0F / (channel.weight > 0.0F ? channel.weight : Floats{} + 1.0F);
    for (Floats& value : channel.numbers) value *= per;
    channel.across *= per;
    return channel;
}

/// Half widths to the left of a line, at least `off` of them: around corners the distance from them counts,
/// not those from the lines beside. Near a bend's line those are a few hundredths to its outside, and count:
/// with the distance, left and right would not meet.
[[gnu::always_inline]] inline Floats across_at_least(Floats off, Floats across) {
    constexpr float kNear = 0.08F;  // half widths (empirical: bends on a width's radius are off by 0.04)
    constexpr float kFar = 0.32F;
    const Floats way = magnitude(across);
    const Floats more = (off - way) * quintic(clamped((off - kNear) / (kFar - kNear), 0.0F, 1.0F));
    const Floats farther = way < off ? way + more : way;
    const Ints sign = Ints{} + ~0x7fffffff;
    return as_floats(as_ints(farther) | (as_ints(across) & sign));
}

/// Half widths to the left at which a stream is, and a bed: streams go straight on beyond the ends of their
/// course, where beds are round. Both sides of a stream meet there in its middle.
template <int first>
[[gnu::always_inline]] inline Floats across_stream(const MergedChannel<first>& channel) {
    return across_at_least(channel.beside, channel.across);
}
template <int first>
[[gnu::always_inline]] inline Floats across_bed(const MergedChannel<first>& channel) {
    return across_at_least(channel.off, channel.across);
}

/// The water's edges are uneven: of half widths to the left, those of its own edges.
template <int first>
[[gnu::always_inline]] inline Floats across_water(const MergedChannel<first>& channel, Floats across,
                                                  PointNoise& noise, Ints where) {
    constexpr float kLeastFactor = 0.7F;  // water ends within the support of its channel
    const Floats octave = channel[SectionOctave];
    const Floats edge = noise.at(octave - 0.1F, where) + 0.5F * noise.at(octave - 1.1F, where);
    const Floats factor = 1.0F + channel[SectionIrregularity] * edge;
    return across * (factor < kLeastFactor ? Floats{} + kLeastFactor : factor);
}

/// Calls `visit(first, end)` for the pieces of each course, which follow each other.
template <class Visit>
[[gnu::always_inline]] inline void for_each_course(const NearPrimitives& near, const Visit& visit) {
    for (std::int64_t first = 0; first < near.channel_count;) {
        std::int64_t end = first + 1;
        while (end < near.channel_count && near.channels[end].course == near.channels[first].course) ++end;
        visit(first, end);
        first = end;
    }
}

/// m, to all sides of a point: over them the stream function of a channel is differenced. `least` is
/// NearPrimitives::least_step.
[[gnu::always_inline]] inline Floats stream_step(Floats half_width, float least) {
    constexpr float kStep = 0.00125F;  // half widths: rocks close to each other turn streams within a few cm
    const Floats step = kStep * half_width;
    return step < least ? Floats{} + least : step;
}

}  // namespace
}  // namespace thalweg
