// Pieces of lines that reach a point, merged by how near they are: at one point, or at four
// (four_floats.hpp).
#pragma once

#include "thalweg/riverscape/beds/bed_primitives.hpp"
#include "thalweg/riverscape/courses/four_floats.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

inline constexpr float kMerging = 0.25F;  // by how much further, in supports, a piece may be to be merged

/// Half the width, m, of the supports of channels and banks, at t from one node to the next.
struct ChannelSupport {
    template <class Value>
    Value operator()(const BedNode& a, const BedNode& b, Value t) const {
        return kChannelEdge * (a.section.half_width + t * (b.section.half_width - a.section.half_width));
    }
};
struct BankSupport {
    template <class Value>
    Value operator()(const BankNode& a, const BankNode& b, Value t) const {
        return a.outer + t * (b.outer - a.outer);
    }
};

/// The nearest place on a piece of line.
template <class Value>
struct NearPiece {
    std::uint32_t piece = 0;
    Value t = {};      // along it, from 0 to 1
    Value cross = {};  // m^2: the way to its left times its length
    Value share = {};  // distance over that of the edge of its support; far from it where that holds no point
};

/// A point from the beginning of a piece of line, and the place on that which is nearest to it.
template <class Value>
struct PlaceOnPiece {
    template <class Node>
    PlaceOnPiece(Value x, Value y, const Node& a, const Node& b) {
        const float dx = b.x - a.x;
        const float dy = b.y - a.y;
        const Value px = x - a.x;
        const Value py = y - a.y;
        t = clamped((px * dx + py * dy) * a.per_square, 0.0F, 1.0F);
        const Value ex = px - t * dx;
        const Value ey = py - t * dy;
        square = ex * ex + ey * ey;
        cross = dx * py - dy * px;
    }

    Value t = {};
    Value square = {};  // m^2, of the distance
    Value cross = {};
};

/// Finds in `near` the pieces whose support holds a point; returns the least share.
template <class Value, class Node, class Support>
Value find_near(Value x, Value y, std::span<const std::uint32_t> pieces, const std::vector<Node>& nodes,
                const Support& support, std::vector<NearPiece<Value>>& near) {
    constexpr float kFar = 2.0F;
    near.clear();
    Value least = Value{} + 1.0F;
    for (const std::uint32_t i : pieces) {
        const PlaceOnPiece<Value> place(x, y, nodes[i], nodes[i + 1]);
        const Value edge = support(nodes[i], nodes[i + 1], place.t);
        const auto holds = place.square < edge * edge;
        if (!any_of(holds)) continue;
        const Value share = choose(holds, square_root(place.square) / edge, Value{} + kFar);
        near.push_back({i, place.t, place.cross, share});
        least = lesser(least, share);
    }
    return least;
}

/// The weight of a piece at r of its support, where the nearest one is at `least`.
template <class Value>
Value merging_weight(Value r, Value least) {
    const Value near = 1.0F - (r - least) / kMerging;
    return choose(near > 0.0F, near * near * (1.0F - r * r), Value{});
}

/// Calls `visit(segments, course)` for the segments of each course, which follow each other.
template <class Visit>
void for_each_course(std::span<const std::uint32_t> segments, const std::vector<BedNode>& nodes,
                     const Visit& visit) {
    for (std::size_t first = 0; first < segments.size();) {
        const std::uint32_t course = nodes[segments[first]].course;
        std::size_t last = first + 1;
        while (last < segments.size() && nodes[segments[last]].course == course) ++last;
        visit(segments.subspan(first, last - first), course);
        first = last;
    }
}

/// Adds to `found` those of `pieces` that weigh in anywhere within `reach` m of (x, y), and few others.
/// `shares` is for its own use.
template <class Node, class Support>
void append_weighing(float x, float y, float reach, std::span<const std::uint32_t> pieces,
                     const std::vector<Node>& nodes, const Support& support, std::vector<float>& shares,
                     std::vector<std::uint32_t>& found) {
    constexpr float kRounding = 0.002F;  // of shares
    shares.clear();
    const std::size_t before = found.size();
    float greatest = 1.0F;  // that the least share may be
    for (const std::uint32_t i : pieces) {
        const Node& a = nodes[i];
        const Node& b = nodes[i + 1];
        const PlaceOnPiece<float> place(x, y, a, b);
        const float widest = greater(support(a, b, 0.0F), support(a, b, 1.0F));
        if (place.square > (widest + reach) * (widest + reach) * (1.0F + kRounding)) continue;
        // The distance changes by `reach` at most, and the edge as much as it does along so much of the
        // piece.
        const float distance = std::sqrt(place.square);
        const float edge = support(a, b, place.t);
        const float change = std::abs(support(a, b, 1.0F) - support(a, b, 0.0F)) *
                             lesser(1.0F, reach * std::sqrt(a.per_square));
        found.push_back(i);
        shares.push_back((distance - reach) / (edge + change));
        if (edge > change) greatest = lesser(greatest, (distance + reach) / (edge - change));
    }
    std::size_t kept = before;
    for (std::size_t k = 0; k < shares.size(); ++k)
        if (shares[k] < greatest + kMerging + kRounding) found[kept++] = found[before + k];
    found.resize(kept);
}

/// Sums of numbers of a course's segments by their weights: `count` numbers of BedSection from `first` on.
template <class Value, std::size_t first, std::size_t count>
class SectionSums {
  public:
    void add(const BedNode& a, const BedNode& b, const NearPiece<Value>& near, Value w) {
        const auto from = std::bit_cast<SectionNumbers>(a.section);
        const auto to = std::bit_cast<SectionNumbers>(b.section);
        for (std::size_t i = 0; i < count; ++i)
            sums_[i] += w * (from[first + i] + near.t * (to[first + i] - from[first + i]));
        const float per_length = std::sqrt(a.per_square);
        const Value half = a.section.half_width + near.t * (b.section.half_width - a.section.half_width);
        weight_ += w;
        across_ += w * near.cross * per_length / half;
    }

    [[nodiscard]] Value weight() const { return weight_; }

    /// The means of the numbers; 0 without weight.
    [[nodiscard]] std::array<Value, count> means() const {
        const Value per = per_weight();
        std::array<Value, count> means = sums_;
        for (Value& mean : means) mean *= per;
        return means;
    }

    /// Half widths to the left. Around corners the distance from them counts, `off` half widths, not those
    /// from the lines beside.
    [[nodiscard]] Value across(Value off) const {
        const Value across = across_ * per_weight();
        return signed_as(greater(magnitude(across), off), across);
    }

  private:
    [[nodiscard]] Value per_weight() const { return 1.0F / choose(weight_ > 0.0F, weight_, Value{} + 1.0F); }

    std::array<Value, count> sums_ = {};
    Value weight_ = {};
    Value across_ = {};
};

}  // namespace thalweg
