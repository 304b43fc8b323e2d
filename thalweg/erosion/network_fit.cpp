// Based on: Tzathas, Gailleton, Steer and Cordonnier 2024 (section 5.3, appendix A); Nesterov 1983; Beck and
// Teboulle 2009 (FISTA).
#include "thalweg/erosion/network_fit.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/network_rows.hpp"
#include "thalweg/erosion/subtree_runs.hpp"
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
class PaddedCells {
  public:
    PaddedCells(const Grid& grid, float value)
        : pad_(grid.columns + 1 + kNetworkBlock),
          values_(at(grid.cells() + 2 * pad_ + kNetworkBlock), value) {}

    float* data() { return values_.data() + pad_; }
    [[nodiscard]] const float* data() const { return values_.data() + pad_; }
    float& operator[](std::int64_t cell) { return values_[at(cell + pad_)]; }
    const float& operator[](std::int64_t cell) const { return values_[at(cell + pad_)]; }

  private:
    std::int64_t pad_;
    std::vector<float> values_;
};

/// Values by place in the runs of a tree (subtree_runs.hpp), filled up to whole blocks.
using Places = std::vector<float>;

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
#if THALWEG_WIDE_VECTORS
    if (vector_lanes() == 16) return pulls_in_lanes<16>(row, count, pull, squares);
    if (vector_lanes() == 8) return pulls_in_lanes<8>(row, count, pull, squares);
#endif
    pulls_in_lanes<4>(row, count, pull, squares);
}

void descend(const DescentRow& row, std::int64_t count, float* place, float* ahead, float* squares) {
#if THALWEG_WIDE_VECTORS
    if (vector_lanes() == 16) return descend_in_lanes<16>(row, count, place, ahead, squares);
    if (vector_lanes() == 8) return descend_in_lanes<8>(row, count, place, ahead, squares);
#endif
    descend_in_lanes<4>(row, count, place, ahead, squares);
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

}  // namespace

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
          blocked_cells_(whole_blocks(tree.grid.cells())),
          diagonals_(!lattice.links.empty() || (lattice.common_links & ~kAxes) != 0),
          runs_(tree),
          target_(no_differences()),
          curvature_(no_differences()),
          elevation_(tree.grid, 0.0F),
          pulls_(tree.grid, 0.0F),
          slope_(tree.grid, std::numeric_limits<float>::infinity()),
          length_east_(tree.grid, 1.0F),
          length_south_(tree.grid, 1.0F),
          length_diagonal_(tree.grid, std::sqrt(2.0F)),
          unconnected_(at(blocked_cells_), 0) {
        progress.poll();
        for_each_place([&](std::int64_t place) { set_target(elevation, place); });
        for_each_row(grid(), [&](int row) {
            if (lattice.displaced()) measure_links(row);
            find_unconnected(row);
        });
        progress.poll();
        bound_curvature(progress);
    }

    [[nodiscard]] const Grid& grid() const { return tree_.grid; }
    [[nodiscard]] const Places& target() const { return target_; }
    [[nodiscard]] Places no_differences() const { return Places(at(whole_blocks(runs_.places())), 0.0F); }

    /// Values of cells by place, and back.
    [[nodiscard]] Places by_place(std::span<const float> by_cell) const {
        Places result = no_differences();
        for_each_place([&](std::int64_t place) { result[at(place)] = by_cell[at(runs_.cell_at(place))]; });
        return result;
    }
    [[nodiscard]] std::vector<float> by_cell(const Places& by_place) const {
        std::vector<float> result(at(grid().cells()), 0.0F);
        for_each_place([&](std::int64_t place) { result[at(runs_.cell_at(place))] = by_place[at(place)]; });
        return result;
    }

    /// Sets the elevations from the differences.
    void set_elevation(const Places& differences, const Progress& progress) {
        runs_.go_upstream(
            elevation_.data(), progress,
            [d = differences.data()](std::int64_t place, float below) { return above(below, d[place]); });
    }

    /// Copies the present elevations of all cells with data.
    void write_elevation(Field<float>& elevation) const {
        for_each_row(grid(), [&](int row) {
            const std::int64_t first = grid().index(0, row), end = first + grid().columns;
            for (std::int64_t cell = first; cell < end; ++cell)
                if (tree_.direction[at(cell)] != kOutside) elevation[cell] = elevation_[cell];
        });
    }

    /// Sets the pulls of the present elevations; returns L_d, m^2.
    double set_pulls() {
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
            add_pulls(row, last - first, pulls_.data() + first, squares.data());
            return sum_of(squares);
        };
        return parallel_reduce(0, blocked_cells_, kCellsPerTask, 0.0, pull, std::plus<>()) / 2.0;
    }

    /// The gradient of L_d (eq. 32): adds every cell's pull, once, to all cells downstream.
    void gather_pulls(Places& gradient, const Progress& progress) {
        runs_.gather(pulls_.data(), gradient.data(), progress);
    }

    /// One step downhill from `from` by its gradient; returns L_r at `ahead`, m^2.
    double take_step(const Step& step, const Places& from, const Places& gradient, Places& place,
                     Places& ahead) const {
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
        return parallel_reduce(0, whole_blocks(runs_.places()), kCellsPerTask, 0.0, go, std::plus<>()) / 2.0;
    }

    [[nodiscard]] double objective(double river_term, double discontinuity_term) const {
        return parameters_.river_weight * river_term + parameters_.discontinuity_weight * discontinuity_term;
    }

  private:
    static std::int64_t whole_blocks(std::int64_t count) {
        return (count + kNetworkBlock - 1) / kNetworkBlock * kNetworkBlock;
    }

    template <class Body>
    void for_each_place(const Body& body) const {
        parallel_for(0, runs_.places(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t place = first; place < last; ++place) body(place);
        });
    }

    void set_target(const Field<float>& elevation, std::int64_t place) {
        const std::int32_t cell = runs_.cell_at(place);
        const std::uint8_t direction = tree_.direction[at(cell)];
        elevation_[cell] = elevation[cell];
        if (direction >= kRoot) return;
        const std::int64_t receiver = cell + steps_[direction];
        const float target = std::max(elevation[cell] - elevation[receiver], least_rise(grid()));
        target_[at(place)] = target;
        slope_[cell] = target / lattice_.link(cell, receiver, direction).length();
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
    void add_ways(int row, const float* ways, float* all_sums) const {
        const std::int64_t first_cell = grid().index(0, row);
        float* const sums = all_sums + first_cell;
        const float* const here = ways + first_cell;
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
        PaddedCells way(grid(), 0.0F), ways(grid(), 0.0F);  // sum of w from the root; of all that matter
        const auto root_at = [&](std::int64_t place) {
            const std::uint32_t upstream = tree_.upstream_cells[at(runs_.cell_at(place))];
            return std::sqrt(static_cast<float>(static_cast<std::int32_t>(upstream)));
        };
        runs_.go_upstream(way.data(), progress,
                          [&](std::int64_t place, float below) { return below + 1.0F / root_at(place); });
        for_each_row(grid(), [&](int row) { add_ways(row, way.data(), ways.data()); });
        runs_.gather(ways.data(), curvature_.data(), progress);
        const float river = static_cast<float>(parameters_.river_weight);
        const float discontinuity = static_cast<float>(parameters_.discontinuity_weight);
        for_each_place([&](std::int64_t place) {
            const bool drains = tree_.direction[at(runs_.cell_at(place))] < kRoot;
            float& curvature = curvature_[at(place)];
            curvature = drains ? river + discontinuity * curvature * root_at(place) : 0.0F;
        });
    }

    const FlowTree& tree_;
    const Lattice& lattice_;
    NetworkFitParameters parameters_;
    std::array<std::int32_t, 8> steps_;
    std::int64_t blocked_cells_;  // of the grid, filled up to whole blocks
    bool diagonals_;
    SubtreeRuns runs_;
    Places target_;                          // m, d~
    Places curvature_;                       // 1, at most, by d; 0 without a receiver
    PaddedCells elevation_;                  // m
    PaddedCells pulls_;                      // m
    PaddedCells slope_;                      // m per cell, of the target; infinite without a receiver
    PaddedCells length_east_;                // cells
    PaddedCells length_south_;               // cells
    PaddedCells length_diagonal_;            // cells, by the north-western cell of the quad
    std::vector<std::uint8_t> unconnected_;  // per cell, a bit for each direction
};

NetworkObjective::NetworkObjective(const FlowTree& tree, const Lattice& lattice,
                                   const NetworkFitParameters& parameters, const Field<float>& elevation) {
    Field<float> raised = elevation;
    raise_along_tree(tree, raised);
    problem_ = std::make_unique<NetworkProblem>(tree, lattice, parameters, raised, QuietProgress());
}

NetworkObjective::~NetworkObjective() = default;

std::vector<float> NetworkObjective::target_differences() const {
    return problem_->by_cell(problem_->target());
}

NetworkObjective::Place NetworkObjective::at_differences(std::span<const float> differences) const {
    const QuietProgress quiet;
    const Grid& grid = problem_->grid();
    const Places place = problem_->by_place(differences), target = problem_->target();
    Places gradient = problem_->no_differences();
    problem_->set_elevation(place, quiet);
    Place result{.river_term = 0.0,
                 .discontinuity_term = problem_->set_pulls(),
                 .gradient = {},
                 .elevation = Field<float>(grid)};
    problem_->gather_pulls(gradient, quiet);
    result.gradient = problem_->by_cell(gradient);
    problem_->write_elevation(result.elevation);
    for (std::size_t i = 0; i < place.size(); ++i) {
        const double off = static_cast<double>(place[i]) - static_cast<double>(target[i]);
        result.river_term += off * off / 2.0;
    }
    return result;
}

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
    NetworkFitReport report;
    report.objective_before = problem.objective(0.0, problem.set_pulls());
    report.objective_after = report.objective_before;
    if (report.objective_before == 0.0) return report;
    Places gradient = problem.no_differences();
    problem.gather_pulls(gradient, progress);

    Places best = problem.target(), place = best, trial = best;
    Step step;
    bool taken = true;
    for (; report.iterations < parameters.iterations; ++report.iterations) {
        const double river_term = problem.take_step(step, best, gradient, place, trial);
        problem.set_elevation(trial, progress);
        const double objective = problem.objective(river_term, problem.set_pulls());
        taken = objective < report.objective_after;
        if (!taken) {
            step.hold_back();
            continue;
        }
        report.objective_after = objective;
        problem.gather_pulls(gradient, progress);
        best.swap(trial);
        step.hasten();
    }
    if (!taken) problem.set_elevation(best, progress);
    problem.write_elevation(elevation);
    return report;
}

}  // namespace thalweg
