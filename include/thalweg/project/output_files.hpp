// Output files of a project: which there are, and what each holds.
#pragma once

#include "thalweg/io/raster.hpp"
#include "thalweg/project/project.hpp"

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace thalweg {

/// What a file holds. Encoding: how the file of a layer or texture beside it holds values. Analysis: figures
/// and charts.
enum class OutputKind { Layer, Encoding, Vectors, Analysis, Mesh, Texture, Picture };

/// One file that a project writes, besides its manifest.
struct OutputFile {
    std::string
        name;  // within the output folder, if any; of an Encoding that of its layer's file and ".json"
    OutputKind kind = OutputKind::Layer;
    std::string layer;   // the dataset; of pictures that of one layer alone
    std::string format;  // as in [output]: "geotiff", "gpkg", "map", ...; "csv"
};

inline constexpr const char* kManifestName = "manifest.json";
inline constexpr const char* kFramesName = "frames.json";  // the manifest of a series of frames

/// The format of [output] by its name: "geotiff", "r16", ...
RasterFormat raster_format_named(const std::string& name);

/// The files of `project` when its landscape holds `present` (layers, "rivers" for a network, "lakes" for
/// their outlines, analyses), in the order in which they are written and listed.
std::vector<OutputFile> output_files(const Project& project, const std::set<std::string>& present);

/// The files that are named, and those whose layers the declarations of the stages foretell. Throws
/// Error::input where a stage reads a layer that is not there by then.
///
/// Example:
///     for (const OutputFile& file : output_files(project)) std::puts(file.name.c_str());
std::vector<OutputFile> output_files(const Project& project);

/// Every place that a run writes to in the output folder, with `frames` frames (0: the project as it is), as
/// far as it can be foretold; the manifest last.
std::vector<std::filesystem::path> output_places(const Project& project, std::size_t frames);

/// What the names of files end in in a frame: "_0007".
std::string frame_suffix(std::size_t frame);

/// Throws Error::input where two of the files have the same name.
void check_different(const std::vector<OutputFile>& files);

/// "land_map.png" with "_0007" is "land_map_0007.png".
std::string with_suffix(const std::string& name, const std::string& suffix);

}  // namespace thalweg
