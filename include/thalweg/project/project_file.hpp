// Project files: a landscape as a list of stages, in TOML.
#pragma once

#include "thalweg/project/project.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

/// What the command line changes in a project.
struct ProjectOverrides {
    /// Each "stage.key=value", by the stage's name or label, or "project.", "grid.", "output." before a key.
    /// A value is written as on the command line (`1,2`), or as in the file (`[1, 2]`, `"a text"`).
    std::vector<std::string> assignments;
    std::optional<std::uint64_t> seed;
    std::optional<int> cells;
    std::optional<std::filesystem::path> output_directory;
};

/// Reads a project file. The [output] directory starts at the working directory, and only overrides may name
/// one that is not below it. Throws Error::input with one sentence "file:line:column: ..." that names the
/// key, the value and what is allowed: for broken TOML, unknown tables, stages and keys (with the nearest
/// known name), wrong types, values out of range, raster inputs that can't be opened, and stages that read a
/// layer which no stage before them makes.
///
/// Example:
///     const Project land = read_project("range.toml", {.assignments = {"erode.time=2e5"}, .cells = 256});
Project read_project(const std::filesystem::path& path, const ProjectOverrides& overrides = {});

/// The text of a project that comes from an open file, such as standard input. Throws Error::input, naming it
/// `name`, as soon as a byte shows that it is no text, or reading all of it would take more memory than there
/// is; polls as core/cancelling.hpp says.
std::string read_project_text(int descriptor, const std::string& name);

/// The same from a file, which must be there.
std::string read_project_text(const std::filesystem::path& path);

/// The same from a text; `file` names it in messages, relative file names start at `base_directory`.
Project parse_project(std::string_view text, const std::string& file,
                      const std::filesystem::path& base_directory, const ProjectOverrides& overrides = {});

/// A commented project file for newcomers. `name` must be a project name (letters, digits, - and _; throws
/// Error::input).
std::string starter_project(const std::string& name);

}  // namespace thalweg
