#include "thalweg/meander/events/least_cost_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace thalweg {
namespace {

/// Cost of `length` m over a cell.
double digging_cost(const DiggingGround& ground, std::int64_t cell, double length) {
    return length * (1.0 + ground.cut[cell] / ground.depth);
}

/// Calls visit(neighbour, length) for the neighbours of a cell.
template <class Visit>
void for_each_neighbour(const Grid& grid, std::int32_t cell, const Visit& visit) {
    const int column = grid.column_of(cell);
    const int row = grid.row_of(cell);
    for (int down = -1; down <= 1; ++down)
        for (int right = -1; right <= 1; ++right) {
            if ((down == 0 && right == 0) || !grid.contains(column + right, row + down)) continue;
            const double length = grid.cell_size * std::hypot(right, down);
            visit(static_cast<std::int32_t>(grid.index(column + right, row + down)), length);
        }
}

/// Cost of the straight way between two cells.
double straight_cost(const DiggingGround& ground, std::int32_t from, std::int32_t to) {
    const Grid& grid = ground.grid;
    const double columns = grid.column_of(to) - grid.column_of(from);
    const double rows = grid.row_of(to) - grid.row_of(from);
    const double cells = std::hypot(columns, rows);
    const int steps = std::max(1, static_cast<int>(std::ceil(2.0 * cells)));
    double cost = 0.0;
    for (int i = 1; i <= steps; ++i) {
        const double share = static_cast<double>(i) / steps;
        const auto column = static_cast<int>(std::lround(grid.column_of(from) + share * columns));
        const auto row = static_cast<int>(std::lround(grid.row_of(from) + share * rows));
        const std::int64_t cell = grid.index(column, row);
        if (cell != to && ground.is_end[cell] != 0) return std::numeric_limits<double>::infinity();
        cost += digging_cost(ground, cell, grid.cell_size * cells / steps);
    }
    return cost;
}

}  // namespace

std::vector<std::int32_t> least_cost_path(const DiggingGround& ground, std::int32_t start) {
    using Waiting = std::pair<double, std::int32_t>;
    const auto cells = static_cast<std::size_t>(ground.grid.cells());
    std::vector<double> costs(cells, std::numeric_limits<double>::infinity());
    std::vector<std::int32_t> back(cells, -1);
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
    costs[start] = 0.0;
    waiting.emplace(0.0, start);
    while (!waiting.empty()) {
        const auto [cost, cell] = waiting.top();
        waiting.pop();
        if (cost > costs[cell]) continue;
        if (ground.is_end[cell] != 0) {
            std::vector<std::int32_t> path;
            for (std::int32_t at = cell; at >= 0; at = back[at]) path.push_back(at);
            std::ranges::reverse(path);
            return path;
        }
        for_each_neighbour(ground.grid, cell, [&](std::int32_t next, double length) {
            const double after = costs[cell] + digging_cost(ground, next, length);
            if (!(after < costs[next])) return;
            costs[next] = after;
            back[next] = cell;
            waiting.emplace(after, next);
        });
    }
    return {};
}

std::vector<Position> straightened(const DiggingGround& ground, const std::vector<std::int32_t>& path) {
    constexpr double kRounding = 1.0 + 1e-9;
    const Grid& grid = ground.grid;
    std::vector<double> costs = {0.0};
    for (std::size_t i = 1; i < path.size(); ++i) {
        const double length =
            grid.cell_size * std::hypot(grid.column_of(path[i]) - grid.column_of(path[i - 1]),
                                        grid.row_of(path[i]) - grid.row_of(path[i - 1]));
        costs.push_back(costs.back() + digging_cost(ground, path[i], length));
    }
    const auto place = [&](std::int32_t cell) {
        return grid.centre(grid.column_of(cell), grid.row_of(cell));
    };
    std::vector<Position> corners = {place(path.front())};
    for (std::size_t at = 0; at + 1 < path.size();) {
        std::size_t next = path.size() - 1;
        while (next > at + 1 &&
               straight_cost(ground, path[at], path[next]) > kRounding * (costs[next] - costs[at]))
            --next;
        corners.push_back(place(path[next]));
        at = next;
    }
    return corners;
}

}  // namespace thalweg
