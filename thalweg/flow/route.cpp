#include "thalweg/flow/route.hpp"

#include "thalweg/flow/breach.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/fill.hpp"

#include <utility>

namespace thalweg {

void FlowParameters::declare(Declaration<FlowParameters>& declaration) {
    declaration.choice(
        "depressions", &FlowParameters::depressions,
        {{"breach", Depressions::Breach}, {"fill", Depressions::Fill}},
        {.unit = "",
         .sentence = "How water leaves a depression: breach carves its lowest way out, fill raises it to its "
                     "rim.",
         .source = "Cordonnier et al. 2019 (breach), Barnes et al. 2014 (fill)"});
}

FlowResult route(const Field<float>& elevation, const Lattice& lattice, const Field<std::uint8_t>& roots,
                 const FlowParameters& parameters, Progress& progress) {
    FlowResult result;
    result.elevation = elevation;
    if (parameters.depressions == Depressions::Fill) {
        progress.report(0.0, "filling depressions");
        Filled filled = fill_depressions(elevation, roots, FilledSurface::Draining, progress);
        result.elevation = std::move(filled.elevation);
        result.changed_cells = filled.raised_cells;
        result.changed_volume = filled.volume;
    }
    progress.report(0.4, "finding receivers");
    result.tree = build_flow_tree(result.elevation, lattice, roots, progress);
    progress.report(0.7, "conditioning elevation");
    // A filled surface may still have pits on a lattice with fewer links than 8; they are breached as well.
    Breached breached = breach_elevation(result.elevation, result.tree, progress);
    result.elevation = std::move(breached.elevation);
    result.changed_cells += breached.lowered_cells;
    result.changed_volume += breached.volume;
    progress.report(0.8, "accumulating drainage area");
    result.drainage_area = drainage_area(result.tree, progress);
    progress.report(0.95, "measuring slopes");
    result.slope = receiver_slope(result.elevation, result.tree, lattice);
    progress.report(1.0, "routed");
    return result;
}

FlowResult route(const Field<float>& elevation, const FlowParameters& parameters, Progress& progress) {
    return route(elevation, eight_neighbours(elevation.grid()), edge_roots(elevation), parameters, progress);
}

}  // namespace thalweg
