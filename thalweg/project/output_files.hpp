// Output files of a project: which there are, and what each holds.
#pragma once

#include "thalweg/project/project_file.hpp"

#include <set>
#include <string>
#include <vector>

namespace thalweg {

enum class OutputKind { Layer, Network, Lakes, Vectors, Analysis, Picture };

/// One file that a project writes, besides its manifest.
struct OutputFile {
    std::string name;  // within the output folder
    OutputKind kind = OutputKind::Layer;
    std::string layer;   // for Layer, Vectors and Analysis, and for a picture of one layer
    std::string format;  // as in [output]: "geotiff", "gpkg", "map", ...
};

inline constexpr const char* kManifestName = "manifest.json";
inline constexpr const char* kFramesName = "frames.json";  // the manifest of a series of frames

/// The files of `project` when its landscape holds `present` (layers, "rivers" for a network, "lakes" for
/// their outlines, analyses), in the order in which they are written and listed.
std::vector<OutputFile> output_files(const Project& project, const std::set<std::string>& present);

/// "land_map.png" with "_0007" is "land_map_0007.png".
std::string with_suffix(const std::string& name, const std::string& suffix);

}  // namespace thalweg
