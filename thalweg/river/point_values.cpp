#include "thalweg/river/point_values.hpp"

#include "thalweg/river/seam.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

/// Gives body(column, source) each column with that of another.
template <class Body>
void for_each_column(PointValues& values, const PointValues& source, const Body& body) {
    body(values.width, source.width);
    body(values.depth, source.depth);
    body(values.discharge, source.discharge);
}

/// The way along a line to each of its points, m.
std::vector<double> distances_along(std::span<const RiverPoint> line) {
    std::vector<double> distances = {0.0};
    for (std::size_t i = 1; i < line.size(); ++i)
        distances.push_back(distances.back() + distance_between(line[i - 1], line[i]));
    return distances;
}

}  // namespace

void append_values(PointValues& values, const PointValues& source, std::size_t first, std::size_t end) {
    if (source.empty()) return;
    for_each_column(values, source, [&](std::vector<float>& column, const std::vector<float>& of) {
        column.insert(column.end(), of.begin() + static_cast<std::ptrdiff_t>(first),
                      of.begin() + static_cast<std::ptrdiff_t>(end));
    });
}

void append_between(PointValues& values, const PointValues& source, std::size_t before, double share) {
    if (source.empty()) return;
    for_each_column(values, source, [&](std::vector<float>& column, const std::vector<float>& of) {
        const auto [low, high] = std::minmax(of[before], of[before + 1]);
        const double between = of[before] + share * (static_cast<double>(of[before + 1]) - of[before]);
        column.push_back(std::clamp(static_cast<float>(between), low, high));
    });
}

PointValues resampled_values(const PointValues& values, std::span<const RiverPoint> from,
                             std::span<const RiverPoint> to) {
    PointValues resampled;
    if (values.empty()) return resampled;
    for_each_column(resampled, [&](std::vector<float>& column) { column.reserve(to.size()); });
    const std::vector<double> old_distance = distances_along(from);
    const std::vector<double> new_distance = distances_along(to);
    const double scale = new_distance.back() > 0.0 ? old_distance.back() / new_distance.back() : 0.0;
    append_values(resampled, values, 0, 1);
    std::size_t before = 0;
    for (std::size_t i = 1; i + 1 < to.size(); ++i) {
        const double distance = new_distance[i] * scale;
        while (before + 2 < from.size() && old_distance[before + 1] < distance) ++before;
        const double step = old_distance[before + 1] - old_distance[before];
        append_between(resampled, values, before,
                       step > 0.0 ? std::clamp((distance - old_distance[before]) / step, 0.0, 1.0) : 0.0);
    }
    append_values(resampled, values, from.size() - 1, from.size());
    return resampled;
}

}  // namespace thalweg
