// The closed form of a finite time, from below: every signal is followed down to where it comes from.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/solvers/transient_problem.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace thalweg {

/// TransientSolver where most signals come from near: the sum over the links that a signal has passed goes
/// down from every node, over links one by one and along rivers over many at once; it is taken over from the
/// receiver where that one's signal comes from beyond the root. O(cells) where signals come from near,
/// O(cells log(links of a path)) at most; parallel over the runs of the tree's order, the same bits on any
/// number of threads. Keeps its memory (57 bytes a cell, of which short times touch 33 and less) from call to
/// call.
class BackwardCharacteristics {
  public:
    /// As TransientSolver::solve.
    void solve(const TransientProblem& problem, Field<float>& elevation, Progress& progress);

  private:
    class Call;

    /// The link from a node to its receiver, and what stands on the node. Before a node is solved, `change`
    /// holds how much rock rises in these years [m], `lake` z0 [m] and `surface` the length of the link [m]:
    /// so all that a visit needs of the node is in one place.
    struct Link {
        float years;    // that a signal takes up the link
        float change;   // m, by which a signal's elevation changes on the link: (u - a S0) over these years
        float lake;     // z0, or the level of the lake over it where the path leads out of a basin, m
        float surface;  // of the river or lake after the time, m
    };

    /// Several links of a river at once, from a node down.
    struct Jump {
        std::int32_t cell;   // where it leads to
        std::int32_t links;  // how many it passes
        float years;         // their sum
        float change;        // their sum, m
    };

    /// Of a node whose signal comes from beyond the root.
    struct Beyond {
        double years;   // that the signal has spent there
        double change;  // m, of its elevation from there to the node
        float rate;     // m/yr, at which its elevation changes there
    };

    std::vector<Link> links_;              // per cell
    std::vector<std::uint8_t> node_bits_;  // per cell: direction, and what the node is
    std::unique_ptr<Jump[]> jumps_;        // per cell, set for rivers and roots alone
    std::unique_ptr<Beyond[]> beyond_;     // per cell, set for such nodes alone
};

}  // namespace thalweg
