// The closed form of a finite time, from the roots up: with each path's sums at hand, where signals come from
// is found by going on from where the receiver's came from.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/solvers/characteristic_walks.hpp"
#include "thalweg/erosion/solvers/transient_problem.hpp"
#include "thalweg/flow/graph/depth_first_order.hpp"
#include "thalweg/grid/field.hpp"

#include <vector>

namespace thalweg {

/// TransientSolver where signals come from far: the tree is walked in depth-first order, so that the path
/// from the root up to a node stands in a stack, with sums of years and of changes of elevation in double
/// precision. D of a node lies above that of its receiver, at most a few links as a rule. Eight walks go side
/// by side in vectors; each begins with the path below its first node, which it solves again. O(cells + links
/// of the longest path for each task); the same bits on any number of threads and for vectors of any width.
/// Keeps its memory (32 bytes a cell) from call to call; takes 320 bytes for each link of the longest path
/// and thread besides.
class ForwardCharacteristics {
  public:
    /// As TransientSolver::solve.
    void solve(const TransientProblem& problem, Field<float>& elevation, Progress& progress);

  private:
    void prepare(const TransientProblem& problem, Field<float>& elevation);
    void walk(const TransientProblem& problem, CharacteristicWalks walks, std::int64_t first,
              std::int64_t last, float* elevation, const Progress& progress) const;

    std::vector<PathLink> links_;  // per cell; never cut short
    DepthFirstOrder order_;
};

}  // namespace thalweg
