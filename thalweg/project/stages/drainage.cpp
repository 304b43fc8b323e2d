#include "thalweg/project/stages/drainage.hpp"

#include "thalweg/project/layer_inputs.hpp"

#include <fmt/format.h>

namespace thalweg {
namespace {

void add_sea(const Field<float>& elevation, double sea_level, Field<std::uint8_t>& outlets) {
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        if (elevation[cell] <= sea_level) outlets[cell] = 1;
}

Field<std::uint8_t> all_outlets(const DrainageParameters& parameters, StageContext& context) {
    const Field<float>& elevation = context.landscape.layer("elevation");
    Field<std::uint8_t> found =
        parameters.edges == GridEdges::Open ? edge_roots(elevation) : gap_roots(elevation);
    add_sea(elevation, parameters.sea_level, found);
    if (!parameters.outlets.is_number() && mark_outlets(parameters.outlets, context, found) == 0)
        context.diagnostics.notes.push_back(
            fmt::format("outlets {} marks no cell of the terrain", parameters.outlets.layer));
    return found;
}

void note_closed_parts(const FlowResult& flow, const DrainageParameters& parameters, StageContext& context) {
    if (flow.closed_parts == 0) return;
    const bool holds_lakes = parameters.flow.conditioning.depressions == Depressions::Lakes;
    context.diagnostics.notes.push_back(
        fmt::format("{} without an outlet: {}",
                    flow.closed_parts == 1 ? "there is 1 piece of land"
                                           : fmt::format("there are {} pieces of land", flow.closed_parts),
                    holds_lakes ? "water stays in its lakes" : "there the lowest cell takes the water"));
}

}  // namespace

void DrainageParameters::declare(Declaration<DrainageParameters>& d) {
    d.include(&DrainageParameters::flow);
    declare_sea_level(d);
    d.choice("edges", &DrainageParameters::edges, {{"open", GridEdges::Open}, {"closed", GridEdges::Closed}},
             {.unit = "",
              .sentence = "Whether water leaves over the edges of the grid; beside cells without data it "
                          "leaves in any case."});
    d.number_or_layer(
        "outlets", &DrainageParameters::outlets,
        {.unit = "",
         .sentence = "Layer or raster whose cells other than 0 drain out, besides those that do "
                     "by edges and sea_level; 0 is none.",
         .minimum = 0.0,
         .maximum = 0.0});
}

Field<std::uint8_t> outlets(const Field<float>& elevation, double sea_level) {
    Field<std::uint8_t> roots = edge_roots(elevation);
    add_sea(elevation, sea_level, roots);
    return roots;
}

std::int64_t mark_outlets(const NumberOrLayer& mask, StageContext& context, Field<std::uint8_t>& outlets) {
    const Field<float>& elevation = context.landscape.layer("elevation");
    const Field<float> values = input_source(mask, context)(context.landscape.grid, context.progress);
    std::int64_t marked = 0;
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell) {
        if (is_no_data(values[cell]) || values[cell] == 0.0F || is_no_data(elevation[cell])) continue;
        outlets[cell] = 1;
        ++marked;
    }
    return marked;
}

FlowResult drain(const DrainageParameters& parameters, StageContext& context, Progress& progress) {
    const Field<float>& elevation = context.landscape.layer("elevation");
    const Field<std::uint8_t> roots = all_outlets(parameters, context);
    FlowResult flow = route(elevation, eight_neighbours(elevation.grid()), roots, parameters.flow, progress);
    note_closed_parts(flow, parameters, context);
    return flow;
}

}  // namespace thalweg
