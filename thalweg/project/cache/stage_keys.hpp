// Keys of stages: what decides their outputs, as a hash.
#pragma once

#include "thalweg/project/project.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace thalweg {

/// What decides the outputs of a project's stages.
struct ProjectKeys {
    std::string start;                // of the raster that the project starts from; empty: none
    std::vector<std::string> stages;  // in order
    std::vector<std::string>
        timeless;  // of each that knows time (Stage::at_times) but for its time; else empty

    /// Of every dataset that a stage may leave, by name, after the last stage: equal keys, equal datasets.
    std::map<std::string, std::string> datasets;
};

/// SHA-256 of files, each read once as long as its size and the time of its last change stay.
class FileHashes {
  public:
    /// Throws Error when the file can't be read. Polls.
    [[nodiscard]] const std::string& of(const std::filesystem::path& file);

  private:
    struct Hashed {
        std::uintmax_t size = 0;  // bytes
        std::filesystem::file_time_type time;
        std::string hash;
    };
    std::map<std::filesystem::path, Hashed> hashed_;
};

/// A key for each stage of the project: SHA-256, as hexadecimal digits, over the program
/// (program_identity.hpp), the grid, the seed, the kind of stage with its parameters, which of its layers are
/// wanted, the contents of the files that it reads (the project's start among them), and the keys of the
/// datasets that it may look at. Stages with equal keys leave equal datasets; a label or an output changes
/// none. Reads the files, but for those whose hashes are there. Throws Error when one can't be read.
ProjectKeys keys_of(const Project& project, FileHashes& files);

}  // namespace thalweg
