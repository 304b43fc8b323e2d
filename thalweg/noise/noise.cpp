#include "thalweg/noise/noise.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/noise/octaves.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// Means over the plane of what octaves are shaped to; measured over 7e7 draws, standard error 1e-4.
constexpr float kMeanAbsoluteGradient = 0.2494F;
constexpr float kMeanRidge = 0.5944F;
constexpr float kMeanCellular = 0.3038F;
constexpr float kMeanCellularEdges = 0.1495F;

/// How strongly a ridge lets finer ones grow on it (Musgrave 1998, "gain").
constexpr float kRidgeGain = 2.0F;

/// Octaves of the domain warp: finer ones would only roughen lines. Empirical.
constexpr int kWarpOctaves = 3;

/// Bands of rows between two reports of progress.
constexpr int kReports = 20;

using Positions = std::vector<Position>;

/// Everything that a row of noise needs.
struct Recipe {
    NoiseParameters parameters;
    std::vector<Octave> octaves;
    std::vector<Octave> warp_east;
    std::vector<Octave> warp_north;
};

Recipe recipe_on(const Grid& grid, const NoiseParameters& parameters, std::uint64_t seed) {
    Recipe recipe;
    recipe.parameters = parameters;
    recipe.octaves = octaves_on(grid.cell_size, parameters, seed, OctaveUse::Elevation);
    if (parameters.warp > 0.0) {
        NoiseParameters warp;
        warp.wavelength = parameters.warp_wavelength;
        warp.octaves = kWarpOctaves;
        recipe.warp_east = octaves_on(grid.cell_size, warp, seed, OctaveUse::WarpEast);
        recipe.warp_north = octaves_on(grid.cell_size, warp, seed, OctaveUse::WarpNorth);
    }
    return recipe;
}

/// Adds share x shape(basis value) of every octave to `sums`.
template <class Basis, class Shape>
void add_octaves(const std::vector<Octave>& octaves, const Positions& positions, const Shape& shape,
                 std::vector<float>& sums) {
    for (const Octave& octave : octaves)
        evaluate_octave<Basis>(octave, positions,
                               [&](std::size_t i, float n) { sums[i] += octave.share * shape(n); });
}

void add_ridged(const Recipe& recipe, const Positions& positions, std::vector<float>& sums) {
    std::vector<float> weights(positions.size(), 1.0F);
    for (const Octave& octave : recipe.octaves)
        evaluate_octave<GradientBasis>(octave, positions, [&](std::size_t i, float n) {
            const float ridge = (1.0F - std::abs(n)) * (1.0F - std::abs(n));
            sums[i] += octave.share * weights[i] * (ridge - kMeanRidge);
            weights[i] = std::clamp(kRidgeGain * weights[i] * ridge, 0.0F, 1.0F);
        });
}

void add_multifractal(const Recipe& recipe, const Positions& positions, std::vector<float>& sums) {
    const auto slope = static_cast<float>(2.0 * recipe.parameters.heterogeneity);
    std::vector<float> weights(positions.size(), 1.0F);
    for (const Octave& octave : recipe.octaves)
        evaluate_octave<GradientBasis>(octave, positions, [&](std::size_t i, float n) {
            sums[i] += octave.share * weights[i] * n;
            weights[i] = std::clamp(weights[i] * (1.0F + slope * n), 0.0F, 1.0F);
        });
}

void add_noise(const Recipe& recipe, const Positions& positions, std::vector<float>& sums) {
    const auto plain = [](float n) { return n; };
    switch (recipe.parameters.kind) {
        case NoiseKind::Gradient:
            return add_octaves<GradientBasis>(recipe.octaves, positions, plain, sums);
        case NoiseKind::Simplex:
            return add_octaves<SimplexBasis>(recipe.octaves, positions, plain, sums);
        case NoiseKind::Billow:
            return add_octaves<GradientBasis>(
                recipe.octaves, positions, [](float n) { return std::abs(n) - kMeanAbsoluteGradient; }, sums);
        case NoiseKind::Cellular:
            return add_octaves<CellularBasis>(
                recipe.octaves, positions, [](float n) { return n - kMeanCellular; }, sums);
        case NoiseKind::CellularEdges:
            return add_octaves<CellularEdgesBasis>(
                recipe.octaves, positions, [](float n) { return n - kMeanCellularEdges; }, sums);
        case NoiseKind::Ridged:
            return add_ridged(recipe, positions, sums);
        case NoiseKind::Multifractal:
            return add_multifractal(recipe, positions, sums);
        case NoiseKind::White:
            return;
    }
}

/// Moves every position by the domain warp.
void warp_positions(const Recipe& recipe, Positions& positions) {
    if (recipe.warp_east.empty()) return;
    const auto plain = [](float n) { return n; };
    std::vector<float> east(positions.size());
    std::vector<float> north(positions.size());
    add_octaves<GradientBasis>(recipe.warp_east, positions, plain, east);
    add_octaves<GradientBasis>(recipe.warp_north, positions, plain, north);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        positions[i].x += recipe.parameters.warp * east[i];
        positions[i].y += recipe.parameters.warp * north[i];
    }
}

void fractal_row(const Recipe& recipe, int row, Field<float>& elevation) {
    const Grid& grid = elevation.grid();
    Positions positions(static_cast<std::size_t>(grid.columns));
    for (int column = 0; column < grid.columns; ++column) positions[column] = grid.centre(column, row);
    warp_positions(recipe, positions);
    std::vector<float> sums(positions.size());
    add_noise(recipe, positions, sums);
    for (int column = 0; column < grid.columns; ++column)
        elevation(column, row) =
            static_cast<float>(recipe.parameters.mean + recipe.parameters.amplitude * sums[column]);
}

void white_row(const NoiseParameters& parameters, std::uint64_t seed, int row, Field<float>& elevation) {
    const Grid& grid = elevation.grid();
    const bool per_cell = parameters.wavelength == 0.0;
    const auto lattice_row = per_cell ? row - std::llround(grid.north / grid.cell_size)
                                      : -1 - lattice_place(grid.y(row) / parameters.wavelength).cell;
    for (int column = 0; column < grid.columns; ++column) {
        const auto lattice_column = per_cell ? column + std::llround(grid.west / grid.cell_size)
                                             : lattice_place(grid.x(column) / parameters.wavelength).cell;
        const float draw =
            unit_float(random_bits(seed, Stream::WhiteNoise, static_cast<std::uint64_t>(lattice_column),
                                   static_cast<std::uint64_t>(lattice_row)));
        elevation(column, row) =
            static_cast<float>(parameters.mean + parameters.amplitude * (2.0F * draw - 1.0F));
    }
}

}  // namespace

NoiseParameters resolved_on(const Grid& grid, NoiseParameters parameters) {
    if (parameters.kind == NoiseKind::White) return parameters;
    if (parameters.wavelength == 0.0) parameters.wavelength = std::max(grid.width(), grid.height()) / 4.0;
    if (parameters.warp_wavelength == 0.0) parameters.warp_wavelength = parameters.wavelength;
    const double least = kLeastCellsPerWavelength * grid.cell_size;
    if (parameters.wavelength > least) return parameters;
    throw Error::input(
        fmt::format("wavelength = {} m is not allowed on cells of {} m: give more than 4 cells, {} m",
                    parameters.wavelength, grid.cell_size, least));
}

Field<float> evaluate_noise(const Grid& grid, const NoiseParameters& parameters, std::uint64_t seed,
                            Progress& progress) {
    Field<float> elevation(grid);
    const Recipe recipe = recipe_on(grid, parameters, seed);
    const int band = (grid.rows + kReports - 1) / kReports;
    for (int first = 0; first < grid.rows; first += band) {
        progress.report(static_cast<double>(first) / grid.rows, "making noise");
        for_each_row(first, std::min(first + band, grid.rows), grid.columns, [&](int row) {
            progress.poll();
            if (parameters.kind == NoiseKind::White) {
                white_row(parameters, seed, row, elevation);
            } else {
                fractal_row(recipe, row, elevation);
            }
        });
    }
    progress.report(1.0, "making noise");
    return elevation;
}

Field<float> make_noise(const Grid& grid, const NoiseParameters& parameters, std::uint64_t seed,
                        Progress& progress) {
    return evaluate_noise(grid, resolved_on(grid, parameters), seed, progress);
}

LayerSource noise_source(const NoiseParameters& parameters, std::uint64_t seed, const Grid& home) {
    return [resolved = resolved_on(home, parameters), seed](const Grid& grid, Progress& progress) {
        SilentPart part(progress);
        return evaluate_noise(grid, resolved, seed, part);
    };
}

}  // namespace thalweg
