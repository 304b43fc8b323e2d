#include "thalweg/project/stage_grids.hpp"

#include "thalweg/project/project_checks.hpp"

namespace thalweg {

Grid grid_after(const StageUse& use, const Grid& grid) {
    return use.stage->grid_after ? use.stage->grid_after(use.parameters.get(), grid) : grid;
}

std::vector<Grid> grids_of(const Project& project) {
    std::vector<Grid> grids = {project.grid};
    for (const StageUse& use : project.stages)
        grids.push_back(
            with_place("stage " + use.label + ": ", [&] { return grid_after(use, grids.back()); }));
    return grids;
}

}  // namespace thalweg
