#include "thalweg/flow/survey/planar_path.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace thalweg {
namespace {

constexpr double kGaussianReach = 4.0;  // deviations: what lies beyond weighs less than 1e-4

std::vector<double> smoothed_line(const std::vector<double>& values, const std::vector<double>& kernel) {
    const auto reach = std::ssize(kernel) - 1, last = std::ssize(values) - 1;
    std::vector<double> means(values.size());
    for (std::int64_t i = 0; i <= last; ++i) {
        double sum = kernel[0] * values[at(i)];
        for (std::int64_t k = 1; k <= reach; ++k)
            sum += kernel[at(k)] * (values[at(std::max<std::int64_t>(i - k, 0))] +
                                    values[at(std::min<std::int64_t>(i + k, last))]);
        means[at(i)] = sum;
    }
    return means;
}

double mean_of_line(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double PlanarPath::chord(int from, int to) const {
    const double east = x[at(to)] - x[at(from)], north = y[at(to)] - y[at(from)];
    return std::sqrt(east * east + north * north);
}

double PlanarPath::bearing(int from, int to) const {
    return std::atan2(y[at(to)] - y[at(from)], x[at(to)] - x[at(from)]);
}

PlanarPath planar_path(const Survey& survey, const StreamTree& tree, std::span<const std::int32_t> river) {
    const Grid& grid = survey.elevation.grid();
    const double steps_per_cell = grid.cell_size / survey.scale.step;
    PlanarPath path;
    for (const std::int32_t entry : river) {
        const std::int32_t cell = tree.cell[at(entry)];
        path.x.push_back(grid.column_of(cell) * steps_per_cell);
        path.y.push_back(-grid.row_of(cell) * steps_per_cell);
    }
    return path;
}

PlanarPath smoothed(const PlanarPath& path, double deviation) {
    if (path.size() < 3) return path;
    std::vector<double> kernel;
    const auto reach = std::lround(kGaussianReach * deviation);
    for (std::int64_t k = 0; k <= reach; ++k) {
        const double away = static_cast<double>(k) / deviation;
        kernel.push_back(std::exp(-0.5 * away * away));
    }
    const double total = kernel[0] + 2.0 * std::accumulate(kernel.begin() + 1, kernel.end(), 0.0);
    for (double& weight : kernel) weight /= total;
    return {.x = smoothed_line(path.x, kernel), .y = smoothed_line(path.y, kernel)};
}

std::vector<double> way_along(const PlanarPath& path) {
    std::vector<double> way(path.x.size(), 0.0);
    for (int i = 1; i < path.size(); ++i) way[at(i)] = way[at(i - 1)] + path.chord(i - 1, i);
    return way;
}

Heading main_heading(const PlanarPath& path) {
    const double middle_x = mean_of_line(path.x), middle_y = mean_of_line(path.y);
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (std::size_t i = 0; i < path.x.size(); ++i) {
        const double east = path.x[i] - middle_x, north = path.y[i] - middle_y;
        xx += east * east;
        xy += east * north;
        yy += north * north;
    }
    const double angle = 0.5 * std::atan2(2.0 * xy, xx - yy);
    Heading heading{.east = std::cos(angle), .north = std::sin(angle)};
    const Heading ahead{.east = path.x.back() - path.x.front(), .north = path.y.back() - path.y.front()};
    if (heading.dot(ahead) < 0.0) heading = {.east = -heading.east, .north = -heading.north};
    return heading;
}

}  // namespace thalweg
