// Elevations against those of stepping.
#include "thalweg/erosion/terrain_quality.hpp"
#include "thalweg/grid/resampling.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "benchmarks/erosion_quality/likeness.hpp"
#include "benchmarks/erosion_quality/modes.hpp"
#include "benchmarks/erosion_quality/problems.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

constexpr int kCoarsestStepping = 32;     // cells
constexpr double kStepsPerLevel = 2.3e6;  // yr

/// `cells` cells that begin with `start` inside, and with noise along the edges, which stay.
ErosionInputs problem_that_begins_with(const Field<float>& start, int cells, std::uint64_t seed) {
    ErosionInputs inputs = even_problem(cells, seed);
    inputs.elevation = [&start, seed](const Grid& grid, Progress& part) {
        Field<float> elevation = resample(start, grid, Interpolation::Bicubic);
        const Field<float> noise = white_noise(seed)(grid, part);
        for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
            if (grid.on_edge(grid.column_of(cell), grid.row_of(cell))) elevation[cell] = noise[cell];
        return elevation;
    };
    return inputs;
}

Field<float> stepped(const ErosionInputs& inputs, double years, std::uint64_t seed) {
    const ErosionParameters steps{.time = years, .method = ErosionMethod::Stepping, .diagnostics = false};
    return erode(inputs, steps, seed, progress).elevation;
}

/// Stepping on grids of twice the cells each, from that of the one before.
Field<float> stepped_by_levels(int cells, std::uint64_t seed) {
    int level = cells;
    while (level / 2 >= kCoarsestStepping && level % 2 == 0) level /= 2;
    Field<float> terrain = stepped(even_problem(level, seed), kStepsPerLevel, seed);
    for (level *= 2; level <= cells; level *= 2)
        terrain = stepped(problem_that_begins_with(terrain, level, seed), kStepsPerLevel, seed);
    return terrain;
}

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
                print_row(fmt::format("from the steady state, {:.0f} years", years),
                          [&](const Field<float>& steady, std::uint64_t seed) {
                              return stepped(problem_that_begins_with(steady, cells, seed), years, seed);
                          });
            print_row("level by level", [&](const Field<float>&, std::uint64_t seed) {
                return stepped_by_levels(cells, seed);
            });
            print_row("from noise, 5 million years", [&](const Field<float>&, std::uint64_t seed) {
                return stepped(even_problem(cells, seed), 5e6, seed);
            });
        }
}

}  // namespace thalweg
