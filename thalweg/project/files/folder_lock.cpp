#include "thalweg/project/files/folder_lock.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace thalweg {

FolderLock::FolderLock(const std::filesystem::path& folder, int operation)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ < 0) return;
    int result = 0;
    do {
        result = ::flock(descriptor_, operation);
    } while (result != 0 && errno == EINTR);
    if (result != 0) ::close(std::exchange(descriptor_, -1));
}

FolderLock FolderLock::take(const std::filesystem::path& folder) {
    return {folder, LOCK_EX};
}

FolderLock FolderLock::take_if_free(const std::filesystem::path& folder) {
    return {folder, LOCK_EX | LOCK_NB};
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {
}

FolderLock::~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace thalweg
