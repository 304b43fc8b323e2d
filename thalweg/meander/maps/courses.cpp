#include "thalweg/meander/maps/courses.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include <fmt/format.h>

namespace thalweg {
namespace {

void add_point(Course& course, double x, double y, double width) {
    if (!course.x.empty() && course.x.back() == x && course.y.back() == y) return;
    course.x.push_back(x);
    course.y.push_back(y);
    course.width.push_back(width);
}

void check_line(std::size_t points, std::size_t others, const auto& x, const auto& y, const auto& width) {
    if (points != others || width.size() != points)
        throw Error::input(
            fmt::format("a course of the history has {} x, {} y and {} widths: give as many of each", points,
                        others, width.size()));
    for (std::size_t i = 0; i < points; ++i)
        if (!std::isfinite(x[i]) || !std::isfinite(y[i]) || !(width[i] > 0) || !std::isfinite(width[i]))
            throw Error::input(
                fmt::format("a course of the history has a point at ({}, {}) of width {} m: "
                            "places must be finite and widths greater than 0",
                            x[i], y[i], width[i]));
}

void check_years(double before, double year) {
    if (!std::isfinite(year) || year < before)
        throw Error::input(
            fmt::format("year {} of the history follows year {}: years must not descend", year, before));
}

}  // namespace

void measure_normals(Course& course) {
    const std::size_t n = course.size();
    course.normal_x.assign(n, 0.0);
    course.normal_y.assign(n, 0.0);
    double left_x = 0.0;
    double left_y = 0.0;  // of the segment before
    for (std::size_t i = 0; i < n; ++i) {
        double next_x = left_x;
        double next_y = left_y;
        if (i + 1 < n) {
            const double dx = course.x[i + 1] - course.x[i];
            const double dy = course.y[i + 1] - course.y[i];
            const double length = std::sqrt(dx * dx + dy * dy);
            next_x = -dy / length;
            next_y = dx / length;
        }
        double sum_x = i == 0 ? next_x : left_x + next_x;
        double sum_y = i == 0 ? next_y : left_y + next_y;
        double length = std::sqrt(sum_x * sum_x + sum_y * sum_y);
        if (!(length > 1e-6)) {  // the line turns back on itself
            sum_x = next_x;
            sum_y = next_y;
            length = 1.0;
        }
        course.normal_x[i] = sum_x / length;
        course.normal_y[i] = sum_y / length;
        left_x = next_x;
        left_y = next_y;
    }
}

std::vector<Course> courses_of(const MeanderHistory& history, const RecordedNetwork& network) {
    std::set<std::int64_t> reaches;  // that have a line besides branches: in braids they have none
    for (const RecordedChannel& channel : network.channels)
        if (channel.branch < 0) reaches.insert(channel.reach);
    std::vector<Course> courses;
    for (const RecordedChannel& channel : network.channels) {
        Course course{.reach = channel.reach, .year = network.year};
        if (channel.branch >= 0 && reaches.contains(channel.reach)) course.delta_branch = channel.branch;
        for (std::size_t i = 0; i < channel.x.size(); ++i)
            add_point(course, history.origin_x + channel.x[i], history.origin_y + channel.y[i],
                      channel.width[i]);
        if (course.size() < 2) continue;
        measure_normals(course);
        courses.push_back(std::move(course));
    }
    return courses;
}

Course course_of(const AbandonedCourse& abandoned) {
    Course course{.reach = abandoned.reach, .year = abandoned.year};
    for (std::size_t i = 0; i < abandoned.line.size(); ++i)
        add_point(course, abandoned.line.x[i], abandoned.line.y[i], abandoned.line.values.width[i]);
    if (course.size() >= 2) measure_normals(course);
    return course;
}

std::vector<double> bends_of(const Course& course) {
    const std::size_t n = course.size();
    std::vector<double> turned(n + 1, 0.0);  // angle, up to before each point
    std::vector<double> along(n, 0.0);       // m
    double direction = 0.0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const double dx = course.x[i + 1] - course.x[i];
        const double dy = course.y[i + 1] - course.y[i];
        along[i + 1] = along[i] + std::sqrt(dx * dx + dy * dy);
        const double next = std::atan2(dy, dx);
        turned[i + 1] = turned[i] + (i == 0 ? 0.0 : std::remainder(next - direction, 2.0 * std::numbers::pi));
        direction = next;
    }
    turned[n] = turned[n - 1];
    std::vector<double> bends(n, 0.0);
    std::size_t first = 0;
    std::size_t last = 0;
    for (std::size_t i = 0; i < n; ++i) {
        while (along[i] - along[first] > course.width[i]) ++first;
        while (last + 1 < n && along[last + 1] - along[i] <= course.width[i]) ++last;
        const double length = std::max(along[last] - along[first], course.width[i]);
        bends[i] = course.width[i] * (turned[last + 1] - turned[first]) / length;
    }
    return bends;
}

std::size_t networks_until(const MeanderHistory& history, double year) {
    return static_cast<std::size_t>(
        std::ranges::upper_bound(history.networks, year, {}, &RecordedNetwork::year) -
        history.networks.begin());
}

void check_history(const MeanderHistory& history) {
    double year = -std::numeric_limits<double>::infinity();
    for (const RecordedNetwork& network : history.networks) {
        check_years(year, network.year);
        year = network.year;
        for (const RecordedChannel& channel : network.channels)
            check_line(channel.x.size(), channel.y.size(), channel.x, channel.y, channel.width);
    }
    year = -std::numeric_limits<double>::infinity();
    for (const AbandonedCourse& course : history.courses) {
        check_years(year, course.year);
        year = course.year;
        check_line(course.line.x.size(), course.line.y.size(), course.line.x, course.line.y,
                   course.line.values.width);
        if (course.line.values.depth.size() != course.line.size())
            throw Error::input(
                fmt::format("abandoned course {} of the history has {} points and {} depths: give "
                            "as many of each",
                            course.id, course.line.size(), course.line.values.depth.size()));
    }
}

}  // namespace thalweg
