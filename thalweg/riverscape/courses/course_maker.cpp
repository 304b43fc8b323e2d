#include "thalweg/riverscape/courses/course_maker.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/riverscape/courses/braids.hpp"
#include "thalweg/riverscape/courses/falls.hpp"
#include "thalweg/riverscape/courses/rocks.hpp"
#include "thalweg/riverscape/courses/type_habits.hpp"
#include "thalweg/riverscape/cross_section.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

// Of a channel's line, in widths: rivers bend on two to three, seldom on less than one (Hickin and Nanson
// 1984); on less than a half, sections would meet each other.
constexpr double kLeastRadius = 1.0;

bool has_channels(const RiverStretch& stretch) {
    return stretch.channels > 1.5;
}

/// Of length 1, to the left of a line.
struct Normal {
    double x;
    double y;
};

Normal normal_at(const PlanLine& line, std::size_t i) {
    const std::size_t before = i == 0 ? 0 : i - 1;
    const std::size_t after = std::min(i + 1, line.x.size() - 1);
    const double dx = line.x[after] - line.x[before];
    const double dy = line.y[after] - line.y[before];
    const double length = std::max(std::hypot(dx, dy), 1e-12);
    return {-dy / length, dx / length};
}

/// Curvature at the points of a line, 1/m, smoothed over three steps to each side, twice.
std::vector<double> curvature_along(const PlanLine& line) {
    std::vector<double> curvature(line.x.size(), 0.0);
    for (std::size_t i = 1; i + 1 < line.x.size(); ++i) curvature[i] = curvature_at(line, i, 1);
    return smoothed_along(smoothed_along(curvature, 3), 3);
}

/// The parts of a course on `line` that lie in lakes.
std::vector<CoursePart> lakes_along(const PlanLine& line, const std::vector<BedCoursePoint>& points,
                                    const std::vector<LakeOnLine>& lakes) {
    std::vector<CoursePart> parts;
    for (const LakeOnLine& lake : lakes) {
        const auto from = std::ranges::lower_bound(line.place, static_cast<double>(lake.first));
        const auto behind = std::ranges::upper_bound(line.place, static_cast<double>(lake.last));
        if (from >= behind) continue;
        const auto distance = [&](auto at) {
            return points[static_cast<std::size_t>(at - line.place.begin())].distance;
        };
        parts.push_back({distance(from), distance(behind - 1)});
    }
    return parts;
}

/// The points of a line with the water of a river above them.
std::vector<BedCoursePoint> points_on(const PlanLine& line, const std::vector<RiverType>& types,
                                      const std::vector<double>& part, double share, const BaseLine& base) {
    constexpr double kDepthExponent = 0.5 / 1.41;  // of the share, in w = c d^1.41 (hydraulics.hpp)
    const Reach& reach = *base.reach;
    const std::vector<double> curvature = curvature_along(line);
    const double area = reach.width * reach.depth;
    std::vector<double> widths;
    for (std::size_t i = 0; i < line.x.size(); ++i)
        widths.push_back(cross_section(types[i], area, reach.width / reach.depth, 0.0).width *
                         value_along(base.width, line.place[i]) / reach.width * std::sqrt(part[i]));
    widths = smoothed_along(widths, 6);
    std::vector<BedCoursePoint> points;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
        BedCoursePoint point{.x = line.x[i], .y = line.y[i], .curvature = curvature[i], .type = types[i]};
        if (i > 0)
            point.distance =
                points.back().distance + std::hypot(line.x[i] - line.x[i - 1], line.y[i] - line.y[i - 1]);
        point.water = value_along(base.level, line.place[i]);
        point.width = widths[i];
        point.depth = area * std::sqrt(part[i]) * portable_power(part[i], kDepthExponent) / widths[i];
        point.discharge = share * base.flow;
        points.push_back(point);
    }
    return points;
}

}  // namespace

void CourseMaker::add_reach(const BaseLine& base, std::span<const RiverStretch> stretches) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    base_ = &base;
    draws_ = {.seed = seed_, .reach = base.reach->id};
    double lowest = lowest_beds_.try_emplace(base.reach->from_node, kNone).first->second;
    if (base.length() < base.reach->width)
        found_.notes.push_back(fmt::format(
            "reach {} is {:.3g} m long and {:.3g} m wide: it is too short for falls and bends of its own",
            base.reach->id, base.length(), base.reach->width));
    // The cubic is a little longer than the line that was classified.
    const double scale = stretches.back().to > 0.0 ? base.length() / stretches.back().to : 1.0;
    for (std::size_t first = 0; first < stretches.size();) {
        std::size_t last = first + 1;
        if (has_channels(stretches[first])) {
            add_braid(stretches[first], scale, lowest);
        } else {
            while (last < stretches.size() && !has_channels(stretches[last])) ++last;
            add_single(stretches.subspan(first, last - first), scale, lowest);
        }
        first = last;
    }
    double& below = lowest_beds_.try_emplace(base.reach->to_node, kNone).first->second;
    below = std::min(below, lowest);
}

PlanLine CourseMaker::rounded(PlanLine line, double half_span) const {
    return rounded_line(std::move(line), base_->step, half_span + kLeastRadius * base_->reach->width);
}

PlanLine CourseMaker::line_through(std::span<const RiverStretch> stretches, double scale) const {
    PlanLine line;
    for (const RiverStretch& stretch : stretches) {
        const auto most = static_cast<double>(base_->size() - 1);
        const double first = std::min(stretch.from * scale / base_->step, most);
        const double last = std::min(stretch.to * scale / base_->step, most);
        const bool is_bent = !base_->can_show_bends;
        const PlanLine part =
            is_bent ? bent_line(*base_, first, last, stretch, parameters_.sinuosity_factor, draws_)
                    : straight_line(*base_, first, last);
        const std::ptrdiff_t known = line.x.empty() ? 0 : 1;  // the end of the stretch before
        line.x.insert(line.x.end(), part.x.begin() + known, part.x.end());
        line.y.insert(line.y.end(), part.y.begin() + known, part.y.end());
        line.place.insert(line.place.end(), part.place.begin() + known, part.place.end());
    }
    return line;
}

void CourseMaker::add_single(std::span<const RiverStretch> stretches, double scale, double& lowest) {
    const PlanLine line = rounded(line_through(stretches, scale));
    std::vector<RiverType> types;
    std::size_t stretch = 0;
    for (const double place : line.place) {
        while (stretch + 1 < stretches.size() && stretches[stretch].to * scale < place * base_->step)
            ++stretch;
        types.push_back(stretches[stretch].type);
    }
    add_course(line, types, std::vector<double>(line.x.size(), 1.0), 1.0, found_.courses.size(), lowest);
    add_valley(line, 1);
}

void CourseMaker::add_braid(const RiverStretch& stretch, double scale, double& lowest) {
    const auto most = static_cast<double>(base_->size() - 1);
    const PlanLine middle = rounded(straight_line(*base_, std::min(stretch.from * scale / base_->step, most),
                                                  std::min(stretch.to * scale / base_->step, most)),
                                    braid_half_span(*base_, stretch));
    const std::vector<RiverType> types(middle.x.size(), stretch.type);
    const std::vector<BraidChannel> channels = braid_channels(*base_, middle.x.size(), stretch, draws_);
    double lowest_below = lowest;
    const std::size_t first = found_.courses.size();
    for (const BraidChannel& channel : channels) {
        PlanLine line = middle;
        for (std::size_t i = 0; i < line.x.size(); ++i) {
            const Normal normal = normal_at(middle, i);
            line.x[i] += channel.lateral[i] * normal.x;
            line.y[i] += channel.lateral[i] * normal.y;
        }
        double lowest_here = lowest;
        add_course(line, types, channel.part, channel.share, first, lowest_here);
        lowest_below = std::min(lowest_below, lowest_here);
    }
    lowest = lowest_below;
    add_valley(middle, channels.size());
}

void CourseMaker::add_course(const PlanLine& line, const std::vector<RiverType>& types,
                             const std::vector<double>& part, double share, std::size_t first,
                             double& lowest) {
    const std::size_t course = found_.courses.size();
    std::vector<BedCoursePoint> points = points_on(line, types, part, share, *base_);
    if (course == first) {
        const bool is_first = line.place.front() < 0.5;
        const bool is_last = line.place.back() > static_cast<double>(base_->size()) - 1.5;
        const LevelEnds level{is_first ? base_->level_from_first : 0.0, is_last ? base_->level_to_last : 0.0};
        falls_ = falls_along(points, course, level, lakes_along(line, points, base_->lakes), draws_);
    }
    // Channels of a river fall together, so that one may run into the other.
    const std::vector<Fall> falls =
        course == first ? falls_ : falls_beside(falls_, found_.courses[first].points, points);
    const std::vector<BedFeature> features = shape_profile(points, course, falls, lowest);
    for (BedCoursePoint& point : points) point.velocity = point.discharge / (point.width * point.depth);
    const std::vector<BedRock> rocks =
        rocks_along(points, features, course, parameters_.rock_density, draws_);
    found_.features.insert(found_.features.end(), features.begin(), features.end());
    found_.rocks.insert(found_.rocks.end(), rocks.begin(), rocks.end());
    found_.courses.push_back({.reach = base_->reach->id,
                              .valley = found_.valleys.size(),
                              .share = share,
                              .points = std::move(points)});
}

void CourseMaker::add_valley(const PlanLine& middle, std::size_t count) {
    const std::span<const BedCourse> courses = std::span(found_.courses).last(count);
    BedValley valley{.reach = base_->reach->id};
    for (std::size_t i = 0; i < middle.x.size(); ++i) {
        const Normal normal = normal_at(middle, i);
        ValleyPoint point{.x = middle.x[i],
                          .y = middle.y[i],
                          .normal_x = normal.x,
                          .normal_y = normal.y,
                          .discharge = base_->flow};
        double water = courses.front().points[i].water;
        for (const BedCourse& course : courses) {
            const BedCoursePoint& of = course.points[i];
            water = std::max(water, of.water);
            point.half_span =
                std::max(point.half_span, std::hypot(of.x - point.x, of.y - point.y) + 0.5 * of.width);
        }
        point.bank = water + parameters_.freeboard * base_->reach->depth;
        valley.points.push_back(point);
    }
    found_.valleys.push_back(std::move(valley));
}

}  // namespace thalweg
