#include "thalweg/project/dataset_catalogue.hpp"

#include "thalweg/io/basins.hpp"
#include "thalweg/io/courses.hpp"
#include "thalweg/io/lakes.hpp"
#include "thalweg/io/point_table.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/history.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/tables/analysis_files.hpp"
#include "thalweg/project/tables/meander_metrics_files.hpp"
#include "thalweg/project/tables/particle_metrics_files.hpp"
#include "thalweg/project/tables/profile_tables.hpp"
#include "thalweg/project/tables/scene_mesh.hpp"
#include "thalweg/project/tables/water_maps.hpp"
#include "thalweg/project/water_tables.hpp"
#include "thalweg/riverscape/flowing_water.hpp"

#include <algorithm>
#include <iterator>

namespace thalweg {
namespace {

std::vector<DatasetDescription> layers() {
    const auto layer = [](const char* name, const char* unit, const char* meaning,
                          bool whole_numbers = false) {
        return DatasetDescription{.name = name,
                                  .kind = DatasetKind::Layer,
                                  .unit = unit,
                                  .meaning = meaning,
                                  .whole_numbers = whole_numbers};
    };
    return {
        layer("elevation", "m", "Height of the ground."),
        layer("uplift", "m/yr", "Speed at which tectonics raise the rock."),
        layer("erodibility", "m^(1-2m)/yr", "Factor k of the stream power law; m is its area exponent."),
        layer("formation", "1", "Number of the formation at the ground, from the top of the column down.",
              true),
        layer("critical_slope", "m/m", "Slope beyond which the ground fails."),
        layer("rock_uplift", "m", "How far the rock has risen since the history began."),
        layer("precipitation_factor", "1",
              "Rain that runs off, as a factor on drainage area; 1 is even rain."),
        layer("drainage_area", "m^2", "Area whose water flows through the cell, the cell included."),
        layer("discharge", "m^3/s", "Mean flow of water through the cell."),
        layer("slope", "m/m", "Drop to the cell's receiver over the distance to it."),
        layer("stream_power", "m", "Square root of drainage area times slope."),
        layer("strahler", "1", "Horton-Strahler order of the stream in the cell.", true),
        layer("basin", "1", "Number of the basin: all cells that drain to the same outlet.", true),
        layer("receiver", "1", "ESRI direction code (1 to 128) of the neighbour that the cell drains to.",
              true),
        layer(
            "chi", "m",
            "Integral of (A0 / A)^(m/n) along the path from the outlet; straightens rivers at steady state."),
        layer("distance_to_outlet", "m", "Length of the way that water takes to its outlet."),
        layer("flow_length", "m", "Length of the longest flow path on which water comes to the cell."),
        layer("specific_area", "m", "Drainage area over the width of contour that its water crosses."),
        layer("flow_direction", "degrees", "Way of the water, clockwise from north."),
        layer("ksn", "m^(2m/n)", "Normalised channel steepness k_sn of rivers; no data beside them."),
        layer("height_above_drainage", "m", "Height above the river that the cell's water reaches first."),
        layer("wetness_index", "1", "Topographic wetness index: logarithm of specific area over slope."),
        layer("curvature", "1/m", "Laplacian of elevation: negative on ridges, positive in hollows."),
        layer("profile_curvature", "1/m", "Curvature down the slope: positive where it steepens downhill."),
        layer("tangential_curvature", "1/m", "Curvature across the slope: positive on spurs."),
        layer("water_elevation", "m", "Height of the water surface; no data where the ground is dry."),
        layer("water_depth", "m", "Water surface above the ground; 0 where that is dry."),
        layer("velocity", "m/s", "Speed of the water, mean over its depth; 0 where the ground is dry."),
        layer("velocity_east", "m/s", "Velocity of the water to the east."),
        layer("velocity_north", "m/s", "Velocity of the water to the north."),
        layer("momentum_east", "m^3/s", "Discharge times its direction to the east, as droplets feel it."),
        layer("momentum_north", "m^3/s", "Discharge times its direction to the north."),
        layer("foam", "1", "How white the water is, 0 to 1."),
        layer(
            "bed_material", "1",
            "What beds of rivers are made of: 1 bedrock, 2 boulders, 3 gravel, 4 sand, 5 silt; 0 elsewhere.",
            true),
        layer("lake", "1", "Number of the lake, 0 outside lakes.", true),
        layer("wear", "m",
              "How far the ground lies below its start, raised by uplift: depth of what was eroded."),
        layer("deposit", "m",
              "How far the ground lies above its start, raised by uplift: thickness of what was laid down."),
        layer("sediment", "m", "Thickness of loose sediment on bedrock, without soil."),
        layer("soil", "m", "Thickness of soil on sediment."),
        layer("pigment", "1", "Pigment of the ground, 0 to 1, where droplets have washed it."),
        layer("ground_red", "1", "Red of the ground, linear light from 0 to 1, as droplets have washed it."),
        layer("ground_green", "1", "Green of the ground, likewise."),
        layer("ground_blue", "1", "Blue of the ground, likewise."),
        layer("floor", "1", "How much of the cell is floor of a valley, 0 to 1."),
        layer("channel_age", "yr", "Years since a river last ran there; no data where none did."),
        layer("channel_belt", "1", "1 where wandering rivers have been, 0 elsewhere."),
        layer("oxbow", "1", "Number of the oxbow lake, 0 where none is.", true),
        layer("moisture", "1", "How moist rivers have made the ground, 0 to 1."),
        layer("soil_depth", "m", "Depth of soil and sediment on rock."),
        layer("bare_rock", "1", "How much of the cell is bare rock, 0 to 1."),
        layer("scree", "1", "How much of the cell is scree, 0 to 1."),
        layer("vegetation", "1", "How much of the cell plants cover, 0 to 1."),
        layer("forest", "1", "How much of the cell is forest, 0 to 1; a part of vegetation."),
        layer("snow", "1", "How much of the cell snow covers, 0 to 1; it lies on all other cover."),
        layer("ridge", "1", "How much the cell is part of a ridge, 0 to 1."),
        layer("valley", "1", "How much the cell is part of a valley, 0 to 1."),
    };
}

void check_vectors(const std::filesystem::path& path) {
    (void)network_format_of(path);
}

void write_outlines(const DatasetFile& file) {
    write_basins(file.path, file.landscape.get<BasinOutlines>(file.name));
}

/// The rivers of every snapshot.
void write_history(const DatasetFile& file) {
    const auto& history = file.landscape.get<History>(file.name);
    std::vector<Dataset> held;
    std::vector<NetworkAtTime> networks;
    for (const double time : history.times())
        if (const auto rivers = history.find(kRivers, time)) {
            held.push_back(*rivers);
            networks.push_back({time, held.back().as<RiverNetwork>()});
        }
    write_network_history(file.path, networks);
}

std::vector<DatasetDescription> points_of_water() {
    return {
        {.name = kWaterPrimitives,
         .meaning = "Primitives of flowing water, and how they are merged and replaced, as points.",
         .part_of = kFlowingWater,
         .only_when_named = true,
         .check_file = check_point_file,
         .write =
             [](const DatasetFile& file) {
                 write_points(file.path,
                              primitive_table(file.landscape.get<FlowingWater>(kFlowingWater).primitives,
                                              file.landscape.grid.crs));
             }},
        {.name = kDrift,
         .meaning = "Leaves that drift on flowing water, as points.",
         .part_of = kFlowingWater,
         .only_when_named = true,
         .check_file = check_point_file,
         .write =
             [](const DatasetFile& file) {
                 write_points(file.path, drift_table(file.landscape.get<FlowingWater>(kFlowingWater).drifters,
                                                     file.landscape.layer(kWaterElevation)));
             }},
    };
}

std::vector<DatasetDescription> vectors() {
    std::vector<DatasetDescription> found = {
        {.name = kRivers,
         .meaning = "Rivers as connected lines.",
         .write =
             [](const DatasetFile& file) {
                 write_network(file.path, file.landscape.get<RiverNetwork>(file.name));
             }},
        {.name = kRiverPoints,
         .meaning = "Rivers with width, depth and discharge at each point of their lines.",
         .part_of = kRivers,
         .only_when_named = true,
         .check_file = check_point_file,
         .write =
             [](const DatasetFile& file) {
                 write_network_points(file.path, file.landscape.get<RiverNetwork>(kRivers));
             }},
        {.name = kLakes,
         .meaning = "Lakes as polygons.",
         .write =
             [](const DatasetFile& file) {
                 write_lakes(file.path, file.landscape.get<LakeOutlines>(file.name));
             }},
        {.name = kProfiles,
         .meaning = "Long profiles of rivers, as points.",
         .only_when_named = true,
         .check_file = check_point_file,
         .write =
             [](const DatasetFile& file) {
                 write_points(file.path, profile_table(file.landscape.get<StreamProfiles>(file.name)));
             }},
        {.name = kKnickpoints,
         .meaning = "Knickpoints of rivers.",
         .part_of = kProfiles,
         .only_when_named = true,
         .check_file = check_point_file,
         .write =
             [](const DatasetFile& file) {
                 write_points(file.path, knickpoint_table(file.landscape.get<StreamProfiles>(kProfiles)));
             }},
        {.name = kBasins,
         .meaning = "Drainage basins as polygons.",
         .only_when_named = true,
         .write = write_outlines},
        {.name = kCatchments,
         .meaning = "Catchments of pour points as polygons.",
         .only_when_named = true,
         .write = write_outlines},
        {.name = kCourses,
         .meaning = "Courses that wandering rivers have had, loops that they left, and what happened.",
         .only_when_named = true,
         .write =
             [](const DatasetFile& file) {
                 write_courses(file.path, file.landscape.get<MeanderHistory>(file.name),
                               file.landscape.grid.crs);
             }},
        {.name = kHistory,
         .meaning = "Landscapes at one time after another; its rivers as lines.",
         .only_when_named = true,
         .write = write_history},
    };
    std::ranges::move(points_of_water(), std::inserter(found, found.end() - 1));
    for (DatasetDescription& vectors : found) {
        vectors.kind = DatasetKind::Vectors;
        if (vectors.check_file == nullptr) vectors.check_file = check_vectors;
    }
    return found;
}

std::vector<DatasetDescription> analyses() {
    std::vector<DatasetDescription> found = {
        {.name = "slope_area", .meaning = "Slopes of rivers by drainage area.", .part_of = kAnalyses},
        {.name = "hack", .meaning = "Lengths of rivers by drainage area.", .part_of = kAnalyses},
        {.name = "hypsometry", .meaning = "Shares of ground by height.", .part_of = kAnalyses},
        {.name = "chi_profiles", .meaning = "Heights of rivers over chi.", .part_of = kAnalyses},
        {.name = kAnalyses, .meaning = "All analyses in one file.", .only_when_named = true},
    };
    for (DatasetDescription& analysis : found) {
        analysis.kind = DatasetKind::Analysis;
        analysis.check_file = check_analysis_file;
        analysis.write = [](const DatasetFile& file) {
            write_analysis(file.path, file.landscape.get<TerrainAnalyses>(kAnalyses), file.name, file.title);
        };
    }
    found.push_back({.name = kMeanderMetrics,
                     .kind = DatasetKind::Analysis,
                     .meaning = "Form, migration, cutoffs and belts of wandering rivers, by reach and year.",
                     .has_table = true,
                     .check_file = check_metrics_file,
                     .write = [](const DatasetFile& file) {
                         write_meander_metrics(file.path, file.landscape.get<MeanderMetrics>(file.name),
                                               file.title);
                     }});
    found.push_back({.name = kParticleMetrics,
                     .kind = DatasetKind::Analysis,
                     .meaning = "Sinuosity, drained ground, sediment and lakes of droplets, by cycle.",
                     .has_table = true,
                     .check_file = check_metrics_file,
                     .write = [](const DatasetFile& file) {
                         write_particle_metrics(file.path, file.landscape.get<ParticleMetrics>(file.name),
                                                file.title);
                     }});
    return found;
}

void write_mesh(const DatasetFile& file) {
    const auto found = [&](const char* name) {
        return file.landscape.has(name) ? &file.landscape.layer(name) : nullptr;
    };
    write_scene(file.path, {.elevation = file.landscape.layer(kElevation),
                            .bed_material = found(kBedMaterial),
                            .water_elevation = found(kWaterElevation),
                            .velocity_east = found(kVelocityEast),
                            .velocity_north = found(kVelocityNorth),
                            .foam = found(kFoam)});
}

MappedWater mapped_water(const Landscape& landscape) {
    const auto& water = landscape.get<FlowingWater>(kFlowingWater);
    return {.depth = landscape.layer(kWaterDepth),
            .velocity_east = landscape.layer(kVelocityEast),
            .velocity_north = landscape.layer(kVelocityNorth),
            .foam = landscape.layer(kFoam),
            .time = water.time,
            .loop_period = water.loop_period};
}

template <WaterMap map>
DatasetDescription water_map(const char* name, const char* meaning) {
    return {
        .name = name,
        .kind = DatasetKind::Texture,
        .meaning = meaning,
        .part_of = kFlowingWater,
        .only_when_named = true,
        .check_file = check_map_file,
        .write =
            [](const DatasetFile& file) { write_water_map(file.path, map, mapped_water(file.landscape)); },
        .write_scale =
            [](const DatasetFile& file) {
                write_map_scale(file.path, file.path.stem().string(), map, mapped_water(file.landscape));
            }};
}

std::vector<DatasetDescription> meshes_and_textures() {
    return {{.name = kMesh,
             .kind = DatasetKind::Mesh,
             .meaning = "Terrain and water as meshes.",
             .part_of = kElevation,
             .only_when_named = true,
             .check_file = check_mesh_file,
             .write = write_mesh},
            water_map<WaterMap::Flow>(kFlowMap, "Velocity of the water in red and green."),
            water_map<WaterMap::Foam>(kFoamMap, "Foam on the water."),
            water_map<WaterMap::Depth>(kDepthMap, "Depth of the water."),
            water_map<WaterMap::Shore>(kShoreMap, "Distance of the water to the shore.")};
}

std::vector<DatasetDescription> whole_catalogue() {
    std::vector<DatasetDescription> catalogue = layers();
    for (std::vector<DatasetDescription> more : {vectors(), analyses(), meshes_and_textures()})
        std::ranges::move(more, std::back_inserter(catalogue));
    catalogue.push_back({.name = kWaterBoundary,
                         .kind = DatasetKind::Settings,
                         .unit = "",
                         .meaning = "Where water enters and leaves."});
    catalogue.push_back({.name = kRock,
                         .kind = DatasetKind::Settings,
                         .unit = "",
                         .meaning = "What rock lies where, in three dimensions."});
    catalogue.push_back(
        {.name = kRiverBeds,
         .kind = DatasetKind::Settings,
         .unit = "",
         .meaning = "Courses of rivers as they were carved, with their falls, pools and rocks."});
    catalogue.push_back(
        {.name = kCountryAround,
         .kind = DatasetKind::Settings,
         .unit = "",
         .meaning = "What covers the country around a window, for pictures that look beyond it."});
    catalogue.push_back(
        {.name = kFlowingWater,
         .kind = DatasetKind::Settings,
         .unit = "",
         .meaning = "The water of rivers at one time: its primitives, and what drifts on it."});
    catalogue.push_back({.name = kDrainage,
                         .kind = DatasetKind::Settings,
                         .unit = "",
                         .meaning = "Where water goes, for stages that would route it again."});
    return catalogue;
}

}  // namespace

const std::vector<DatasetDescription>& dataset_catalogue() {
    static const std::vector<DatasetDescription> catalogue = whole_catalogue();
    return catalogue;
}

const DatasetDescription& description_of(std::string_view name) {
    static const DatasetDescription other{
        .name = "", .kind = DatasetKind::Layer, .unit = "1", .meaning = "A layer that a user has named."};
    const auto found = std::ranges::find(dataset_catalogue(), name, &DatasetDescription::name);
    return found == dataset_catalogue().end() ? other : *found;
}

std::vector<std::string> datasets_of(DatasetKind kind) {
    std::vector<std::string> names;
    for (const DatasetDescription& dataset : dataset_catalogue())
        if (dataset.kind == kind) names.push_back(dataset.name);
    return names;
}

bool names_cells(const std::string& name) {
    return description_of(name).kind == DatasetKind::Layer;
}

std::vector<std::string> names_held(const Landscape& landscape) {
    std::vector<std::string> names;
    for (const auto& [name, dataset] : landscape.datasets) names.push_back(name);
    for (const DatasetDescription& dataset : dataset_catalogue())
        if (!dataset.part_of.empty() && landscape.has(dataset.part_of)) names.push_back(dataset.name);
    return names;
}

}  // namespace thalweg
