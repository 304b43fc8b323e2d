// Writing what a landscape holds to files.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/manifest.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/staged_files.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace thalweg {

/// Writes layer `name`: whole-number layers of the catalogue as integers, others as float32.
RasterEncoding write_layer(const std::filesystem::path& path, const Landscape& landscape,
                           const std::string& name, RasterFormat format);

/// How many files are encoded and written at a time, at most.
inline constexpr std::size_t kFilesAtOnce = 4;

/// Stages every output file of the project, with `suffix` at the end of each name. Pictures are drawn first,
/// one after another, and kept until all files are written, kFilesAtOnce at a time. Same bytes on any number
/// of threads.
std::vector<WrittenFile> write_layers_and_pictures(const Project& project, const Landscape& landscape,
                                                   const std::string& suffix, StagedFiles& staged,
                                                   Progress& progress);

/// The same, and the manifest; returns their final places, the manifest last.
std::vector<std::filesystem::path> write_outputs(const Project& project, const Landscape& landscape,
                                                 StagedFiles& staged, Progress& progress);

}  // namespace thalweg
