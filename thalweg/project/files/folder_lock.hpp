// A lock on a folder that goes with the process that holds it.
#pragma once

#include <filesystem>

namespace thalweg {

/// An advisory lock (flock(2)) on a folder, held until this is destroyed or the process ends, however it
/// ends.
class FolderLock {
  public:
    /// Waits until the folder is free. Holds nothing where the folder is gone, or its file system has no
    /// locks.
    static FolderLock take(const std::filesystem::path& folder);

    /// Holds nothing, too, where someone else has the lock.
    static FolderLock take_if_free(const std::filesystem::path& folder);

    FolderLock(FolderLock&& other) noexcept;
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    FolderLock& operator=(FolderLock&&) = delete;
    ~FolderLock();

    [[nodiscard]] bool is_held() const { return descriptor_ >= 0; }

  private:
    FolderLock(const std::filesystem::path& folder, int operation);

    int descriptor_ = -1;  // of the open folder
};

}  // namespace thalweg
