// What an earlier run has left in an output folder.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace thalweg {

/// The manifest in that file; null where there is none, or it is another program's.
nlohmann::json read_manifest(const std::filesystem::path& path);

/// The checksum of each file that a manifest lists, by its name; of all frames.
std::map<std::string, std::string> files_of(const nlohmann::json& manifest);

/// Throws Error::input where `folder` holds a file called `manifest_name` that this program has not written.
void check_own_manifest(const std::filesystem::path& folder, const std::string& manifest_name);

/// The files that the manifest in `folder` lists and `new_manifest`, the text that will replace it, does not,
/// where both are of the same project, the file's bytes are still those that were written, and it is none of
/// `inputs`.
std::vector<std::filesystem::path> stale_files(const std::filesystem::path& folder,
                                               const std::string& manifest_name,
                                               const std::string& new_manifest,
                                               const std::vector<std::string>& inputs);

}  // namespace thalweg
