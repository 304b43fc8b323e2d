// The closed form of stream power erosion over a finite time, along every river path of a tree.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/analytical.hpp"
#include "thalweg/erosion/erosion_law.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace thalweg {

/// What is solved over a finite time, all on one grid.
struct TransientProblem {
    const FlowTree& tree;
    const ErosionLaw& law;
    PathInputs inputs;
    double time;                  // yr, above 0 and finite
    const Field<float>& initial;  // z0, m
};

/// Elevation `time` years after `initial`, m:
///   z(x, t) = z0(D) + sum over the path from D to x of (u/a) dx, where the way from D to x takes `time`
///   years
///                                                          Tzathas et al. 2024, eqs. 6-9, 28, 29
/// differs in: D is found by exact search on the travel times along the path, instead of eqs. 12, 15 and 18,
/// which overshoot at confluences (docs/theory/erosion.md). Between nodes z0 minus accumulated uplift is
/// linear. Solved in the equal form z(x, t) = z0(x) + sum of (u - a S0) over the years that the signal spends
/// on each link on its way up to x, S0 being the slope of z0 there: most signals come from the first links
/// below x, so the sum goes down from x, over links one by one and along rivers over many at once; it is
/// taken over from the receiver where that one's signal comes from beyond the root. Where a path leads out of
/// a closed basin, the surface that it follows is the lake's that the basin holds; ground below it only rises
/// with the rock, until the sill has been cut down to it: the result is the lower of that surface and z0 + u
/// t. So erosion never builds up, and basins stay basins, but for those less deep than inputs.filled_depth:
/// those are filled up to their sills, and drain. With law.base_slope > 0 the ground goes on beyond the root
/// at that slope, and the celerity there is the root's: z0(D) = z0(root) - base_slope distance, so the root
/// falls by base_slope a time (section 7.3). Cells outside keep z0. O(cells) where signals come from near,
/// O(cells log(links of a path)) at most; parallel over the runs of the tree's order, the same bits on any
/// number of threads; polls `progress`. Keeps its memory (57 bytes a cell, of which short times touch 33 and
/// less) from call to call.
class TransientSolver {
  public:
    /// `elevation`, m, may be problem.initial itself.
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

    std::vector<Link> links_;           // per cell
    std::vector<std::uint8_t> ways_;    // per cell: direction, and what the node is
    std::unique_ptr<Jump[]> jumps_;     // per cell, set for rivers and roots alone
    std::unique_ptr<Beyond[]> beyond_;  // per cell, set for such nodes alone
};

}  // namespace thalweg
