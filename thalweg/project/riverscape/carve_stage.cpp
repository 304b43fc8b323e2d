#include "thalweg/project/riverscape/carve_stage.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/rectangle.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/parts/drainage.hpp"
#include "thalweg/project/stopwatch.hpp"
#include "thalweg/river/extract.hpp"
#include "thalweg/riverscape/bed_tree.hpp"
#include "thalweg/riverscape/river_beds.hpp"
#include "thalweg/riverscape/standing_water.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kCoursesShare = 0.5;  // of the stage's progress

struct CarveParameters {
    std::string network;
    RiverTypeParameters types;
    BedCourseParameters courses;
    BedTreeParameters beds;

    static void declare(Declaration<CarveParameters>& declaration);
};

/// Throws Error::input for a network of which nothing lies on the terrain.
void check_place(const RiverNetwork& network, const std::string& file, const Grid& grid) {
    const Rectangle terrain = extent_of(grid);
    const auto touches = [&](const Reach& reach) {
        return std::ranges::any_of(
            reach.points, [&](const RiverPoint& point) { return terrain.contains({point.x, point.y}); });
    };
    if (network.reaches.empty() || std::ranges::any_of(network.reaches, touches)) return;
    const RiverPoint& first = network.reaches.front().points.front();
    throw Error::input(
        fmt::format("{} has no river on the terrain: it begins at ({:.9g}, {:.9g}) m, and the "
                    "terrain has x from {:.9g} to {:.9g} m, y from {:.9g} to {:.9g} m",
                    file, first.x, first.y, terrain.west, terrain.east, terrain.south, terrain.north));
}

/// The landscape's rivers, those of a file, or those that the terrain has.
RiverNetwork rivers_to_carve(const CarveParameters& parameters, StageContext& context, Progress& progress) {
    const Landscape& landscape = context.landscape;
    if (!parameters.network.empty()) {
        RiverNetwork network =
            read_network(std::filesystem::path(context.base_directory) / parameters.network);
        check_place(network, parameters.network, landscape.grid);
        return network;
    }
    if (const auto* const network = landscape.find<RiverNetwork>(kRivers)) return *network;
    const DrainageParameters drainage;
    const FlowBoundary boundary = flow_boundary(drainage, context);
    const SharedFlow shared = take_or_drain(drainage, boundary, context, progress);
    return extract_network(shared.flow->tree, shared.flow->drainage_area, shared.flow->elevation, {},
                           progress);
}

/// Length by type, km.
std::vector<ValueTable> lengths_by_type(const std::vector<RiverStretch>& stretches) {
    std::array<double, kRiverTypeCount> lengths{};  // m
    for (const RiverStretch& stretch : stretches)
        lengths[static_cast<std::size_t>(stretch.type)] += stretch.to - stretch.from;
    std::vector<ValueTable> rows;
    for (const RiverTypeForm& form : river_type_forms()) {
        const double length = lengths[static_cast<std::size_t>(form.type)];
        if (length > 0.0) rows.push_back({{{"type", std::string(form.name)}, {"length_km", 1e-3 * length}}});
    }
    return rows;
}

/// Names the types of reaches.
void name_types(const std::vector<RiverStretch>& stretches, RiverNetwork& network) {
    const std::vector<RiverType> types = types_of_reaches(network, stretches);
    for (std::size_t i = 0; i < types.size(); ++i) network.reaches[i].type = form_of(types[i]).name;
}

/// Tells of stretches of reaches whose type the user has set that keep their own: their slope forbids it.
void note_types_not_taken(const std::vector<RiverStretch>& stretches, const RiverNetwork& network,
                          Diagnostics& diagnostics) {
    std::vector<char> is_given(network.reaches.size(), 0);
    for (const RiverStretch& stretch : stretches)
        if (stretch.is_given) is_given[stretch.reach] = 1;
    double all = 0.0, kept = 0.0;  // m
    const RiverStretch* first = nullptr;
    for (const RiverStretch& stretch : stretches) {
        if (is_given[stretch.reach] == 0) continue;
        all += stretch.to - stretch.from;
        if (stretch.is_given) continue;
        kept += stretch.to - stretch.from;
        if (first == nullptr) first = &stretch;
    }
    if (first != nullptr)
        diagnostics.notes.push_back(fmt::format(
            "{:.3g} of {:.3g} km of reaches whose type is set keep their own, as type {} in reach "
            "{}: their slope forbids what is set",
            1e-3 * kept, 1e-3 * all, form_of(first->type).name, network.reaches[first->reach].id));
}

/// Tells of reaches that are shorter than their river is wide: they show no bed of their own.
void note_short_reaches(const RiverNetwork& network, Diagnostics& diagnostics) {
    const auto is_short = [](const Reach& reach) { return reach.length < reach.width; };
    const auto count = std::ranges::count_if(network.reaches, is_short);
    if (count == 0) return;
    const Reach& first = *std::ranges::find_if(network.reaches, is_short);
    diagnostics.notes.push_back(fmt::format(
        "{} of {} reaches are shorter than they are wide, as reach {} with {:.3g} m to {:.3g} m: their beds "
        "are parts of those that they meet",
        count, network.reaches.size(), first.id, first.length, first.width));
}

void describe(const std::vector<RiverStretch>& stretches, const BedCourses& beds, const BedTreeCounts& counts,
              const Grid& grid, Diagnostics& diagnostics) {
    diagnostics.values.insert(diagnostics.values.end(), {{"types", lengths_by_type(stretches)},
                                                         {"primitives_terrain", counts.all()},
                                                         {"bytes_per_primitive", counts.bytes_each}});
    diagnostics.notes.insert(diagnostics.notes.end(), beds.notes.begin(), beds.notes.end());
    if (beds.courses.empty())
        diagnostics.notes.emplace_back("there are no rivers: the terrain stays as it is");
    if (const std::string note = resolution_note(beds, grid); !note.empty())
        diagnostics.cell_notes.push_back(note);
}

/// Terrain with beds in it, and the lakes that stood there before.
struct CarvedTerrain {
    BedTree tree;
    std::shared_ptr<const StandingWater> lakes;  // null where there are none

    [[nodiscard]] CarvedWindow on(const Grid& grid, Progress& progress) const {
        CarvedWindow carved = tree.carve(grid, progress);
        if (lakes) let_stand(*lakes, carved, progress);
        return carved;
    }
};

/// A part of the carved terrain on any grid. It stands for terrain whose courses are there already.
LayerSource carved_source(const CarvedTerrain& terrain, Field<float> CarvedWindow::* part) {
    return {[terrain, part](const Grid& grid, Progress& progress) {
                return std::move(terrain.on(grid, progress).*part);
            },
            true};
}

std::shared_ptr<const StandingWater> lakes_of(const Landscape& landscape) {
    if (!landscape.has(kWaterElevation)) return nullptr;
    std::optional<StandingWater> lakes =
        standing_water(landscape.layer(kElevation), landscape.layer(kWaterElevation));
    return lakes ? std::make_shared<const StandingWater>(*std::move(lakes)) : nullptr;
}

void describe_flow(const CarvedTerrain& terrain, const BedCourses& beds, Diagnostics& diagnostics) {
    const FlowErrors errors =
        terrain.tree.flow_errors(terrain.lakes ? without_flow_in(*terrain.lakes, beds) : beds);
    diagnostics.values.insert(diagnostics.values.end(), {{"flow_error_mean", errors.mean},
                                                         {"flow_error_max", errors.largest},
                                                         {"flow_sections_off", errors.off},
                                                         {"flow_sections_shared", errors.shared}});
}

void run(const CarveParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    ProgressPart drawing(context.progress, 0.0, kCoursesShare);
    RiverNetwork network = rivers_to_carve(parameters, context, drawing);
    const Field<float>& elevation = landscape.layer(kElevation);
    const Stopwatch watch;
    const std::vector<RiverStretch> stretches = classify_reaches(network, elevation, parameters.types);
    const std::shared_ptr<const StandingWater> lakes = lakes_of(landscape);
    const BedCourses beds =
        bed_courses(network, stretches, elevation, parameters.courses, landscape.seed, drawing, lakes.get());
    const double courses_ms = watch.milliseconds();
    const BedTree tree(elevation, beds, parameters.beds, landscape.seed);
    const double beds_ms = watch.milliseconds();
    const CarvedTerrain terrain{tree, lakes};
    landscape.put(kRiverBeds, RiverBeds{.terrain = elevation,
                                        .courses = beds,
                                        .parameters = parameters.beds,
                                        .seed = landscape.seed,
                                        .tree = tree,
                                        .lakes = terrain.lakes ? terrain.lakes->level : Field<float>()});
    ProgressPart carving(context.progress, kCoursesShare, 1.0);
    CarvedWindow carved = terrain.on(landscape.grid, carving);
    context.diagnostics.phases_ms = {
        {"courses", courses_ms}, {"beds", beds_ms - courses_ms}, {"carving", watch.milliseconds() - beds_ms}};
    describe(stretches, beds, tree.counts(), landscape.grid, context.diagnostics);
    note_types_not_taken(stretches, network, context.diagnostics);
    note_short_reaches(network, context.diagnostics);
    if (std::string note = deep_cut_note(beds, elevation); !note.empty())
        context.diagnostics.notes.push_back(std::move(note));
    if (context.is_measured) describe_flow(terrain, beds, context.diagnostics);
    const auto set = [&](const char* name, Field<float> CarvedWindow::* part) {
        landscape.set(name, std::move(carved.*part), carved_source(terrain, part));
    };
    set(kElevation, &CarvedWindow::elevation);
    set(kBedMaterial, &CarvedWindow::material);
    set(kWaterElevation, &CarvedWindow::water_elevation);
    set(kWaterDepth, &CarvedWindow::water_depth);
    name_types(stretches, network);
    landscape.put(kRivers, std::move(network));
}

}  // namespace

void CarveParameters::declare(Declaration<CarveParameters>& d) {
    d.file("network", &CarveParameters::network,
           {.label = "River file",
            .group = "Network",
            .unit = "",
            .sentence = "A network as the stage rivers writes it, in which the attribute type gives reaches "
                        "their types; empty: the landscape's rivers, or those that "
                        "rivers finds in the terrain as it stands.",
            .holds_lines = true});
    d.include(&CarveParameters::types);
    d.include(&CarveParameters::courses);
    d.include(&CarveParameters::beds);
}

Stage carve_stage() {
    return make_stage<CarveParameters>(
        {
            .name = "carve",
            .summary = "Carves the beds of rivers into the terrain, by their types.",
            .description = "Reaches are classified by slope, entrenchment, width, depth and sinuosity "
                           "(Rosgen 1994). Each "
                           "gets the course of its type, with bends, several channels, drops, pools, riffles "
                           "and rocks, and "
                           "a bed with banks that go over into the terrain (Peytavie et al. 2019). Water "
                           "stands in the beds "
                           "just below their banks, and lakes stay as they stand, with the ground beneath "
                           "them. The rivers that were carved are left with the attribute "
                           "type, that of their longest stretch; another type there is taken as given.",
            .reads = {kElevation},
            .reads_if_present = {kRivers, kWaterBoundary, kDrainage, kWaterElevation},
            .writes = {kElevation, kBedMaterial, kWaterElevation, kWaterDepth, kRivers, kMesh},
            .settings = {kRiverBeds},
            .on_request = {kMesh},
            .primary = kElevation,
            .verb_takes_window = true,
            .measures = true,
            .bytes_per_cell = 60.0,
        },
        run);
}

}  // namespace thalweg
