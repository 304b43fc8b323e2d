#include "thalweg/flow/analysis/line_fit.hpp"
#include "thalweg/flow/statistics/families.hpp"
#include "thalweg/flow/survey/planar_path.hpp"
#include "thalweg/flow/survey/samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr double kLeastMeetingLink = 8.0;  // steps: shorter ones have no direction
constexpr double kNearLength = 30.0;       // steps, of junction_angle_near_mean
constexpr double kLeastLinkSlope = 1e-5;   // m/m
constexpr double kWayPerCell = 1.2;        // cells: mean length of links of a grid of 8 neighbours
constexpr std::size_t kFewestJunctions = 6;
constexpr double kDegreesPerRadian = 180.0 / std::numbers::pi;

/// Angles at which two rivers meet, and how steep they are.
struct Junctions {
    std::vector<float> whole;       // degrees, between main axes of whole links
    std::vector<float> near;        // degrees, of the parts near the junction
    std::vector<double> log_slope;  // decades of m/m
};

/// The way that a link comes from, looking up from its junction.
Heading heading_upstream(const Survey& survey, const StreamTree& tree, std::span<const std::int32_t> link) {
    const Heading down = main_heading(planar_path(survey, tree, link));
    return {.east = -down.east, .north = -down.north};
}

float angle_between(const Heading& a, const Heading& b) {
    return static_cast<float>(kDegreesPerRadian * std::acos(std::clamp(a.dot(b), -1.0, 1.0)));
}

double slope_of_link(const Survey& survey, const StreamTree& tree, const River& link) {
    const double drop = tree.elevation[at(link.front())] - tree.elevation[at(link.back())];
    return drop / (survey.scale.cell_size * static_cast<double>(link.size() - 1) * kWayPerCell);
}

/// The two that bring the most water.
std::array<const River*, 2> largest_two(const StreamTree& tree, std::span<const River> links) {
    std::vector<const River*> by_area;
    for (const River& link : links) by_area.push_back(&link);
    std::ranges::stable_sort(by_area, std::greater{},
                             [&](const River* link) { return tree.area[at((*link)[link->size() - 2])]; });
    return {by_area[0], by_area[1]};
}

void measure_junction(const Survey& survey, const StreamTree& tree, std::span<const River> links,
                      Junctions& junctions) {
    const auto least = at(survey.scale.whole_cells(kLeastMeetingLink));
    const auto near = at(survey.scale.whole_cells(kNearLength));
    const auto [one, other] = largest_two(tree, links);
    if (std::min(one->size(), other->size()) < least) return;
    const auto heading = [&](const River& link, std::size_t length) {
        return heading_upstream(survey, tree, std::span(link).last(std::min(length, link.size())));
    };
    junctions.whole.push_back(angle_between(heading(*one, one->size()), heading(*other, other->size())));
    junctions.near.push_back(angle_between(heading(*one, near), heading(*other, near)));
    const double slope = 0.5 * (slope_of_link(survey, tree, *one) + slope_of_link(survey, tree, *other));
    junctions.log_slope.push_back(decades_of(std::max(slope, kLeastLinkSlope)));
}

std::vector<double> shares_of_angles(const std::vector<float>& angles) {
    std::vector<double> shares(at(std::lround(180.0 / kJunctionBin)), 0.0);
    for (const float angle : angles) {
        const auto bin = static_cast<std::size_t>(static_cast<double>(angle) / kJunctionBin);
        shares[std::min(bin, shares.size() - 1)] += 1.0 / static_cast<double>(angles.size());
    }
    return shares;
}

}  // namespace

void describe_junctions(const Survey& survey, const RiverPieces& rivers, TerrainDescription& description) {
    const StreamTree& tree = rivers.tree;
    Junctions junctions;
    for (std::size_t first = 0; first < rivers.links.size();) {
        const std::int32_t end = rivers.links[first].back();
        const std::span<const River> links = rivers.links_into(end);
        first += links.size();
        if (links.size() > 1 && survey.ground[tree.cell[at(end)]] != 0)
            measure_junction(survey, tree, links, junctions);
    }
    if (junctions.whole.size() < kFewestJunctions) return;
    const Moments whole = moments_of(junctions.whole);
    TerrainStatistics& statistics = description.statistics;
    statistics.junction_angle_mean = whole.mean;
    statistics.junction_angle_spread = whole.deviation;
    statistics.junction_angle_near_mean = moments_of(junctions.near).mean;
    description.curves.junction_shares = shares_of_angles(junctions.whole);
    const std::vector<double> angles(junctions.whole.begin(), junctions.whole.end());
    if (const std::optional<LineFit> line = fit_line(junctions.log_slope, angles)) {
        statistics.junction_angle_per_decade_of_slope = line->slope;
        statistics.junction_angle_slope_correlation = std::copysign(std::sqrt(line->r_squared), line->slope);
    }
}

}  // namespace thalweg
