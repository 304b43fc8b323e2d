#include "thalweg/flow/route.hpp"

#include <utility>

namespace thalweg {

void FlowParameters::declare(Declaration<FlowParameters>& declaration) {
    declaration.include(&FlowParameters::conditioning);
}

FlowResult route(const Field<float>& elevation, const Lattice& lattice, const Field<std::uint8_t>& roots,
                 const FlowParameters& parameters, Progress& progress) {
    progress.report(0.0, "letting depressions drain");
    Conditioned conditioned = condition(elevation, lattice, roots, parameters.conditioning, progress);
    FlowResult result;
    result.elevation = std::move(conditioned.elevation);
    result.pits = conditioned.pits;
    result.changed_cells = conditioned.changed_cells;
    result.removed_volume = conditioned.removed_volume;
    result.added_volume = conditioned.added_volume;
    result.lakes = std::move(conditioned.lakes);
    progress.report(0.6, "gathering water");
    result.tree.grid = lattice.grid;
    result.tree.direction = std::move(conditioned.direction);
    order_tree(result.tree, progress);
    result.drainage_area = drainage_area(result.tree);
    progress.report(1.0, "routed");
    return result;
}

FlowResult route(const Field<float>& elevation, const FlowParameters& parameters, Progress& progress) {
    return route(elevation, eight_neighbours(elevation.grid()), edge_roots(elevation), parameters, progress);
}

}  // namespace thalweg
