#include "thalweg/erosion/increment.hpp"

namespace thalweg {
namespace {

constexpr float kShallowBasin = 1.0F;  // m: the relief of noise that only decides courses (empirical)

}  // namespace

void IncrementSolver::solve(const LevelNetwork& on, double years, const Field<float>& start,
                            Field<float>& terrain, const ErosionRun& run, TreeOf tree_of) {
    const PhaseTimer timer(run.phases, "solve");
    const auto& [level, network] = on;
    PathInputs path = network.path_inputs(level);
    path.floors_are_base_levels = tree_of == TreeOf::Start;
    if (!sediment_.is_deposited()) {
        path.filled_depth = fills_shallow_basins_ ? kShallowBasin : 0.0F;
        return transient_.solve({network.tree, law_, path, years, start}, terrain, run.progress);
    }
    sediment_.estimate_erosion(start, network.tree,
                               {.length = network.length,
                                .power = network.celerity,
                                .creep = {},
                                .thermal = law_.thermal ? law_.thermal_erosion : 0.0,
                                .critical_slope = law_.critical_slope});
    for (int pass = 0; pass < kSedimentPasses; ++pass) {
        path.uplift = sediment_.uplift_over(years, start, level, network.tree, run.progress);
        transient_.solve({network.tree, law_, path, years, start}, terrain, run.progress);
        sediment_.take_erosion(years, start, terrain, level, network.tree);
    }
}

std::optional<SedimentReport> IncrementSolver::sediment_report() const {
    return sediment_.is_deposited() ? std::optional(sediment_.report()) : std::nullopt;
}

}  // namespace thalweg
