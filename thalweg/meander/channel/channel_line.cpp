#include "thalweg/meander/channel_line.hpp"

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/line_columns.hpp"
#include "thalweg/river/point_values.hpp"

#include <algorithm>
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

/// The tangent at a point of the parabola through it and its neighbours, from the slopes of the segments
/// before and behind it.
struct Tangent {
    double x = 0.0;  // 1
    double y = 0.0;  // 1
};

/// Walks down a line from segment to segment.
class LineWalk {
  public:
    LineWalk(const ChannelLine& line, const std::vector<float>& segments)
        : line_(line), segments_(segments), here_(slope(0)), start_(here_), end_(here_) {
        if (line.size() < 3) return;
        next_ = slope(1);
        end_ = tangent_behind();
        start_ = mirrored(end_);
    }

    /// Goes on to the segment in which `distance` (m, along the line) is: further than before.
    void go_to(double distance) {
        while (at_ + 2 < line_.size() && before_ + segments_[at_] < distance) {
            before_ += segments_[at_++];
            here_ = next_;
            start_ = end_;
            const bool is_last = at_ + 2 == line_.size();
            if (!is_last) next_ = slope(at_ + 1);
            end_ = is_last ? mirrored(end_) : tangent_behind();
        }
        share_ = std::clamp((distance - before_) / segments_[at_], 0.0, 1.0);
    }

    /// Writes the place gone to as point `i`: on Hermite's cubic, and linear in what the line carries.
    void write_to(ChannelLine& even, std::size_t i) const {
        even.x[i] = cubic(line_.x[at_], line_.x[at_ + 1], start_.x, end_.x);
        even.y[i] = cubic(line_.y[at_], line_.y[at_ + 1], start_.y, end_.y);
        even.z[i] = linear(line_.z);
        even.values.width[i] = linear(line_.values.width);
        even.values.depth[i] = linear(line_.values.depth);
        even.values.discharge[i] = linear(line_.values.discharge);
    }

  private:
    [[nodiscard]] Tangent slope(std::size_t i) const {
        return {.x = (line_.x[i + 1] - line_.x[i]) / segments_[i],
                .y = (line_.y[i + 1] - line_.y[i]) / segments_[i]};
    }

    /// At the point between this segment and the next.
    [[nodiscard]] Tangent tangent_behind() const {
        const double share = segments_[at_ + 1] / (segments_[at_] + segments_[at_ + 1]);
        return {.x = next_.x + share * (here_.x - next_.x), .y = next_.y + share * (here_.y - next_.y)};
    }

    /// At the other end of this segment, along the same parabola.
    [[nodiscard]] Tangent mirrored(Tangent tangent) const {
        return {.x = 2.0 * here_.x - tangent.x, .y = 2.0 * here_.y - tangent.y};
    }

    [[nodiscard]] double cubic(double v0, double v1, double tangent0, double tangent1) const {
        const double u = share_;
        const double rest = 1.0 - u;
        return v0 * rest * rest * (1.0 + 2.0 * u) + v1 * u * u * (3.0 - 2.0 * u) +
               segments_[at_] * u * rest * (rest * tangent0 - u * tangent1);
    }

    template <class T>
    [[nodiscard]] T linear(const std::vector<T>& v) const {
        const auto share = static_cast<T>(share_);
        return share == T{1} ? v[at_ + 1] : v[at_] + share * (v[at_ + 1] - v[at_]);
    }

    const ChannelLine& line_;
    const std::vector<float>& segments_;  // m
    std::size_t at_ = 0;                  // the segment
    double before_ = 0.0;                 // m, along the line to its start
    double share_ = 0.0;                  // of it
    Tangent here_, next_;                 // slopes of it and of the next
    Tangent start_, end_;                 // tangents at its ends
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
    LineWalk walk(line, segments.lengths);
    for (std::size_t i = 0; i < pieces; ++i) {
        walk.go_to(step * static_cast<double>(i));
        walk.write_to(even, i);
    }
    walk.go_to(std::numeric_limits<double>::infinity());
    walk.write_to(even, pieces);
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
