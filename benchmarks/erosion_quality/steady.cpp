// Steady states over domains and sizes.
#include "thalweg/erosion/terrain_quality.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "benchmarks/erosion_quality/modes.hpp"
#include "benchmarks/erosion_quality/problems.hpp"
#include <fmt/format.h>

namespace thalweg {
namespace {

/// What the runs of one domain and size have in common.
struct Quality {
    std::vector<double> discontinuous;  // %, of the cells inside, per seed
    std::vector<double> axis;           // 1, per seed
    std::vector<double> diagonal;       // 1, per seed
    RiverDirections pooled;
    std::vector<double> deciles = std::vector<double>(11, 0.0);  // m, mean over the seeds
};

/// Leaves only the cells inside, and tells their share.
double cut_out(Field<float>& elevation, const Field<std::uint8_t>& boundary) {
    std::int64_t inside = elevation.size();
    for (std::int64_t cell = 0; cell < boundary.size(); ++cell)
        if (boundary[cell] != 0) {
            elevation[cell] = kNoData;
            --inside;
        }
    return static_cast<double>(inside) / static_cast<double>(elevation.size());
}

Quality quality_of(const Domain& domain, int cells, const ErosionParameters& parameters) {
    Quality quality;
    for (const std::uint64_t seed : kSeeds) {
        ErosionInputs inputs = even_problem(cells, seed);
        inputs.boundary = boundary_of(domain, inputs.grid);
        ErosionResult result = erode(inputs, parameters, seed, progress);
        const double inside = cut_out(result.elevation, inputs.boundary);
        quality.discontinuous.push_back(100.0 * result.report.discontinuous_share / inside);
        quality.axis.push_back(result.report.river_directions.axis_share());
        quality.diagonal.push_back(result.report.river_directions.diagonal_share());
        quality.pooled += result.report.river_directions;
        const std::vector<double> deciles = elevation_deciles(result.elevation);
        for (std::size_t i = 0; i < deciles.size(); ++i)
            quality.deciles[i] += deciles[i] / static_cast<double>(std::size(kSeeds));
    }
    return quality;
}

/// The pooled share, and the range over the seeds.
std::string share_text(double pooled, const std::vector<double>& seeds) {
    const auto [low, high] = std::minmax_element(seeds.begin(), seeds.end());
    return fmt::format("{:.2f} ({:.2f}-{:.2f})", pooled, *low, *high);
}

/// Lowest and highest bin of 10 degrees, with where they begin.
std::string extremes_text(const RiverDirections& pooled) {
    const auto bins = pooled.ten_degree_bins();
    const auto [low, high] = std::minmax_element(bins.begin(), bins.end());
    return fmt::format("{:.2f} at {}, {:.2f} at {}", *low, 10 * (low - bins.begin()), *high,
                       10 * (high - bins.begin()));
}

void print_quality_row(const char* name, int cells, const Quality& q) {
    fmt::print("| {} | {} | {:.4f} ({:.4f}) | {} | {} | {} | {:.0f} |\n", name, cells, mean(q.discontinuous),
               *std::max_element(q.discontinuous.begin(), q.discontinuous.end()),
               share_text(q.pooled.axis_share(), q.axis), share_text(q.pooled.diagonal_share(), q.diagonal),
               extremes_text(q.pooled), fmt::join(q.deciles, " "));
    std::fflush(stdout);
}

}  // namespace

void print_quality(const std::vector<int>& sizes) {
    fmt::print(
        "| domain | cells | discontinuous, % (worst seed) | axis share (seeds) | diagonal share (seeds) "
        "| extreme bins, pooled, at degrees | deciles, m |\n| --- | --- | --- | --- | --- | --- | --- "
        "|\n");
    for (const Domain& domain : kDomains)
        for (const int cells : sizes) print_quality_row(domain.name, cells, quality_of(domain, cells, {}));
    // The paper's own lattice with the iterations that it takes to settle: the measure can fail.
    const ErosionParameters paper{.lattice = ErosionLattice::FourNeighbours,
                                  .receivers = ReceiverRule::Random,
                                  .fine_iterations = 12,
                                  .last_iterations = 12};
    for (const int cells : sizes)
        print_quality_row("disc, 4 neighbours at random", cells, quality_of(kDisc, cells, paper));
}

}  // namespace thalweg
