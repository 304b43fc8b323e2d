#include "thalweg/project/output/earlier_files.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/raster.hpp"

#include <fstream>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

/// A manifest; of what is none of this program, null.
nlohmann::json own_manifest(const nlohmann::json& json) {
    const auto program = json.is_object() ? json.find("program") : json.end();
    return program != json.end() && *program == "thalweg" ? json : nlohmann::json();
}

/// Whether `name` can only be that of a file in the folder itself.
bool is_plain_file_name(const fs::path& name) {
    return name.has_filename() && name == name.filename() && name != ".." && name != ".";
}

/// Adds the checksum of each file in a list of files, by its name.
void add_files(const nlohmann::json& holder, std::map<std::string, std::string>& sums) {
    const auto files = holder.is_object() ? holder.find("files") : holder.end();
    if (files == holder.end() || !files->is_array()) return;
    for (const nlohmann::json& file : *files) {
        if (!file.is_object()) continue;
        const auto name = file.find("file");
        const auto sum = file.find("sha256");
        if (name == file.end() || sum == file.end() || !name->is_string() || !sum->is_string()) continue;
        if (is_plain_file_name(name->get<std::string>()))
            sums[name->get<std::string>()] = sum->get<std::string>();
    }
}

nlohmann::json project_of(const nlohmann::json& manifest) {
    const auto project = manifest.find("project");
    return project == manifest.end() ? nlohmann::json() : *project;
}

}  // namespace

nlohmann::json read_manifest(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return own_manifest(nlohmann::json::parse(stream, nullptr, false));
}

std::map<std::string, std::string> files_of(const nlohmann::json& manifest) {
    std::map<std::string, std::string> sums;
    add_files(manifest, sums);
    const auto frames = manifest.find("frames");
    if (frames != manifest.end() && frames->is_array())
        for (const nlohmann::json& frame : *frames) add_files(frame, sums);
    return sums;
}

void check_own_manifest(const fs::path& folder, const std::string& manifest_name) {
    const fs::path path = folder / manifest_name;
    std::error_code unknown;
    if (!fs::exists(path, unknown) || !read_manifest(path).is_null()) return;
    throw Error::input(fmt::format(
        "{} is of another program and would be replaced: give another output folder", path.string()));
}

std::vector<fs::path> stale_files(const fs::path& folder, const std::string& manifest_name,
                                  const std::string& new_manifest, const std::vector<std::string>& inputs) {
    std::vector<fs::path> stale;
    const nlohmann::json older = read_manifest(folder / manifest_name);
    const nlohmann::json newer = nlohmann::json::parse(new_manifest);
    if (older.is_null() || project_of(older) != project_of(newer)) return stale;
    const std::map<std::string, std::string> kept = files_of(newer);
    std::set<fs::path> read;
    for (const std::string& input : inputs)
        for (const fs::path& file : files_of_raster(input)) read.insert(resolved_place(file));
    for (const auto& [name, sum] : files_of(older)) {
        const fs::path path = folder / name;
        std::error_code unknown;
        if (kept.contains(name) || read.contains(resolved_place(path))) continue;
        if (!fs::is_regular_file(fs::symlink_status(path, unknown))) continue;
        if (sha256_of_file(path) == sum) stale.push_back(path);
    }
    return stale;
}

}  // namespace thalweg
