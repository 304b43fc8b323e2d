#include "thalweg/project/staged_files.hpp"

#include "thalweg/core/error.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::string_view kTemporaryName = ".thalweg-run-";  // what temporary folders begin with
constexpr std::string_view kRandomLetters = "XXXXXX";         // what mkdtemp(3) replaces
constexpr int kAttempts = 100;

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::error_code& reason) {
    throw Error::input(fmt::format("{}: no file can be written here: {}", folder.string(), reason.message()));
}

/// The path from the root, without "." and "..", and without a slash at its end.
std::filesystem::path absolute_place(const std::filesystem::path& path) {
    const std::filesystem::path place = std::filesystem::absolute(path).lexically_normal();
    return place.has_filename() ? place : place.parent_path();
}

/// Removes what runs that were killed have left in `folder`.
void remove_abandoned(const std::filesystem::path& folder) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        const bool looks_ours =
            name.starts_with(kTemporaryName) && name.size() == kTemporaryName.size() + kRandomLetters.size();
        if (!looks_ours || entry.is_symlink(ignored) || !entry.is_directory(ignored)) continue;
        const FolderLock lock = FolderLock::take_if_free(entry.path());
        if (lock.is_held()) std::filesystem::remove_all(entry.path(), ignored);
    }
}

}  // namespace

/// A new temporary folder with its lock. Between making and locking it, another run may take it for abandoned
/// and remove it: then the next one is tried.
StagedFiles::TemporaryFolder StagedFiles::make_temporary(const std::filesystem::path& folder) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::string name = fmt::format("{}{}", (folder / kTemporaryName).string(), kRandomLetters);
        if (::mkdtemp(name.data()) == nullptr)
            refuse(folder, std::error_code(errno, std::generic_category()));
        FolderLock lock = FolderLock::take(name);
        if (std::filesystem::exists(name)) return {name, std::move(lock)};
    }
    refuse(folder, std::make_error_code(std::errc::device_or_resource_busy));
}

StagedFiles::~StagedFiles() {
    std::error_code ignored;
    for (const auto& [folder, temporary] : temporary_of_)
        std::filesystem::remove_all(temporary.path, ignored);
    // A folder that is not empty by now holds committed or foreign files: remove() leaves it.
    for (auto folder = made_folders_.rbegin(); folder != made_folders_.rend(); ++folder)
        std::filesystem::remove(*folder, ignored);
}

void StagedFiles::make_folders(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> missing;
    std::error_code unknown;
    for (std::filesystem::path above = folder;
         above.has_relative_path() && !std::filesystem::exists(above, unknown); above = above.parent_path())
        missing.push_back(above);
    for (auto next = missing.rbegin(); next != missing.rend(); ++next) {
        std::error_code reason;
        if (std::filesystem::create_directory(*next, reason)) made_folders_.push_back(*next);
        if (reason) refuse(*next, reason);
    }
}

void StagedFiles::prepare_folder(const std::filesystem::path& folder) {
    const std::filesystem::path place = absolute_place(folder);
    if (temporary_of_.contains(place)) return;
    make_folders(place);
    std::error_code unknown;
    if (!std::filesystem::is_directory(place, unknown))
        refuse(place, std::make_error_code(std::errc::not_a_directory));
    remove_abandoned(place);
    temporary_of_.emplace(place, make_temporary(place));
}

std::filesystem::path StagedFiles::stage(const std::filesystem::path& path) {
    const std::filesystem::path place = absolute_place(path);
    std::error_code unknown;
    if (std::filesystem::is_directory(place, unknown))
        throw Error::input(path.string() + ": is a folder: give the name of a file");
    prepare_folder(place.parent_path());
    const std::filesystem::path staged = temporary_of_.at(place.parent_path()).path / place.filename();
    files_.push_back({staged, place, path.string()});
    return staged;
}

void StagedFiles::commit() {
    for (const StagedFile& file : files_) {
        std::error_code reason;
        std::filesystem::rename(file.staged, file.place, reason);
        if (reason)
            throw Error::failure(fmt::format("{}: can't be written: {}", file.given, reason.message()));
    }
    files_.clear();
}

std::string StagedFiles::with_places_named(std::string message) const {
    for (const StagedFile& file : files_) {
        const std::string staged = file.staged.string();
        for (std::size_t at = message.find(staged); at != std::string::npos; at = message.find(staged, at))
            message.replace(at, staged.size(), file.given);
    }
    return message;
}

}  // namespace thalweg
