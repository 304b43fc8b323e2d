#include "thalweg/erosion/levels/increment.hpp"

#include "thalweg/erosion/levels/open_edges.hpp"

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
    sediment_.estimate_erosion(start, network.tree, erosion_rates(law_, network));
    for (int pass = 0; pass < kSedimentPasses; ++pass) {
        path.uplift = sediment_.uplift_over(years, start, level, network.tree, run.progress);
        transient_.solve({network.tree, law_, path, years, start}, terrain, run.progress);
        sediment_.take_erosion(years, start, terrain, level, network.tree);
    }
}

void IncrementSolver::set_root_fall(const ErosionLevel& level, const Field<float>& start, double years,
                                    ErosionNetwork& network, const Progress& progress) {
    thalweg::set_root_fall(level, erosion_rates(law_, network), start, years, sediment_, network, progress);
}

std::optional<SedimentReport> IncrementSolver::sediment_report() const {
    return sediment_.is_deposited() ? std::optional(sediment_.report()) : std::nullopt;
}

}  // namespace thalweg
