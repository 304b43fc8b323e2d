// Squares that are turned against the grid.
#include "thalweg/erosion/terrain_quality.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/render/hillshade.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "benchmarks/erosion_quality/modes.hpp"
#include "benchmarks/erosion_quality/problems.hpp"
#include "benchmarks/erosion_quality/stepped.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

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

/// The same of stepping level by level, which chooses rivers in its own way.
RiverDirections directions_of_stepping(int cells, double degrees) {
    RiverDirections pooled;
    for (const std::uint64_t seed : kSeeds) {
        const auto problem = [=](int size) { return square_problem(size, degrees, seed); };
        pooled += stepped_by_levels(problem, cells, seed).report.river_directions;
    }
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

}  // namespace

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
            if (degrees == 30.0) {
                print_turn_row("30, turned back", cells, turned_back(found, degrees));
                print_turn_row("30, by stepping", cells, directions_of_stepping(cells, degrees));
            }
            add_shares(found, of_grid);
            add_shares(turned_back(found, degrees), of_domain);
        }
        print_turn_row("all six, against the grid", cells, of_grid);
        print_turn_row("all six, against the square", cells, of_domain);
    }
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

}  // namespace thalweg
