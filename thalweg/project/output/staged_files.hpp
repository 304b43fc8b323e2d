// Files that appear all together or not at all.
#pragma once

#include "thalweg/core/error.hpp"
#include "thalweg/project/files/folder_lock.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace thalweg {

/// Collects output files in a temporary folder beside each one's place and moves them all there at the end.
/// Unless commit() was reached, the destructor removes everything, folders that it made included.
///
/// A temporary folder is locked (flock) while its run lives. The lock goes with the process, however that
/// ends, so that the next run into the same place can remove what a killed one left. Where a file system has
/// no locks, nothing is removed.
class StagedFiles {
  public:
    StagedFiles() = default;
    StagedFiles(const StagedFiles&) = delete;
    StagedFiles& operator=(const StagedFiles&) = delete;
    ~StagedFiles();

    /// Makes `folder` (and those above it) where missing, and its temporary folder, so that a place that
    /// can't be written is found before any work. Throws Error::input.
    void prepare_folder(const std::filesystem::path& folder);

    /// Where to write the file that shall become `path`; its name is the same. Links are followed, so that a
    /// file is replaced and not the link to it; a pipe or a device is written to at the end. Throws as
    /// prepare_folder, when `path` is a folder, and when it is staged already.
    std::filesystem::path stage(const std::filesystem::path& path);

    /// Lets commit() remove the file `path` too. Nothing where it is staged.
    void remove(const std::filesystem::path& path);

    /// Runs `body`, and names the places of staged files, as they were given, in the message of an Error.
    template <class Body>
    decltype(auto) with_places(const Body& body) const {
        try {
            return body();
        } catch (const Error& error) {
            throw Error(error.kind(), with_places_named(error.what()));
        }
    }

    /// Moves all staged files to their places, replacing older ones and taking over their modes, in the order
    /// in which they were staged. Throws Error::failure, and leaves all older files as they were then.
    void commit();

  private:
    /// A temporary folder, locked by this run.
    struct TemporaryFolder {
        std::filesystem::path path;
        FolderLock lock;
    };
    /// A file on its way.
    struct StagedFile {
        std::filesystem::path staged;  // empty for one that is removed
        std::filesystem::path place;
        std::string given;  // the place as the user named it
        bool is_special = false;
    };
    /// A place whose older file is kept for a while, or had none.
    struct Replaced {
        std::filesystem::path place;
        std::filesystem::path older;  // empty where there was none
    };

    Replaced replace(const StagedFile& file);
    static void restore(const Replaced& replaced);
    void make_folders(const std::filesystem::path& folder);
    static TemporaryFolder make_temporary(const std::filesystem::path& folder);
    [[nodiscard]] std::string with_places_named(std::string message) const;

    std::map<std::filesystem::path, TemporaryFolder> temporary_of_;  // by folder
    std::vector<StagedFile> files_;
    std::vector<std::filesystem::path> made_folders_;  // outermost first
    int kept_ = 0;                                     // older files that commit() has kept so far
};

}  // namespace thalweg
