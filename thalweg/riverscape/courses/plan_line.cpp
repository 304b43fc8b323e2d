#include "thalweg/riverscape/courses/plan_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace thalweg {
namespace {

/// Of each point, by how much it is moved to the middle of its neighbours: 0 for points that are far from
/// tight places, 1 at those. Empty where there is no tight place.
std::vector<double> weights_near_tight_places(const PlanLine& line, std::size_t chord, double greatest) {
    const std::size_t count = line.x.size();
    const std::size_t reach = 4 * chord;
    std::vector<double> weights;
    for (std::size_t i = chord; i + chord < count; ++i) {
        if (std::abs(curvature_at(line, i, chord)) <= greatest) continue;
        weights.resize(count, 0.0);
        const std::size_t last = std::min(i + reach, count - 2);
        for (std::size_t k = i > reach ? i - reach : 1; k <= last; ++k) {
            const double away = static_cast<double>(k > i ? k - i : i - k) / static_cast<double>(reach + 1);
            weights[k] = std::max(weights[k], 1.0 - away * away);
        }
    }
    return weights;
}

void move_to_middles(std::vector<double>& values, const std::vector<double>& weights) {
    double before = values.front();
    for (std::size_t i = 1; i + 1 < values.size(); ++i) {
        const double here = values[i];
        values[i] += 0.5 * weights[i] * (0.5 * (before + values[i + 1]) - here);
        before = here;
    }
}

PlanLine part_of(const PlanLine& line, std::size_t first, std::size_t last) {
    const auto part = [&](const std::vector<double>& values) {
        return std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(first),
                                   values.begin() + static_cast<std::ptrdiff_t>(last) + 1);
    };
    return {part(line.x), part(line.y), part(line.place)};
}

/// Adds the points of `part` behind its first one.
void append(PlanLine& line, const PlanLine& part) {
    line.x.insert(line.x.end(), part.x.begin() + 1, part.x.end());
    line.y.insert(line.y.end(), part.y.begin() + 1, part.y.end());
    line.place.insert(line.place.end(), part.place.begin() + 1, part.place.end());
}

/// Even steps wherever points have been moved; all others keep their bits.
PlanLine spaced_where_moved(const PlanLine& line, const std::vector<double>& weights, double step) {
    PlanLine spaced = part_of(line, 0, 0);
    for (std::size_t first = 0; first + 1 < weights.size();) {
        const bool has_moved = weights[first + 1] > 0.0;
        std::size_t last = first + 1;
        while (last + 1 < weights.size() && (weights[last] > 0.0 || !has_moved) &&
               (has_moved || weights[last + 1] == 0.0))
            ++last;
        const PlanLine part = part_of(line, first, last);
        append(spaced, has_moved ? evenly_spaced(part, step) : part);
        first = last;
    }
    return spaced;
}

}  // namespace

double curvature_at(const PlanLine& line, std::size_t i, std::size_t chord) {
    const double ax = line.x[i] - line.x[i - chord];
    const double ay = line.y[i] - line.y[i - chord];
    const double bx = line.x[i + chord] - line.x[i];
    const double by = line.y[i + chord] - line.y[i];
    const double length = 0.5 * (std::hypot(ax, ay) + std::hypot(bx, by));
    return length > 0.0 ? std::atan2(ax * by - ay * bx, ax * bx + ay * by) / length : 0.0;
}

PlanLine evenly_spaced(const PlanLine& line, double step) {
    std::vector<double> along = {0.0};
    for (std::size_t i = 1; i < line.x.size(); ++i)
        along.push_back(along.back() + std::hypot(line.x[i] - line.x[i - 1], line.y[i] - line.y[i - 1]));
    const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(along.back() / step)));
    PlanLine even;
    std::size_t before = 0;
    for (std::size_t i = 0; i <= count; ++i) {
        const double way = along.back() * static_cast<double>(i) / static_cast<double>(count);
        while (before + 2 < along.size() && along[before + 1] < way) ++before;
        const double length = along[before + 1] - along[before];
        const double share = length > 0.0 ? std::clamp((way - along[before]) / length, 0.0, 1.0) : 0.0;
        even.x.push_back(line.x[before] + share * (line.x[before + 1] - line.x[before]));
        even.y.push_back(line.y[before] + share * (line.y[before + 1] - line.y[before]));
        even.place.push_back(line.place[before] + share * (line.place[before + 1] - line.place[before]));
    }
    even.x.back() = line.x.back();
    even.y.back() = line.y.back();
    even.place.back() = line.place.back();
    return even;
}

PlanLine rounded_line(PlanLine line, double step, double least_radius) {
    constexpr double kRounds =
        4.0;  // for each square of steps in the radius: a turn of 135 degrees needs as many
    const double radius = least_radius / step;  // steps
    const auto chord = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(0.5 * radius)));
    for (double round = 0.0; round < kRounds * radius * radius; round += 1.0) {
        const std::vector<double> weights = weights_near_tight_places(line, chord, 1.0 / least_radius);
        if (weights.empty()) break;
        move_to_middles(line.x, weights);
        move_to_middles(line.y, weights);
        line = spaced_where_moved(line, weights, step);
    }
    return line;
}

}  // namespace thalweg
