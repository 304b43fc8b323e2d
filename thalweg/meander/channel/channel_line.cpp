#include "thalweg/meander/channel_line.hpp"

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/line_columns.hpp"
#include "thalweg/river/point_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace thalweg {
namespace {

/// A line's segments, and their sum.
struct MeasuredSegments {
    std::vector<float> lengths;  // m
    double sum = 0.0;            // m
};

MeasuredSegments segments_of(const ChannelLine& line) {
    MeasuredSegments segments{.lengths = std::vector<float>(line.size()), .sum = 0.0};
    const LineColumns columns{.x = line.x.data(),
                              .y = line.y.data(),
                              .segment = segments.lengths.data(),
                              .curvature = nullptr,
                              .normal_x = nullptr,
                              .normal_y = nullptr};
    segments.sum =
        in_lanes([&](auto lanes) { return segments_in_lanes<lanes()>(columns, std::ssize(line.x)); });
    return segments;
}

/// Spaces the points of a line evenly, block after block.
class EvenSpacing {
  public:
    EvenSpacing(const ChannelLine& line, const std::vector<float>& segments)
        : line_(line), segments_(segments) {}

    /// Writes points `first` to `end` of an even line, `step` (m) apart: a block at most.
    void write_to(ChannelLine& even, std::size_t first, std::size_t end, double step) {
        std::size_t at = at_;
        double before = before_;
        for (std::size_t i = first; i < end; ++i) {
            const double distance = step * static_cast<double>(i);
            while (at + 2 < segments_.size() && before + segments_[at] < distance) before += segments_[at++];
            segment_[i - first] = static_cast<std::int32_t>(at);
            offset_[i - first] = distance - before;
        }
        at_ = at;
        before_ = before;
        write_block(even, first, end - first);
    }

    /// Writes the last point: the end of the last segment.
    void write_end_to(ChannelLine& even) {
        at_ = segments_.size() - 2;
        segment_[0] = static_cast<std::int32_t>(at_);
        offset_[0] = segments_[at_];
        write_block(even, even.size() - 1, 1);
    }

  private:
    void write_block(ChannelLine& even, std::size_t first, std::size_t count) {
        const auto from = static_cast<std::size_t>(segment_[0]);
        find_tangents(from, at_ + 2);
        const OldPoints old{.x = line_.x.data() + from,
                            .y = line_.y.data() + from,
                            .z = line_.z.data() + from,
                            .width = line_.values.width.data() + from,
                            .depth = line_.values.depth.data() + from,
                            .discharge = line_.values.discharge.data() + from,
                            .segment = segments_.data() + from,
                            .tangent_x = tangent_x_.data(),
                            .tangent_y = tangent_y_.data()};
        const EvenPoints points{.x = even.x.data() + first,
                                .y = even.y.data() + first,
                                .z = even.z.data() + first,
                                .width = even.values.width.data() + first,
                                .depth = even.values.depth.data() + first,
                                .discharge = even.values.discharge.data() + first};
        for (std::size_t i = 0; i < count; ++i) segment_[i] -= static_cast<std::int32_t>(from);
        in_lanes([&](auto lanes) {
            even_points_in_lanes<lanes()>(old, segment_.data(), offset_.data(), points,
                                          static_cast<std::int64_t>(count));
        });
    }

    /// At points `first` to `end`: those of parabolas through them and their neighbours; of the line's ends
    /// along the parabola beside them.
    void find_tangents(std::size_t first, std::size_t end) {
        tangent_x_.resize(end - first);
        tangent_y_.resize(end - first);
        for (const bool is_x : {true, false}) {
            const std::vector<double>& v = is_x ? line_.x : line_.y;
            std::vector<double>& tangent = is_x ? tangent_x_ : tangent_y_;
            const std::size_t last = v.size() - 1;
            const auto slope = [&](std::size_t i) { return (v[i + 1] - v[i]) / segments_[i]; };
            const std::size_t inner = std::max<std::size_t>(first, 1);
            const std::size_t behind = std::min(end, last);
            in_lanes([&](auto lanes) {
                tangents_in_lanes<lanes()>(v.data() + inner, segments_.data() + inner,
                                           tangent.data() + (inner - first),
                                           static_cast<std::int64_t>(behind - inner));
            });
            if (last == 1) {
                std::ranges::fill(tangent, slope(0));
                continue;
            }
            if (first == 0) tangent.front() = 2.0 * slope(0) - tangent[1];
            if (end > last) tangent.back() = 2.0 * slope(last - 1) - tangent[tangent.size() - 2];
        }
    }

    const ChannelLine& line_;
    const std::vector<float>& segments_;  // m
    std::size_t at_ = 0;                  // the segment
    double before_ = 0.0;                 // m, along the line to its start
    // Of a block of even points: the segments in which they are, and how far from their starts, m.
    std::array<std::int32_t, kPointsInBlock> segment_{};
    std::array<double, kPointsInBlock> offset_{};
    std::vector<double> tangent_x_, tangent_y_;  // 1, at the points of these segments
};

ChannelLine line_of(std::size_t points) {
    ChannelLine line;
    for (std::vector<double>* column : {&line.x, &line.y, &line.z}) column->resize(points);
    for (std::vector<float>* column : {&line.values.width, &line.values.depth, &line.values.discharge})
        column->resize(points);
    return line;
}

}  // namespace

ChannelLine channel_line(std::span<const RiverPoint> points, double width, double depth, double discharge) {
    ChannelLine line;
    for (const RiverPoint& point : points) {
        line.x.push_back(point.x);
        line.y.push_back(point.y);
        line.z.push_back(point.z);
    }
    line.values.width.assign(points.size(), static_cast<float>(width));
    line.values.depth.assign(points.size(), static_cast<float>(depth));
    line.values.discharge.assign(points.size(), static_cast<float>(discharge));
    return line;
}

std::vector<RiverPoint> points_of(const ChannelLine& line) {
    std::vector<RiverPoint> points(line.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = {.x = line.x[i], .y = line.y[i], .z = line.z[i]};
    return points;
}

double length_of(const ChannelLine& line) {
    return in_lanes([&](auto lanes) {
        return length_in_lanes<lanes()>(line.x.data(), line.y.data(), std::ssize(line.x));
    });
}

double sinuosity_of(const ChannelLine& line) {
    const double chord = std::hypot(line.x.back() - line.x.front(), line.y.back() - line.y.front());
    return chord > 0.0 ? std::max(1.0, length_of(line) / chord) : 1.0;
}

ChannelLine resampled(const ChannelLine& line, double spacing) {
    const MeasuredSegments segments = segments_of(line);
    const auto pieces =
        std::max<std::size_t>(2, static_cast<std::size_t>(std::llround(segments.sum / spacing)));
    const double step = segments.sum / static_cast<double>(pieces);
    ChannelLine even = line_of(pieces + 1);
    EvenSpacing spacing_of(line, segments.lengths);
    constexpr auto kBlock = static_cast<std::size_t>(kPointsInBlock);
    for (std::size_t first = 0; first < pieces; first += kBlock)
        spacing_of.write_to(even, first, std::min(pieces, first + kBlock), step);
    spacing_of.write_end_to(even);
    even.x.front() = line.x.front();
    even.y.front() = line.y.front();
    even.x.back() = line.x.back();
    even.y.back() = line.y.back();
    return even;
}

double channel_spacing(double width) {
    constexpr double kLongest = 50.0;  // m
    return std::min(kLongest, 0.5 * width);
}

}  // namespace thalweg
