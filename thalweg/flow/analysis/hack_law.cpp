#include "thalweg/flow/hack_law.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"
#include "thalweg/flow/river_profile.hpp"

#include <cmath>

namespace thalweg {
namespace {

constexpr std::size_t kFewestPoints = 10;  // of a fit (empirical)

/// How many rivers flow into each cell.
std::vector<std::uint8_t> river_donors(const FlowTree& tree, double least_cells) {
    std::vector<std::uint8_t> donors(tree.direction.size(), 0);
    for_each_polled(tree.order, [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver >= 0 && tree.upstream_cells[at(cell)] >= least_cells) ++donors[at(receiver)];
    });
    return donors;
}

std::optional<HackFit> fit_of(const std::vector<HackPoint>& points) {
    if (points.size() < kFewestPoints) return std::nullopt;
    std::vector<double> log_area, log_length;
    for (const HackPoint& point : points) {
        log_area.push_back(portable_log(point.area));
        log_length.push_back(portable_log(point.length));
    }
    const std::optional<LineFit> line = fit_line(log_area, log_length);
    if (!line) return std::nullopt;
    return HackFit{
        .exponent = line->slope, .coefficient = portable_exp(line->intercept), .r_squared = line->r_squared};
}

}  // namespace

HackLaw hack_law(const FlowTree& tree, const Lattice& lattice, double least_area) {
    const double cell_area = tree.grid.cell_area();
    const double least_cells = least_area / cell_area;
    const Field<double> length = longest_flow_length(tree, lattice);
    const std::vector<std::uint8_t> donors = river_donors(tree, least_cells);
    HackLaw law{.least_area = least_area, .points = {}, .fit = {}};
    for_each_polled(0, tree.grid.cells(), [&](std::int64_t number) {
        const auto cell = static_cast<std::int32_t>(number);
        const std::uint32_t cells = tree.upstream_cells[at(cell)];
        if (cells < least_cells || tree.direction[at(cell)] == kOutside || !(length[cell] > 0.0)) return;
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver < 0 || donors[at(receiver)] > 1) law.points.push_back({cells * cell_area, length[cell]});
    });
    law.fit = fit_of(law.points);
    return law;
}

}  // namespace thalweg
