// Routing as the stages `flow` and `rivers` share it: where water leaves, and how depressions drain.
#pragma once

#include "thalweg/flow/route.hpp"
#include "thalweg/project/model/shared_drainage.hpp"
#include "thalweg/project/stage.hpp"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace thalweg {

/// Whether water leaves over the edges of the grid. Auto: unless the landscape has outlets.
enum class GridEdges { Auto, Open, Closed };

struct DrainageParameters {
    FlowParameters flow = {};
    double sea_level = -std::numeric_limits<double>::infinity();  // m
    GridEdges edges = GridEdges::Auto;
    std::vector<DrainageSource> sources = {};
    NumberOrLayer runoff = {.number = std::numeric_limits<double>::infinity(), .layer = ""};  // m, into lakes
    std::vector<LakeSource> lake_sources = {};
    NumberOrLayer outlets = {.number = 0.0, .layer = ""};  // a mask; 0: none
    std::string rivers_file = {};                          // lines that are burned in; empty: none
    double burn_depth = 20.0;                              // m

    static void declare(Declaration<DrainageParameters>& declaration);
};

/// Declares `sea_level` of any parameter struct that has it.
template <class P>
void declare_sea_level(Declaration<P>& declaration) {
    declaration.number(
        "sea_level", &P::sea_level,
        {.label = "Sea level",
         .group = "Boundary",
         .unit = "m",
         .sentence = "Ground at or below this height is sea, where all water ends; -inf is the sea of an "
                     "earlier stage, or none.",
         .maximum = 1e5,
         .usual = {-200.0, 1000.0},
         .automatic = -std::numeric_limits<double>::infinity(),
         .infinity_allowed = true});
}

/// Declares `sources` of any parameter struct that has it.
template <class P>
void declare_sources(Declaration<P>& declaration) {
    declaration.tables(
        "sources", &P::sources,
        {.label = "Sources of drainage area",
         .group = "Boundary",
         .unit = "",
         .sentence = "Places where drainage area from elsewhere enters, as by a river from beyond the edge; "
                     "none takes those of an earlier stage.",
         .source = "Tzathas et al. 2024, section 7.3",
         .is_advanced = true});
}

/// Whether these parameters name a sea or sources.
template <class P>
bool gives_sea_or_sources(const P& parameters) {
    return !parameters.sources.empty() || parameters.sea_level != -std::numeric_limits<double>::infinity();
}

/// Sources and sea level for a stage with these parameters: its own, which become those of the landscape, or
/// else the landscape's.
template <class P>
const WaterBoundary& share_boundary(const P& parameters, Landscape& landscape) {
    if (gives_sea_or_sources(parameters)) {
        WaterBoundary boundary = landscape.boundary();
        if (!parameters.sources.empty()) boundary.sources = parameters.sources;
        if (parameters.sea_level != -std::numeric_limits<double>::infinity())
            boundary.sea_level = parameters.sea_level;
        landscape.set_boundary(std::move(boundary));
    }
    return landscape.boundary();
}

/// Makes these cells the landscape's outlets.
void share_outlets(Field<std::uint8_t> outlets, Landscape& landscape);

/// Cells where water leaves: the edges of the data, and all cells at or below `sea_level` (m).
Field<std::uint8_t> outlets(const Field<float>& elevation, double sea_level);

/// Cells that keep their elevation and drain out while the ground erodes: the landscape's outlets and its
/// sea; empty where nobody said, for the edges of the data.
Field<std::uint8_t> outlets(const Field<float>& elevation, const WaterBoundary& boundary);

/// Adds to `outlets` the cells with data where the mask, a layer or raster, is not 0, and returns how many
/// these are. A raster of other cells is resampled, as for every parameter, and a note says so.
std::int64_t mark_outlets(const NumberOrLayer& mask, StageContext& context, Field<std::uint8_t>& outlets);

/// Whether these parameters say anything of the sea, sources, edges or outlets, so that flow_boundary changes
/// the landscape's.
bool gives_boundary(const DrainageParameters& parameters);

/// Where water leaves and comes from: the sea, cells beside one without data, the cells of the mask and,
/// while they are open, the edges of the grid; or, where the parameters say nothing of edges and masks, the
/// sea and the outlets of the landscape, if it has any; with the landscape's sources and the water of lakes.
/// What the parameters say becomes the landscape's. A note tells of a mask that marks nothing. Throws
/// Error::input for sources of lakes where there are no lakes, or where runoff is infinite, and as
/// check_sources does.
FlowBoundary flow_boundary(const DrainageParameters& parameters, StageContext& context);

/// Routes water over the context's elevation among 8 neighbours to the roots of `boundary`, which is that of
/// flow_boundary. Where it can't leave, the lowest cell takes it; notes tell. Along the rivers of a file the
/// ground is lowered first, and so is the elevation of the result. What the landscape's sources bring is part
/// of drainage areas and, where runoff is finite, of what lakes fill with.
FlowResult drain(const DrainageParameters& parameters, const FlowBoundary& boundary, StageContext& context,
                 Progress& progress);

/// Whether an earlier stage's result may stand for that of `drain`.
bool can_share_drainage(const DrainageParameters& parameters);

/// The dataset kDrainage of the context's elevation, still without its result. Where can_share_drainage.
Drainage drainage_to_share(const DrainageParameters& parameters, FlowBoundary boundary,
                           const StageContext& context);

/// What `drain` gives, ordered and with drainage areas. Of D8, where can_share_drainage.
struct SharedFlow {
    std::shared_ptr<const FlowResult> flow;
    double milliseconds = 0.0;  // that routing took; NaN where an earlier stage had done it (kDrainage)
};
SharedFlow take_or_drain(const DrainageParameters& parameters, const FlowBoundary& boundary,
                         StageContext& context, Progress& progress);

/// What is told of every routing.
struct RoutingFigures {
    std::int64_t pits = 0;
    const Lakes* lakes = nullptr;    // none where depressions hold no water
    double outlet_area_error = 0.0;  // how far what leaves is from what falls on the domain, share of it
    std::int64_t cells = 0;          // of the grid
    double milliseconds = 0.0;       // that routing took
};
void describe_routing(const RoutingFigures& figures, Diagnostics& diagnostics);

/// The same of the result of `drain`.
void describe_drainage(const FlowResult& flow, double milliseconds, Diagnostics& diagnostics);

/// Where rivers were burned in, makes the elevation of the result that before it, cut down to the lowest
/// upstream wherever it would rise along the tree.
void fill_trenches(const DrainageParameters& parameters, const Field<float>& elevation, FlowResult& flow);

}  // namespace thalweg
