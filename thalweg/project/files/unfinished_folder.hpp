// Where work that may be interrupted keeps what it has done.
#pragma once

#include "thalweg/project/files/folder_lock.hpp"

#include <filesystem>
#include <optional>

namespace thalweg {

/// A folder beside an output, with a name that the next run for the same output finds again. It is locked
/// while its run lives, and goes with it unless that is killed or calls keep().
class UnfinishedFolder {
  public:
    /// Makes the folder or takes over the one that is there, without links in it. Where another run has it,
    /// another user owns it, a link leads to it, or the file system has no locks, a folder in `otherwise`
    /// takes its place, which no other run will find. Throws Error::input.
    UnfinishedFolder(const std::filesystem::path& output, const std::filesystem::path& otherwise);
    ~UnfinishedFolder();
    UnfinishedFolder(const UnfinishedFolder&) = delete;
    UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Leaves the folder for the next run, where that can find it and anything is in it. Returns whether so.
    bool keep();

  private:
    std::filesystem::path path_;
    std::optional<FolderLock> lock_;  // nothing where no other run will find the folder
    bool is_kept_ = false;
};

}  // namespace thalweg
