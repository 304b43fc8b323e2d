#include "thalweg/erosion/levels/optimised_terrain.hpp"

#include "thalweg/erosion/correction/network_fit.hpp"
#include "thalweg/erosion/terrain_quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

constexpr int kIterationsOnKept = 50;  // Tzathas et al. 2024, section 7.1
constexpr double kDone = 0.99;         // of an erosion's progress, where the optimisation begins

double measured_share(const ErosionProblem& problem, const ErosionLevel& level, const FlowTree& tree,
                      const Field<float>& terrain) {
    return problem.parameters.diagnostics ? discontinuous_share(level.lattice, tree, terrain)
                                          : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

int optimisation_iterations(const ErosionParameters& parameters) {
    if (parameters.optimisation_iterations >= 0) return parameters.optimisation_iterations;
    return parameters.network == NetworkSource::Terrain ? kIterationsOnKept : 0;
}

void optimise_terrain(const ErosionProblem& problem, const ErosionLevel& level, const FlowTree& tree,
                      Field<float>& terrain, ErosionReport& report, const ErosionRun& run) {
    const int iterations = optimisation_iterations(problem.parameters);
    if (iterations == 0) return;
    const PhaseTimer timer(run.phases, "optimisation");
    run.progress.report(kDone, "removing discontinuities");
    Field<float> surface = terrain;
    raise_along_tree(tree, surface);
    OptimisationReport told;
    told.discontinuous_share_before = measured_share(problem, level, tree, surface);

    const bool all_drain =
        problem.parameters.network == NetworkSource::Terrain && std::isinf(problem.parameters.time);
    std::vector<std::int64_t> flooded;
    for (std::int64_t cell = 0; cell < surface.size() && !all_drain; ++cell)
        if (surface[cell] > terrain[cell]) flooded.push_back(cell);
    const NetworkFitReport fit =
        fit_to_network(tree, level.lattice, {.iterations = iterations}, surface, run.progress);
    told.discontinuous_share_after = measured_share(problem, level, tree, surface);
    told.iterations = fit.iterations;
    told.objective_before = fit.objective_before;
    told.objective_after = fit.objective_after;
    report.optimisation = told;
    for (const std::int64_t cell : flooded) surface[cell] = std::min(surface[cell], terrain[cell]);
    terrain = std::move(surface);
}

}  // namespace thalweg
