// Terrain while it ages.
#include "thalweg/erosion/terrain_quality.hpp"
#include "thalweg/noise/noise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "benchmarks/erosion_quality/likeness.hpp"
#include "benchmarks/erosion_quality/modes.hpp"
#include "benchmarks/erosion_quality/problems.hpp"
#include "tests/terrain_likeness.hpp"
#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kTimes[] = {2e5, 5e5, 1e6};  // yr
constexpr std::uint64_t kAgeingSeed = 1;

/// 300 m of gradient noise, 12.8 km wide at the largest.
ErosionInputs ageing_problem(int cells, std::uint64_t seed) {
    ErosionInputs inputs = even_problem(cells, seed);
    const NoiseParameters noise{.amplitude = 300.0, .wavelength = 12800.0, .octaves = 12};
    inputs.elevation = [noise, seed](const Grid& grid, Progress& part) {
        return make_noise(grid, noise, 6 + seed, part);
    };
    return inputs;
}

constexpr std::pair<const char*, TimeDefinition> kDefinitions[] = {{"build", TimeDefinition::Multilevel},
                                                                   {"sweep", TimeDefinition::FullResolution}};

Field<float> logarithm_of(Field<float> values) {
    for (float& value : values) value = std::log(value);
    return values;
}

void print_coherence_rows(const char* name, TimeDefinition definition, int cells) {
    const ErosionInputs inputs = ageing_problem(cells, kAgeingSeed);
    for (const double years : kTimes) {
        ErosionParameters parameters{.time = years, .time_definition = definition, .diagnostics = false};
        const Built now = build(inputs, kAgeingSeed, parameters);
        for (const double later : {1.01, 1.05}) {
            parameters.time = later * years;
            const Built then = build(inputs, kAgeingSeed, parameters);
            fmt::print(
                "| {} | {} | {:.0f} | {:.0f} | {:.3f} | {:.3f} | {:.4f} |\n", name, cells, years,
                100.0 * (later - 1.0),
                tests::correlation(logarithm_of(now.drainage_area), logarithm_of(then.drainage_area)),
                tests::share_within_one_cell(tests::river_cells(now.drainage_area, inputs.grid, kTrunkArea),
                                             tests::river_cells(then.drainage_area, inputs.grid, kTrunkArea)),
                tests::correlation(now.elevation, then.elevation));
            std::fflush(stdout);
        }
    }
}

/// How near ways to solve one problem come to stepping.
struct Fidelity {
    std::vector<double> elevation;      // 1, correlation with stepping, per seed
    std::vector<double> deciles;        // %, largest change of an inner decile, per seed
    std::vector<double> discontinuous;  // %, per seed

    void add(const ErosionResult& found, const Field<float>& stepped) {
        elevation.push_back(tests::correlation(found.elevation, stepped));
        deciles.push_back(largest_change_of_decile(found.elevation, stepped));
        discontinuous.push_back(100.0 * found.report.discontinuous_share);
    }

    void print(const char* name, int cells, double years) const {
        fmt::print("| {} | {} | {:.0f} | {:.4f} ({:.4f}) | {:.1f} ({:.1f}) | {:.3f} ({:.3f}) |\n", name,
                   cells, years, mean(elevation), std::ranges::min(elevation), mean(deciles),
                   std::ranges::max(deciles), mean(discontinuous), std::ranges::max(discontinuous));
        std::fflush(stdout);
    }
};

void print_fidelity_rows(int cells, double years) {
    std::array<Fidelity, std::size(kDefinitions)> by_definition;
    Fidelity stepping, coarse_stepping;
    for (const std::uint64_t seed : kSeeds) {
        const ErosionInputs inputs = ageing_problem(cells, seed), half = ageing_problem(cells / 2, seed);
        const ErosionParameters steps{.time = years, .method = ErosionMethod::Stepping};
        const ErosionResult stepped = erode(inputs, steps, seed, progress);
        stepping.add(stepped, stepped.elevation);
        coarse_stepping.add(erode(half, steps, seed, progress),
                            field_source(stepped.elevation)(half.grid, progress));
        for (std::size_t i = 0; i < by_definition.size(); ++i) {
            const ErosionParameters keys{.time = years, .time_definition = kDefinitions[i].second};
            by_definition[i].add(erode(inputs, keys, seed, progress), stepped.elevation);
        }
    }
    for (std::size_t i = 0; i < by_definition.size(); ++i)
        by_definition[i].print(kDefinitions[i].first, cells, years);
    stepping.print("stepping", cells, years);
    coarse_stepping.print("stepping with half the cells", cells, years);
}

}  // namespace

void print_times(const std::vector<int>& sizes) {
    fmt::print(
        "| definition | cells | years | later by, % | correlation of log drainage area | trunk rivers found "
        "again | "
        "correlation of elevation |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (const auto& [name, definition] : kDefinitions)
        for (const int cells : sizes) print_coherence_rows(name, definition, cells);
    fmt::print(
        "\n| solved by | cells | years | correlation of elevation with stepping (worst seed) | "
        "largest change of an inner decile, % (worst) | discontinuous, % (worst) |\n"
        "| --- | --- | --- | --- | --- | --- |\n");
    for (const int cells : sizes)
        for (const double years : kTimes) print_fidelity_rows(cells, years);
    print_likeness_head("years, by `multilevel` or by stepping");
    for (const int cells : sizes) {
        const auto print_row = [=](const std::string& name, const ErosionParameters& parameters) {
            print_likeness_row(name, ageing_problem, cells / 2, 2 * cells, parameters);
        };
        for (const double years : kTimes)
            print_row(fmt::format("{:.0f}", years), {.time = years, .diagnostics = false});
        print_row(fmt::format("{:.0f}, stepping", kTimes[0]),
                  {.time = kTimes[0], .method = ErosionMethod::Stepping, .diagnostics = false});
    }
}

}  // namespace thalweg
