#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"
#include "thalweg/flow/river_profile.hpp"
#include "thalweg/flow/statistics/families.hpp"
#include "thalweg/flow/survey/samples.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kLeastBasin = 900.0;         // square steps, of Hack's law
constexpr double kLeastShapedBasin = 3000.0;  // square steps, of shapes and hypsometry
constexpr double kGreatestBasin = 60000.0;    // square steps, of hypsometry
constexpr double kLeastBasinRelief = 100.0;   // m, of hypsometry
constexpr std::size_t kFewestBasins = 10;     // of Hack's law
constexpr std::size_t kFewestShaped = 6;
constexpr std::size_t kFewestIntegrals = 4;
constexpr int kMostOrders = 4;  // in Horton's laws: of the highest there are too few streams

/// Cells above which whole basins lie: junctions away from edges. Basins lie within basins.
std::vector<std::int32_t> basin_mouths(const Survey& survey, const RiverPieces& rivers) {
    std::vector<std::int32_t> mouths;
    for (std::int32_t entry = 0; entry < rivers.tree.size(); ++entry) {
        const std::int32_t cell = rivers.tree.cell[at(entry)];
        if (rivers.is_junction(entry) && survey.upstream(cell) > kLeastBasin && survey.inner[cell] != 0)
            mouths.push_back(cell);
    }
    return mouths;
}

void describe_lengths(const Survey& survey, const std::vector<std::int32_t>& mouths,
                      TerrainStatistics& statistics) {
    const Field<double> length = longest_flow_length(survey.flow.tree, survey.lattice);
    std::vector<double> log_area, log_length;
    std::vector<float> shapes, away;
    for (const std::int32_t mouth : mouths) {
        const double area = survey.upstream(mouth) * survey.scale.step * survey.scale.step;
        log_area.push_back(decades_of(area));
        log_length.push_back(decades_of(length[mouth]));
        if (survey.upstream(mouth) > kLeastShapedBasin)
            shapes.push_back(static_cast<float>(length[mouth] / std::sqrt(area)));
    }
    if (shapes.size() >= kFewestShaped) statistics.basin_elongation = median_of(shapes);
    const std::optional<LineFit> law =
        mouths.size() < kFewestBasins ? std::nullopt : fit_line(log_area, log_length);
    if (!law) return;
    statistics.hack_exponent = law->slope;
    for (std::size_t i = 0; i < mouths.size(); ++i)
        away.push_back(static_cast<float>(log_length[i] - law->intercept - law->slope * log_area[i]));
    statistics.hack_scatter = moments_of(away).deviation;
}

/// Range and sum of what drains through each cell.
struct HeightsUpstream {
    Field<float> least;     // m
    Field<float> greatest;  // m
    Field<double> sum;      // m

    explicit HeightsUpstream(const Survey& survey)
        : least(survey.elevation), greatest(survey.elevation), sum(survey.elevation.grid()) {
        const FlowTree& tree = survey.flow.tree;
        for_each_polled(tree.order,
                        [&](std::int32_t cell) { sum[cell] = static_cast<double>(survey.elevation[cell]); });
        for_each_polled(std::views::reverse(tree.order), [&](std::int32_t cell) {
            const std::int32_t below = tree.receiver(cell);
            if (below < 0) return;
            least[below] = std::min(least[below], least[cell]);
            greatest[below] = std::max(greatest[below], greatest[cell]);
            sum[below] += sum[cell];
        });
    }
};

void describe_integrals(const Survey& survey, const std::vector<std::int32_t>& mouths,
                        TerrainStatistics& statistics) {
    const HeightsUpstream heights(survey);
    std::vector<float> integrals;
    for (const std::int32_t mouth : mouths) {
        const double area = survey.upstream(mouth);
        const auto least = static_cast<double>(heights.least[mouth]);
        const double relief = static_cast<double>(heights.greatest[mouth]) - least;
        if (area <= kLeastShapedBasin || area >= kGreatestBasin || relief <= kLeastBasinRelief) continue;
        const double mean = heights.sum[mouth] / survey.flow.tree.upstream_cells[at(mouth)];
        integrals.push_back(static_cast<float>((mean - least) / relief));
    }
    if (integrals.size() < kFewestIntegrals) return;
    statistics.hypsometric_integral = median_of(integrals);
    statistics.hypsometric_integral_spread = moments_of(integrals).deviation;
}

/// Numbers and mean lengths of streams change by even ratios from order to order (Horton 1945).
void describe_horton_ratios(const RiverPieces& rivers, TerrainStatistics& statistics) {
    std::vector<double> order, log_count, log_length;
    for (int one = 1; one <= kMostOrders; ++one) {
        double count = 0.0, cells = 0.0;
        for (const River& stream : rivers.streams)
            if (rivers.order[at(stream.front())] == one) {
                count += 1.0;
                cells += static_cast<double>(stream.size());
            }
        if (count == 0.0) break;
        order.push_back(one);
        log_count.push_back(portable_log(count));
        log_length.push_back(portable_log(cells / count));
    }
    if (const std::optional<LineFit> law = fit_line(order, log_count))
        statistics.bifurcation_ratio = portable_exp(-law->slope);
    if (const std::optional<LineFit> law = fit_line(order, log_length))
        statistics.stream_length_ratio = portable_exp(law->slope);
}

double drainage_density_of(const Survey& survey, const StreamTree& tree) {
    double length = 0.0, area = 0.0;  // m, m^2
    for (const std::int32_t cell : tree.cell)
        if (survey.ground[cell] != 0) length += survey.way(cell);
    for_each_polled(survey.ground, [&](std::uint8_t is_ground) { area += is_ground; });
    area *= survey.elevation.grid().cell_area();
    return area > 0.0 ? length / area * survey.scale.step * std::sqrt(kHeadArea) : kNoStatistic;
}

}  // namespace

void describe_basins(const Survey& survey, const RiverPieces& rivers, TerrainDescription& description) {
    const std::vector<std::int32_t> mouths = basin_mouths(survey, rivers);
    describe_lengths(survey, mouths, description.statistics);
    describe_integrals(survey, mouths, description.statistics);
    describe_horton_ratios(rivers, description.statistics);
    description.statistics.drainage_density = drainage_density_of(survey, rivers.tree);
    description.curves.hypsometry =
        hypsometry(survey.elevation, largest_basins(survey.flow.tree, 0, 0.0)).whole;
}

}  // namespace thalweg
