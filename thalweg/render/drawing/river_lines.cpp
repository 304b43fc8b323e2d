#include "thalweg/render/drawing/river_lines.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace thalweg {
namespace {

/// Drawn flow of a reach: its discharge, or its drainage area where no reach has a discharge.
double flow_of(const Reach& reach, bool by_area) {
    return by_area ? reach.upland_area : reach.discharge;
}

bool lacks_discharge(const RiverNetwork& rivers) {
    return std::none_of(rivers.reaches.begin(), rivers.reaches.end(),
                        [](const Reach& reach) { return reach.discharge > 0.0; });
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

RiverLine smooth_line(const Reach& reach, double flow_above, double flow_below) {
    RiverLine line{.reach = reach.id, .points = {}, .discharge = {}};
    for (const RiverPoint& point : reach.points) line.points.push_back({point.x, point.y});
    line.points = cut_corners(cut_corners(line.points));
    const double last = static_cast<double>(std::max<std::size_t>(2, line.points.size()) - 1);
    for (std::size_t i = 0; i < line.points.size(); ++i)
        line.discharge.push_back(flow_above + (flow_below - flow_above) * static_cast<double>(i) / last);
    return line;
}

}  // namespace

std::vector<RiverLine> river_lines(const RiverNetwork& rivers) {
    const bool by_area = lacks_discharge(rivers);
    std::map<std::int64_t, double> joined;  // by reach id: sum of what flows in from reaches above
    for (const Reach& reach : rivers.reaches)
        if (reach.next_down >= 0) joined[reach.next_down] += flow_of(reach, by_area);
    std::vector<RiverLine> lines;
    for (const Reach& reach : rivers.reaches) {
        if (reach.points.size() < 2) continue;
        const double below = flow_of(reach, by_area);
        const auto above = joined.find(reach.id);
        lines.push_back(
            smooth_line(reach, above == joined.end() ? 0.5 * below : std::min(above->second, below), below));
    }
    std::sort(lines.begin(), lines.end(), [](const RiverLine& a, const RiverLine& b) {
        return std::pair(a.discharge.back(), a.reach) < std::pair(b.discharge.back(), b.reach);
    });
    return lines;
}

double greatest_discharge(const RiverNetwork& rivers) {
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
