// Manifest: what a project's output files are and how they came about, as JSON.
#pragma once

#include "thalweg/io/raster.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/project.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

/// What is known of one file once it is written.
struct WrittenFile {
    OutputFile file;
    std::optional<RasterEncoding> encoding;  // of layers
    std::filesystem::path staged;            // where it waits for its place
    std::optional<LayerRange> held;          // of one that a series writes at its end (write_held_layers)
    std::uint64_t bytes = 0;
    std::string sha256;
};

/// The manifest (conventions.md): program version, project and its hash, seed, every parameter in force,
/// where the landscape's water enters and leaves, grid, CRS, and for each file its layer, unit, range,
/// encoding, size and SHA-256. Nothing in it depends on when or where the project was built.
std::string manifest_json(const Project& project, const WaterBoundary& boundary,
                          const std::vector<WrittenFile>& files);

/// The files of one frame of a series.
struct FrameFiles {
    double time = 0.0;  // of the timed stage
    std::vector<WrittenFile> files;
};

/// An animation of a series.
struct AnimationFile {
    std::string name;         // without its folder
    double frame_rate = 0.0;  // 1/s
    int width = 0;            // pixels
    int height = 0;           // pixels
    double minimum = 0.0;     // m, heights that the colours span
    double maximum = 0.0;
    std::uint64_t bytes = 0;
    std::string sha256;
};

/// The manifest of a series of frames: the head of manifest_json, the label of the stage whose time changes
/// from frame to frame, the name and unit of that time, for each frame its time and files, and the animation
/// where there is one. Of a project without a name, the lines that tell of its file are left out.
std::string frames_json(const Project& project, const WaterBoundary& boundary, const StageUse& timed_stage,
                        const std::vector<FrameFiles>& frames, const std::optional<AnimationFile>& animation);

}  // namespace thalweg
