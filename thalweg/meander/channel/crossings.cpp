#include "thalweg/meander/channel/crossings.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/meander/channel/box_grid.hpp"

#include <algorithm>
#include <utility>

namespace thalweg {
namespace {

struct Segment {
    double x0, y0, x1, y1;  // m
};

Segment segment_of(const ChannelLine& line, std::int32_t i) {
    return {.x0 = line.x[i], .y0 = line.y[i], .x1 = line.x[i + 1], .y1 = line.y[i + 1]};
}

/// Greater than 0 where a place is on the left of a segment, m^2.
double side_of(const Segment& s, double x, double y) {
    return (s.x1 - s.x0) * (y - s.y0) - (s.y1 - s.y0) * (x - s.x0);
}

bool share_an_end(const Segment& a, const Segment& b) {
    const auto equal = [](double x0, double y0, double x1, double y1) { return x0 == x1 && y0 == y1; };
    return equal(a.x0, a.y0, b.x0, b.y0) || equal(a.x0, a.y0, b.x1, b.y1) || equal(a.x1, a.y1, b.x0, b.y0) ||
           equal(a.x1, a.y1, b.x1, b.y1);
}

bool cross(const Segment& a, const Segment& b) {
    if (std::max(a.x0, a.x1) < std::min(b.x0, b.x1) || std::max(b.x0, b.x1) < std::min(a.x0, a.x1) ||
        std::max(a.y0, a.y1) < std::min(b.y0, b.y1) || std::max(b.y0, b.y1) < std::min(a.y0, a.y1))
        return false;
    const double a0 = side_of(b, a.x0, a.y0);
    const double a1 = side_of(b, a.x1, a.y1);
    const double b0 = side_of(a, b.x0, b.y0);
    const double b1 = side_of(a, b.x1, b.y1);
    return a0 * a1 <= 0.0 && b0 * b1 <= 0.0 && !share_an_end(a, b);
}

/// The point before a box belongs to its first segment's neighbour: segments of a box begin at its points.
std::int32_t segments_end(const PointBox& box, const ChannelLine& line) {
    return std::min(box.end, static_cast<std::int32_t>(line.size()) - 1);
}

}  // namespace

bool segments_cross(const ChannelLine& a, std::size_t i, const ChannelLine& b, std::size_t j) {
    return cross(segment_of(a, static_cast<std::int32_t>(i)), segment_of(b, static_cast<std::int32_t>(j)));
}

bool cross_beside(const ChannelLine& a, std::int32_t i, const ChannelLine& b, std::int32_t j) {
    const auto segments_at = [](const ChannelLine& line, std::int32_t point) {
        const auto last = static_cast<std::int32_t>(line.size()) - 2;
        return std::pair(std::max(0, point - 1), std::min(point, last));
    };
    const auto [a_first, a_last] = segments_at(a, i);
    const auto [b_first, b_last] = segments_at(b, j);
    for (std::int32_t k = a_first; k <= a_last; ++k)
        for (std::int32_t m = b_first; m <= b_last; ++m)
            if (cross(segment_of(a, k), segment_of(b, m))) return true;
    return false;
}

std::vector<LineCrossing> crossings_of(std::span<const ChannelLine* const> lines) {
    const std::vector<PointBox> boxes = boxes_of(lines, std::vector<double>(lines.size(), 0.0));
    if (boxes.empty()) return {};
    const BoxGrid grid(boxes);
    const auto add_crossings = [&](const PointBox& a, const PointBox& b, std::vector<LineCrossing>& found) {
        const ChannelLine& first = *lines[a.line];
        const ChannelLine& second = *lines[b.line];
        const bool is_same = a.line == b.line;
        for (std::int32_t i = a.first; i < segments_end(a, first); ++i)
            for (std::int32_t j = is_same ? std::max(b.first, i + 2) : b.first; j < segments_end(b, second);
                 ++j)
                if (cross(segment_of(first, i), segment_of(second, j)))
                    found.push_back(
                        {.first = {.line = a.line, .point = i}, .second = {.line = b.line, .point = j}});
    };
    std::vector<LineCrossing> found = parallel_gather<LineCrossing>(
        0, grid.cells(), 2048, [&](std::int64_t cell, std::vector<LineCrossing>& in_piece) {
            grid.for_each_pair(cell,
                               [&](const PointBox& a, const PointBox& b) { add_crossings(a, b, in_piece); });
        });
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        add_crossings(boxes[i], boxes[i], found);
        if (i + 1 < boxes.size() && boxes[i].is_followed_by(boxes[i + 1]))
            add_crossings(boxes[i], boxes[i + 1], found);
    }
    std::ranges::sort(found, [](const LineCrossing& a, const LineCrossing& b) {
        return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    return found;
}

}  // namespace thalweg
