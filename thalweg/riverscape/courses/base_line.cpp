#include "thalweg/riverscape/courses/base_line.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/river/centreline.hpp"
#include "thalweg/riverscape/types/flood_prone.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

namespace thalweg {
namespace {

constexpr double kStepsPerWidth = 3.0;
constexpr double kStepsPerSteepWidth = 6.0;  // where falls are short
constexpr double kSteep = 0.02;              // m/m (table of Rosgen 1994: steps begin with G and B)
constexpr double kSmoothedWidths = 10.0;     // along which levels are smoothed, to each side (empirical)
constexpr double kSmoothedPoints = 3.0;      // of the network, the same
constexpr double kJunctionWidths = 10.0;     // along which levels are fitted to those of nodes (empirical)
constexpr double kLevelWidths = 1.5;  // of the widest reach, that water is level at confluences (empirical)
constexpr double kWideningWidths = 4.0;  // below a node, along which the width becomes the reach's own

double smooth_step(double t) {
    const double c = std::clamp(t, 0.0, 1.0);
    return c * c * (3.0 - 2.0 * c);
}

std::size_t steps_in(double length, double step) {
    return static_cast<std::size_t>(std::min(length / step, 1e9));
}

void measure_normals(BaseLine& line) {
    const std::size_t half = steps_in(2.0 * line.reach->width, line.step);
    const std::vector<double> x = smoothed_along(line.x, half);
    const std::vector<double> y = smoothed_along(line.y, half);
    line.normal_x.resize(line.size());
    line.normal_y.resize(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
        const std::size_t before = i == 0 ? 0 : i - 1;
        const std::size_t after = std::min(i + 1, line.size() - 1);
        const double dx = x[after] - x[before];
        const double dy = y[after] - y[before];
        const double length = std::max(std::hypot(dx, dy), 1e-12);
        line.normal_x[i] = -dy / length;
        line.normal_y[i] = dx / length;
    }
}

/// Where a line runs through lakes. Below each it goes on at its level, since lakes end along no section, but
/// for no more than half of the way to what comes next.
void find_lakes(const StandingWater& water, BaseLine& line) {
    constexpr double kSame = 0.01;  // m
    std::vector<LakeOnLine> found;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const float level = lake_at(water, {line.x[i], line.y[i]}).level;
        if (is_no_data(level)) continue;
        const bool goes_on = !found.empty() && found.back().last + 1 == i &&
                             std::abs(found.back().level - static_cast<double>(level)) < kSame;
        if (!goes_on) found.push_back({.first = i, .level = level});
        found.back().last = i;
    }
    const std::size_t below = steps_in(kLevelWidths * line.reach->width, line.step);
    for (std::size_t k = 0; k < found.size(); ++k) {
        const std::size_t next = k + 1 < found.size() ? found[k + 1].first : line.size() - 1;
        found[k].last = std::min(found[k].last + below, found[k].last + (next - found[k].last) / 2);
    }
    line.lakes = std::move(found);
}

/// The line of one reach, with the levels that its own banks ask for.
BaseLine line_of(const Reach& reach, const Field<float>& elevation, const BedCourseParameters& parameters,
                 const StandingWater* lakes) {
    const double spacing = reach.length / static_cast<double>(reach.points.size() - 1);
    const std::vector<RiverPoint> points = centreline(
        {.points = reach.points},
        std::max(0.1, reach.width / (reach.slope > kSteep ? kStepsPerSteepWidth : kStepsPerWidth)));
    BaseLine line{.reach = &reach, .flow = reach.width * reach.depth * reach.velocity};
    line.can_show_bends = spacing < reach.width;
    std::vector<double> bed;
    double length = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i > 0) length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
        line.x.push_back(points[i].x);
        line.y.push_back(points[i].y);
        bed.push_back(points[i].z);
    }
    line.step = length / static_cast<double>(points.size() - 1);
    line.width.assign(line.size(), reach.width);
    measure_normals(line);
    const std::size_t half =
        steps_in(std::max(kSmoothedWidths * reach.width, kSmoothedPoints * spacing), line.step);
    bed = smoothed_along(bed, half);
    for (std::size_t i = 0; i < line.size(); ++i)
        line.level.push_back(bankfull_level(elevation, {.place = {line.x[i], line.y[i]},
                                                        .normal_x = line.normal_x[i],
                                                        .normal_y = line.normal_y[i],
                                                        .bed = bed[i],
                                                        .width = reach.width,
                                                        .depth = reach.depth}) -
                             parameters.freeboard * reach.depth);
    line.level = smoothed_along(line.level, half);
    for (std::size_t i = 1; i < line.size(); ++i) line.level[i] = std::min(line.level[i], line.level[i - 1]);
    if (lakes != nullptr) find_lakes(*lakes, line);
    return line;
}

using LevelsOfNodes = std::unordered_map<std::int64_t, double>;

/// The level at each node: the lowest that a reach there asks for, and none above it; no lower than the lakes
/// below it.
LevelsOfNodes levels_of_nodes(const std::vector<BaseLine>& lines) {
    LevelsOfNodes levels;
    const auto lower = [&](std::int64_t node, double level) {
        const auto [at, is_new] = levels.try_emplace(node, level);
        if (!is_new) at->second = std::min(at->second, level);
    };
    for (const BaseLine& line : lines) {
        lower(line.reach->from_node, line.level.front());
        lower(line.reach->to_node, line.level.back());
    }
    // Reaches come upstream before downstream.
    for (const BaseLine& line : lines) {
        lower(line.reach->to_node, levels.at(line.reach->from_node));
        for (const LakeOnLine& lake : line.lakes) lower(line.reach->to_node, lake.level);
    }
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        double& below = levels.at(line->reach->to_node);
        double& above = levels.at(line->reach->from_node);
        if (!line->lakes.empty() && line->lakes.back().last + 1 == line->size())
            below = std::max(below, line->lakes.back().level);
        above = std::max(above, below);
        for (const LakeOnLine& lake : line->lakes) above = std::max(above, lake.level);
    }
    return levels;
}

/// Moves the levels of a line's points from `begin` to `end` to `first` and `last` at both ends.
void fit_between(BaseLine& line, std::size_t begin, std::size_t end, double first, double last) {
    const double length = line.step * static_cast<double>(end - begin);
    const double ramp = std::max(std::min(kJunctionWidths * line.reach->width, 0.5 * length), 1e-9);
    const double first_cut = line.level[begin] - first;
    const double last_cut = line.level[end] - last;
    double lowest = first;
    for (std::size_t i = begin; i <= end; ++i) {
        const double way = line.step * static_cast<double>(i - begin);
        const double cut =
            first_cut * (1.0 - smooth_step(way / ramp)) + last_cut * smooth_step(1.0 - (length - way) / ramp);
        lowest = std::clamp(line.level[i] - cut, last, lowest);
        line.level[i] = lowest;
    }
    line.level[begin] = first;
    line.level[end] = last;
}

/// Fits a line to the levels of its nodes, to which they are lowered, and to those of its lakes.
void fit_to_nodes(BaseLine& line, const LevelsOfNodes& levels) {
    double level = levels.at(line.reach->from_node);
    std::size_t begin = 0;
    for (LakeOnLine& lake : line.lakes) {
        lake.level = std::min(lake.level, level);
        if (lake.first > begin) fit_between(line, begin, lake.first, level, lake.level);
        for (std::size_t i = lake.first; i <= lake.last; ++i) line.level[i] = lake.level;
        level = lake.level;
        begin = lake.last;
    }
    const double last = std::min(level, levels.at(line.reach->to_node));
    if (begin + 1 < line.size()) fit_between(line, begin, line.size() - 1, level, last);
}

/// Lets widths begin as the widest reach above ends.
void fit_widths(std::vector<BaseLine>& lines) {
    std::unordered_map<std::int64_t, double> ending;
    for (const BaseLine& line : lines) {
        double& widest = ending[line.reach->to_node];
        widest = std::max(widest, line.reach->width);
    }
    for (BaseLine& line : lines) {
        const auto above = ending.find(line.reach->from_node);
        if (above == ending.end()) continue;
        const double way = std::min(kWideningWidths * line.reach->width, line.length());
        for (std::size_t i = 0; i < line.size(); ++i)
            line.width[i] = above->second + (line.reach->width - above->second) *
                                                smooth_step(line.step * static_cast<double>(i) / way);
    }
}

/// Lets the water be level where reaches join or part.
void level_at_confluences(std::vector<BaseLine>& lines) {
    struct Meeting {
        int ending = 0;
        int beginning = 0;
        double widest = 0.0;  // m
    };
    std::unordered_map<std::int64_t, Meeting> meetings;
    for (const BaseLine& line : lines) {
        Meeting& above = meetings[line.reach->from_node];
        ++above.beginning;
        above.widest = std::max(above.widest, line.reach->width);
        Meeting& below = meetings[line.reach->to_node];
        ++below.ending;
        below.widest = std::max(below.widest, line.reach->width);
    }
    const auto level_near = [&](std::int64_t node) {
        const Meeting& meeting = meetings.at(node);
        return std::max(meeting.ending, meeting.beginning) > 1 ? kLevelWidths * meeting.widest : 0.0;
    };
    for (BaseLine& line : lines) {
        line.level_from_first = level_near(line.reach->from_node);
        line.level_to_last = level_near(line.reach->to_node);
    }
}

}  // namespace

std::vector<double> smoothed_along(const std::vector<double>& values, std::size_t half) {
    // Sums of differences from the first value keep digits.
    std::vector<double> sums = {0.0};
    for (const double value : values) sums.push_back(sums.back() + (value - values.front()));
    std::vector<double> means(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t reach = std::min({half, i, values.size() - 1 - i});
        means[i] = reach == 0 ? values[i]
                              : values.front() + (sums[i + reach + 1] - sums[i - reach]) /
                                                     static_cast<double>(2 * reach + 1);
    }
    return means;
}

std::vector<BaseLine> base_lines(const RiverNetwork& network, const Field<float>& elevation,
                                 const BedCourseParameters& parameters, const StandingWater* lakes) {
    std::vector<BaseLine> lines(network.reaches.size());
    parallel_for(0, std::ssize(network.reaches), 4, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            const auto place = static_cast<std::size_t>(i);
            lines[place] = line_of(network.reaches[place], elevation, parameters, lakes);
        }
    });
    const LevelsOfNodes levels = levels_of_nodes(lines);
    for (BaseLine& line : lines) fit_to_nodes(line, levels);
    fit_widths(lines);
    level_at_confluences(lines);
    return lines;
}

double value_along(const std::vector<double>& values, double place) {
    const double clamped = std::clamp(place, 0.0, static_cast<double>(values.size() - 1));
    const auto below = std::min(static_cast<std::size_t>(clamped), values.size() - 2);
    const double share = clamped - static_cast<double>(below);
    return values[below] + share * (values[below + 1] - values[below]);
}

}  // namespace thalweg
