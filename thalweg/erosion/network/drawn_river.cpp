#include "thalweg/erosion/drawn_river.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/erosion/network/line_part.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kSampleDistance = 0.25;  // cells, between the places on a line whose nearest node is taken
constexpr double kFarthest = 1e12;        // m, of a coordinate
constexpr std::int32_t kNowhere = -1;     // in a line of nodes: it is off the grid

using Nodes = std::vector<std::int32_t>;

/// A place in columns and rows, (0, 0) at the centre of the first cell.
struct Place {
    double x;
    double y;
};

/// The nodes along one line.
class LineTracer {
  public:
    explicit LineTracer(const Lattice& lattice) : lattice_(lattice), steps_(lattice.index_steps()) {}

    /// Linked nodes from point to point, kNowhere wherever the line has left the grid.
    Nodes trace(const DrawnRiver& river) {
        nodes_.clear();
        for (std::size_t i = 0; i + 3 < river.points.size(); i += 2)
            trace_segment(place_of(river, i), place_of(river, i + 2));
        return std::move(nodes_);
    }

  private:
    [[nodiscard]] Place place_of(const DrawnRiver& river, std::size_t i) const {
        return {lattice_.grid.column_at(river.points[i]), lattice_.grid.row_at(river.points[i + 1])};
    }

    void trace_segment(const Place& from, const Place& to) {
        const Grid& grid = lattice_.grid;
        LinePart part;
        const double x = to.x - from.x, y = to.y - from.y;
        if (!cut(from.x, x, -0.5, grid.columns - 0.5, part) || !cut(from.y, y, -0.5, grid.rows - 0.5, part))
            return leave();
        if (part.begin > 0.0) leave();
        const double length = std::hypot(x, y) * (part.end - part.begin);
        const auto samples = static_cast<std::int64_t>(std::ceil(length / kSampleDistance));
        for (std::int64_t i = 0; i <= samples; ++i) {
            const double share = samples == 0 ? 0.0 : static_cast<double>(i) / static_cast<double>(samples);
            const double along = part.begin + share * (part.end - part.begin);
            visit({from.x + along * x, from.y + along * y});
        }
        if (part.end < 1.0) leave();
    }

    void leave() {
        if (!nodes_.empty() && nodes_.back() != kNowhere) nodes_.push_back(kNowhere);
    }

    void visit(const Place& place) {
        const std::int32_t node = nearest_node(place);
        if (nodes_.empty() || nodes_.back() == kNowhere) {
            nodes_.push_back(node);
            return;
        }
        while (nodes_.back() != node) nodes_.push_back(step_towards(nodes_.back(), node, place));
    }

    [[nodiscard]] double square_distance(std::int64_t cell, const Place& place) const {
        double x = lattice_.grid.column_of(cell) - place.x, y = lattice_.grid.row_of(cell) - place.y;
        if (lattice_.displaced()) {
            x += static_cast<double>(lattice_.offset_x[at(cell)]);
            y += static_cast<double>(lattice_.offset_y[at(cell)]);
        }
        return x * x + y * y;
    }

    [[nodiscard]] std::int32_t nearest_node(const Place& place) const {
        const Grid& grid = lattice_.grid;
        const int column = std::clamp(static_cast<int>(std::lround(place.x)), 0, grid.columns - 1);
        const int row = std::clamp(static_cast<int>(std::lround(place.y)), 0, grid.rows - 1);
        std::int64_t nearest = kNowhere;
        double least = std::numeric_limits<double>::infinity();
        for (int r = std::max(0, row - 1); r <= std::min(grid.rows - 1, row + 1); ++r)
            for (int c = std::max(0, column - 1); c <= std::min(grid.columns - 1, column + 1); ++c) {
                const std::int64_t cell = grid.index(c, r);
                if (const double square = square_distance(cell, place); square < least) {
                    least = square;
                    nearest = cell;
                }
            }
        return static_cast<std::int32_t>(nearest);
    }

    /// The next node over a link on the way to `to`: over the diagonal where there is one, else along the
    /// longer axis; of two equal ways the one whose node lies nearer to `place`.
    [[nodiscard]] std::int32_t step_towards(std::int32_t from, std::int32_t to, const Place& place) const {
        const Grid& grid = lattice_.grid;
        const int columns = grid.column_of(to) - grid.column_of(from);
        const int rows = grid.row_of(to) - grid.row_of(from);
        const int column_step = columns > 0 ? 1 : -1, row_step = rows > 0 ? 1 : -1;
        const std::int32_t across = from + column_step, along = from + row_step * grid.columns;
        if (rows == 0) return across;
        if (columns == 0) return along;
        for (std::size_t d = 1; d < 8; d += 2)
            if (kColumnStep[d] == column_step && kRowStep[d] == row_step &&
                (lattice_.links_of(from) >> d & 1) != 0)
                return from + steps_[d];
        if (std::abs(columns) != std::abs(rows)) return std::abs(columns) > std::abs(rows) ? across : along;
        return square_distance(across, place) <= square_distance(along, place) ? across : along;
    }

    const Lattice& lattice_;
    std::array<std::int32_t, 8> steps_;
    Nodes nodes_;
};

/// Cuts off everything between two visits of a node.
Nodes without_loops(const Nodes& nodes) {
    Nodes simple;
    std::unordered_map<std::int32_t, std::size_t> places;
    for (const std::int32_t node : nodes) {
        const auto [place, is_new] = places.emplace(node, simple.size());
        if (is_new) {
            simple.push_back(node);
            continue;
        }
        const std::size_t kept = place->second + 1;
        for (std::size_t i = kept; i < simple.size(); ++i) places.erase(simple[i]);
        simple.resize(kept);
    }
    return simple;
}

/// Lays chains of nodes one after another.
class CourseLayer {
  public:
    CourseLayer(const Lattice& lattice, const Field<float>& elevation, const Field<std::uint8_t>& roots,
                AtCrossings at_crossings)
        : grid_(lattice.grid),
          at_crossings_(at_crossings),
          steps_(lattice.index_steps()),
          elevation_(elevation),
          roots_(roots),
          direction_(at(grid_.cells()), kPit),
          is_end_(at(grid_.cells()), 0) {}

    /// Lays the chains of one line, which break where there is no data, and at roots.
    void lay_line(const Nodes& nodes) {
        Nodes piece;
        const auto finish = [&]() {
            lay(without_loops(piece));
            piece.clear();
        };
        for (const std::int32_t node : nodes) {
            if (node == kNowhere || is_no_data(elevation_[node])) {
                finish();
            } else if (roots_[node] == 0) {
                piece.push_back(node);
            } else if (!piece.empty()) {
                piece.push_back(node);
                finish();
            }
        }
        finish();
    }

    [[nodiscard]] RiverCourses courses() const {
        RiverCourses courses;
        for (std::int32_t cell = 0; cell < grid_.cells(); ++cell) {
            if (direction_[at(cell)] < kRoot) courses.cells.push_back({cell, direction_[at(cell)]});
            if (is_end_[at(cell)] != 0) courses.ends.push_back(cell);
        }
        return courses;
    }

  private:
    [[nodiscard]] bool is_given(std::int32_t cell) const { return direction_[at(cell)] < kRoot; }

    void lay(const Nodes& nodes) {
        std::size_t i = lay_from(nodes, 0);
        while (at_crossings_ == AtCrossings::BeginAnew && i < nodes.size()) i = lay_from(nodes, i);
    }

    /// Lays what comes from place `i` of a chain on, and returns the place where it met another river.
    std::size_t lay_from(const Nodes& nodes, std::size_t i) {
        // A river that begins on another begins where it leaves it.
        while (i < nodes.size() && is_given(nodes[i])) ++i;
        if (i + 1 >= nodes.size()) return nodes.size();
        for (std::int32_t cell = nodes[i]; ++i < nodes.size();) {
            const std::int32_t next = nodes[i];
            const Path path = path_from(next);
            if (path.end == cell) {  // the other leads here: head on, or in a circle
                end_at(cell);
                return i;
            }
            direct(cell, next);
            if (roots_[next] != 0) return nodes.size();
            if (path.steps > 0) {
                const bool ends_at_root = roots_[nodes.back()] != 0;
                const std::int64_t left = static_cast<std::int64_t>(nodes.size() - 1 - i);
                const bool goes_on = roots_[path.end] == 0 && (ends_at_root || left > path.steps);
                if (!goes_on) return i;
                release(next);
            }
            cell = next;
        }
        end_at(nodes.back());
        return nodes.size();
    }

    /// Where the given directions lead from a cell.
    struct Path {
        std::int32_t end;
        std::int64_t steps;
    };
    [[nodiscard]] Path path_from(std::int32_t cell) const {
        Path path{cell, 0};
        for (; is_given(path.end); ++path.steps) path.end += steps_[direction_[at(path.end)]];
        return path;
    }

    void direct(std::int32_t cell, std::int32_t next) {
        is_end_[at(cell)] = 0;
        direction_[at(cell)] = direction_between(grid_, cell, next);
    }

    void end_at(std::int32_t cell) {
        if (!is_given(cell) && roots_[cell] == 0 && is_joined(cell)) is_end_[at(cell)] = 1;
    }

    [[nodiscard]] bool is_joined(std::int32_t cell) const {
        for (int d = 0; d < 8; ++d) {
            const int column = grid_.column_of(cell) + kColumnStep[d], row = grid_.row_of(cell) + kRowStep[d];
            if (grid_.contains(column, row) && direction_[at(grid_.index(column, row))] == opposite(d))
                return true;
        }
        return false;
    }

    /// Takes the directions away from `cell` on, as far as nothing else joins; where what is left of a river
    /// begins anew, from `cell` alone.
    void release(std::int32_t cell) {
        if (at_crossings_ == AtCrossings::BeginAnew) {
            direction_[at(cell)] = kPit;
            return;
        }
        while (is_given(cell)) {
            const std::int32_t next = cell + steps_[direction_[at(cell)]];
            direction_[at(cell)] = kPit;
            if (is_joined(next)) return;
            is_end_[at(next)] = 0;
            cell = next;
        }
    }

    Grid grid_;
    AtCrossings at_crossings_;
    std::array<std::int32_t, 8> steps_;
    const Field<float>& elevation_;
    const Field<std::uint8_t>& roots_;
    std::vector<std::uint8_t> direction_;  // per cell: where it is given, else kPit
    std::vector<std::uint8_t> is_end_;     // per cell: 1 where a course ends inside
};

/// "river 2".
std::string name_of(const std::string& origin, std::size_t index) {
    return fmt::format("{}river {}", origin, index + 1);
}

void check_river(const DrawnRiver& river, const std::string& name, const Grid& grid) {
    const std::vector<double>& points = river.points;
    if (points.size() < 4 || points.size() % 2 != 0)
        throw Error::input(fmt::format(
            "{} has {} coordinates: give x and y, in metres, of at least two points", name, points.size()));
    for (const double coordinate : points)
        if (!(std::abs(coordinate) <= kFarthest))
            throw Error::input(
                fmt::format("{} has a coordinate of {} m: give at most {} m", name, coordinate, kFarthest));
    const std::size_t last = points.size() - 2;
    if (points[0] == points[last] && points[1] == points[last + 1])
        throw Error::input(
            fmt::format("{} ends at ({}, {}) m, where it begins: a river runs downstream, from "
                        "its source to another place",
                        name, points[0], points[1]));
    const Lattice lattice = four_neighbours(grid);
    if (!LineTracer(lattice).trace(river).empty()) return;
    throw Error::input(
        fmt::format("{} lies outside the landscape, which reaches from ({}, {}) to ({}, {}) m; its first "
                    "point is ({}, {}) m",
                    name, grid.west, grid.north - grid.height(), grid.west + grid.width(), grid.north,
                    points[0], points[1]));
}

}  // namespace

void DrawnRiver::declare(Declaration<DrawnRiver>& d) {
    d.numbers("points", &DrawnRiver::points,
              {.label = "Points",
               .unit = "m",
               .sentence = "Points along the river, downstream: x0, y0, x1, y1, ..."});
    d.boolean("locked", &DrawnRiver::locked,
              {.label = "Straight between points",
               .unit = "",
               .sentence = "Whether the river runs straight from point to point, and does not wind between "
                           "them as rivers do."});
}

void check_rivers(std::span<const DrawnRiver> rivers, const Grid& grid, const std::string& origin) {
    for (std::size_t i = 0; i < rivers.size(); ++i) check_river(rivers[i], name_of(origin, i), grid);
}

std::vector<std::size_t> rivers_off_land(std::span<const DrawnRiver> rivers, const Field<float>& elevation,
                                         const Field<std::uint8_t>& roots) {
    const Lattice lattice = four_neighbours(elevation.grid());
    LineTracer tracer(lattice);
    std::vector<std::size_t> off_land;
    for (std::size_t i = 0; i < rivers.size(); ++i) {
        const Nodes nodes = tracer.trace(rivers[i]);
        const bool meets_land = std::ranges::any_of(nodes, [&](std::int32_t node) {
            return node != kNowhere && !is_no_data(elevation[node]) && roots[node] == 0;
        });
        if (!meets_land) off_land.push_back(i);
    }
    return off_land;
}

void turn_downhill(std::span<DrawnRiver> rivers, const Field<float>& elevation) {
    const Lattice lattice = eight_neighbours(elevation.grid());
    LineTracer tracer(lattice);
    for (DrawnRiver& river : rivers) {
        const Nodes nodes = tracer.trace(river);
        const auto has_data = [&](std::int32_t node) {
            return node != kNowhere && !is_no_data(elevation[node]);
        };
        const auto first = std::ranges::find_if(nodes, has_data);
        if (first == nodes.end()) continue;
        const auto last = std::find_if(nodes.rbegin(), nodes.rend(), has_data);
        if (elevation[*last] <= elevation[*first]) continue;
        // Points lie as x, y: reversed as numbers and then pair by pair.
        std::ranges::reverse(river.points);
        for (std::size_t i = 0; i + 1 < river.points.size(); i += 2)
            std::swap(river.points[i], river.points[i + 1]);
    }
}

RiverCourses courses_on(const Lattice& lattice, std::span<const DrawnRiver> rivers,
                        const Field<float>& elevation, const Field<std::uint8_t>& roots,
                        AtCrossings at_crossings) {
    if (rivers.empty()) return {};
    LineTracer tracer(lattice);
    CourseLayer layer(lattice, elevation, roots, at_crossings);
    for (const DrawnRiver& river : rivers) layer.lay_line(tracer.trace(river));
    return layer.courses();
}

}  // namespace thalweg
