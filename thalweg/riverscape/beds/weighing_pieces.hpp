// Which pieces of lines weigh in near a point.
#pragma once

#include "thalweg/riverscape/beds/bed_primitives.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// By how much further, in supports, a piece may be than the nearest one, to be merged with it.
inline constexpr float kMerging = 0.25F;

/// Half the width, m, of the supports of channels and banks.
inline float support_of(const BedNode& node) {
    return kChannelEdge * node.section.half_width;
}
inline float support_of(const BankNode& node) {
    return node.outer;
}

/// Calls `visit(segments)` for the segments of each course, which follow each other.
template <class Visit>
void for_each_course(std::span<const std::uint32_t> segments, const std::vector<BedNode>& nodes,
                     const Visit& visit) {
    for (std::size_t first = 0; first < segments.size();) {
        const std::uint32_t course = nodes[segments[first]].course;
        std::size_t last = first + 1;
        while (last < segments.size() && nodes[segments[last]].course == course) ++last;
        visit(segments.subspan(first, last - first));
        first = last;
    }
}

/// Adds to `found` those of `pieces` that weigh in anywhere within `reach` m of (x, y), and few others.
/// `shares` is for its own use.
template <class Node>
void append_weighing(float x, float y, float reach, std::span<const std::uint32_t> pieces,
                     const std::vector<Node>& nodes, std::vector<float>& shares,
                     std::vector<std::uint32_t>& found) {
    constexpr float kRounding = 0.002F;  // of shares
    shares.clear();
    const std::size_t before = found.size();
    float greatest = 1.0F;  // that the least share may be
    for (const std::uint32_t i : pieces) {
        const Node& a = nodes[i];
        const Node& b = nodes[i + 1];
        const float from = support_of(a);
        const float to = support_of(b);
        const float dx = b.x - a.x;
        const float dy = b.y - a.y;
        const float t = std::clamp(((x - a.x) * dx + (y - a.y) * dy) * a.per_square, 0.0F, 1.0F);
        const float ex = x - a.x - t * dx;
        const float ey = y - a.y - t * dy;
        const float square = ex * ex + ey * ey;
        const float farthest = std::max(from, to) + reach;
        if (square > farthest * farthest * (1.0F + kRounding)) continue;
        // The distance changes by `reach` at most, and the edge as much as it does along so much of the
        // piece.
        const float distance = std::sqrt(square);
        const float edge = from + t * (to - from);
        const float change = std::abs(to - from) * std::min(1.0F, reach * std::sqrt(a.per_square));
        found.push_back(i);
        shares.push_back((distance - reach) / (edge + change));
        if (edge > change) greatest = std::min(greatest, (distance + reach) / (edge - change));
    }
    std::size_t kept = before;
    for (std::size_t k = 0; k < shares.size(); ++k)
        if (shares[k] < greatest + kMerging + kRounding) found[kept++] = found[before + k];
    found.resize(kept);
}

}  // namespace thalweg
