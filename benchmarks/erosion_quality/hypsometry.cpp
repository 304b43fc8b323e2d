// Elevations against those of stepping.
#include "thalweg/erosion/terrain_quality.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "benchmarks/erosion_quality/likeness.hpp"
#include "benchmarks/erosion_quality/modes.hpp"
#include "benchmarks/erosion_quality/problems.hpp"
#include "benchmarks/erosion_quality/stepped.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

/// Inner deciles of the steady state over those of stepping, a mean over the seeds.
struct DecileRatios {
    std::array<double, 9> of_means{};
    double largest = 0.0;  // %, change of any of them on any seed

    void add(const Field<float>& steady, const Field<float>& stepping) {
        const std::vector<double> found = elevation_deciles(steady), expected = elevation_deciles(stepping);
        for (std::size_t i = 0; i < of_means.size(); ++i)
            of_means[i] +=
                100.0 * (found[i + 1] / expected[i + 1] - 1.0) / static_cast<double>(std::size(kSeeds));
        largest = std::max(largest, largest_change_of_decile(steady, stepping));
    }
};

}  // namespace

void print_hypsometry(const std::vector<int>& sizes) {
    fmt::print(
        "| stepping | cells | iterations on coarse levels | inner deciles of the steady state over it, %, "
        "means "
        "over the seeds | largest on any seed |\n| --- | --- | --- | --- | --- |\n");
    for (const int cells : sizes)
        for (const int iterations : {ErosionParameters{}.coarse_iterations, 24}) {
            const ErosionParameters parameters{.coarse_iterations = iterations, .diagnostics = false};
            const auto print_row = [&](const std::string& name, const auto& stepping_from) {
                DecileRatios ratios;
                for (const std::uint64_t seed : kSeeds) {
                    const Field<float> steady =
                        erode(even_problem(cells, seed), parameters, seed, progress).elevation;
                    ratios.add(steady, stepping_from(steady, seed));
                }
                fmt::print("| {} | {} | {} | {:+.1f} | {:.1f} |\n", name, cells, iterations,
                           fmt::join(ratios.of_means, " "), ratios.largest);
                std::fflush(stdout);
            };
            for (const double years : {5e5, 2.3e6})
                print_row(
                    fmt::format("from the steady state, {:.0f} years", years),
                    [&](const Field<float>& steady, std::uint64_t seed) {
                        return stepped(begun_with(steady, even_problem(cells, seed)), years, seed).elevation;
                    });
            print_row("level by level", [&](const Field<float>&, std::uint64_t seed) {
                return stepped_by_levels([=](int size) { return even_problem(size, seed); }, cells, seed)
                    .elevation;
            });
            print_row("from noise, 5 million years", [&](const Field<float>&, std::uint64_t seed) {
                return stepped(even_problem(cells, seed), 5e6, seed).elevation;
            });
        }
}

}  // namespace thalweg
