#include "thalweg/render/drawing/river_lines.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/river/reach_graph.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

/// Drawn flow of a reach: its bankfull discharge, or its drainage area where no reach has one.
double flow_of(const Reach& reach, bool by_area) {
    return by_area ? reach.upland_area : reach.bankfull_discharge;
}

bool lacks_discharge(const RiverNetwork& rivers) {
    return std::none_of(rivers.reaches.begin(), rivers.reaches.end(),
                        [](const Reach& reach) { return reach.bankfull_discharge > 0.0; });
}

Position middle(Position a, Position b, double share) {
    return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

/// Chaikin's corner cutting, ends held.
std::vector<Position> cut_corners(const std::vector<Position>& points) {
    if (points.size() < 3) return points;
    std::vector<Position> cut{points.front()};
    cut.reserve(2 * points.size());
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        if (i > 0) cut.push_back(middle(points[i], points[i + 1], 0.25));
        if (i + 2 < points.size()) cut.push_back(middle(points[i], points[i + 1], 0.75));
    }
    cut.push_back(points.back());
    return cut;
}

PaintedRiver smooth_line(const Reach& reach, double flow_above, double flow_below) {
    PaintedRiver line{.reach = reach.id, .points = {}, .flow = {}};
    for (const RiverPoint& point : reach.points) line.points.push_back({point.x, point.y});
    line.points = cut_corners(cut_corners(line.points));
    const double last = static_cast<double>(std::max<std::size_t>(2, line.points.size()) - 1);
    for (std::size_t i = 0; i < line.points.size(); ++i)
        line.flow.push_back(flow_above + (flow_below - flow_above) * static_cast<double>(i) / last);
    return line;
}

}  // namespace

std::vector<PaintedRiver> river_lines(const RiverNetwork& rivers) {
    const bool by_area = lacks_discharge(rivers);
    const ReachGraph graph(rivers.reaches);
    std::vector<PaintedRiver> lines;
    for (std::int64_t place = 0; place < graph.size(); ++place) {
        const Reach& reach = rivers.reaches[at(place)];
        if (reach.points.size() < 2) continue;
        const double below = flow_of(reach, by_area);
        double joined = 0.0;
        for (const std::int32_t above : graph.above(place))
            joined += flow_of(rivers.reaches[at(above)], by_area);
        lines.push_back(
            smooth_line(reach, graph.above(place).empty() ? 0.5 * below : std::min(joined, below), below));
    }
    std::sort(lines.begin(), lines.end(), [](const PaintedRiver& a, const PaintedRiver& b) {
        return std::pair(a.flow.back(), a.reach) < std::pair(b.flow.back(), b.reach);
    });
    return lines;
}

double greatest_flow(const RiverNetwork& rivers) {
    const bool by_area = lacks_discharge(rivers);
    double greatest = 0.0;
    for (const Reach& reach : rivers.reaches) greatest = std::max(greatest, flow_of(reach, by_area));
    return greatest;
}

double river_prominence(const RiverNetwork& rivers, double area) {
    double drained = 0.0;
    for (const Reach& reach : rivers.reaches) drained = std::max(drained, reach.upland_area);
    return drained > 0.0 ? std::clamp(std::pow(3.0 * drained / area, 0.3), 0.45, 1.0) : 1.0;
}

}  // namespace thalweg
