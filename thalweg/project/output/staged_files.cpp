#include "thalweg/project/output/staged_files.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
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

/// Where a file or folder is once links are followed, without a slash at its end.
std::filesystem::path absolute_place(const std::filesystem::path& path) {
    const std::filesystem::path place = resolved_place(path);
    return place.has_filename() ? place : place.parent_path();
}

/// Whether something, be it a link that leads nowhere, is at `path`.
bool is_there(const std::filesystem::path& path) {
    std::error_code unknown;
    return std::filesystem::exists(std::filesystem::symlink_status(path, unknown));
}

[[noreturn]] void fail(const std::string& given, const std::error_code& reason) {
    throw Error::failure(fmt::format("{}: can't be written: {}", given, reason.message()));
}

/// Gives the file `from` at `to` too, or moves it there where the file system has no hard links.
std::error_code keep_at(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code reason;
    std::filesystem::create_hard_link(from, to, reason);
    if (reason) std::filesystem::rename(from, to, reason);
    return reason;
}

void copy_to_special(const std::filesystem::path& staged, const std::filesystem::path& place) {
    std::ifstream file(staged, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    write_file_atomically(place, std::as_bytes(std::span(bytes)));
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
    const bool is_special = is_special_file(path);
    const std::filesystem::path place = is_special ? path : absolute_place(path);
    std::error_code unknown;
    if (std::filesystem::is_directory(place, unknown))
        throw Error::input(path.string() + ": is a folder: give the name of a file");
    if (std::ranges::find(files_, place, &StagedFile::place) != files_.end())
        throw Error::input(fmt::format("{} is named for two outputs: give each its own file", path.string()));
    const std::filesystem::path folder =
        is_special ? std::filesystem::temp_directory_path() : place.parent_path();
    prepare_folder(folder);
    const std::string name = is_special ? fmt::format("{}-{}", files_.size(), place.filename().string())
                                        : place.filename().string();
    const std::filesystem::path staged = temporary_of_.at(absolute_place(folder)).path / name;
    files_.push_back({staged, place, path.string(), is_special});
    return staged;
}

void StagedFiles::remove(const std::filesystem::path& path) {
    const std::filesystem::path place = absolute_place(path);
    if (std::ranges::find(files_, place, &StagedFile::place) != files_.end()) return;
    prepare_folder(place.parent_path());
    files_.push_back({{}, place, path.string(), false});
}

/// Puts the file at its place. What was there is kept in the temporary folder.
StagedFiles::Replaced StagedFiles::replace(const StagedFile& file) {
    Replaced replaced{file.place, {}};
    std::error_code reason;
    if (std::filesystem::is_directory(file.place, reason))
        fail(file.given, std::make_error_code(std::errc::is_a_directory));
    if (is_there(file.place)) {
        const auto mode = std::filesystem::status(file.place, reason).permissions();
        if (!file.staged.empty()) std::filesystem::permissions(file.staged, mode, reason);
        const std::filesystem::path& folder = temporary_of_.at(file.place.parent_path()).path;
        replaced.older = folder / fmt::format(".thalweg-older-{}", kept_++);
        reason = keep_at(file.place, replaced.older);
        if (reason) fail(file.given, reason);
    }
    if (file.staged.empty()) {
        std::filesystem::remove(file.place, reason);
    } else {
        std::filesystem::rename(file.staged, file.place, reason);
    }
    if (!reason) return replaced;
    if (!replaced.older.empty()) restore(replaced);
    fail(file.given, reason);
}

/// Puts back what was at the place.
void StagedFiles::restore(const Replaced& replaced) {
    std::error_code ignored;
    if (replaced.older.empty()) {
        std::filesystem::remove(replaced.place, ignored);
    } else {
        std::filesystem::rename(replaced.older, replaced.place, ignored);
    }
}

void StagedFiles::commit() {
    std::vector<Replaced> done;
    try {
        for (const StagedFile& file : files_)
            if (!file.is_special) done.push_back(replace(file));
        for (const StagedFile& file : files_)
            if (file.is_special) copy_to_special(file.staged, file.place);
    } catch (...) {
        std::for_each(done.rbegin(), done.rend(), restore);
        throw;
    }
    files_.clear();
}

std::string StagedFiles::with_places_named(std::string message) const {
    for (const StagedFile& file : files_) {
        const std::string staged = file.staged.string();
        if (staged.empty()) continue;
        for (std::size_t at = message.find(staged); at != std::string::npos; at = message.find(staged, at))
            message.replace(at, staged.size(), file.given);
    }
    return message;
}

}  // namespace thalweg
