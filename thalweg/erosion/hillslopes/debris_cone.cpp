#include "thalweg/erosion/hillslopes/debris_cone.hpp"

#include "thalweg/flow/directions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

constexpr double kLongestWay = 3000.0;  // m (empirical)
constexpr int kHalvings = 30;           // of the height of a cone: 1 um of 1 km
constexpr double kMostHeight = 1000.0;  // m above the start
constexpr double kEnough = 0.5;         // share of the debris from which a cone may be made thicker
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

}  // namespace

void DebrisCone::find_way(const DebrisGround& ground, std::int64_t start) {
    const Grid& grid = ground.grid();
    way_.assign(1, start);
    const auto most = static_cast<std::size_t>(kLongestWay / grid.cell_size) + 1;
    while (way_.size() < most) {
        const std::int64_t cell = way_.back();
        const int column = grid.column_of(cell), row = grid.row_of(cell);
        if (grid.on_edge(column, row)) return;
        std::int64_t lowest = -1;
        double steepest = 0.0;
        for (int d = 0; d < 8; ++d) {
            const std::int64_t other = grid.index(column + kColumnStep[d], row + kRowStep[d]);
            const double length = kColumnStep[d] != 0 && kRowStep[d] != 0 ? std::sqrt(2.0) : 1.0;
            const double drop = (ground.height(cell) - ground.height(other)) / length;
            if (drop > steepest) {
                steepest = drop;
                lowest = other;
            }
        }
        if (lowest < 0) return;
        way_.push_back(lowest);
    }
}

double DebrisCone::cover(const DebrisGround& ground, const Cone& cone, double enough) {
    const Grid& grid = ground.grid();
    const int apex_column = grid.column_of(way_[cone.apex]), apex_row = grid.row_of(way_[cone.apex]);
    ++covers_;
    layers_.clear();
    waiting_.clear();
    reaches_rim_ = false;
    double sum = 0.0;
    const auto visit = [&](std::int64_t cell) {
        if (visited_[at(cell)] == covers_) return;
        visited_[at(cell)] = covers_;
        const double distance =
            grid.cell_size * std::hypot(grid.column_of(cell) - apex_column, grid.row_of(cell) - apex_row);
        const double thickness = cone.height - cone.slope * distance - ground.height(cell);
        if (thickness <= 0.0) return;
        if (std::isnan(thickness) || grid.on_edge(grid.column_of(cell), grid.row_of(cell))) {
            reaches_rim_ = true;
            return;
        }
        layers_.push_back({cell, thickness});
        waiting_.push_back(cell);
        sum += thickness;
    };
    for (std::size_t i = cone.apex; i < way_.size(); ++i) visit(way_[i]);
    while (!waiting_.empty() && sum <= enough && !reaches_rim_) {
        const std::int64_t cell = waiting_.back();
        waiting_.pop_back();
        const int column = grid.column_of(cell), row = grid.row_of(cell);
        for (int d = 0; d < 8; d += 2) visit(grid.index(column + kColumnStep[d], row + kRowStep[d]));
    }
    return sum;
}

bool DebrisCone::is_too_high(const DebrisGround& ground, const Cone& cone, double amount) {
    return cover(ground, cone, amount) >= amount || reaches_rim_;
}

double DebrisCone::lay_down(DebrisGround& ground, std::int64_t start, double amount, double slope) {
    find_way(ground, start);
    // The lowest apex whose cone, standing on the ground, holds as much.
    std::size_t apex = 0, below = way_.size();
    while (apex + 1 < below) {
        const std::size_t middle = (apex + below) / 2;
        (is_too_high(ground, {middle, ground.height(way_[middle]), slope}, amount) ? apex : below) = middle;
    }
    double least = ground.height(way_.back()), most = ground.height(way_[apex]);
    if (!is_too_high(ground, {apex, most, slope}, amount)) {
        least = most;
        most += kMostHeight;
    }
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = 0.5 * (least + most);
        (is_too_high(ground, {apex, middle, slope}, amount) ? most : least) = middle;
    }
    // A little higher, a cone may run over a saddle and hold far more, or over the rim.
    double sum = cover(ground, {apex, most, slope}, kNoLimit);
    const bool leaves = reaches_rim_;
    const double lower_sum = cover(ground, {apex, least, slope}, kNoLimit);
    if (!leaves && lower_sum < kEnough * amount)
        cover(ground, {apex, most, slope}, kNoLimit);
    else
        sum = lower_sum;
    if (sum <= 0.0) return 0.0;
    const double share = leaves ? std::min(1.0, amount / sum) : amount / sum;
    double laid_down = 0.0;
    for (const Layer& layer : layers_) {
        const double before = ground.height(layer.cell);
        ground.set(layer.cell, before + layer.thickness * share);
        laid_down += ground.height(layer.cell) - before;
    }
    return laid_down;
}

}  // namespace thalweg
