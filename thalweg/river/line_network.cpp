#include "thalweg/river/line_network.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/river/falling_beds.hpp"
#include "thalweg/river/hydraulics.hpp"
#include "thalweg/river/network_checks.hpp"
#include "thalweg/river/reach_graph.hpp"
#include "thalweg/river/seam.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kSamePlace = 1e-3;  // m

/// Ids of nodes by place.
class NodeIds {
  public:
    std::int64_t id_at(const RiverPoint& point) {
        const auto cell = [](double v) { return static_cast<std::int64_t>(std::llround(v / kSamePlace)); };
        return ids_.try_emplace({cell(point.x), cell(point.y)}, static_cast<std::int64_t>(ids_.size()) + 1)
            .first->second;
    }

  private:
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> ids_;
};

void drop_repeated_points(RiverLine& line) {
    for (std::size_t i = line.points.size(); i-- > 1;) {
        if (line.points[i].x != line.points[i - 1].x || line.points[i].y != line.points[i - 1].y) continue;
        line.points.erase(line.points.begin() + static_cast<std::ptrdiff_t>(i));
        if (line.widths.size() > 1) line.widths.erase(line.widths.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void check_line(const RiverLine& line, std::size_t number, const std::string& origin) {
    const auto refuse = [&](const std::string& why) {
        throw Error::input(fmt::format("{}: line {} {}", origin, number + 1, why));
    };
    for (const RiverPoint& point : line.points)
        if (!std::isfinite(point.x) || !std::isfinite(point.y))
            refuse("has a point whose place is no number: give finite coordinates in metres");
    if (line.points.size() < 2) refuse("has fewer than two different points: give two and more");
    if (distance_between(line.points.front(), line.points.back()) < kSamePlace)
        refuse("ends where it begins: give a river with a source and an outlet");
    for (const float width : line.widths)
        if (!(width > 0.0F) || !std::isfinite(width))
            refuse(fmt::format("has a width of {} m: give widths greater than 0", width));
}

/// `line` with so many points between its own that none is further than `spacing` (m) from the next.
RiverLine with_points_between(const RiverLine& line, double spacing) {
    RiverLine dense{.points = {line.points.front()}, .widths = line.widths};
    const bool has_widths = line.widths.size() > 1;
    if (has_widths) dense.widths.resize(1);
    for (std::size_t i = 1; i < line.points.size(); ++i) {
        const RiverPoint& from = line.points[i - 1];
        const RiverPoint& to = line.points[i];
        const auto steps = static_cast<int>(std::ceil(distance_between(from, to) / spacing));
        for (int step = 1; step < steps; ++step) {
            const double share = static_cast<double>(step) / steps;
            dense.points.push_back({.x = std::lerp(from.x, to.x, share),
                                    .y = std::lerp(from.y, to.y, share),
                                    .z = std::lerp(from.z, to.z, share)});
            if (has_widths)
                dense.widths.push_back(
                    std::lerp(line.widths[i - 1], line.widths[i], static_cast<float>(share)));
        }
        dense.points.push_back(to);
        if (has_widths) dense.widths.push_back(line.widths[i]);
    }
    return dense;
}

/// Beds that never rise, with those of the ground where it is known; where nothing is, as the one before, or
/// at the head as the first that is.
void set_beds(std::vector<RiverPoint>& points, const PointValues& values,
              const std::optional<Field<float>>& elevation) {
    for (std::size_t i = 0; i < points.size() && elevation; ++i) {
        const double ground = sample_bilinear(*elevation, {.x = points[i].x, .y = points[i].y});
        if (!std::isnan(ground)) points[i].z = ground - values.depth[i];
    }
    const auto known =
        std::ranges::find_if(points, [](const RiverPoint& point) { return std::isfinite(point.z); });
    double lowest = known == points.end() ? 0.0 : known->z;
    for (RiverPoint& point : points) {
        if (std::isfinite(point.z)) lowest = std::min(lowest, point.z);
        point.z = lowest;
    }
}

PointValues values_of(const RiverLine& line, double width) {
    constexpr double kWidthOfUnit = 10.0;  // m, of a river of 1 m^3/s
    PointValues values;
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        const double here = line.widths.empty()       ? width
                            : line.widths.size() == 1 ? line.widths.front()
                                                      : line.widths[i];
        values.width.push_back(static_cast<float>(here));
        values.depth.push_back(static_cast<float>(depth_of_width(here)));
        values.discharge.push_back(static_cast<float>(here * here / (kWidthOfUnit * kWidthOfUnit)));
    }
    return values;
}

/// Lets lines that meet have one bed where they do, and none rise below it.
void join_beds(RiverNetwork& network) {
    std::vector<std::vector<double>> beds;
    for (const Reach& reach : network.reaches) {
        std::vector<double>& bed = beds.emplace_back();
        for (const RiverPoint& point : reach.points) bed.push_back(point.z);
    }
    let_beds_fall(network.reaches, beds);
    for (std::size_t place = 0; place < beds.size(); ++place) {
        Reach& reach = network.reaches[place];
        for (std::size_t i = 0; i < reach.points.size(); ++i) reach.points[i].z = beds[place][i];
        measure_line(reach);
    }
}

}  // namespace

RiverNetwork network_of_lines(std::vector<RiverLine> lines, double width,
                              const std::optional<Field<float>>& elevation, const std::string& origin) {
    RiverNetwork network;
    NodeIds nodes;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        drop_repeated_points(lines[i]);
        check_line(lines[i], i, origin);
        if (elevation) lines[i] = with_points_between(lines[i], elevation->grid().cell_size);
        Reach& reach = network.reaches.emplace_back();
        reach.id = static_cast<std::int64_t>(i) + 1;
        reach.values = values_of(lines[i], width);
        reach.points = std::move(lines[i].points);
        set_beds(reach.points, reach.values, elevation);
        reach.from_node = nodes.id_at(reach.points.front());
        reach.to_node = nodes.id_at(reach.points.back());
        reach.width = reach.values.width.back();
        reach.depth = reach.values.depth.back();
        reach.discharge = reach.values.discharge.back();
    }
    for (Reach& reach : network.reaches) {
        const auto below = std::ranges::find(network.reaches, reach.to_node, &Reach::from_node);
        if (below == network.reaches.end()) continue;
        reach.next_down = below->id;
        reach.points.back().x = below->points.front().x;
        reach.points.back().y = below->points.front().y;
    }
    network.nodes = nodes_at_ends(network.reaches);
    if (ReachGraph(network.reaches).downstream_order().size() == network.reaches.size()) join_beds(network);
    network.nodes = nodes_at_ends(network.reaches);
    check_network(network, origin, NetworkProfile::DownhillForest);
    order_reaches(network);
    order_nodes(network);
    return network;
}

}  // namespace thalweg
