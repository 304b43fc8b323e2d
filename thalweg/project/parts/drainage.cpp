#include "thalweg/project/parts/drainage.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/parameter_layers.hpp"
#include "thalweg/project/parts/river_inputs.hpp"
#include "thalweg/project/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsAtOnce = 65536;  // grain of cell-by-cell work
constexpr double kMillisecondsPerSecond = 1000.0;
constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

void add_sea(const Field<float>& elevation, double sea_level, Field<std::uint8_t>& outlets) {
    if (sea_level == -std::numeric_limits<double>::infinity()) return;
    for_each_row(elevation.grid(), [&](int row) {
        const std::int64_t first = elevation.grid().index(0, row);
        const float* const height = elevation.data() + first;
        std::uint8_t* const is_outlet = outlets.data() + first;
        const int columns = elevation.columns();
        for (int column = 0; column < columns; ++column)
            is_outlet[column] = static_cast<std::uint8_t>(
                is_outlet[column] | (static_cast<double>(height[column]) <= sea_level ? 1 : 0));
    });
}

/// The terrain with the rivers' cells lowered.
Field<float> burned(const DrainageParameters& parameters, const Lattice& lattice,
                    const Field<std::uint8_t>& roots, StageContext& context) {
    const Field<float>& before = context.landscape.layer("elevation");
    Field<float> elevation = before;
    const std::vector<DrawnRiver> rivers = rivers_of_file(parameters.rivers_file, context);
    const RiverCourses courses = courses_on(lattice, rivers, before, roots);
    const auto depth = static_cast<float>(parameters.burn_depth);
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    const auto lower = [&](std::int32_t cell) { elevation[cell] = before[cell] - depth; };
    for (const CourseCell& course : courses.cells) {
        lower(course.cell);
        lower(course.cell + steps[course.direction]);  // where a course ends, at an outlet or inside
    }
    if (courses.empty())
        context.diagnostics.notes.push_back(
            parameters.rivers_file +
            " has no effect: its rivers run over outlets and cells without data alone");
    return elevation;
}

bool makes_lakes(const DrainageParameters& parameters) {
    return parameters.flow.conditioning.depressions == Depressions::Lakes;
}

void check_lake_sources(const DrainageParameters& parameters, const Field<float>& elevation) {
    if (parameters.lake_sources.empty()) return;
    if (!makes_lakes(parameters))
        throw Error::input(
            "lake_sources are given, but depressions is not \"lakes\": their water would fill nothing");
    if (parameters.runoff.is_number() && std::isinf(parameters.runoff.number))
        throw Error::input(
            "lake_sources are given, but runoff = inf fills every lake: give a runoff, 0 for none");
    (void)cells_of_sources(parameters.lake_sources, elevation);
}

/// What lakes fill with; nothing is looked at where there are none.
LakeWater lake_water(const DrainageParameters& parameters, StageContext& context) {
    check_lake_sources(parameters, context.landscape.layer("elevation"));
    LakeWater water{.runoff = parameters.runoff.number, .sources = parameters.lake_sources};
    if (parameters.runoff.is_number() || !makes_lakes(parameters)) return water;
    const Parameter& declared = parameters_of<DrainageParameters>().at("runoff");
    water.runoff_of_cell =
        parameter_source(parameters.runoff, declared, context)(context.landscape.grid, context.progress);
    return water;
}

/// Adds to what lakes fill with the runoff of the land beyond the map: as deep as where it enters.
void add_source_runoff(std::span<const NodeSource> sources, const Grid& grid, LakeWater& water) {
    for (const NodeSource& source : sources) {
        const double depth = water.runoff_of_cell.empty()
                                 ? water.runoff
                                 : static_cast<double>(water.runoff_of_cell[source.node]);
        if (!(depth > 0.0) || std::isinf(depth)) continue;  // brings nothing, or all lakes are full anyway
        water.sources.push_back({.x = grid.x(grid.column_of(source.node)),
                                 .y = grid.y(grid.row_of(source.node)),
                                 .volume = depth * source.area});
    }
}

void note_closed_components(const FlowResult& flow, const DrainageParameters& parameters,
                            StageContext& context) {
    if (flow.closed_components == 0) return;
    context.diagnostics.notes.push_back(fmt::format(
        "{} without an outlet: {}",
        flow.closed_components == 1 ? "there is 1 piece of land"
                                    : fmt::format("there are {} pieces of land", flow.closed_components),
        makes_lakes(parameters) ? "water stays in its lakes" : "there the lowest cell takes the water"));
}

/// Cells where water leaves by the parameters alone, but for the sea.
Field<std::uint8_t> named_outlets(const DrainageParameters& parameters, const Field<float>& elevation,
                                  StageContext& context) {
    Field<std::uint8_t> found =
        parameters.edges == GridEdges::Closed ? gap_roots(elevation) : edge_roots(elevation);
    if (!parameters.outlets.is_number() && mark_outlets(parameters.outlets, context, found) == 0)
        context.diagnostics.notes.push_back(
            fmt::format("outlets {} marks no cell of the terrain", parameters.outlets.layer));
    return found;
}

/// The first root in a range of directions, or nullptr.
const std::uint8_t* find_root(const std::uint8_t* first, const std::uint8_t* end) {
    return static_cast<const std::uint8_t*>(std::memchr(first, kRoot, at(end - first)));
}

/// How far what leaves is from what falls on the domain, as a share of it.
double outlet_area_error(const FlowResult& result) {
    struct Areas {
        double leaving = 0.0;  // m^2
        std::int64_t cells = 0;
    };
    const Areas areas = parallel_reduce(
        0, result.tree.grid.cells(), kCellsAtOnce, Areas{},
        [&](std::int64_t first, std::int64_t last) {
            const std::uint8_t* const begin = result.tree.direction.data();
            const std::uint8_t* const end = begin + last;
            Areas part;
            part.cells = last - first - std::count(begin + first, end, kOutside);
            for (const std::uint8_t* cell = begin + first; (cell = find_root(cell, end)) != nullptr; ++cell)
                part.leaving += result.drained_area(cell - begin);
            return part;
        },
        [](const Areas& a, const Areas& b) { return Areas{a.leaving + b.leaving, a.cells + b.cells}; });
    double whole = static_cast<double>(areas.cells) * result.tree.grid.cell_area();
    for (const NodeSource& source : result.tree.sources) whole += source.area;
    return areas.cells == 0 ? 0.0 : std::abs(areas.leaving - whole) / whole;
}

}  // namespace

void DrainageParameters::declare(Declaration<DrainageParameters>& d) {
    d.include(&DrainageParameters::flow);
    d.number_or_layer(
        "runoff", &DrainageParameters::runoff,
        {.label = "Runoff depth",
         .group = "Lakes",
         .unit = "m",
         .sentence = "Depth of water that runs off into lakes: a number, a layer or a raster; inf fills "
                     "every lake.",
         .minimum = 0.0,
         .maximum = kMostRunoff,
         .usual = {0.1, 100.0, SliderScale::Logarithmic},
         .source = "Barnes et al. 2021",
         .infinity_allowed = true,
         .enabled_when = {equals("depressions", {"lakes"})}});
    d.tables(
        "lake_sources", &DrainageParameters::lake_sources,
        {.label = "Lake sources",
         .group = "Lakes",
         .unit = "",
         .sentence = "Places where water enters besides runoff and fills lakes further down: springs, or "
                     "rivers from beyond the edge.",
         .is_advanced = true,
         .enabled_when = {equals("depressions", {"lakes"})}});
    declare_sources(d);
    declare_sea_level(d);
    d.choice(
        "edges", &DrainageParameters::edges,
        {{"auto", GridEdges::Auto, "Open, unless an earlier stage says where water leaves."},
         {"open", GridEdges::Open, "Water leaves over every edge of the grid."},
         {"closed", GridEdges::Closed, "The edges of the grid are walls."}},
        {.label = "Edges of the grid",
         .group = "Boundary",
         .unit = "",
         .sentence = "Whether water leaves over the edges of the grid (beside cells without data it does "
                     "in any case): open, closed, or auto, which is open unless an earlier stage says "
                     "where water leaves; then it leaves there alone."});
    d.file(
        "rivers_file", &DrainageParameters::rivers_file,
        {.label = "File of rivers to burn in",
         .group = "Drawn rivers",
         .unit = "",
         .sentence = "Lines of a GeoPackage, GeoJSON or Shapefile along which the ground is lowered before "
                     "water is routed, so that it follows them.",
         .holds_lines = true});
    d.number("burn_depth", &DrainageParameters::burn_depth,
             {.label = "Burn depth",
              .group = "Drawn rivers",
              .unit = "m",
              .sentence = "How far the ground is lowered along the lines of rivers_file.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {0.0, 100.0},
              .enabled_when = {differs("rivers_file", {""})}});
    d.number_or_layer(
        "outlets", &DrainageParameters::outlets,
        {.label = "Outlet mask",
         .group = "Boundary",
         .unit = "",
         .sentence = "Layer or raster whose cells other than 0 drain out, besides those that do "
                     "by edges and sea_level; 0 takes those of an earlier stage, or none.",
         .minimum = 0.0,
         .maximum = 0.0,
         .automatic = 0.0,
         .is_advanced = true});
}

Field<std::uint8_t> outlets(const Field<float>& elevation, double sea_level) {
    Field<std::uint8_t> roots = edge_roots(elevation);
    add_sea(elevation, sea_level, roots);
    return roots;
}

Field<std::uint8_t> outlets(const Field<float>& elevation, const WaterBoundary& boundary) {
    if (boundary.outlets.empty())
        return std::isfinite(boundary.sea_level) ? outlets(elevation, boundary.sea_level)
                                                 : Field<std::uint8_t>();
    Field<std::uint8_t> cells = boundary.outlets;
    add_sea(elevation, boundary.sea_level, cells);
    return cells;
}

void share_outlets(Field<std::uint8_t> outlets, Landscape& landscape) {
    WaterBoundary boundary = landscape.boundary();
    boundary.outlets = std::move(outlets);
    landscape.set_boundary(std::move(boundary));
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

namespace {

bool gives_outlets(const DrainageParameters& parameters) {
    return parameters.edges != GridEdges::Auto || !parameters.outlets.is_number();
}

/// The roots of flow_boundary.
Field<std::uint8_t> all_outlets(const DrainageParameters& parameters, StageContext& context) {
    const Field<float>& elevation = context.landscape.layer("elevation");
    const WaterBoundary& boundary = share_boundary(parameters, context.landscape);
    const bool are_given = gives_outlets(parameters);
    Field<std::uint8_t> found = are_given || boundary.outlets.empty()
                                    ? named_outlets(parameters, elevation, context)
                                    : boundary.outlets;
    const double sea_level = boundary.sea_level;
    if (are_given) share_outlets(found, context.landscape);
    add_sea(elevation, sea_level, found);
    return found;
}

}  // namespace

bool gives_boundary(const DrainageParameters& parameters) {
    return gives_sea_or_sources(parameters) || gives_outlets(parameters);
}

FlowBoundary flow_boundary(const DrainageParameters& parameters, StageContext& context) {
    FlowBoundary boundary{.roots = all_outlets(parameters, context)};
    const Field<float>& elevation = context.landscape.layer("elevation");
    const Lattice lattice = eight_neighbours(elevation.grid());
    const std::vector<DrainageSource>& sources = context.landscape.boundary().sources;
    check_sources(sources, elevation, boundary.roots);
    boundary.sources = source_nodes(sources, lattice, elevation, boundary.roots);
    boundary.water = lake_water(parameters, context);
    add_source_runoff(boundary.sources, lattice.grid, boundary.water);
    return boundary;
}

FlowResult drain(const DrainageParameters& parameters, const FlowBoundary& boundary, StageContext& context,
                 Progress& progress) {
    const Field<float>& elevation = context.landscape.layer("elevation");
    const Lattice lattice = eight_neighbours(elevation.grid());
    const auto routed = [&](const Field<float>& ground) {
        return route(ground, lattice, boundary, parameters.flow, progress);
    };
    FlowResult flow = parameters.rivers_file.empty()
                          ? routed(elevation)
                          : routed(burned(parameters, lattice, boundary.roots, context));
    note_closed_components(flow, parameters, context);
    return flow;
}

bool can_share_drainage(const DrainageParameters& parameters) {
    return parameters.flow.routing.routing == Routing::D8 && parameters.rivers_file.empty();
}

Drainage drainage_to_share(const DrainageParameters& parameters, FlowBoundary boundary,
                           const StageContext& context) {
    return {.flow = nullptr,
            .elevation = context.landscape.datasets.at("elevation"),
            .boundary = std::move(boundary),
            .parameters = parameters.flow};
}

SharedFlow take_or_drain(const DrainageParameters& parameters, const FlowBoundary& boundary,
                         StageContext& context, Progress& progress) {
    const auto* const drainage = context.landscape.find<Drainage>(kDrainage);
    const Dataset& elevation = context.landscape.datasets.at("elevation");
    if (drainage == nullptr || !is_of(*drainage, elevation, boundary, parameters.flow)) {
        const Stopwatch watch;
        auto flow = std::make_shared<const FlowResult>(drain(parameters, boundary, context, progress));
        return {std::move(flow), watch.milliseconds()};
    }
    note_closed_components(*drainage->flow, parameters, context);
    return {drainage->flow, kNotMeasured};
}

void describe_routing(const RoutingFigures& figures, Diagnostics& diagnostics) {
    const Lakes* lakes = figures.lakes;
    const double seconds = figures.milliseconds / kMillisecondsPerSecond;
    auto& values = diagnostics.values;
    values.emplace_back("pits", figures.pits);
    values.emplace_back("lakes", lakes ? static_cast<std::int64_t>(lakes->lakes.size()) : std::int64_t{0});
    values.emplace_back("lake_volume", lakes ? lakes->volume : 0.0);
    if (lakes) values.emplace_back("outflow_m3", lakes->outflow);
    values.emplace_back("volume_error", lakes ? lakes->volume_error : kNotMeasured);
    values.emplace_back("outlet_area_error", figures.outlet_area_error);
    values.emplace_back("cells_per_second", static_cast<double>(figures.cells) / seconds);
}

void describe_drainage(const FlowResult& flow, double milliseconds, Diagnostics& diagnostics) {
    describe_routing({.pits = flow.pits,
                      .lakes = flow.lakes ? &*flow.lakes : nullptr,
                      .outlet_area_error = outlet_area_error(flow),
                      .cells = flow.tree.grid.cells(),
                      .milliseconds = milliseconds},
                     diagnostics);
}

void fill_trenches(const DrainageParameters& parameters, const Field<float>& elevation, FlowResult& flow) {
    if (parameters.rivers_file.empty()) return;
    flow.elevation = elevation;
    for (auto cell = flow.tree.order.rbegin(); cell != flow.tree.order.rend(); ++cell) {
        const std::int32_t receiver = flow.tree.receiver(*cell);
        if (receiver >= 0)
            flow.elevation[receiver] = std::min(flow.elevation[receiver], flow.elevation[*cell]);
    }
}

}  // namespace thalweg
