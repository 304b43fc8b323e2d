// Keys of stages: what decides their outputs, as a hash.
#pragma once

#include "thalweg/project/project_file.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// A key for each stage of the project, in order: SHA-256, as hexadecimal digits, over the program
/// (program_identity.hpp), the grid, the seed, the kind of stage with its parameters, which of its layers are
/// wanted, the contents of the files that it reads (the project's start among them), and the keys of the
/// datasets that it may look at. Stages with equal keys leave equal datasets; a label or an output changes
/// none. Reads the files. Throws Error when one can't be read.
std::vector<std::string> stage_keys(const Project& project);

}  // namespace thalweg
