#include "thalweg/erosion/solvers/forward_characteristics.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/sparse_loops.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/law/thermal_law.hpp"
#include "thalweg/erosion/law/travel_time.hpp"

#include <algorithm>
#include <limits>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 14;
constexpr std::int64_t kLeastVisits = 1 << 12;  // of each walk: it begins with the path below its first node
constexpr std::int64_t kMostTasks = 64;
constexpr std::int64_t kVisitsPerPoll = 1 << 14;
static_assert(kPathAhead <= DepthFirstOrder::kMargin);

void walk_paths(const CharacteristicWalks& walks, std::int64_t first, std::int64_t last, float* elevation) {
    in_lanes([&](auto lanes) { walk_paths_in_lanes<lanes()>(walks, first, last, elevation); });
}

/// What holds for all walks.
CharacteristicWalks walks_over(const TransientProblem& problem, const std::vector<PathLink>& links) {
    const ThermalLaw thermal(problem.law);
    CharacteristicWalks walks{};
    walks.links = links.data();
    walks.celerity = problem.inputs.celerity.data();
    walks.time = std::min(float_years(problem.time), kLongestTime);
    walks.most_slope =
        thermal.rate() > 0.0F ? thermal.critical_slope() : std::numeric_limits<float>::infinity();
    walks.thermal_rate = thermal.rate();
    walks.thermal_uplift = thermal.rate() * thermal.critical_slope();
    walks.filled_depth = problem.inputs.filled_depth;
    walks.floor_depth = problem.inputs.floor_depth();
    walks.base_slope = problem.law.base_slope;
    walks.root_fall = problem.inputs.root_fall.empty() ? nullptr : problem.inputs.root_fall.data();
    return walks;
}

/// Stacks of eight walks for paths of so many links.
class PathStacks {
  public:
    explicit PathStacks(std::int32_t most_links)
        : nodes_each_(at(most_links) + 2 + kPathMargin),
          nodes_(kCharacteristicWalks * nodes_each_),
          waters_(kCharacteristicWalks * nodes_each_) {}

    void give_to(CharacteristicWalks& walks) {
        for (std::size_t w = 0; w < kCharacteristicWalks; ++w) {
            walks.nodes[w] = nodes_.data() + w * nodes_each_;
            walks.waters[w] = waters_.data() + w * nodes_each_;
        }
    }

  private:
    std::size_t nodes_each_;
    std::vector<PathNode> nodes_;
    std::vector<PathWater> waters_;
};

/// The `count` visits from the root up to the receiver of `visit`; the root comes as often as there are too
/// many.
void list_path(const FlowTree& tree, TreeVisit visit, TreeVisit* path, std::int64_t count) {
    for (std::int64_t i = count; i-- > 0;) {
        if (visit.links > 0) visit = {tree.receiver(visit.cell), visit.links - 1};
        path[i] = visit;
    }
}

/// Solves the paths below the visits that the walks come to next.
void walk_up_to_start(const FlowTree& tree, CharacteristicWalks walks, const Progress& progress) {
    std::int32_t most_links = 0;
    for (const TreeVisit* start : walks.visits) most_links = std::max(most_links, start->links);
    const std::size_t each = at(most_links) + kPathAhead;
    std::vector<TreeVisit> paths(kCharacteristicWalks * each);
    for (std::size_t w = 0; w < kCharacteristicWalks; ++w) {
        TreeVisit* const path = paths.data() + w * each;
        list_path(tree, *walks.visits[w], path, most_links);
        walks.visits[w] = path;
    }
    for (std::int64_t done = 0; done < most_links; done += kVisitsPerPoll) {
        progress.poll();
        walk_paths(walks, done, std::min<std::int64_t>(done + kVisitsPerPoll, most_links), nullptr);
    }
}

}  // namespace

void ForwardCharacteristics::prepare(const TransientProblem& problem, Field<float>& elevation) {
    const std::uint8_t* const direction = problem.tree.direction.data();
    const float* const length = problem.inputs.length.data();
    const float* const celerity = problem.inputs.celerity.data();
    const float* const uplift = problem.inputs.uplift.data();
    const float* const initial = problem.initial.data();
    links_.resize(std::max(links_.size(), at(elevation.size())));
    parallel_for(0, elevation.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            links_.data()[cell] = {years_up_link(length[cell], celerity[cell]), uplift[cell], initial[cell],
                                   length[cell]};
        for_each_where(
            first, last, [=](std::int64_t cell) { return direction[cell] > kRoot; },
            [&](std::int64_t cell) { elevation[cell] = initial[cell]; });
    });
}

/// Solves visits [first, last).
void ForwardCharacteristics::walk(const TransientProblem& problem, CharacteristicWalks walks,
                                  std::int64_t first, std::int64_t last, float* elevation,
                                  const Progress& progress) const {
    PathStacks stacks(order_.most_links());
    stacks.give_to(walks);
    const std::int64_t each = (last - first + kCharacteristicWalks - 1) / kCharacteristicWalks;
    for (std::int64_t w = 0; w < kCharacteristicWalks; ++w) {
        // The last walks may begin where others have been, so that all do as many visits.
        const std::int64_t start = std::max(first, std::min(first + w * each, last - each));
        walks.visits[w] = order_.visits() + start;
    }
    walk_up_to_start(problem.tree, walks, progress);
    for (std::int64_t done = 0; done < each; done += kVisitsPerPoll) {
        progress.poll();
        walk_paths(walks, done, std::min(done + kVisitsPerPoll, each), elevation);
    }
}

void ForwardCharacteristics::solve(const TransientProblem& problem, Field<float>& elevation,
                                   Progress& progress) {
    order_.find(problem.tree, progress);
    prepare(problem, elevation);
    const CharacteristicWalks walks = walks_over(problem, links_);
    const std::int64_t visits = order_.count();
    // Long paths, which every task solves again, for few tasks.
    const std::int64_t least_visits = std::max<std::int64_t>(kLeastVisits, order_.most_links());
    const std::int64_t visits_per_task = std::max(least_visits * kCharacteristicWalks, visits / kMostTasks);
    parallel_for(0, visits, visits_per_task, [&](std::int64_t first, std::int64_t last) {
        walk(problem, walks, first, last, elevation.data(), progress);
    });
}

}  // namespace thalweg
