#include "thalweg/project/staged_files.hpp"

#include "thalweg/core/error.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace thalweg {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::error_code& reason) {
    throw Error::input(fmt::format("{}: no file can be written here: {}", folder.string(), reason.message()));
}

/// The path from the root, without "." and "..", and without a slash at its end.
std::filesystem::path absolute_place(const std::filesystem::path& path) {
    const std::filesystem::path place = std::filesystem::absolute(path).lexically_normal();
    return place.has_filename() ? place : place.parent_path();
}

}  // namespace

StagedFiles::~StagedFiles() {
    std::error_code ignored;
    for (const auto& [folder, temporary] : temporary_of_) std::filesystem::remove_all(temporary, ignored);
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
    std::string name = (place / ".thalweg-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) refuse(place, std::error_code(errno, std::generic_category()));
    temporary_of_.emplace(place, name);
}

std::filesystem::path StagedFiles::stage(const std::filesystem::path& path) {
    const std::filesystem::path place = absolute_place(path);
    std::error_code unknown;
    if (std::filesystem::is_directory(place, unknown))
        throw Error::input(path.string() + ": is a folder: give the name of a file");
    prepare_folder(place.parent_path());
    const std::filesystem::path staged = temporary_of_.at(place.parent_path()) / place.filename();
    files_.emplace_back(staged, place);
    return staged;
}

void StagedFiles::commit() {
    for (const auto& [staged, place] : files_) {
        std::error_code reason;
        std::filesystem::rename(staged, place, reason);
        if (reason)
            throw Error::failure(fmt::format("{}: can't be written: {}", place.string(), reason.message()));
    }
    files_.clear();
}

}  // namespace thalweg
