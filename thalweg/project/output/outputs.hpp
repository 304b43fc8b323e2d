// Writing what a landscape holds to files.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/output/manifest.hpp"
#include "thalweg/project/output/staged_files.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/report.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace thalweg {

/// How many files are encoded and written at a time, at most.
inline constexpr std::size_t kFilesAtOnce = 4;

/// Stages files at their places in the project's output folder, if any.
std::vector<WrittenFile> stage_files(std::vector<OutputFile> files, const Project& project,
                                     StagedFiles& staged);

/// Writes what the landscape holds to files where they are staged. Pictures are drawn first, one after
/// another, and kept until all files are written, kFilesAtOnce at a time, or one by one where no folder holds
/// them. Same bytes on any number of threads. Of a frame, 16-bit layers are held as they are:
/// write_held_layers is to follow.
void write_files(std::vector<WrittenFile>& files, const Project& project, const Landscape& landscape,
                 bool is_frame, Progress& progress);

/// Writes the 16-bit layers of a series, each by one scale for all its frames, with their sidecars.
void write_held_layers(const Grid& grid, std::vector<FrameFiles>& frames, Progress& progress);

/// What a report tells of the files: their encodings, and a note for each scale of 16 bits.
void report_encodings(const std::vector<WrittenFile>& files, RunReport& report);
void report_encodings(const std::vector<FrameFiles>& frames, RunReport& report);

/// Stages the manifest of that name, and the removal of files of an earlier build that it does not list
/// (stale_files). Returns its place.
std::filesystem::path stage_manifest(const Project& project, const std::string& name, const std::string& text,
                                     StagedFiles& staged);

}  // namespace thalweg
