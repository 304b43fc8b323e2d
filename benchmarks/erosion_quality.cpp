// How good eroded terrain is, in the measures of thalweg/erosion/terrain_quality.hpp and
// terrain_likeness.hpp, as Markdown:
//
//   build/release/benchmarks/erosion_quality [steady | times | turns | hypsometry] [cells along a side]...
//   (steady 512 1024)
//   build/release/benchmarks/erosion_quality copies FILE.png [cells along a side]               (768)
//
// steady: steady states of white noise over 25.6 km under the parameters of Tzathas et al. 2024, table 1, on
// 4 seeds: on the whole square, on a disc, and on a square that is turned by 30 degrees; and the paper's own
// lattice on the disc, whose rivers follow the grid. Then how much of the terrain of half the size the one of
// twice the size shows, with uplift and erodibility even and painted.
//
// times: 300 m of noise while it ages, by `build` and `sweep`: how much of a terrain the one 1 % and 5 %
// later shows. Then, on 4 seeds, how near it lies to stepping, and how much of the terrain of half the size
// the one of twice the size shows by `build`.
//
// turns: the directions of rivers on a square that is turned against the grid. A square's edges force rivers
// perpendicular to themselves whichever way the grid lies; with the histogram turned back they stand still
// and the grid turns.
//
// hypsometry: inner deciles of the steady state of white noise against stepping that goes on from it, that
// was run level by level, and from the noise.
//
// copies: a picture of the turns: the hillshades of squares turned by 0, 20 and 45 degrees, turned back;
// above with the paper's 4 neighbours, below on the mesh.
#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/terrain_likeness.hpp"
#include "thalweg/erosion/terrain_quality.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/noise/noise.hpp"
#include "thalweg/render/hillshade.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

constexpr double kExtent = 25600.0;  // m, side of the whole square
constexpr float kUplift = 1e-3F;     // m/yr, table 1
constexpr float kErodibility = 2e-5F;
constexpr double kTrunkArea = 1e7;  // m^2: rivers above 10 km^2
constexpr int kSmallest = 64;       // cells
constexpr int kLargest = 8192;
constexpr std::uint64_t kSeeds[] = {1, 2, 3, 4};

QuietProgress progress;

// ---- Problems

/// A part of the square: whether it holds the place (x, y), m from the square's middle.
struct Domain {
    const char* name;
    bool (*holds)(double x, double y);
};

bool anywhere(double, double) {
    return true;
}

bool in_disc(double x, double y) {
    return std::hypot(x, y) < 0.49 * kExtent;
}

/// In the square of half side `half`, m, turned anticlockwise by `degrees`; y runs to the north.
bool in_square(double x, double y, double half, double degrees) {
    const double turn = degrees * std::numbers::pi / 180.0;
    return std::abs(x * std::cos(turn) + y * std::sin(turn)) < half &&
           std::abs(y * std::cos(turn) - x * std::sin(turn)) < half;
}

/// The largest square that fits when it is turned by 30 degrees anticlockwise.
bool in_turned_square(double x, double y) {
    const double turn = std::numbers::pi / 6.0;
    return in_square(x, y, 0.49 * kExtent / (std::cos(turn) + std::sin(turn)), 30.0);
}

constexpr Domain kDisc = {"disc", in_disc};
constexpr Domain kDomains[] = {
    {"square", anywhere}, kDisc, {"square turned by 30 degrees", in_turned_square}};

/// A value that depends on the place alone.
LayerSource painted(float (*value)(double x, double y)) {
    return [value](const Grid& grid, Progress&) {
        Field<float> field(grid);
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column)
                field(column, row) = value(grid.x(column), grid.y(row));
        return field;
    };
}

/// A ridge from south-west to north-east on slowly rising ground, m/yr.
float ridge_uplift(double x, double y) {
    const double off_ridge = (x - y) / (0.5 * kExtent);  // 1
    return kUplift * static_cast<float>(0.2 + std::exp(-off_ridge * off_ridge));
}

/// Bands of hard and soft rock, 8 km apart and across the ridge.
float banded_erodibility(double x, double y) {
    return kErodibility * static_cast<float>(1.0 + 0.5 * std::sin((x + 0.5 * y) / 1300.0));
}

LayerSource white_noise(std::uint64_t seed) {
    return [seed](const Grid& grid, Progress&) {
        Field<float> noise(grid);
        for (std::int64_t cell = 0; cell < noise.size(); ++cell)
            noise[cell] = unit_float(random_bits(seed, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)));
        return noise;
    };
}

ErosionInputs even_problem(int cells, std::uint64_t seed) {
    ErosionInputs inputs;
    inputs.grid = make_grid(kExtent, kExtent, cells);
    inputs.elevation = white_noise(seed);
    inputs.uplift = constant_source(kUplift);
    return inputs;
}

ErosionInputs painted_problem(int cells, std::uint64_t seed) {
    ErosionInputs inputs = even_problem(cells, seed);
    inputs.uplift = painted(ridge_uplift);
    inputs.erodibility = painted(banded_erodibility);
    return inputs;
}

/// The boundary mask of a domain: non-zero outside. Empty for the whole square.
Field<std::uint8_t> boundary_of(const Domain& domain, const Grid& grid) {
    if (domain.holds == anywhere) return {};
    Field<std::uint8_t> outside(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            outside(column, row) =
                domain.holds(grid.x(column) - 0.5 * kExtent, grid.y(row) - 0.5 * kExtent) ? 0 : 1;
    return outside;
}

// ---- Quality of terrain

/// What the runs of one domain and size have in common.
struct Quality {
    std::vector<double> discontinuous;  // %, of the cells inside, per seed
    std::vector<double> axis;           // 1, per seed
    std::vector<double> diagonal;       // 1, per seed
    RiverDirections pooled;
    std::vector<double> deciles = std::vector<double>(11, 0.0);  // m, mean over the seeds
};

double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

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

// ---- Likeness of sizes

struct Built {
    Field<float> elevation;      // m
    Field<float> drainage_area;  // m^2, of the terrain at cell centres, 8 neighbours
};

Built build(const ErosionInputs& inputs, std::uint64_t seed,
            const ErosionParameters& parameters = {.diagnostics = false}) {
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

/// How alike a coarse and a fine build are.
struct Likeness {
    double trunks = 0.0;     // 1, the lesser share within one coarse cell of the other
    double elevation = 0.0;  // 1, correlation with the box-averaged finer terrain
    double deciles = 0.0;    // %, largest change of an inner decile
};

/// Of the inner ones, against those of `reference`, %.
double largest_change_of_decile(const Field<float>& elevation, const Field<float>& reference) {
    const std::vector<double> found = elevation_deciles(elevation);
    const std::vector<double> expected = elevation_deciles(reference);
    double largest = 0.0;
    for (std::size_t i = 1; i < expected.size() - 1; ++i)
        largest = std::max(largest, 100.0 * std::abs(found[i] / expected[i] - 1.0));
    return largest;
}

Likeness likeness_of(const Built& coarse, const Built& fine) {
    const Grid& grid = coarse.elevation.grid();
    Likeness found;
    found.trunks = share_within_one_cell(river_cells(coarse.drainage_area, grid, kTrunkArea),
                                         river_cells(fine.drainage_area, grid, kTrunkArea));
    found.elevation = correlation(coarse.elevation, field_source(fine.elevation)(grid, progress));
    found.deciles = largest_change_of_decile(coarse.elevation, fine.elevation);
    return found;
}

using Problem = ErosionInputs (*)(int cells, std::uint64_t seed);

void print_likeness_row(const std::string& name, Problem problem, int coarse_cells, int fine_cells,
                        const ErosionParameters& parameters = {.diagnostics = false}) {
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

// ---- Times

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

constexpr std::pair<const char*, TimeDefinition> kDefinitions[] = {{"build", TimeDefinition::Build},
                                                                   {"sweep", TimeDefinition::Sweep}};

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
            fmt::print("| {} | {} | {:.0f} | {:.0f} | {:.3f} | {:.3f} | {:.4f} |\n", name, cells, years,
                       100.0 * (later - 1.0),
                       correlation(logarithm_of(now.drainage_area), logarithm_of(then.drainage_area)),
                       share_within_one_cell(river_cells(now.drainage_area, inputs.grid, kTrunkArea),
                                             river_cells(then.drainage_area, inputs.grid, kTrunkArea)),
                       correlation(now.elevation, then.elevation));
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
        elevation.push_back(correlation(found.elevation, stepped));
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
    print_likeness_head("years, by `build`");
    for (const int cells : sizes)
        for (const double years : kTimes)
            print_likeness_row(fmt::format("{:.0f}", years), ageing_problem, cells / 2, 2 * cells,
                               {.time = years, .diagnostics = false});
}

// ---- Turns

constexpr double kHalfSquare = 0.49 * kExtent / std::numbers::sqrt2;  // m, fits whichever way it is turned

/// Even uplift on a square turned anticlockwise by `degrees`.
ErosionInputs square_problem(int cells, double degrees, std::uint64_t seed) {
    ErosionInputs inputs = even_problem(cells, seed);
    inputs.boundary = Field<std::uint8_t>(inputs.grid);
    for (std::int64_t cell = 0; cell < inputs.boundary.size(); ++cell) {
        const double x = inputs.grid.x(inputs.grid.column_of(cell)) - 0.5 * kExtent;
        const double y = inputs.grid.y(inputs.grid.row_of(cell)) - 0.5 * kExtent;
        inputs.boundary[cell] = in_square(x, y, kHalfSquare, degrees) ? 0 : 1;
    }
    return inputs;
}

/// Directions on squares of one size, turned anticlockwise by `degrees`, over the seeds.
RiverDirections directions_on_square(int cells, double degrees) {
    RiverDirections pooled;
    for (const std::uint64_t seed : kSeeds)
        pooled += erode(square_problem(cells, degrees, seed), {}, seed, progress).report.river_directions;
    return pooled;
}

/// The same rivers seen on a map that is turned clockwise by `degrees`, a multiple of the bins' width.
RiverDirections turned_back(const RiverDirections& directions, double degrees) {
    RiverDirections turned;
    const int bins = static_cast<int>(degrees / RiverDirections::kBinWidth);
    for (int bin = 0; bin < RiverDirections::kBins; ++bin)
        turned.length[static_cast<std::size_t>(bin)] =
            directions.length[static_cast<std::size_t>((bin + bins) % RiverDirections::kBins)];
    return turned;
}

/// With each turn the same weight, whatever its rivers' length.
void add_shares(const RiverDirections& directions, RiverDirections& sum) {
    for (std::size_t bin = 0; bin < directions.length.size(); ++bin)
        sum.length[bin] += directions.length[bin] / directions.total_length();
}

void print_turn_row(const std::string& turn, int cells, const RiverDirections& directions) {
    fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} |\n", turn, cells, directions.axis_share(),
               directions.diagonal_share(), fmt::join(directions.ten_degree_bins(), " "));
    std::fflush(stdout);
}

void print_turns(const std::vector<int>& sizes) {
    fmt::print(
        "| square turned by | cells | axis share | diagonal share | bins of 10 degrees over their mean, from "
        "0 on |\n"
        "| --- | --- | --- | --- | --- |\n");
    for (const int cells : sizes) {
        RiverDirections of_grid, of_domain;
        for (const double degrees : {0.0, 15.0, 30.0, 45.0, 60.0, 75.0}) {
            const RiverDirections found = directions_on_square(cells, degrees);
            print_turn_row(fmt::format("{:.0f}", degrees), cells, found);
            if (degrees == 30.0) print_turn_row("30, turned back", cells, turned_back(found, degrees));
            add_shares(found, of_grid);
            add_shares(turned_back(found, degrees), of_domain);
        }
        print_turn_row("all six, against the grid", cells, of_grid);
        print_turn_row("all six, against the square", cells, of_domain);
    }
}

// ---- Hypsometry

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

// ---- Copies

constexpr int kCopyPixels = 400;                    // along a side of one copy
constexpr int kCopyMargin = 8;                      // pixels around and between copies
constexpr double kCopyTurns[] = {0.0, 20.0, 45.0};  // degrees

/// The inside of the square, turned back so that its edges run along rows and columns.
Field<float> square_turned_back(const Field<float>& elevation, double degrees) {
    const double turn = degrees * std::numbers::pi / 180.0;
    Field<float> square(make_grid(2.0 * kHalfSquare, 2.0 * kHalfSquare, kCopyPixels));
    for (int row = 0; row < kCopyPixels; ++row)
        for (int column = 0; column < kCopyPixels; ++column) {
            const double x = square.grid().x(column) - kHalfSquare, y = square.grid().y(row) - kHalfSquare;
            square(column, row) =
                sample_bilinear(elevation, {0.5 * kExtent + x * std::cos(turn) - y * std::sin(turn),
                                            0.5 * kExtent + x * std::sin(turn) + y * std::cos(turn)});
        }
    return square;
}

Image draw_copies(int cells) {
    const int step = kCopyPixels + kCopyMargin;
    Image picture{.width = 3 * step + kCopyMargin, .height = 2 * step + kCopyMargin, .rgb = {}};
    picture.rgb.assign(static_cast<std::size_t>(3) * static_cast<std::size_t>(picture.width * picture.height),
                       255);
    ErosionParameters paper;
    paper.lattice = ErosionLattice::FourNeighbours;
    paper.receivers = ReceiverRule::Random;
    const ErosionParameters variants[] = {paper, {}};
    for (int down = 0; down < 2; ++down)
        for (int across = 0; across < 3; ++across) {
            const double degrees = kCopyTurns[across];
            const Field<float> eroded = erode(square_problem(cells, degrees, kSeeds[across]), variants[down],
                                              kSeeds[across], progress)
                                            .elevation;
            const Field<float> light = hillshade(square_turned_back(eroded, degrees), {});
            for (int row = 0; row < kCopyPixels; ++row)
                for (int column = 0; column < kCopyPixels; ++column) {
                    const int x = kCopyMargin + across * step + column, y = kCopyMargin + down * step + row;
                    const auto grey = static_cast<std::uint8_t>(std::lround(255.0F * light(column, row)));
                    std::fill_n(picture.rgb.begin() + 3 * (std::ptrdiff_t{y} * picture.width + x), 3, grey);
                }
        }
    return picture;
}

std::vector<int> sizes_of(const std::vector<std::string>& arguments) {
    std::vector<int> sizes;
    for (const std::string& text : arguments) {
        int cells = 0;
        const char* const end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, cells);
        if (error != std::errc{} || rest != end || cells < kSmallest || cells > kLargest || cells % 2 != 0)
            throw Error::input(fmt::format("cells = \"{}\" is not allowed: give an even number from {} to {}",
                                           text, kSmallest, kLargest));
        sizes.push_back(cells);
    }
    if (sizes.empty()) sizes = {512, 1024};
    return sizes;
}

}  // namespace
}  // namespace thalweg

int main(int argument_count, char** arguments) {
    try {
        std::vector<std::string> given(arguments + 1, arguments + argument_count);
        const std::string first = given.empty() ? "" : given.front();
        if (first == "copies") {
            if (given.size() < 2) throw thalweg::Error::input("copies needs the name of a picture to write");
            const std::vector<std::string> sizes(given.begin() + 2, given.end());
            thalweg::write_png(given[1],
                               thalweg::draw_copies(sizes.empty() ? 768 : thalweg::sizes_of(sizes)[0]));
            return 0;
        }
        const bool has_mode =
            first == "steady" || first == "times" || first == "turns" || first == "hypsometry";
        if (has_mode) given.erase(given.begin());
        const std::vector<int> sizes = thalweg::sizes_of(given);
        if (first == "times") {
            thalweg::print_times(sizes);
        } else if (first == "turns") {
            thalweg::print_turns(sizes);
        } else if (first == "hypsometry") {
            thalweg::print_hypsometry(sizes);
        } else {
            thalweg::print_quality(sizes);
            thalweg::print_likeness(sizes);
        }
    } catch (const thalweg::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return error.exit_code();
    }
    return 0;
}
