// Files that stages and projects read.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/project/project.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace thalweg {

/// Existing files that the parameters of a stage and of its edits name; relative names start at `folder`.
std::vector<std::string> files_of_stage(const Stage& stage, const void* parameters,
                                        const std::filesystem::path& folder);

/// Existing files that the project's grid and stages name.
///
/// Example:
///     for (const std::string& file : input_files(project)) std::puts(file.c_str());
std::vector<std::string> input_files(const Project& project);

}  // namespace thalweg
