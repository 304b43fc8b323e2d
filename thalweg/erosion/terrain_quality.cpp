#include "thalweg/erosion/terrain_quality.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace thalweg {
namespace {

constexpr int kDeciles = 10;
constexpr float kWindow = 10.0F;          // cells, least length of a chord along a river
constexpr double kHalfTurn = 180.0;       // degrees
constexpr double kIsotropic = 2.0 / 9.0;  // share of directions within 10 degrees of two perpendicular ones
constexpr std::int64_t kCellsPerTask = 1 << 15;

/// The straight way between the nodes of two cells.
Link way_between(const Lattice& lattice, std::int32_t from, std::int32_t to) {
    const Grid& grid = lattice.grid;
    Link way = {static_cast<float>(grid.column_of(to) - grid.column_of(from)),
                static_cast<float>(grid.row_of(to) - grid.row_of(from))};
    if (lattice.displaced()) {
        way.x += lattice.offset_x[at(to)] - lattice.offset_x[at(from)];
        way.y += lattice.offset_y[at(to)] - lattice.offset_y[at(from)];
    }
    return way;
}

/// From a river cell to a place further down, the straight way.
struct Chord {
    Link way = {};
    int steps = 0;  // along the flow path; 0 where the outlet comes first
};

Chord chord_from(const Lattice& lattice, const FlowTree& tree, std::int32_t cell) {
    std::int32_t end = cell;
    for (int steps = 1;; ++steps) {
        end = tree.receiver(end);
        if (end < 0) return {};
        const Link way = way_between(lattice, cell, end);
        if (way.length() >= kWindow) return {way, steps};
    }
}

/// Direction of a way, degrees anticlockwise from east, in [0, 180).
double direction_of(const Link& way) {
    const double angle =
        std::atan2(-static_cast<double>(way.y), static_cast<double>(way.x)) * kHalfTurn / std::numbers::pi;
    const double positive = angle < 0.0 ? angle + kHalfTurn : angle;
    return positive < kHalfTurn ? positive : 0.0;
}

/// Length within 10 degrees of `direction`, a multiple of 5 degrees, and of the direction across it.
double length_near(const std::array<double, RiverDirections::kBins>& length, int direction) {
    const int middle = direction / static_cast<int>(RiverDirections::kBinWidth);
    double sum = 0.0;
    for (const int centre : {middle, middle + RiverDirections::kBins / 2})
        for (int bin = centre - 2; bin < centre + 2; ++bin)
            sum += length[at((bin + RiverDirections::kBins) % RiverDirections::kBins)];
    return sum;
}

}  // namespace

std::vector<double> elevation_deciles(const Field<float>& elevation) {
    std::vector<float> values;
    values.reserve(at(elevation.size()));
    std::ranges::copy_if(elevation, std::back_inserter(values), [](float z) { return !is_no_data(z); });
    if (values.empty()) return {};
    const auto last = static_cast<double>(values.size() - 1);
    std::vector<double> deciles;
    auto sorted = values.begin();  // all before it stand where they belong
    for (int decile = 0; decile <= kDeciles; ++decile) {
        const double place = last * decile / kDeciles;
        const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
        std::nth_element(sorted, below, values.end());
        sorted = below;
        const double low = *below;
        const double above = place - std::floor(place);
        deciles.push_back(above > 0.0 ? low + (*std::min_element(below + 1, values.end()) - low) * above
                                      : low);
    }
    return deciles;
}

double RiverDirections::total_length() const {
    return std::accumulate(length.begin(), length.end(), 0.0);
}

double RiverDirections::axis_share() const {
    return length_near(length, 0) / total_length() / kIsotropic;
}

double RiverDirections::diagonal_share() const {
    return length_near(length, 45) / total_length() / kIsotropic;
}

std::array<double, RiverDirections::kBins / 2> RiverDirections::ten_degree_bins() const {
    std::array<double, kBins / 2> bins = {};
    const double mean = total_length() / static_cast<double>(bins.size());
    for (std::size_t bin = 0; bin < bins.size(); ++bin)
        bins[bin] = (length[2 * bin] + length[2 * bin + 1]) / mean;
    return bins;
}

RiverDirections& RiverDirections::operator+=(const RiverDirections& other) {
    for (std::size_t bin = 0; bin < length.size(); ++bin) length[bin] += other.length[bin];
    return *this;
}

RiverDirections river_directions(const Lattice& lattice, const FlowTree& tree,
                                 std::span<const float> drainage_area, double least_area) {
    const auto measure = [&](std::int64_t first, std::int64_t last) {
        RiverDirections found;
        for (auto cell = static_cast<std::int32_t>(first); cell < last; ++cell) {
            if (tree.direction[at(cell)] >= kRoot) continue;
            if (!(static_cast<double>(drainage_area[at(cell)]) >= least_area)) continue;
            const Chord chord = chord_from(lattice, tree, cell);
            if (chord.steps == 0) continue;
            const auto bin = static_cast<std::size_t>(direction_of(chord.way) / RiverDirections::kBinWidth);
            found.length[bin] +=
                static_cast<double>(chord.way.length()) * lattice.grid.cell_size / chord.steps;
        }
        return found;
    };
    const auto add = [](RiverDirections sum, const RiverDirections& part) { return sum += part; };
    return parallel_reduce(0, tree.grid.cells(), kCellsPerTask, RiverDirections{}, measure, add);
}

}  // namespace thalweg
