#include "thalweg/flow/route.hpp"

#include "thalweg/flow/depressions/breach_directions.hpp"
#include "thalweg/flow/graph/upstream_counter.hpp"

#include <utility>

namespace thalweg {

void FlowParameters::declare(Declaration<FlowParameters>& declaration) {
    declaration.include(&FlowParameters::conditioning);
    declaration.include(&FlowParameters::routing);
}

FlowResult route(const Field<float>& elevation, const Lattice& lattice, const FlowBoundary& boundary,
                 const FlowParameters& parameters, Progress& progress) {
    progress.report(0.0, "letting depressions drain");
    Conditioned conditioned = condition(elevation, lattice, boundary, parameters.conditioning, progress);
    FlowResult result;
    result.elevation = std::move(conditioned.elevation);
    result.pits = conditioned.pits;
    result.closed_components = conditioned.closed_components;
    result.changed_cells = conditioned.changed_cells;
    result.removed_volume = conditioned.removed_volume;
    result.added_volume = conditioned.added_volume;
    result.lakes = std::move(conditioned.lakes);
    progress.report(0.6, "gathering water");
    result.tree.grid = lattice.grid;
    result.tree.sources = boundary.sources;
    const RoutingParameters& routing = parameters.routing;
    result.tree.direction = routing.routing == Routing::Random
                                ? random_directions(result.elevation, conditioned.direction, routing.seed)
                                : std::move(conditioned.direction);
    const bool parts = routing.routing == Routing::Freeman || routing.routing == Routing::Dinf;
    if (parameters.orders_tree) {
        order_tree(result.tree, progress);
    } else if (!parts) {
        count_upstream(result.tree, progress);
    }
    if (parts) {
        Field<double> own(lattice.grid, lattice.grid.cell_area());
        for (const NodeSource& source : boundary.sources) own[source.node] += source.area;
        result.drainage_area = accumulate(result, std::move(own), routing, progress);
    } else if (parameters.sums_area || !boundary.sources.empty()) {
        result.drainage_area = drainage_area(result.tree);
    }
    progress.report(1.0, "routed");
    return result;
}

Field<double> accumulate(const FlowResult& flow, Field<double> weight, const RoutingParameters& routing,
                         Progress& progress) {
    const std::vector<std::uint8_t>& direction = flow.tree.direction;
    if (routing.routing == Routing::Freeman)
        return accumulate_freeman(flow.elevation, direction, routing.freeman_exponent, std::move(weight),
                                  progress);
    if (routing.routing == Routing::Dinf)
        return accumulate_dinf(dinf_bearings(flow.elevation, direction), direction, std::move(weight),
                               progress);
    return accumulate(flow.tree, std::move(weight), progress);
}

FlowResult route(const Field<float>& elevation, const FlowParameters& parameters, Progress& progress) {
    return route(elevation, eight_neighbours(elevation.grid()), {edge_roots(elevation)}, parameters,
                 progress);
}

FlowTree build_flow_tree(const Field<float>& elevation, const Lattice& lattice,
                         const Field<std::uint8_t>& roots, Progress& progress) {
    FlowTree tree;
    tree.grid = lattice.grid;
    tree.direction = steepest_directions(elevation, lattice, roots);
    progress.poll();
    breach_directions(elevation, lattice, tree.direction, progress);
    order_tree(tree, progress);
    progress.poll();
    return tree;
}

}  // namespace thalweg
