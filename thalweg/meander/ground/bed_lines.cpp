#include "thalweg/meander/ground/bed_lines.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/meander/maps/courses.hpp"
#include "thalweg/river/reach_graph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kBankMean = 5.0;     // widths to both sides along the line (empirical)
constexpr double kBesideCells = 1.5;  // from the edge of the channel to the ground beside it

/// The lower ground beside a point, above its bed and at most `depth` above it, m; `depth` where there is no
/// data.
double bank_above_bed(const Field<float>& elevation, const Course& course, std::size_t i, double bed,
                      double depth) {
    const double reach = 0.5 * course.width[i] + kBesideCells * elevation.grid().cell_size;
    double lowest = depth;
    for (const double side : {-1.0, 1.0}) {
        const float ground =
            sample_bilinear(elevation, {.x = course.x[i] + side * reach * course.normal_x[i],
                                        .y = course.y[i] + side * reach * course.normal_y[i]});
        if (!is_no_data(ground)) lowest = std::min(lowest, ground - bed);
    }
    return std::max(0.0, lowest);
}

/// The mean of values over some widths along a course.
std::vector<double> mean_along(const Course& course, const std::vector<double>& values) {
    const std::size_t n = course.size();
    std::vector<double> along(n, 0.0);     // m
    std::vector<double> sums(n + 1, 0.0);  // up to before each point
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0)
            along[i] =
                along[i - 1] + std::hypot(course.x[i] - course.x[i - 1], course.y[i] - course.y[i - 1]);
        sums[i + 1] = sums[i] + values[i];
    }
    std::vector<double> means(n);
    std::size_t first = 0;
    std::size_t end = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double reach = kBankMean * course.width[i];
        while (first < i && along[i] - along[first] > reach) ++first;
        end = std::max(end, i + 1);
        while (end < n && along[end] - along[i] <= reach) ++end;
        means[i] = (sums[end] - sums[first]) / static_cast<double>(end - first);
    }
    return means;
}

/// A line of points that differ, with banks by the ground beside it.
BedLine line_on_ground(const std::vector<RiverPoint>& points, const std::vector<float>& widths,
                       const std::vector<float>& depths, const Field<float>& elevation) {
    Course course;
    std::vector<double> bed;
    std::vector<double> depth;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!bed.empty() && course.x.back() == points[i].x && course.y.back() == points[i].y) {
            bed.back() = std::min(bed.back(), points[i].z);
            continue;
        }
        course.x.push_back(points[i].x);
        course.y.push_back(points[i].y);
        course.width.push_back(widths[i]);
        bed.push_back(points[i].z);
        depth.push_back(depths[i]);
    }
    if (course.size() < 2) return {};
    measure_normals(course);
    std::vector<double> above(course.size());
    for (std::size_t i = 0; i < course.size(); ++i)
        above[i] = bank_above_bed(elevation, course, i, bed[i], depth[i]);
    above = mean_along(course, above);
    BedLine line{.bend = bends_of(course)};
    for (std::size_t i = 0; i < course.size(); ++i) {
        line.bank.push_back(bed[i] + std::min(above[i], depth[i]));
        line.bed.push_back(line.bank[i] - depth[i]);
    }
    line.x = std::move(course.x);
    line.y = std::move(course.y);
    line.width = std::move(course.width);
    return line;
}

std::vector<float> column_of(const std::vector<float>& values, double whole, std::size_t points) {
    return values.empty() ? std::vector<float>(points, static_cast<float>(whole)) : values;
}

BedLine line_of_reach(const Reach& reach, const Field<float>& elevation) {
    const std::vector<float> width = column_of(reach.values.width, reach.width, reach.points.size());
    const std::vector<float> depth = column_of(reach.values.depth, reach.depth, reach.points.size());
    const auto is_given = [](float value) { return value > 0.0F && std::isfinite(value); };
    if (!std::ranges::all_of(width, is_given) || !std::ranges::all_of(depth, is_given))
        throw Error::input(fmt::format(
            "reach {} has points without width and depth: each must be greater than 0 m", reach.id));
    BedLine line = line_on_ground(reach.points, width, depth, elevation);
    line.is_outlet = reach.next_down < 0;
    return line;
}

}  // namespace

std::vector<BedLine> bed_lines(const RiverNetwork& network, const Field<float>& elevation) {
    const ReachGraph graph(network.reaches);
    std::unordered_map<std::int64_t, double> bed_at;  // of nodes, the lowest end above them, m
    std::vector<BedLine> lines;
    for (const std::int32_t place : graph.downstream_order()) {
        const Reach& reach = network.reaches[place];
        BedLine line = line_of_reach(reach, elevation);
        if (line.size() < 2) continue;
        if (const auto above = bed_at.find(reach.from_node); above != bed_at.end())
            line.bed.front() = std::min(line.bed.front(), above->second);
        for (std::size_t i = 1; i < line.size(); ++i) line.bed[i] = std::min(line.bed[i], line.bed[i - 1]);
        const auto [end, is_new] = bed_at.try_emplace(reach.to_node, line.bed.back());
        if (!is_new) end->second = std::min(end->second, line.bed.back());
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<BedLine> bed_lines(const MeanderHistory& history, const Field<float>& elevation) {
    std::vector<BedLine> lines;
    if (history.networks.empty()) return lines;
    const double now = history.networks.back().year;
    for (const AbandonedCourse& course : history.courses) {
        if (course.year > now) break;
        BedLine line = line_on_ground(points_of(course.line), course.line.values.width,
                                      course.line.values.depth, elevation);
        line.age = now - course.year;
        if (line.size() >= 2) lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace thalweg
