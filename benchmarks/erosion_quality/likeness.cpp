#include "benchmarks/erosion_quality/likeness.hpp"

#include "thalweg/erosion/terrain_quality.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "benchmarks/erosion_quality/modes.hpp"
#include "benchmarks/erosion_quality/problems.hpp"
#include "tests/terrain_likeness.hpp"
#include <fmt/format.h>

namespace thalweg {

Built build(const ErosionInputs& inputs, std::uint64_t seed, const ErosionParameters& parameters) {
    Built built;
    built.elevation = erode(inputs, parameters, seed, progress).elevation;
    const FlowTree tree = build_flow_tree(built.elevation, eight_neighbours(inputs.grid),
                                          edge_roots(built.elevation), progress);
    const Field<double> area = drainage_area(tree);
    built.drainage_area = Field<float>(inputs.grid);
    std::ranges::transform(area, built.drainage_area.begin(),
                           [](double value) { return static_cast<float>(value); });
    return built;
}

double largest_change_of_decile(const Field<float>& elevation, const Field<float>& reference) {
    const std::vector<double> found = elevation_deciles(elevation);
    const std::vector<double> expected = elevation_deciles(reference);
    double largest = 0.0;
    for (std::size_t i = 1; i < expected.size() - 1; ++i)
        largest = std::max(largest, 100.0 * std::abs(found[i] / expected[i] - 1.0));
    return largest;
}

namespace {

/// How alike a coarse and a fine build are.
struct Likeness {
    double trunks = 0.0;     // 1, the lesser share within one coarse cell of the other
    double elevation = 0.0;  // 1, correlation with the box-averaged finer terrain
    double deciles = 0.0;    // %, largest change of an inner decile
};

Likeness likeness_of(const Built& coarse, const Built& fine) {
    const Grid& grid = coarse.elevation.grid();
    Likeness found;
    found.trunks = tests::share_within_one_cell(tests::river_cells(coarse.drainage_area, grid, kTrunkArea),
                                                tests::river_cells(fine.drainage_area, grid, kTrunkArea));
    found.elevation = tests::correlation(coarse.elevation, field_source(fine.elevation)(grid, progress));
    found.deciles = largest_change_of_decile(coarse.elevation, fine.elevation);
    return found;
}

}  // namespace

void print_likeness_row(const std::string& name, Problem problem, int coarse_cells, int fine_cells,
                        const ErosionParameters& parameters) {
    std::vector<double> trunks;
    std::vector<double> elevation;
    std::vector<double> deciles;
    for (const std::uint64_t seed : kSeeds) {
        const Likeness found = likeness_of(build(problem(coarse_cells, seed), seed, parameters),
                                           build(problem(fine_cells, seed), seed, parameters));
        trunks.push_back(found.trunks);
        elevation.push_back(found.elevation);
        deciles.push_back(found.deciles);
    }
    fmt::print("| {} | {} and {} | {:.3f} ({:.3f}) | {:.4f} ({:.4f}) | {:.1f} ({:.1f}) |\n", name,
               coarse_cells, fine_cells, mean(trunks), *std::min_element(trunks.begin(), trunks.end()),
               mean(elevation), *std::min_element(elevation.begin(), elevation.end()), mean(deciles),
               *std::max_element(deciles.begin(), deciles.end()));
    std::fflush(stdout);
}

void print_likeness_head(const char* of) {
    fmt::print(
        "\n| {} | cells | trunk rivers that agree (worst seed) | correlation of "
        "elevation (worst) | largest change of an inner decile, % (worst) |\n| --- | --- | --- | --- | "
        "--- |\n",
        of);
}

void print_likeness(const std::vector<int>& sizes) {
    print_likeness_head("uplift and erodibility");
    for (const int cells : sizes) {
        print_likeness_row("even", even_problem, cells / 2, 2 * cells);
        print_likeness_row("painted ridge, bands", painted_problem, cells / 2, 2 * cells);
    }
}

}  // namespace thalweg
