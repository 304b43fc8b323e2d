#include "thalweg/flow/river_profile.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/portable_power.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kCellsPerTask = 1 << 16;

struct Heights {
    double sum = 0.0;  // m
    std::int64_t cells = 0;
    float least = std::numeric_limits<float>::infinity();      // m
    float greatest = -std::numeric_limits<float>::infinity();  // m
};

Heights together(const Heights& a, const Heights& b) {
    return {a.sum + b.sum, a.cells + b.cells, std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
}

/// Of a run of cells. Every eighth cell goes into one part, so that the parts are found in vectors.
Heights heights_of(const float* first, const float* end) {
    constexpr std::int64_t kParts = 8;
    std::array<double, kParts> sum{};
    std::array<std::int32_t, kParts> cells{};
    std::array<float, kParts> least, greatest;
    least.fill(Heights().least);
    greatest.fill(Heights().greatest);
    const float* height = first;
    for (; end - height >= kParts; height += kParts)
        for (std::size_t i = 0; i < kParts; ++i) {
            const float here = height[i];  // NaN is less or greater than nothing
            sum[i] += static_cast<double>(is_no_data(here) ? 0.0F : here);
            cells[i] += is_no_data(here) ? 0 : 1;
            least[i] = here < least[i] ? here : least[i];
            greatest[i] = here > greatest[i] ? here : greatest[i];
        }
    Heights heights;
    for (std::size_t i = 0; i < kParts; ++i)
        heights = together(heights, {sum[i], cells[i], least[i], greatest[i]});
    for (; height < end; ++height)
        if (!is_no_data(*height))
            heights = together(heights, {static_cast<double>(*height), 1, *height, *height});
    return heights;
}

}  // namespace

void ChiParameters::declare(Declaration<ChiParameters>& d) {
    d.number("concavity", &ChiParameters::concavity,
             {.label = "Reference concavity",
              .group = "Analysis",
              .unit = "1",
              .sentence = "Reference concavity m/n of chi.",
              .minimum = 0.0,
              .maximum = 2.0,
              .usual = {0.3, 0.7},
              .source = "Perron and Royden 2013"});
    d.number("reference_area", &ChiParameters::reference_area,
             {.label = "Reference area",
              .group = "Analysis",
              .unit = "m^2",
              .sentence = "Reference drainage area A0 of chi.",
              .minimum = 0.0,
              .maximum = 1e15,
              .usual = {1.0, 1e6, SliderScale::Logarithmic},
              .source = "Perron and Royden 2013",
              .minimum_excluded = true,
              .is_advanced = true});
}

Field<double> chi(const FlowTree& tree, const Lattice& lattice, const Field<double>& drainage_area,
                  const ChiParameters& parameters) {
    assert(drainage_area.size() == tree.grid.cells());
    Field<double> integrand(tree.grid, kNowhere);
    parallel_for(0, integrand.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            integrand[cell] =
                portable_power(parameters.reference_area / drainage_area[cell], parameters.concavity);
    });
    Field<double> result(tree.grid, kNowhere);
    for_each_polled(tree.order, [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        result[cell] = receiver < 0 ? 0.0
                                    : result[receiver] + 0.5 * (integrand[cell] + integrand[receiver]) *
                                                             lattice.distance(cell, tree.direction[at(cell)]);
    });
    return result;
}

Field<double> longest_flow_length(const FlowTree& tree, const Lattice& lattice) {
    Field<double> length(tree.grid, kNowhere);
    for_each_polled(tree.order, [&](std::int32_t cell) { length[cell] = 0.0; });
    for_each_polled(std::views::reverse(tree.order), [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver < 0) return;
        const double way = length[cell] + lattice.distance(cell, tree.direction[at(cell)]);
        length[receiver] = std::max(length[receiver], way);
    });
    return length;
}

double hypsometric_integral(const Field<float>& elevation) {
    const Heights heights = parallel_reduce(
        0, elevation.size(), kCellsPerTask, Heights{},
        [&](std::int64_t first, std::int64_t last) {
            return heights_of(elevation.data() + first, elevation.data() + last);
        },
        together);
    const double least = static_cast<double>(heights.least), greatest = static_cast<double>(heights.greatest);
    if (!(greatest > least)) return kNowhere;
    return (heights.sum / static_cast<double>(heights.cells) - least) / (greatest - least);
}

}  // namespace thalweg
