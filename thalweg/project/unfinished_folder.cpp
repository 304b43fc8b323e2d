#include "thalweg/project/unfinished_folder.hpp"

#include "thalweg/core/error.hpp"

#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr int kAttempts = 100;

void make_folder(const std::filesystem::path& folder) {
    std::error_code reason;
    std::filesystem::create_directory(folder, reason);
    if (reason) throw Error::input(fmt::format("{} can't be made: {}", folder.string(), reason.message()));
}

}  // namespace

/// Between making and locking the folder, a run that ends may remove it: then it is made again.
UnfinishedFolder::UnfinishedFolder(const std::filesystem::path& output,
                                   const std::filesystem::path& otherwise)
    : path_(output.parent_path() / fmt::format(".{}.thalweg-unfinished", output.filename().string())) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        make_folder(path_);
        FolderLock lock = FolderLock::take_if_free(path_);
        if (!lock.is_held()) break;
        if (!std::filesystem::is_directory(path_)) continue;
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
