#include "thalweg/river/line_network.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/sampling.hpp"
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
    if (line.points.size() < 2) refuse("has fewer than two different points");
    if (distance_between(line.points.front(), line.points.back()) < kSamePlace)
        refuse("ends where it begins: give a river with a source and an outlet");
    for (const float width : line.widths)
        if (!(width > 0.0F) || !std::isfinite(width))
            refuse(fmt::format("has a width of {} m: give widths greater than 0", width));
}

/// Beds that never rise, with those of the ground where it is known.
void set_beds(std::vector<RiverPoint>& points, const PointValues& values,
              const std::optional<Field<float>>& elevation) {
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
        double bed = std::isfinite(points[i].z) ? points[i].z : 0.0;
        if (elevation) {
            const double ground = sample_bilinear(*elevation, {.x = points[i].x, .y = points[i].y});
            if (!std::isnan(ground)) bed = ground - values.depth[i];
        }
        lowest = std::min(lowest, bed);
        points[i].z = lowest;
    }
}

PointValues values_of(const RiverLine& line, double width) {
    constexpr double kWidthCoefficient = 18.8;  // m
    constexpr double kWidthExponent = 1.41;     // of depth
    constexpr double kWidthOfUnit = 10.0;       // m, of a river of 1 m^3/s
    PointValues values;
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        const double here = line.widths.empty()       ? width
                            : line.widths.size() == 1 ? line.widths.front()
                                                      : line.widths[i];
        values.width.push_back(static_cast<float>(here));
        values.depth.push_back(static_cast<float>(std::pow(here / kWidthCoefficient, 1.0 / kWidthExponent)));
        values.discharge.push_back(static_cast<float>(std::pow(here / kWidthOfUnit, 2.0)));
    }
    return values;
}

/// Lets lines that meet have one bed where they do, and none rise below it.
void join_beds(RiverNetwork& network) {
    const ReachGraph graph(network.reaches);
    std::map<std::int64_t, double> bed_at;  // of nodes, m
    const auto lower = [&](std::int64_t node, double bed) {
        const auto [known, is_new] = bed_at.try_emplace(node, bed);
        if (!is_new) known->second = std::min(known->second, bed);
        return known->second;
    };
    for (const std::int32_t place : graph.downstream_order()) {
        Reach& reach = network.reaches[place];
        double bed = lower(reach.from_node, reach.points.front().z);
        for (RiverPoint& point : reach.points) point.z = bed = std::min(bed, point.z);
        lower(reach.to_node, bed);
    }
    for (Reach& reach : network.reaches) {
        reach.points.front().z = bed_at[reach.from_node];
        reach.points.back().z = bed_at[reach.to_node];
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
        reach.points.back() = below->points.front();
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
