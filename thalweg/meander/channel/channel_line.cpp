#include "thalweg/meander/channel_line.hpp"

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/line_columns.hpp"
#include "thalweg/river/point_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace thalweg {
namespace {

std::vector<double> segments_of(const ChannelLine& line) {
    std::vector<double> segments(line.size(), 0.0);
    const LineColumns columns{.x = line.x.data(),
                              .y = line.y.data(),
                              .segment = segments.data(),
                              .curvature = nullptr,
                              .normal_x = nullptr,
                              .normal_y = nullptr};
    in_lanes(
        [&](auto lanes) { segments_in_lanes<lanes()>(columns, static_cast<std::int64_t>(line.size())); });
    return segments;
}

/// Tangents of one coordinate, that of the parabola through a point and its neighbours; at the ends that of
/// the parabola through the last three.
std::vector<double> tangents_of(const std::vector<double>& v, const std::vector<double>& segment) {
    const std::size_t n = v.size();
    std::vector<double> tangent(n, (v[1] - v[0]) / segment[0]);
    for (std::size_t i = 1; i + 1 < n; ++i) {
        const double before = (v[i] - v[i - 1]) / segment[i - 1];
        const double behind = (v[i + 1] - v[i]) / segment[i];
        tangent[i] = (segment[i] * before + segment[i - 1] * behind) / (segment[i - 1] + segment[i]);
    }
    if (n < 3) return tangent;
    tangent[0] = 2.0 * (v[1] - v[0]) / segment[0] - tangent[1];
    tangent[n - 1] = 2.0 * (v[n - 1] - v[n - 2]) / segment[n - 2] - tangent[n - 2];
    return tangent;
}

/// Hermite's cubic between two points `h` apart, at share u of the way.
struct CubicPiece {
    double u, h;

    [[nodiscard]] double at(double v0, double v1, double tangent0, double tangent1) const {
        const double rest = 1.0 - u;
        return v0 * rest * rest * (1.0 + 2.0 * u) + v1 * u * u * (3.0 - 2.0 * u) +
               h * u * rest * (rest * tangent0 - u * tangent1);
    }
};

/// Where even steps fall on a line: the segment, and the share of it.
struct Places {
    std::vector<std::size_t> segment;
    std::vector<double> share;
};

Places even_places(const std::vector<double>& segments, std::size_t points, double spacing) {
    double length = 0.0;
    for (const double segment : segments) length += segment;
    const auto pieces = std::max<std::size_t>(2, static_cast<std::size_t>(std::llround(length / spacing)));
    Places places{.segment = std::vector<std::size_t>(pieces + 1), .share = std::vector<double>(pieces + 1)};
    std::size_t at = 0;
    double before = 0.0;  // m, along the line to the point `at`
    for (std::size_t i = 1; i < pieces; ++i) {
        const double distance = length * static_cast<double>(i) / static_cast<double>(pieces);
        while (at + 2 < points && before + segments[at] < distance) before += segments[at++];
        places.segment[i] = at;
        places.share[i] = std::clamp((distance - before) / segments[at], 0.0, 1.0);
    }
    places.segment[pieces] = points - 2;
    places.share[pieces] = 1.0;
    return places;
}

template <class T>
std::vector<T> linear_at(const std::vector<T>& v, const Places& places) {
    std::vector<T> values(places.segment.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t at = places.segment[i];
        const auto share = static_cast<T>(places.share[i]);
        values[i] = share == T{1} ? v[at + 1] : v[at] + share * (v[at + 1] - v[at]);
    }
    return values;
}

std::vector<double> cubic_at(const std::vector<double>& v, const std::vector<double>& segments,
                             const Places& places) {
    const std::vector<double> tangent = tangents_of(v, segments);
    std::vector<double> values(places.segment.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t at = places.segment[i];
        const CubicPiece piece{.u = places.share[i], .h = segments[at]};
        values[i] = piece.at(v[at], v[at + 1], tangent[at], tangent[at + 1]);
    }
    return values;
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
    double length = 0.0;
    for (const double segment : segments_of(line)) length += segment;
    return length;
}

double sinuosity_of(const ChannelLine& line) {
    const double chord = std::hypot(line.x.back() - line.x.front(), line.y.back() - line.y.front());
    return chord > 0.0 ? std::max(1.0, length_of(line) / chord) : 1.0;
}

ChannelLine resampled(const ChannelLine& line, double spacing) {
    const std::vector<double> segments = segments_of(line);
    const Places places = even_places(segments, line.size(), spacing);
    ChannelLine even{.x = cubic_at(line.x, segments, places),
                     .y = cubic_at(line.y, segments, places),
                     .z = linear_at(line.z, places),
                     .values = {.width = linear_at(line.values.width, places),
                                .depth = linear_at(line.values.depth, places),
                                .discharge = linear_at(line.values.discharge, places)}};
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
