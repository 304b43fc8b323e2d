#include "thalweg/erosion/transient.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/least_rise.hpp"
#include "thalweg/erosion/thermal_law.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace thalweg {
namespace {

constexpr double kMostYears = 1e30;    // that water takes along one link
constexpr double kLeastYears = 1e-30;  // against a division by 0
constexpr float kMostTilt = 1.0F;      // m, how far filled ground may rise from its sill (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 14;
constexpr std::int64_t kCellsPerPoll = 1 << 16;
constexpr std::size_t kSearchedAtOnce = 4;

/// The path from a root to the cell in hand. Node 0 stands for what lies beyond the root, node 1 for the
/// root. What lies above the cell in hand is left over from cells before.
struct Path {
    std::vector<double> travel_time;  // tau, yr from the root
    std::vector<double> accumulated;  // U, m: sum of u/a dx from the root
    std::vector<double> relief;       // W = z0 - U, m
    std::vector<float>
        initial;  // z0, or the level of the lake over it where the path leads out of a basin, m
    std::vector<float> surface;       // of the river or lake after the time, m
    std::vector<std::size_t> origin;  // the last node with travel_time <= tau - t

    explicit Path(std::size_t nodes)
        : travel_time(nodes + kSearchedAtOnce),
          accumulated(nodes),
          relief(nodes),
          initial(nodes),
          surface(nodes),
          origin(nodes) {}
};

/// Solves root trees one by one.
class TransientSolver {
  public:
    TransientSolver(const ErosionLaw& law, const PathInputs& inputs, double time, std::int32_t most_depth,
                    const Field<float>& initial, Field<float>& elevation)
        : law_(law),
          thermal_(law),
          inputs_(inputs),
          time_(time),
          initial_(initial),
          elevation_(elevation),
          path_(at(most_depth) + 2) {}

    void solve(const PathOrder& order, std::int64_t first, std::int64_t last, const Progress& progress) {
        for (std::int64_t i = first; i < last; ++i) {
            if (i % kCellsPerPoll == 0) progress.poll();
            const PathCell here = order.cells[at(i)];
            if (here.depth == 0) {
                begin_at_root(here.cell);
            } else {
                solve_node(here.cell, at(here.depth) + 1);
            }
        }
    }

  private:
    void begin_at_root(std::int32_t cell) {
        const float level = initial_[cell];
        for (const std::size_t node : {0, 1}) {
            path_.accumulated[node] = 0.0;
            path_.relief[node] = static_cast<double>(level);
            path_.initial[node] = path_.surface[node] = level;
            path_.origin[node] = 0;
        }
        path_.travel_time[0] = -2.0 * time_;  // before anything that is asked for
        path_.travel_time[1] = 0.0;
        // Beyond the root the ground goes on at the base slope.
        const double fall = law_.fall(inputs_.celerity[at(cell)]);  // m/yr
        path_.relief[0] -= 2.0 * time_ * fall;
        path_.surface[1] = static_cast<float>(static_cast<double>(level) - time_ * fall);
        elevation_[cell] = path_.surface[1];
    }

    void solve_node(std::int32_t cell, std::size_t node) {
        const float before = initial_[cell];
        const float uplift = inputs_.uplift[at(cell)];
        const float celerity = inputs_.celerity[at(cell)];
        const float length = inputs_.length[at(cell)];
        const float below = path_.surface[node - 1];
        const float lake = std::max(before, path_.initial[node - 1]);
        path_.initial[node] = lake;
        float surface = advance(node, length, {uplift, celerity});
        // Thermal erosion sets in where the slope without it is too steep.
        if (thermal_.slides((surface - below) / length))
            surface = advance(node, length, thermal_.sliding(uplift, celerity));
        surface = std::max(surface, least_above(below, length));
        path_.surface[node] = surface;
        // Erosion never builds up: ground that lies under a lake only rises with the rock. A shallow one is
        // filled up and tilted, so that it drains.
        const float depth = lake - before;
        const float filled = depth > 0.0F && depth <= inputs_.filled_depth ? depth + kMostTilt : 0.0F;
        const float risen = before + static_cast<float>(static_cast<double>(uplift) * time_);
        elevation_[cell] = std::min(surface, risen + filled);
    }

    /// Fills the node for a step of `length` under `law` from the one below it. The surface there, m.
    float advance(std::size_t node, float length, LocalLaw law) {
        // Rock that hardly erodes takes longer than numbers reach.
        const double step_time =
            std::min(kMostYears, static_cast<double>(length) / static_cast<double>(law.celerity));
        const double travel_time = path_.travel_time[node - 1] + step_time;
        const double accumulated = path_.accumulated[node - 1] + static_cast<double>(law.uplift) * step_time;
        path_.travel_time[node] = std::numeric_limits<double>::infinity();  // ends the search
        path_.accumulated[node] = accumulated;
        path_.relief[node] = static_cast<double>(path_.initial[node]) - accumulated;
        const std::size_t origin = origin_of(travel_time - time_, path_.origin[node - 1]);
        path_.travel_time[node] = travel_time;
        path_.origin[node] = origin;
        return static_cast<float>(accumulated + relief_at(travel_time - time_, origin));
    }

    /// The last node with travel time at most `origin_time`, searched upstream from `start`. The node in hand
    /// must end the search.
    [[nodiscard]] std::size_t origin_of(double origin_time, std::size_t start) const {
        const double* const time = path_.travel_time.data() + 1;
        std::size_t origin = start;
        // In fours without branches: hardly ever is it further, and where it ends cannot be guessed.
        for (;;) {
            const std::size_t one = time[origin] <= origin_time ? 1 : 0;
            const std::size_t two = one & (time[origin + 1] <= origin_time ? 1 : 0);
            const std::size_t three = two & (time[origin + 2] <= origin_time ? 1 : 0);
            const std::size_t four = three & (time[origin + 3] <= origin_time ? 1 : 0);
            origin += one + two + three + four;
            if (four == 0) return origin;
        }
    }

    [[nodiscard]] double relief_at(double origin_time, std::size_t origin) const {
        const double low = path_.travel_time[origin];
        const double way = std::max(path_.travel_time[origin + 1] - low, kLeastYears);
        const double share = std::min((origin_time - low) / way, 1.0);
        return path_.relief[origin] + share * (path_.relief[origin + 1] - path_.relief[origin]);
    }

    const ErosionLaw& law_;
    ThermalLaw thermal_;
    PathInputs inputs_;
    double time_;  // yr
    const Field<float>& initial_;
    Field<float>& elevation_;
    Path path_;
};

/// Cuts the root trees into runs of at least kCellsPerTask cells, whatever the number of threads.
std::vector<std::int64_t> task_starts(const PathOrder& order) {
    std::vector<std::int64_t> starts = {0};
    for (const std::int64_t start : order.tree_starts)
        if (start - starts.back() >= kCellsPerTask) starts.push_back(start);
    const std::int64_t end = static_cast<std::int64_t>(order.cells.size());
    if (starts.back() != end) starts.push_back(end);
    return starts;
}

}  // namespace

void solve_transient(const PathOrder& order, const ErosionLaw& law, const PathInputs& inputs, double time,
                     const Field<float>& initial, Field<float>& elevation, Progress& progress) {
    const std::vector<std::int64_t> starts = task_starts(order);
    parallel_for(0, static_cast<std::int64_t>(starts.size()) - 1, 1,
                 [&](std::int64_t first, std::int64_t last) {
                     TransientSolver solver(law, inputs, time, order.most_depth, initial, elevation);
                     for (std::int64_t task = first; task < last; ++task)
                         solver.solve(order, starts[at(task)], starts[at(task + 1)], progress);
                 });
}

void solve_transient(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs, double time,
                     const Field<float>& initial, Field<float>& elevation, Progress& progress) {
    PathOrder order;
    order_paths(tree, order, progress);
    solve_transient(order, law, inputs, time, initial, elevation, progress);
}

}  // namespace thalweg
