#include "thalweg/erosion/terrain_quality.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/ranked_values.hpp"
#include "thalweg/erosion/correction/steep_cells.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace thalweg {
namespace {

constexpr int kDeciles = 10;
constexpr float kWindow = 10.0F;          // cells, least length of a chord along a river
constexpr double kHalfTurn = 180.0;       // degrees
constexpr double kIsotropic = 2.0 / 9.0;  // share of directions within 10 degrees of two perpendicular ones
constexpr float kLookedAt = 0.99F;        // m/m, from which a slope is compared with 1 in full precision
constexpr std::int64_t kCellsPerTask = 1 << 15;

/// The straight way between the nodes of two cells.
Link link_between(const Lattice& lattice, std::int32_t from, std::int32_t to) {
    const Grid& grid = lattice.grid;
    Link link = {static_cast<float>(grid.column_of(to) - grid.column_of(from)),
                 static_cast<float>(grid.row_of(to) - grid.row_of(from))};
    if (lattice.displaced()) {
        link.x += lattice.offset_x[at(to)] - lattice.offset_x[at(from)];
        link.y += lattice.offset_y[at(to)] - lattice.offset_y[at(from)];
    }
    return link;
}

/// A river from one of its cells to a place further down.
struct Reach {
    Link axis = {};       // that its nodes follow by least squares
    float length = 0.0F;  // cells, of its chord
    int steps = 0;        // along the flow path; 0 where the outlet comes first
};

/// Sums of the places of nodes along a reach, and of number x place.
struct PlaceSums {
    Link places = {};
    Link numbered = {};

    void add(int number, const Link& place) {
        places = {places.x + place.x, places.y + place.y};
        const float i = static_cast<float>(number);
        numbered = {numbered.x + i * place.x, numbered.y + i * place.y};
    }

    /// The axis of nodes 0 to `last`, but for its length.
    [[nodiscard]] Link axis(int last) const {
        const float middle = 0.5F * static_cast<float>(last);
        return {numbered.x - middle * places.x, numbered.y - middle * places.y};
    }
};

Reach reach_from(const Lattice& lattice, const FlowTree& tree, std::int32_t cell) {
    std::int32_t end = cell;
    PlaceSums sums;
    for (int steps = 1;; ++steps) {
        end = tree.receiver(end);
        if (end < 0) return {};
        const Link chord = link_between(lattice, cell, end);
        sums.add(steps, chord);
        if (chord.length() >= kWindow) return {sums.axis(steps), chord.length(), steps};
    }
}

/// Direction of an axis, degrees anticlockwise from east, in [0, 180).
double direction_of(const Link& axis) {
    const double angle =
        std::atan2(-static_cast<double>(axis.y), static_cast<double>(axis.x)) * kHalfTurn / std::numbers::pi;
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

/// Counts discontinuities.
class DiscontinuityFinder {
  public:
    DiscontinuityFinder(const Lattice& lattice, const FlowTree& tree, const Field<float>& elevation)
        : lattice_(lattice), tree_(tree), elevation_(elevation), steps_(lattice.index_steps()) {}

    [[nodiscard]] std::int64_t count_in(std::int64_t row) const {
        std::vector<std::uint8_t> steep(at(lattice_.grid.columns));
        mark_steep_cells(lattice_, elevation_, row, {.least_slope = kLookedAt}, steep);
        std::int64_t found = 0;
        for (auto mark = steep.begin(); (mark = std::find(mark, steep.end(), 1)) != steep.end(); ++mark)
            found += is_discontinuous(static_cast<int>(mark - steep.begin()), static_cast<int>(row)) ? 1 : 0;
        return found;
    }

  private:
    [[nodiscard]] bool is_discontinuous(int column, int row) const {
        const std::int64_t cell = lattice_.grid.index(column, row);
        if (is_no_data(elevation_[cell])) return false;
        const std::uint8_t links = lattice_.links_inside(column, row);
        for (std::size_t d = 0; d < 8; ++d)
            if ((links >> d & 1) != 0 && !is_connected(cell, d) && rises_above(cell, d)) return true;
        return false;
    }

    [[nodiscard]] bool is_connected(std::int64_t cell, std::size_t d) const {
        const std::uint8_t back = static_cast<std::uint8_t>(opposite(static_cast<int>(d)));
        return tree_.direction[at(cell)] == d || tree_.direction[at(cell + steps_[d])] == back;
    }

    /// Whether it lies higher above its neighbour than that is far.
    [[nodiscard]] bool rises_above(std::int64_t cell, std::size_t d) const {
        const double excess =
            static_cast<double>(elevation_[cell]) - static_cast<double>(elevation_[cell + steps_[d]]);
        return excess > 0.0 && excess > lattice_.distance(cell, static_cast<int>(d));
    }

    const Lattice& lattice_;
    const FlowTree& tree_;
    const Field<float>& elevation_;
    std::array<std::int32_t, 8> steps_;
};

}  // namespace

std::vector<double> elevation_deciles(const Field<float>& elevation) {
    const RankedValues ranked(elevation.values());
    if (ranked.count() == 0) return {};
    const auto place_of = [&](int decile) {
        return static_cast<double>(ranked.count() - 1) * decile / kDeciles;
    };
    // Of every decile the rank below it and the next; the highest has none.
    std::vector<std::int64_t> ranks;
    for (int decile = 0; decile <= kDeciles; ++decile) {
        const auto below = static_cast<std::int64_t>(place_of(decile));
        ranks.insert(ranks.end(), {below, std::min(below + 1, ranked.count() - 1)});
    }
    std::ranges::sort(ranks);  // those of few values stand across each other
    const std::vector<float> values = ranked.of_ranks(ranks);
    const auto value_at = [&](std::int64_t rank) {
        return static_cast<double>(values[at(std::ranges::lower_bound(ranks, rank) - ranks.begin())]);
    };
    std::vector<double> deciles;
    for (int decile = 0; decile <= kDeciles; ++decile) {
        const auto below = static_cast<std::int64_t>(place_of(decile));
        const double low = value_at(below);
        const double high = value_at(std::min(below + 1, ranked.count() - 1));
        deciles.push_back(low + (high - low) * (place_of(decile) - static_cast<double>(below)));
    }
    return deciles;
}

double discontinuous_share(const Lattice& lattice, const FlowTree& tree, const Field<float>& elevation) {
    const DiscontinuityFinder discontinuities(lattice, tree, elevation);
    const auto count = [&](std::int64_t first, std::int64_t last) {
        std::int64_t found = 0;
        for (std::int64_t row = first; row < last; ++row) found += discontinuities.count_in(row);
        return found;
    };
    const std::int64_t rows_per_task = std::max<std::int64_t>(1, kCellsPerTask / lattice.grid.columns);
    const std::int64_t found =
        parallel_reduce(0, lattice.grid.rows, rows_per_task, std::int64_t{0}, count, std::plus<>());
    return static_cast<double>(found) / static_cast<double>(std::max<std::size_t>(1, tree.order.size()));
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
            if (!(static_cast<double>(drainage_area[at(cell)]) >= least_area)) continue;
            if (tree.direction[at(cell)] >= kRoot) continue;
            const Reach reach = reach_from(lattice, tree, cell);
            if (reach.steps == 0) continue;
            const auto bin = static_cast<std::size_t>(direction_of(reach.axis) / RiverDirections::kBinWidth);
            found.length[bin] += static_cast<double>(reach.length) * lattice.grid.cell_size / reach.steps;
        }
        return found;
    };
    const auto add = [](RiverDirections sum, const RiverDirections& part) { return sum += part; };
    return parallel_reduce(0, tree.grid.cells(), kCellsPerTask, RiverDirections{}, measure, add);
}

}  // namespace thalweg
