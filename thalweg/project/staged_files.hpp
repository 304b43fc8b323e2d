// Files that appear all together or not at all.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

namespace thalweg {

/// Collects output files in a temporary folder beside each one's place and moves them all there at the end.
/// Unless commit() was reached, the destructor removes everything, folders that it made included.
class StagedFiles {
  public:
    StagedFiles() = default;
    StagedFiles(const StagedFiles&) = delete;
    StagedFiles& operator=(const StagedFiles&) = delete;
    ~StagedFiles();

    /// Makes `folder` (and those above it) where missing, and its temporary folder, so that a place that
    /// can't be written is found before any work. Throws Error::input.
    void prepare_folder(const std::filesystem::path& folder);

    /// Where to write the file that shall become `path`; its name is the same. Throws as prepare_folder, and
    /// when `path` is a folder.
    std::filesystem::path stage(const std::filesystem::path& path);

    /// Moves all staged files to their places, replacing older ones, in the order in which they were staged.
    /// Throws Error::failure.
    void commit();

  private:
    void make_folders(const std::filesystem::path& folder);

    std::map<std::filesystem::path, std::filesystem::path> temporary_of_;         // by folder
    std::vector<std::pair<std::filesystem::path, std::filesystem::path>> files_;  // staged place, final place
    std::vector<std::filesystem::path> made_folders_;                             // outermost first
};

}  // namespace thalweg
