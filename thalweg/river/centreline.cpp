#include "thalweg/river/centreline.hpp"

#include "thalweg/river/seam.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace thalweg {
namespace {

constexpr int kChords =
    8;  // per cubic, by which its length is measured: empirical, to 0.1 % in a right angle

/// Two intervals of u that follow each other: their lengths and the slopes of a coordinate over them.
struct Intervals {
    double length0, length1;
    double slope0, slope1;

    /// Derivative of the parabola through the three values, at the one in the middle.
    [[nodiscard]] double parabola() const {
        return (length1 * slope0 + length0 * slope1) / (length0 + length1);
    }
    /// Derivative of that parabola at the first value.
    [[nodiscard]] double parabola_at_start() const { return 2.0 * slope0 - parabola(); }
    /// Fritsch and Butland 1984, eq. 5, for slopes that are not positive.
    [[nodiscard]] double monotone() const {
        if (!(slope0 < 0.0) || !(slope1 < 0.0)) return 0.0;
        const double weight0 = 2.0 * length1 + length0;
        const double weight1 = length1 + 2.0 * length0;
        return (weight0 + weight1) / (weight0 / slope0 + weight1 / slope1);
    }
    /// Fritsch and Carlson 1980: steeper than three times the slope, a cubic would overshoot.
    [[nodiscard]] double monotone_at_start() const {
        return std::clamp(parabola_at_start(), 3.0 * slope0, 0.0);
    }
    [[nodiscard]] Intervals reversed() const { return {length1, length0, slope1, slope0}; }
};

double interval_between(const RiverPoint& a, const RiverPoint& b) {
    return std::sqrt(distance_between(a, b));
}

Intervals intervals(const RiverPoint& a, const RiverPoint& b, const RiverPoint& c,
                    double RiverPoint::* value) {
    const double length0 = interval_between(a, b);
    const double length1 = interval_between(b, c);
    return {length0, length1, (b.*value - a.*value) / length0, (c.*value - b.*value) / length1};
}

RiverPoint tangent_between(const RiverPoint& a, const RiverPoint& here, const RiverPoint& c) {
    return {intervals(a, here, c, &RiverPoint::x).parabola(),
            intervals(a, here, c, &RiverPoint::y).parabola(),
            intervals(a, here, c, &RiverPoint::z).monotone()};
}

/// Tangent at the first of three points.
RiverPoint tangent_at_start(const RiverPoint& here, const RiverPoint& b, const RiverPoint& c) {
    return {intervals(here, b, c, &RiverPoint::x).parabola_at_start(),
            intervals(here, b, c, &RiverPoint::y).parabola_at_start(),
            intervals(here, b, c, &RiverPoint::z).monotone_at_start()};
}

/// Tangent at the last of three points.
RiverPoint tangent_at_end(const RiverPoint& a, const RiverPoint& b, const RiverPoint& here) {
    return {intervals(a, b, here, &RiverPoint::x).reversed().parabola_at_start(),
            intervals(a, b, here, &RiverPoint::y).reversed().parabola_at_start(),
            intervals(a, b, here, &RiverPoint::z).reversed().monotone_at_start()};
}

RiverPoint tangent_along(const RiverPoint& a, const RiverPoint& b) {
    const double length = interval_between(a, b);
    return {(b.x - a.x) / length, (b.y - a.y) / length, (b.z - a.z) / length};
}

bool same_place(const RiverPoint& a, const RiverPoint& b) {
    return a.x == b.x && a.y == b.y;
}

/// The points that lie at different places: of several at one the last, but the first of all stays.
std::vector<RiverPoint> distinct(std::span<const RiverPoint> points) {
    std::vector<RiverPoint> kept = {points.front()};
    for (const RiverPoint& point : points.subspan(1)) {
        if (!same_place(kept.back(), point))
            kept.push_back(point);
        else if (kept.size() > 1)
            kept.back() = point;
    }
    return kept;
}

/// Tangents at all points of a line of two and more.
std::vector<RiverPoint> tangents_of(const std::vector<RiverPoint>& points, const ReachCourse& course) {
    std::vector<RiverPoint> line;
    const bool goes_before = course.before && !same_place(*course.before, points.front());
    const bool goes_after = course.after && !same_place(*course.after, points.back());
    if (goes_before) line.push_back(*course.before);
    line.insert(line.end(), points.begin(), points.end());
    if (goes_after) line.push_back(*course.after);
    if (line.size() == 2) return {2, tangent_along(line[0], line[1])};
    std::vector<RiverPoint> tangents;
    const std::size_t last = line.size() - 1;
    if (!goes_before) tangents.push_back(tangent_at_start(line[0], line[1], line[2]));
    for (std::size_t i = 1; i < last; ++i)
        tangents.push_back(tangent_between(line[i - 1], line[i], line[i + 1]));
    if (!goes_after) tangents.push_back(tangent_at_end(line[last - 2], line[last - 1], line[last]));
    return tangents;
}

/// One cubic, by its ends and the tangents there.
class Cubic {
  public:
    Cubic(const RiverPoint& start, const RiverPoint& end, const RiverPoint& start_tangent,
          const RiverPoint& end_tangent)
        : start_(start),
          end_(end),
          start_tangent_(start_tangent),
          end_tangent_(end_tangent),
          interval_(interval_between(start, end)) {}

    [[nodiscard]] RiverPoint at(double share) const {
        // Rounding must not make water run uphill.
        return {value(&RiverPoint::x, share), value(&RiverPoint::y, share),
                std::clamp(value(&RiverPoint::z, share), end_.z, start_.z)};
    }

  private:
    /// Hermite's interpolation.
    [[nodiscard]] double value(double RiverPoint::* of, double t) const {
        const double u = 1.0 - t;
        return u * u * ((1.0 + 2.0 * t) * start_.*of + t * interval_ * start_tangent_.*of) +
               t * t * ((1.0 + 2.0 * u) * end_.*of - u * interval_ * end_tangent_.*of);
    }

    const RiverPoint& start_;
    const RiverPoint& end_;
    const RiverPoint& start_tangent_;
    const RiverPoint& end_tangent_;
    double interval_;  // sqrt(m)
};

/// Cubics from point to point, and the length of the way to the end of each chord that they are cut into.
struct Curve {
    std::vector<Cubic> cubics;
    std::vector<double> way;  // m

    [[nodiscard]] RiverPoint at(std::size_t chord, double share) const {
        return cubics[chord / kChords].at((static_cast<double>(chord % kChords) + share) / kChords);
    }
};

Curve curve_through(const std::vector<RiverPoint>& points, const std::vector<RiverPoint>& tangents) {
    Curve curve;
    double way = 0.0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Cubic& cubic =
            curve.cubics.emplace_back(points[i - 1], points[i], tangents[i - 1], tangents[i]);
        RiverPoint from = points[i - 1];
        for (int chord = 1; chord <= kChords; ++chord) {
            const RiverPoint to = cubic.at(static_cast<double>(chord) / kChords);
            way += distance_between(from, to);
            curve.way.push_back(way);
            from = to;
        }
    }
    return curve;
}

}  // namespace

std::vector<RiverPoint> centreline(const ReachCourse& course, double spacing) {
    const std::vector<RiverPoint> points = distinct(course.points);
    if (points.size() < 2) return {course.points.begin(), course.points.end()};
    const std::vector<RiverPoint> tangents = tangents_of(points, course);
    const Curve curve = curve_through(points, tangents);
    const double length = curve.way.back();
    const double steps = std::max(1.0, std::round(length / spacing));

    std::vector<RiverPoint> line = {course.points.front()};
    std::size_t chord = 0;
    for (double step = 1.0; step < steps; step += 1.0) {
        const double wanted = length * step / steps;
        while (curve.way[chord] < wanted) ++chord;
        const double begin = chord == 0 ? 0.0 : curve.way[chord - 1];
        RiverPoint point = curve.at(chord, (wanted - begin) / (curve.way[chord] - begin));
        point.z = std::min(point.z, line.back().z);
        line.push_back(point);
    }
    line.push_back(course.points.back());
    return line;
}

}  // namespace thalweg
