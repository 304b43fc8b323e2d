#include "thalweg/project/files/unfinished_folder.hpp"

#include "thalweg/core/error.hpp"

#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thalweg {
namespace {

constexpr int kAttempts = 100;

void make_folder(const std::filesystem::path& folder) {
    std::error_code reason;
    std::filesystem::create_directory(folder, reason);
    if (reason) throw Error::input(fmt::format("{} can't be made: {}", folder.string(), reason.message()));
}

}  // namespace

/// Whether the folder is one itself, and no link to another, and belongs to this user.
bool is_own_folder(const std::filesystem::path& folder) {
    struct stat status{};
    return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
}

/// Removes links and whatever else is no file of this folder alone: writing to it would change other files.
void remove_links(const std::filesystem::path& folder) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        struct stat status{};
        const bool is_plain =
            ::lstat(entry.path().c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1;
        if (!is_plain) std::filesystem::remove_all(entry.path(), ignored);
    }
}

/// Between making and locking the folder, a run that ends may remove it: then it is made again.
UnfinishedFolder::UnfinishedFolder(const std::filesystem::path& output,
                                   const std::filesystem::path& otherwise)
    : path_(output.parent_path() / fmt::format(".{}.thalweg-unfinished", output.filename().string())) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        make_folder(path_);
        if (!is_own_folder(path_)) break;
        FolderLock lock = FolderLock::take_if_free(path_);
        if (!lock.is_held()) break;
        if (!std::filesystem::is_directory(path_)) continue;
        remove_links(path_);
        lock_.emplace(std::move(lock));
        return;
    }
    path_ = otherwise / "unfinished";
    make_folder(path_);
}

UnfinishedFolder::~UnfinishedFolder() {
    std::error_code ignored;
    if (!is_kept_) std::filesystem::remove_all(path_, ignored);
}

bool UnfinishedFolder::keep() {
    std::error_code ignored;
    is_kept_ = lock_.has_value() && !std::filesystem::is_empty(path_, ignored);
    return is_kept_;
}

}  // namespace thalweg
