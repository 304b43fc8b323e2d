#include "thalweg/project/cache/stage_keys.hpp"

#include "thalweg/io/files.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/cache/program_identity.hpp"
#include "thalweg/project/input_files.hpp"
#include "thalweg/project/model/json_values.hpp"
#include "thalweg/project/stage_grids.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using Json = nlohmann::ordered_json;

/// Keys of datasets by their names; those that are not there have none.
using DatasetKeys = std::map<std::string, std::string>;

/// Numbers keep all their bits in CBOR, and texts need not be UTF-8.
std::string hash_of(const Json& content) {
    const std::vector<std::uint8_t> bytes = Json::to_cbor(content);
    return sha256(std::as_bytes(std::span(bytes)));
}

/// The file with all those that are read along with it.
std::set<std::filesystem::path> files_along_with(const std::filesystem::path& file) {
    if (lower_case_extension(file) != ".shp") {
        const std::vector<std::filesystem::path> files = files_of_raster(file);
        return {files.begin(), files.end()};
    }
    std::set<std::filesystem::path> parts;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().stem() == file.stem() && entry.is_regular_file()) parts.insert(entry.path());
    return parts;
}

/// The names and hashes of a file and of those read along with it.
Json contents_of(const std::filesystem::path& named, FileHashes& files) {
    Json contents = Json::array();
    for (const std::filesystem::path& file : files_along_with(named))
        contents.push_back({file.filename().string(), files.of(file)});
    return contents;
}

/// Those of the files that the stage's parameters name.
Json contents_of_files(const StageUse& use, const std::filesystem::path& folder, FileHashes& files) {
    Json contents = Json::array();
    for (const std::string& named : files_of_stage(*use.stage, use.parameters.get(), folder))
        for (Json& file : contents_of(named, files)) contents.push_back(std::move(file));
    return contents;
}

std::string key_of_start(const StartRaster& start, FileHashes& files) {
    const auto told = [](const auto& hint) { return hint ? Json(*hint) : Json(); };
    return hash_of({contents_of(start.file, files), told(start.hints.height_range),
                    told(start.hints.cell_size), told(start.hints.no_data)});
}

Json place_of(const Grid& grid) {
    return {grid.columns, grid.rows, grid.cell_size, grid.west, grid.north, grid.crs};
}

Json wanted_of(const Project& project, std::size_t stage) {
    const WantedLayers wanted = wanted_layers(project, stage);
    Json names = Json::array();
    for (const std::string& layer : project.stages[stage].stage->writes)
        if (wanted.has(layer)) names.push_back(layer);
    return names;
}

std::set<std::string> names_in(const DatasetKeys& datasets) {
    std::set<std::string> names;
    for (const auto& [name, key] : datasets) names.insert(name);
    return names;
}

/// Of all that decides the stage's outputs beside its parameters' values.
std::string key_of_surroundings(const Project& project, const Grid& grid, std::size_t stage,
                                const DatasetKeys& datasets, FileHashes& files) {
    const StageUse& use = project.stages[stage];
    Json inputs = Json::object();
    for (const std::string& name : inputs_of(use, names_in(datasets))) inputs[name] = datasets.at(name);
    return hash_of({program_identity(), place_of(grid), project.seed, use.stage->name,
                    wanted_of(project, stage), contents_of_files(use, project.base_directory, files),
                    inputs});
}

/// Adds the keys of the stage, which works on `grid`, to those of the stages before it.
void add_keys(const Project& project, const Grid& grid, std::size_t stage, FileHashes& files,
              ProjectKeys& keys) {
    const StageUse& use = project.stages[stage];
    const std::string surroundings = key_of_surroundings(project, grid, stage, keys.datasets, files);
    ValueTable values = use.stage->parameters->values(use.parameters.get());
    const std::string key = hash_of({surroundings, json_of(values)});
    std::erase_if(values.entries,
                  [&](const auto& entry) { return entry.first == use.stage->time.parameter; });
    keys.stages.push_back(key);
    keys.timeless.push_back(use.stage->at_times ? hash_of({surroundings, json_of(values)}) : "");
    // A dataset that the stage may leave, but does not, stays what it was.
    for (const std::string& name : outputs_of(use, names_in(keys.datasets)))
        keys.datasets[name] = hash_of({key, name, keys.datasets[name]});
    for (const std::string& name : use.stage->drops) keys.datasets.erase(name);
}

}  // namespace

const std::string& FileHashes::of(const std::filesystem::path& file) {
    Hashed& hashed = hashed_[file];
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(file, unknown);
    const std::filesystem::file_time_type time = std::filesystem::last_write_time(file, unknown);
    if (hashed.hash.empty() || unknown || hashed.size != size || hashed.time != time)
        hashed = {size, time, sha256_of_file(file)};
    return hashed.hash;
}

ProjectKeys keys_of(const Project& project, FileHashes& files) {
    ProjectKeys keys;
    if (project.start) keys.datasets["elevation"] = keys.start = key_of_start(*project.start, files);
    const std::vector<Grid> grids = grids_of(project);
    for (std::size_t i = 0; i < project.stages.size(); ++i) add_keys(project, grids[i], i, files, keys);
    return keys;
}

}  // namespace thalweg
