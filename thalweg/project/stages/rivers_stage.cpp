#include "thalweg/project/stages/rivers_stage.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/flow/river_courses.hpp"
#include "thalweg/io/river_lines.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/parts/network_diagnostics.hpp"
#include "thalweg/project/parts/river_inputs.hpp"
#include "thalweg/project/parts/stream_profiling.hpp"
#include "thalweg/project/stopwatch.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kRoutingShare = 0.6;  // of the stage's progress
constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// The parameters of the network with the springs of the file before those of the project.
NetworkParameters network_parameters(const RiversParameters& parameters, const StageContext& context) {
    NetworkParameters network = parameters.network;
    if (parameters.springs_file.empty()) return network;
    const auto path = std::filesystem::path(context.base_directory) / parameters.springs_file;
    const Field<float>& elevation = context.landscape.layer("elevation");
    const std::vector<Spring> springs = read_springs(path, elevation.grid().crs);
    check_springs(springs, elevation, path.string() + ": ");
    network.springs.insert(network.springs.begin(), springs.begin(), springs.end());
    return network;
}

/// Leads the water of `flow` along the rivers of drawn_file, and returns their cells.
std::vector<std::int32_t> lead_along_drawn(const RiversParameters& parameters,
                                           const Field<std::uint8_t>& roots, StageContext& context,
                                           FlowResult& flow) {
    std::vector<DrawnRiver> rivers = rivers_of_file(parameters.drawn_file, context);
    const Field<float>& elevation = context.landscape.layer("elevation");
    auto& notes = context.diagnostics.notes;
    for (const std::size_t off_land : rivers_off_land(rivers, elevation, roots))
        notes.push_back(
            fmt::format("{}: river {} has no effect: it runs over outlets and cells without data alone",
                        parameters.drawn_file, off_land + 1));
    turn_downhill(rivers, flow.elevation);
    const RiverCourses courses =
        courses_on(eight_neighbours(elevation.grid()), rivers, elevation, roots, AtCrossings::BeginAnew);
    const std::int64_t stays = lead_along(courses, flow, context.progress);
    if (stays > 0)
        notes.push_back(fmt::format("{}: no water can leave where {} of its rivers end: it stays there",
                                    parameters.drawn_file, stays));
    std::vector<std::int32_t> cells;
    for (const CourseCell& course : courses.cells) cells.push_back(course.cell);
    return cells;
}

/// Where water goes; the cells of drawn rivers join the network's parameters.
SharedFlow flow_for(const RiversParameters& parameters, StageContext& context, Progress& progress,
                    NetworkParameters& network) {
    const DrainageParameters& drainage = parameters.drainage;
    const FlowBoundary boundary = flow_boundary(drainage, context);
    if (can_share_drainage(drainage) && parameters.drawn_file.empty())
        return take_or_drain(drainage, boundary, context, progress);
    const Stopwatch watch;
    auto flow = std::make_shared<FlowResult>(drain(drainage, boundary, context, progress));
    const double milliseconds = watch.milliseconds();
    fill_trenches(drainage, context.landscape.layer("elevation"), *flow);
    if (!parameters.drawn_file.empty())
        network.drawn = lead_along_drawn(parameters, boundary.roots, context, *flow);
    return {std::move(flow), milliseconds};
}

const char* reason_of_no_rivers(Headwaters headwaters) {
    switch (headwaters) {
        case Headwaters::Area:
            return "no cell drains as much as min_area: the river network is empty";
        case Headwaters::SlopeArea:
            return "no cell reaches slope_area_threshold: the river network is empty";
        case Headwaters::Springs:
            return "every spring lies on an outlet: the river network is empty";
    }
    return "";
}

void check(const RiversParameters& parameters) {
    const bool has_springs = !parameters.network.springs.empty() || !parameters.springs_file.empty();
    const bool wants_springs = parameters.network.headwaters == Headwaters::Springs;
    if (wants_springs && !has_springs)
        throw Error::input("headwaters = \"springs\" needs springs: give springs or springs_file");
    if (has_springs && !wants_springs)
        throw Error::input(
            "springs are given, but headwaters is not \"springs\": rivers would not begin there");
}

void run(const RiversParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    NetworkParameters network = network_parameters(parameters, context);
    check_springs(network.springs, landscape.layer("elevation"));
    ProgressPart routing(context.progress, 0.0, kRoutingShare);
    const SharedFlow shared = flow_for(parameters, context, routing, network);
    const FlowResult& flow = *shared.flow;
    describe_drainage(flow, shared.milliseconds, context.diagnostics);
    ProgressPart extracting(context.progress, kRoutingShare, 1.0);
    landscape.put(kRivers,
                  extract_network(flow.tree, flow.drainage_area, flow.elevation, network, extracting));
    profile_streams(flow, network,
                    {.knickpoints = parameters.knickpoints, .smoothing = parameters.profile_smoothing},
                    context);
    const auto& rivers = landscape.get<RiverNetwork>(kRivers);
    const NetworkSummary summary = summary_of(rivers);
    describe_network(rivers, summary, context.diagnostics);
    context.diagnostics.values.emplace_back("hack_exponent", summary.hack_exponent.value_or(kNotMeasured));
    if (rivers.reaches.empty())
        context.diagnostics.notes.emplace_back(reason_of_no_rivers(network.headwaters));
}

/// Memory for the network and its files while the largest is written, beside that for routing. How much of
/// the land are rivers is measured on noise, where they are dense: 0.66 n^-0.51 (1 + 4 / n) of all cells for
/// rivers that drain n cells and more.
double network_bytes(const NetworkParameters& parameters, const StageWork& work) {
    struct Bytes {
        double point, reach;
    };
    // Measured; points of a .gpkg, of which a .geojson takes twice as much.
    constexpr Bytes kNetwork{47.0, 420.0}, kGeoPackage{35.0, 460.0}, kGeoJson{102.0, 1790.0},
        kPoints{370.0, 460.0};
    const auto cells = static_cast<double>(work.grid.cells());
    const double drained = std::max(1.0, parameters.min_area / work.grid.cell_area());
    const double share = std::min(1.0, 0.66 * std::pow(drained, -0.51) * (1.0 + 4.0 / drained));
    const double step = parameters.spacing > 0.0 ? parameters.spacing : work.grid.cell_size;
    const double reaches = cells * share * std::min(0.25, 0.87 / std::sqrt(drained));
    const double points = cells * share * work.grid.cell_size / step + reaches;
    Bytes bytes = kNetwork;
    for (const std::string& format : work.networks) {
        const Bytes& file = format == "geojson" ? kGeoJson : kGeoPackage;
        bytes = {bytes.point + file.point, bytes.reach + file.reach};
    }
    if (work.wanted.has(kRiverPoints))
        bytes = {std::max(bytes.point, kNetwork.point + kPoints.point),
                 std::max(bytes.reach, kNetwork.reach + kPoints.reach)};
    return bytes.point * points + bytes.reach * reaches;
}

double rivers_working_bytes(const void* parameters, const StageWork& work) {
    constexpr double kRoutingPerCell = 30.0;  // bytes, measured
    const auto& rivers = *static_cast<const RiversParameters*>(parameters);
    const double routing = kRoutingPerCell * static_cast<double>(work.grid.cells());
    const bool by_area = rivers.network.headwaters == Headwaters::Area;
    return routing + (by_area ? network_bytes(rivers.network, work) : 0.0);
}

}  // namespace

void RiversParameters::declare(Declaration<RiversParameters>& d) {
    d.include(&RiversParameters::network);
    d.include(&RiversParameters::knickpoints);
    d.number("profile_smoothing", &RiversParameters::profile_smoothing,
             {.label = "Smoothing of profiles",
              .group = "Analysis",
              .unit = "m",
              .sentence = "Length over which the bed of profiles and knickpoints is smoothed, never to rise "
                          "downstream; 0 takes the conditioned elevation.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {0.0, 5000.0},
              .source = "Schwanghart and Scherler 2017",
              .is_advanced = true});
    d.include(&RiversParameters::drainage, {"routing", "freeman_exponent"});
    d.file(
        "springs_file", &RiversParameters::springs_file,
        {.label = "File of springs",
         .group = "Network",
         .unit = "",
         .sentence = "More such springs: the points of a GeoPackage, GeoJSON or Shapefile in the landscape's "
                     "coordinate system.",
         .holds_points = true,
         .enabled_when = {equals("headwaters", {"springs"})}});
    d.file("drawn_file", &RiversParameters::drawn_file,
           {.label = "File of drawn rivers",
            .group = "Drawn rivers",
            .unit = "",
            .sentence = "Rivers that are in the network whatever the terrain says: the lines of a "
                        "GeoPackage, GeoJSON or Shapefile. Water runs from their higher end to the lower.",
            .holds_lines = true});
}

Stage rivers_stage() {
    return make_stage<RiversParameters>(
        {
            .name = "rivers",
            .summary = "Draws the rivers as connected lines, with discharge, width, depth and velocity.",
            .description =
                "A river begins where enough area drains through a cell, where area and slope together are "
                "enough, at springs, or where one was drawn, and goes on to its outlet. Each reach runs from "
                "a source or "
                "confluence to the next, and its bed never rises downstream. Profiles (the cells of rivers "
                "with x, y, z, distance, drainage area, chi and steepness), knickpoints, and river_points "
                "(width, "
                "depth and discharge at each point of the lines) are made where they are asked for by name, "
                "as "
                ".gpkg, .geojson or .csv.",
            .reads = {"elevation"},
            .reads_if_present = {kWaterBoundary, kDrainage},
            .writes = {kRivers, kRiverPoints, kProfiles, kKnickpoints},
            .settings = {kWaterBoundary},
            .gives_settings =
                [](const void* parameters) {
                    return gives_boundary(static_cast<const RiversParameters*>(parameters)->drainage);
                },
            .on_request = {kRiverPoints, kProfiles, kKnickpoints},
            .primary = kRivers,
            .bytes_per_cell = 30.0,
            .working_bytes = rivers_working_bytes,
        },
        run, check);
}

}  // namespace thalweg
