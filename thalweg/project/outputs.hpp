// Writing what a landscape holds to files.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/manifest.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/report.hpp"
#include "thalweg/project/staged_files.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// Writes layer `name`: whole-number layers of the catalogue as integers, others as float32; with `sidecar`,
/// the sidecar of a 16-bit file beside it.
RasterEncoding write_layer(const std::filesystem::path& path, const Landscape& landscape,
                           const std::string& name, RasterFormat format,
                           const std::filesystem::path& sidecar = {});

/// What to tell of a 16-bit file: its scale and offset, and where they stand.
std::string note_of_scale(const std::string& file, const std::string& layer, const RasterEncoding& encoding);

/// How many files are encoded and written at a time, at most.
inline constexpr std::size_t kFilesAtOnce = 4;

/// Stages every output file of the project. Pictures are drawn first, one after another, and kept until all
/// files are written, kFilesAtOnce at a time. Same bytes on any number of threads. With a `frame`, each name
/// ends in it, and 16-bit layers are held as they are: write_held_layers is to follow.
std::vector<WrittenFile> write_layers_and_pictures(const Project& project, const Landscape& landscape,
                                                   const std::optional<std::string>& frame,
                                                   StagedFiles& staged, Progress& progress);

/// Writes the 16-bit layers of a series, each by one scale for all its frames, with their sidecars.
void write_held_layers(const Grid& grid, std::vector<FrameFiles>& frames, Progress& progress);

/// What a report tells of the files: their encodings, and a note for each scale of 16 bits.
void report_encodings(const std::vector<WrittenFile>& files, RunReport& report);
void report_encodings(const std::vector<FrameFiles>& frames, RunReport& report);

/// The same without a frame, and the manifest, told to `report`; files of an earlier build that this one does
/// not write are removed with the commit (stale_files). Returns their final places, the manifest last.
std::vector<std::filesystem::path> write_outputs(const Project& project, const Landscape& landscape,
                                                 StagedFiles& staged, RunReport& report, Progress& progress);

}  // namespace thalweg
