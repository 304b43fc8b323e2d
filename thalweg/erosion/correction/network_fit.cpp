// Based on: Tzathas, Gailleton, Steer and Cordonnier 2024 (section 5.3, appendix A); Nesterov 1983; Beck and
// Teboulle 2009 (FISTA).
#include "thalweg/erosion/correction/network_fit.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/correction/network_rows.hpp"
#include "thalweg/erosion/network/subtree_runs.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace thalweg {
namespace {

constexpr float kLeastRise = 1e-6F;     // cells, what every cell lies above its receiver at least (empirical)
constexpr float kLeastShare = 1.2e-7F;  // of an elevation: a bit more than float32's relative precision
constexpr float kFirstStep = 1.7F;      // 1: bounds on curvature are loose; 2 is often too much (empirical)
constexpr float kSmallerStep = 0.5F;    // 1, on a step after one that was not taken (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 14;  // a multiple of kNetworkBlock

/// Values of all cells, readable for a row and a block beyond either end.
class FittedCells {
  public:
    FittedCells(const Grid& grid, float value)
        : pad_(grid.columns + 1 + kNetworkBlock),
          values_(at(grid.cells() + 2 * pad_ + kNetworkBlock), value) {}

    float* data() { return values_.data() + pad_; }
    [[nodiscard]] const float* data() const { return values_.data() + pad_; }
    float& operator[](std::int64_t cell) { return values_[at(cell + pad_)]; }
    const float& operator[](std::int64_t cell) const { return values_[at(cell + pad_)]; }
    friend void swap(FittedCells& a, FittedCells& b) noexcept { a.values_.swap(b.values_); }

  private:
    std::int64_t pad_;
    std::vector<float> values_;
};

float least_rise(const Grid& grid) {
    return kLeastRise * static_cast<float>(grid.cell_size);
}

/// The elevation `difference` m above a receiver: some way up even where float32 is too coarse for it.
float above(float receiver, float difference) {
    return receiver + std::max(difference, std::abs(receiver) * kLeastShare);
}

double sum_of(const std::array<float, kNetworkBlock>& squares) {
    double sum = 0.0;
    for (const float square : squares) sum += static_cast<double>(square);
    return sum;
}

void add_pulls(const PullRow& row, std::int64_t count, float* pull, float* squares) {
    in_lanes([&](auto lanes) { pulls_in_lanes<lanes()>(row, count, pull, squares); });
}

void descend(const DescentRow& row, std::int64_t count, float* place, float* ahead, float* squares) {
    in_lanes([&](auto lanes) { descend_in_lanes<lanes()>(row, count, place, ahead, squares); });
}

/// How far one step goes.
struct Step {
    float size = kFirstStep;  // 1, share of gradient over curvature
    float momentum = 0.0F;    // 1
    double pace = 1.0;        // t_k of FISTA

    void hasten() {
        const double next = (1.0 + std::sqrt(1.0 + 4.0 * pace * pace)) / 2.0;
        momentum = static_cast<float>((pace - 1.0) / next);
        pace = next;
    }
    void hold_back() {
        if (momentum == 0.0F) size *= kSmallerStep;
        momentum = 0.0F;
        pace = 1.0;
    }
};

/// What stays the same over the steps - network, targets, who must not stand above whom - and the elevations
/// of the present one.
class NetworkProblem {
  public:
    /// `elevation` rises upstream along `tree`.
    NetworkProblem(const FlowTree& tree, const Lattice& lattice, const NetworkFitParameters& parameters,
                   const Field<float>& elevation, const Progress& progress)
        : tree_(tree),
          lattice_(lattice),
          parameters_(parameters),
          steps_(lattice.index_steps()),
          blocked_cells_((tree.grid.cells() + kNetworkBlock - 1) / kNetworkBlock * kNetworkBlock),
          diagonals_(!lattice.links.empty() || (lattice.common_links & ~kAxes) != 0),
          runs_(tree),
          elevation_(tree.grid, 0.0F),
          target_(tree.grid, 0.0F),
          slope_(tree.grid, std::numeric_limits<float>::infinity()),
          curvature_(tree.grid, 0.0F),
          length_east_(tree.grid, 1.0F),
          length_south_(tree.grid, 1.0F),
          length_diagonal_(tree.grid, std::sqrt(2.0F)),
          unconnected_(at(blocked_cells_), 0) {
        progress.poll();
        for_each_cell([&](int column, int row) { set_target(elevation, column, row); });
        for_each_row(grid(), [&](int row) {
            if (lattice.displaced()) measure_links(row);
            find_unconnected(row);
        });
        progress.poll();
        bound_curvature(progress);
    }

    [[nodiscard]] const Grid& grid() const { return tree_.grid; }
    [[nodiscard]] const FittedCells& elevation() const { return elevation_; }
    [[nodiscard]] const FittedCells& target() const { return target_; }

    /// Sets the elevations from the differences.
    void set_elevation(const FittedCells& differences, const Progress& progress) {
        runs_.go_upstream(
            elevation_.data(), progress,
            [d = differences.data()](std::int32_t cell, float below) { return above(below, d[cell]); });
    }

    /// Pulls of the present elevations; returns L_d, m^2.
    double set_pulls(FittedCells& pulls) const {
        const auto pull = [&](std::int64_t first, std::int64_t last) {
            const PullRow row{.elevation = elevation_.data() + first,
                              .slope = slope_.data() + first,
                              .unconnected = unconnected_.data() + first,
                              .length_east = length_east_.data() + first,
                              .length_south = length_south_.data() + first,
                              .length_diagonal = length_diagonal_.data() + first,
                              .columns = grid().columns,
                              .diagonals = diagonals_};
            std::array<float, kNetworkBlock> squares{};
            add_pulls(row, last - first, pulls.data() + first, squares.data());
            return sum_of(squares);
        };
        return parallel_reduce(0, blocked_cells_, kCellsPerTask, 0.0, pull, std::plus<>()) / 2.0;
    }

    /// Adds every cell's pull to all cells downstream: the gradient of L_d (eq. 32).
    void gather_pulls(FittedCells& pulls, const Progress& progress) const {
        runs_.gather(pulls.data(), progress);
    }

    /// One step downhill from `from` by its gradient; returns L_r at `ahead`, m^2.
    double take_step(const Step& step, const FittedCells& from, const FittedCells& gradient,
                     FittedCells& place, FittedCells& ahead) const {
        const auto go = [&](std::int64_t first, std::int64_t last) {
            const DescentRow row{.from = from.data() + first,
                                 .target = target_.data() + first,
                                 .pulls = gradient.data() + first,
                                 .curvature = curvature_.data() + first,
                                 .river_weight = static_cast<float>(parameters_.river_weight),
                                 .discontinuity_weight = static_cast<float>(parameters_.discontinuity_weight),
                                 .step = step.size,
                                 .momentum = step.momentum,
                                 .least = least_rise(grid())};
            std::array<float, kNetworkBlock> squares{};
            descend(row, last - first, place.data() + first, ahead.data() + first, squares.data());
            return sum_of(squares);
        };
        return parallel_reduce(0, blocked_cells_, kCellsPerTask, 0.0, go, std::plus<>()) / 2.0;
    }

    [[nodiscard]] double objective(double river_term, double discontinuity_term) const {
        return parameters_.river_weight * river_term + parameters_.discontinuity_weight * discontinuity_term;
    }

  private:
    template <class Body>
    void for_each_cell(const Body& body) const {
        for_each_row(grid(), [&](int row) {
            for (int column = 0; column < grid().columns; ++column) body(column, row);
        });
    }

    void set_target(const Field<float>& elevation, int column, int row) {
        const std::int64_t cell = grid().index(column, row);
        const std::uint8_t direction = tree_.direction[at(cell)];
        if (direction == kOutside) return;
        elevation_[cell] = elevation[cell];
        if (direction >= kRoot) return;
        const std::int64_t receiver = cell + steps_[direction];
        target_[cell] = std::max(elevation[cell] - elevation[receiver], least_rise(grid()));
        slope_[cell] = target_[cell] / lattice_.link(cell, receiver, direction).length();
    }

    /// Lengths of a row's links to the east and south, and of its quads' diagonals.
    void measure_links(int row) {
        for (int column = 0; column < grid().columns; ++column) {
            const std::int64_t cell = grid().index(column, row), south = cell + grid().columns;
            const bool has_east = column + 1 < grid().columns, has_south = row + 1 < grid().rows;
            if (has_east) length_east_[cell] = lattice_.link(cell, cell + 1, 0).length();
            if (has_south) length_south_[cell] = lattice_.link(cell, south, 2).length();
            if (!has_east || !has_south) continue;
            const bool falls = (lattice_.links_of(cell) >> 1 & 1) != 0;  // from north-west to south-east
            length_diagonal_[cell] = falls ? lattice_.link(cell, south + 1, 1).length()
                                           : lattice_.link(cell + 1, south, 3).length();
        }
    }

    /// Which neighbours of a row's cells are linked but not connected. One direction at a time, without
    /// branches that depend on the network.
    void find_unconnected(int row) {
        const std::int64_t columns = grid().columns, first_cell = grid().index(0, row);
        std::uint8_t* const unconnected = unconnected_.data() + first_cell;
        const std::uint8_t* const directions = tree_.direction.data() + first_cell;
        for (int d = 0; d < 8; ++d) {
            if (row + kRowStep[d] < 0 || row + kRowStep[d] >= grid().rows) continue;
            const std::int64_t first = std::max(0, -kColumnStep[d]);
            const std::int64_t end = columns - std::max(0, kColumnStep[d]);
            const std::uint8_t* const others = directions + steps_[at(d)];
            const std::uint8_t towards = static_cast<std::uint8_t>(opposite(d));
            for (std::int64_t column = first; column < end; ++column) {
                const std::uint8_t here = directions[column], there = others[column];
                const bool parted =
                    (here != d) & (here != kOutside) & (there != towards) & (there != kOutside);
                unconnected[column] = static_cast<std::uint8_t>(unconnected[column] | (parted ? 1 : 0) << d);
            }
        }
        for (std::int64_t column = 0; column < columns; ++column)
            unconnected[column] =
                static_cast<std::uint8_t>(unconnected[column] & lattice_.links_of(first_cell + column));
    }

    /// Adds to every cell of a row the ways of its unconnected neighbours and of itself, one for each.
    void add_path_lengths(int row, const float* lengths) {
        const std::int64_t first_cell = grid().index(0, row);
        float* const sums = curvature_.data() + first_cell;
        const float* const here = lengths + first_cell;
        const std::uint8_t* const unconnected = unconnected_.data() + first_cell;
        for (std::size_t d = 0; d < 8; ++d) {
            const float* const there = here + steps_[d];
            for (std::int64_t column = 0; column < grid().columns; ++column)
                sums[column] += (unconnected[column] >> d & 1) != 0 ? here[column] + there[column] : 0.0F;
        }
    }

    /// Bounds the objective's curvature by a diagonal, so that steps need no search. A neighbour's excess
    /// changes by the sum of the changes on the way to it along the rivers, and by Cauchy and Schwarz
    ///   (sum of x)^2 <= (sum of w) (sum of x^2 / w)      with w = N^-1/2 (empirical: the fastest of N^-p)
    void bound_curvature(const Progress& progress) {
        FittedCells way(grid(), 0.0F);  // sum of w from the root
        const auto root_of = [&](std::int32_t cell) {
            return std::sqrt(static_cast<float>(static_cast<std::int32_t>(tree_.upstream_cells[at(cell)])));
        };
        runs_.go_upstream(way.data(), progress,
                          [&](std::int32_t cell, float below) { return below + 1.0F / root_of(cell); });
        for_each_row(grid(), [&](int row) { add_path_lengths(row, way.data()); });
        runs_.gather(curvature_.data(), progress);
        const float river = static_cast<float>(parameters_.river_weight);
        const float discontinuity = static_cast<float>(parameters_.discontinuity_weight);
        for_each_cell([&](int column, int row) {
            const std::int64_t cell = grid().index(column, row);
            const bool drains = tree_.direction[at(cell)] < kRoot;
            curvature_[cell] =
                drains ? river + discontinuity * curvature_[cell] * root_of(static_cast<std::int32_t>(cell))
                       : 0.0F;
        });
    }

    const FlowTree& tree_;
    const Lattice& lattice_;
    NetworkFitParameters parameters_;
    std::array<std::int32_t, 8> steps_;
    std::int64_t blocked_cells_;  // of the grid, filled up to whole blocks
    bool diagonals_;
    SubtreeRuns runs_;
    FittedCells elevation_;                  // m
    FittedCells target_;                     // m, d~
    FittedCells slope_;                      // m per cell, of the target; infinite without a receiver
    FittedCells curvature_;                  // 1, at most, by d; 0 without a receiver
    FittedCells length_east_;                // cells
    FittedCells length_south_;               // cells
    FittedCells length_diagonal_;            // cells, by the north-western cell of the quad
    std::vector<std::uint8_t> unconnected_;  // per cell, a bit for each direction
};

}  // namespace

void raise_along_tree(const FlowTree& tree, Field<float>& elevation) {
    const float least = least_rise(tree.grid);
    for (const std::int32_t cell : tree.order)
        if (const std::int32_t receiver = tree.receiver(cell); receiver >= 0)
            elevation[cell] = std::max(elevation[cell], above(elevation[receiver], least));
}

NetworkFitReport fit_to_network(const FlowTree& tree, const Lattice& lattice,
                                const NetworkFitParameters& parameters, Field<float>& elevation,
                                Progress& progress) {
    raise_along_tree(tree, elevation);
    progress.poll();
    NetworkProblem problem(tree, lattice, parameters, elevation, progress);
    FittedCells gradient(tree.grid, 0.0F);
    NetworkFitReport report;
    report.objective_before = problem.objective(0.0, problem.set_pulls(gradient));
    report.objective_after = report.objective_before;
    if (report.objective_before == 0.0) return report;
    problem.gather_pulls(gradient, progress);

    FittedCells best = problem.target(), place = best, trial = best;
    FittedCells trial_gradient(tree.grid, 0.0F);
    Step step;
    bool taken = true;
    for (; report.iterations < parameters.iterations; ++report.iterations) {
        const double river_term = problem.take_step(step, best, gradient, place, trial);
        problem.set_elevation(trial, progress);
        const double objective = problem.objective(river_term, problem.set_pulls(trial_gradient));
        taken = objective < report.objective_after;
        if (!taken) {
            step.hold_back();
            continue;
        }
        report.objective_after = objective;
        problem.gather_pulls(trial_gradient, progress);
        swap(best, trial);
        swap(gradient, trial_gradient);
        step.hasten();
    }
    if (!taken) problem.set_elevation(best, progress);
    for (const std::int32_t cell : tree.order) elevation[cell] = problem.elevation()[cell];
    return report;
}

}  // namespace thalweg
