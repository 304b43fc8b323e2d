// The datasets that stages make: what each holds, and how it is written.
#pragma once

#include "thalweg/project/landscape.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

inline constexpr const char* kRivers = "rivers";             // RiverNetwork
inline constexpr const char* kRiverPoints = "river_points";  // a part of kRivers
inline constexpr const char* kLakes = "lakes";               // LakeOutlines
inline constexpr const char* kProfiles = "profiles";         // StreamProfiles
inline constexpr const char* kKnickpoints = "knickpoints";   // a part of kProfiles
inline constexpr const char* kBasins = "basins";             // BasinOutlines, of outlets of the terrain
inline constexpr const char* kCatchments = "catchments";     // BasinOutlines, of pour points
inline constexpr const char* kAnalyses = "analyses";         // TerrainAnalyses; each analysis is a part of it
inline constexpr const char* kCourses = "courses";           // MeanderHistory
inline constexpr const char* kMeanderMetrics = "meander_metrics";    // MeanderMetrics
inline constexpr const char* kParticleMetrics = "particle_metrics";  // ParticleMetrics
inline constexpr const char* kHistory = "history";                   // History
inline constexpr const char* kWaterBoundary = "water_boundary";  // WaterBoundary; in no file but the manifest
inline constexpr const char* kRock = "rock";                     // Rock; in no file
inline constexpr const char* kRiverBeds = "river_beds";          // RiverBeds; in no file
inline constexpr const char* kCountryAround = "country_around";  // CountryAround; in no file
inline constexpr const char* kFlowingWater = "flowing_water";    // FlowingWater; in no file
inline constexpr const char* kWaterPrimitives = "water_primitives";  // a part of kFlowingWater
inline constexpr const char* kDrift = "drift";                       // a part of kFlowingWater
inline constexpr const char* kFlowMap = "flow_map";  // a part of kFlowingWater, as all maps of water
inline constexpr const char* kFoamMap = "foam_map";
inline constexpr const char* kDepthMap = "depth_map";
inline constexpr const char* kShoreMap = "shore_map";
inline constexpr const char* kMesh = "mesh";          // a part of elevation
inline constexpr const char* kDrainage = "drainage";  // Drainage; in no file

/// Layer: values of cells. Vectors: lines, points or polygons. Analysis: figures and charts. Mesh: surfaces
/// of triangles. Texture: pictures whose bytes are measures, told by a JSON file beside. Settings: what
/// stages say to later ones.
enum class DatasetKind { Layer, Vectors, Analysis, Mesh, Texture, Settings };

/// A file that a dataset is written to.
struct DatasetFile {
    const std::filesystem::path& path;
    const Landscape& landscape;  // which holds it
    const std::string& name;     // of the dataset
    const std::string& title;    // above charts
};

/// All that is known of a dataset by its name.
struct DatasetDescription {
    std::string name;
    DatasetKind kind = DatasetKind::Layer;
    std::string unit = {};  // of layers
    std::string meaning = {};
    bool whole_numbers = false;    // of layers: ids, orders, indices; stored as integers
    std::string part_of = {};      // the dataset that holds it; empty: itself
    bool has_table = false;        // of analyses: whether it is written as .csv too
    bool only_when_named = false;  // whether a project writes it where its `layers` name it alone

    // Throws Error::input unless it can be written to a file of that name. For layers, see io/raster.hpp.
    void (*check_file)(const std::filesystem::path& file) = nullptr;
    void (*write)(const DatasetFile& file) = nullptr;  // whole or not at all
    // Of textures, what their bytes stand for: to `file`, for the picture of the same name without ".json".
    void (*write_scale)(const DatasetFile& file) = nullptr;
};

/// All of them, in the order in which files are listed.
///
/// Example:
///     for (const DatasetDescription& dataset : dataset_catalogue())
///         std::printf("%s [%s]: %s\n", dataset.name.c_str(), dataset.unit.c_str(), dataset.meaning.c_str());
const std::vector<DatasetDescription>& dataset_catalogue();

/// What is known of a name; of one that the catalogue does not hold, that it is a layer.
const DatasetDescription& description_of(std::string_view name);

/// Names in the catalogue that are of one kind.
std::vector<std::string> datasets_of(DatasetKind kind);

/// Whether the name stands for values of cells.
bool names_cells(const std::string& name);

/// All that can be written of the landscape: its datasets and their parts.
std::vector<std::string> names_held(const Landscape& landscape);

}  // namespace thalweg
