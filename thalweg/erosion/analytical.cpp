#include "thalweg/erosion/analytical.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/rise_rows.hpp"
#include "thalweg/erosion/thermal_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

constexpr float kFlatLift = 1.0F;       // m, how far level ground may be tilted so that it drains (empirical)
constexpr float kLeastSlope = 1e-6F;    // m/m, keeps water running where nothing rises (empirical)
constexpr float kLeastShare = 1.2e-7F;  // of an elevation: a bit more than float32's relative precision
constexpr std::int64_t kRunsAtOnce = 4;
constexpr std::int64_t kCellsPerTask = 1 << 14;
constexpr std::int64_t kCellsPerPoll = 1 << 16;

/// The least elevation, m, `length` m above a receiver: some way up even where float32 is too coarse for the
/// least slope.
float least_above(float receiver, float length) {
    return receiver + std::max(kLeastSlope * length, std::abs(receiver) * kLeastShare);
}

/// The cells of each root tree one after another; every cell is followed by the whole subtrees of its donors.
struct DepthFirst {
    std::vector<std::int32_t> cells;
    std::vector<std::int32_t> depth;        // per cell of the grid, nodes below it on its path
    std::vector<std::int64_t> tree_starts;  // index in `cells` of every root, and the end
};

std::vector<std::int32_t> subtree_sizes(const FlowTree& tree) {
    std::vector<std::int32_t> size(tree.direction.size(), 1);
    for (auto cell = tree.order.rbegin(); cell != tree.order.rend(); ++cell) {
        const std::int32_t receiver = tree.receiver(*cell);
        if (receiver >= 0) size[at(receiver)] += size[at(*cell)];
    }
    return size;
}

DepthFirst depth_first(const FlowTree& tree) {
    const std::vector<std::int32_t> size = subtree_sizes(tree);
    DepthFirst result;
    result.cells.resize(tree.order.size());
    result.depth.resize(tree.direction.size());
    std::vector<std::int32_t> next_place(tree.direction.size());  // where a cell's next donor goes
    std::int32_t next_tree = 0;
    for (const std::int32_t cell : tree.order) {
        const std::int32_t receiver = tree.receiver(cell);
        const bool root = receiver < 0;
        std::int32_t& free_place = root ? next_tree : next_place[at(receiver)];
        if (root) result.tree_starts.push_back(free_place);
        result.cells[at(free_place)] = cell;
        result.depth[at(cell)] = root ? 0 : result.depth[at(receiver)] + 1;
        next_place[at(cell)] = free_place + 1;
        free_place += size[at(cell)];
    }
    result.tree_starts.push_back(next_tree);
    return result;
}

/// One node of the path from a root to the cell in hand.
struct PathNode {
    double travel_time;  // tau, yr from the root
    double accumulated;  // U, m: sum of u/a dx from the root
    double relief;       // W = z0 - U, m
    float initial;       // z0, or the level of the lake over it where the path leads out of a closed basin, m
    float surface;       // of the river or lake after the time, m
    std::int32_t origin;  // path index of the last node with travel_time <= tau - t, -1: before the root
};

/// Solves root trees one by one, with the path from the root to the present cell on a stack.
class TransientSolver {
  public:
    TransientSolver(const ErosionLaw& law, const PathInputs& inputs, double time, const Field<float>& initial,
                    Field<float>& elevation)
        : thermal_(law), inputs_(inputs), time_(time), initial_(initial), elevation_(elevation) {}

    void solve(const DepthFirst& order, std::int64_t first, std::int64_t last, const Progress& progress) {
        for (std::int64_t i = first; i < last; ++i) {
            if (i % kCellsPerPoll == 0) progress.poll();
            const std::int32_t cell = order.cells[at(i)];
            const std::int32_t depth = order.depth[at(cell)];
            if (at(depth) >= path_.size()) path_.resize(std::max<std::size_t>(256, path_.size() * 2));
            const float before = initial_[cell];
            if (depth == 0) {
                path_[0] = {0.0, 0.0, before, before, before, -1};
                elevation_[cell] = before;
            } else {
                solve_node(cell, depth);
                // Erosion never builds up: ground that lies under a lake only rises with the rock.
                const float risen = static_cast<float>(static_cast<double>(inputs_.uplift[at(cell)]) * time_);
                elevation_[cell] = std::min(path_[at(depth)].surface, before + risen);
            }
        }
    }

  private:
    void solve_node(std::int32_t cell, std::int32_t depth) {
        const PathNode& below = path_[at(depth - 1)];
        PathNode& node = path_[at(depth)];
        node.initial = std::max(initial_[cell], below.initial);
        const float uplift = inputs_.uplift[at(cell)];
        const float celerity = inputs_.celerity[at(cell)];
        const float length = inputs_.length[at(cell)];
        advance(depth, length, {uplift, celerity});
        // Thermal erosion sets in where the slope without it is too steep.
        if (thermal_.slides((node.surface - below.surface) / length))
            advance(depth, length, thermal_.sliding(uplift, celerity));
        node.surface = std::max(node.surface, least_above(below.surface, length));
    }

    /// Fills path_[depth] for a step of `length` under `law` from the node below it.
    void advance(std::int32_t depth, float length, LocalLaw law) {
        const PathNode& below = path_[at(depth - 1)];
        PathNode& node = path_[at(depth)];
        const double step_time = static_cast<double>(length / law.celerity);
        node.travel_time = below.travel_time + step_time;
        node.accumulated = below.accumulated + static_cast<double>(law.uplift) * step_time;
        node.relief = static_cast<double>(node.initial) - node.accumulated;
        node.origin = origin_of(node.travel_time - time_, below.origin, depth);
        node.surface =
            static_cast<float>(node.accumulated + relief_at_origin(node.travel_time - time_, node.origin));
    }

    /// Last path index with travel time at most `origin_time`, searched upstream from the node below's.
    std::int32_t origin_of(double origin_time, std::int32_t start, std::int32_t depth) const {
        std::int32_t origin = start;
        while (origin + 1 < depth && path_[at(origin + 1)].travel_time <= origin_time) ++origin;
        return origin;
    }

    double relief_at_origin(double origin_time, std::int32_t origin) const {
        if (origin < 0) return path_[0].relief;
        const PathNode& low = path_[at(origin)];
        const PathNode& high = path_[at(origin + 1)];
        const double share = (origin_time - low.travel_time) / (high.travel_time - low.travel_time);
        return low.relief + share * (high.relief - low.relief);
    }

    ThermalLaw thermal_;
    PathInputs inputs_;
    double time_;  // yr
    const Field<float>& initial_;
    Field<float>& elevation_;
    std::vector<PathNode> path_;
};

/// Cuts the root trees into runs of at least kCellsPerTask cells, whatever the number of threads.
std::vector<std::int64_t> task_starts(const DepthFirst& order) {
    std::vector<std::int64_t> starts = {0};
    for (const std::int64_t start : order.tree_starts)
        if (start - starts.back() >= kCellsPerTask) starts.push_back(start);
    const std::int64_t end = static_cast<std::int64_t>(order.cells.size());
    if (starts.back() != end) starts.push_back(end);
    return starts;
}

std::int64_t rises(const RiseRow& row, std::int64_t count, float* rise) {
#if THALWEG_WIDE_VECTORS
    if (vector_lanes() == 16) return rises_in_lanes<16>(row, count, rise);
    if (vector_lanes() == 8) return rises_in_lanes<8>(row, count, rise);
#endif
    return rises_in_lanes<4>(row, count, rise);
}

/// Makes the elevation of every cell that has a receiver the rise above it, m.
void set_rises(const FlowTree& tree, const ThermalLaw& thermal, const PathInputs& inputs,
               Field<float>& elevation) {
    parallel_for(0, elevation.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        const RiseRow row{.direction = tree.direction.data() + first,
                          .uplift = inputs.uplift.data() + first,
                          .celerity = inputs.celerity.data() + first,
                          .length = inputs.length.data() + first,
                          .thermal_rate = thermal.rate(),
                          .critical_slope = thermal.critical_slope(),
                          .least_slope = kLeastSlope};
        for (std::int64_t cell = first + rises(row, last - first, elevation.data() + first); cell < last;
             ++cell) {
            if (tree.direction[at(cell)] >= kRoot) continue;
            const LocalLaw local =
                thermal.at_steady_state(inputs.uplift[at(cell)], inputs.celerity[at(cell)]);
            elevation[cell] = std::max(local.uplift / local.celerity, kLeastSlope) * inputs.length[at(cell)];
        }
    });
}

/// Adds rises up along the tree.
class RiseSum {
  public:
    RiseSum(const FlowTree& tree, Field<float>& elevation)
        : order_(tree.order.data()),
          starts_(tree.run_starts.data()),
          direction_(tree.direction.data()),
          elevation_(elevation.data()) {
        for (std::size_t d = 0; d < 8; ++d) steps_[d] = kRowStep[d] * tree.grid.columns + kColumnStep[d];
    }

    /// Over entries [first, last) of the order.
    void add(std::int64_t first, std::int64_t last, const Progress& progress) const {
        for (std::int64_t i = first; i < last; ++i) {
            if (i % kCellsPerPoll == 0) progress.poll();
            add_entry(i);
        }
    }

    /// Over runs [first, last), in turns: while one waits for the cell that it has just done, others go on.
    void add_runs(std::int64_t first, std::int64_t last, const Progress& progress) const {
        std::int64_t together = std::numeric_limits<std::int64_t>::max();
        for (std::int64_t run = first; run < last; ++run)
            together = std::min(together, starts_[run + 1] - starts_[run]);
        if (last - first < kRunsAtOnce) together = 0;
        for (std::int64_t i = 0; i < together; ++i) {
            add_entry(starts_[first] + i);
            add_entry(starts_[first + 1] + i);
            add_entry(starts_[first + 2] + i);
            add_entry(starts_[first + 3] + i);
        }
        for (std::int64_t run = first; run < last; ++run)
            add(starts_[run] + together, starts_[run + 1], progress);
    }

  private:
    void add_entry(std::int64_t i) const {
        const std::int32_t cell = order_[i];
        const std::uint8_t direction = direction_[cell];
        if (direction >= kRoot) return;
        const float below = elevation_[cell + steps_[direction]];
        // Some way up even where float32 is too coarse for the rise.
        elevation_[cell] = below + std::max(elevation_[cell], std::abs(below) * kLeastShare);
    }

    const std::int32_t* order_;
    const std::int64_t* starts_;
    const std::uint8_t* direction_;
    float* elevation_;
    std::array<std::int32_t, 8> steps_{};
};

/// A few runs, or as many as hold kCellsPerTask cells.
std::int64_t runs_per_task(const FlowTree& tree) {
    const std::int64_t runs = static_cast<std::int64_t>(tree.run_starts.size()) - 1;
    const std::int64_t cells_per_run =
        static_cast<std::int64_t>(tree.order.size()) / std::max<std::int64_t>(1, runs);
    const std::int64_t least =
        std::max<std::int64_t>(1, kCellsPerTask / std::max<std::int64_t>(1, cells_per_run));
    return (least + kRunsAtOnce - 1) / kRunsAtOnce * kRunsAtOnce;
}

}  // namespace

void solve_steady(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs,
                  Field<float>& elevation, Progress& progress) {
    set_rises(tree, ThermalLaw(law), inputs, elevation);
    progress.poll();
    const RiseSum sum(tree, elevation);
    sum.add(0, tree.run_starts.front(), progress);
    const std::int64_t runs = static_cast<std::int64_t>(tree.run_starts.size()) - 1;
    parallel_for(0, runs, runs_per_task(tree), [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t run = first; run < last; run += kRunsAtOnce) {
            progress.poll();
            sum.add_runs(run, std::min(run + kRunsAtOnce, last), progress);
        }
    });
}

void solve_transient(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs, double time,
                     const Field<float>& initial, Field<float>& elevation, Progress& progress) {
    const DepthFirst order = depth_first(tree);
    const std::vector<std::int64_t> starts = task_starts(order);
    parallel_for(0, static_cast<std::int64_t>(starts.size()) - 1, 1,
                 [&](std::int64_t first, std::int64_t last) {
                     TransientSolver solver(law, inputs, time, initial, elevation);
                     for (std::int64_t task = first; task < last; ++task) {
                         solver.solve(order, starts[at(task)], starts[at(task + 1)], progress);
                     }
                 });
}

std::vector<float> steady_residuals(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs,
                                    const Field<float>& elevation) {
    const ThermalLaw thermal(law);
    float largest_uplift = 0.0F;
    for (const std::int32_t cell : tree.order)
        if (tree.receiver(cell) >= 0) largest_uplift = std::max(largest_uplift, inputs.uplift[at(cell)]);
    std::vector<float> residuals;
    if (largest_uplift <= 0.0F) return residuals;
    for (const std::int32_t cell : tree.order) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver < 0) continue;
        const float length = inputs.length[at(cell)];
        const float rise = elevation[cell] - elevation[receiver];
        const LocalLaw local = thermal.at_steady_state(inputs.uplift[at(cell)], inputs.celerity[at(cell)]);
        const bool at_least_rise = local.uplift / local.celerity * length <=
                                   least_above(elevation[receiver], length) - elevation[receiver];
        if (!at_least_rise)
            residuals.push_back(std::abs(local.uplift - local.celerity * rise / length) / largest_uplift);
    }
    return residuals;
}

}  // namespace thalweg
