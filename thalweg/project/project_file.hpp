// Project files: a landscape as a list of stages, in TOML.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/project/settings.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/project/toml_document.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

/// One [[stage]] of a project: which stage, and the parameters it runs with. One with `enabled = false` keeps
/// its label; layers pass by as if it were not there.
struct StageUse {
    const Stage* stage = nullptr;
    std::string label;  // unique in the project: "erode", or "erode1", "erode2" when used twice
    std::shared_ptr<void> parameters;  // the stage's parameter struct
    FilePosition position;             // of its `use`
};

/// A raster that a project starts from: layer `elevation` before the first stage.
struct StartRaster {
    std::filesystem::path file;
    RasterHints hints = {};               // on what it does not say
    std::vector<std::string> notes = {};  // on how it was made, for the report
    std::string title = {};               // of its terrain, above charts; may be empty
    bool is_lasting = true;               // whether it will still be there for another run
};

/// A file that is named for a dataset: a layer, vectors or an analysis.
struct NamedFile {
    std::string dataset;
    std::filesystem::path path;  // its format follows from the extension
};

/// A project that has been read and checked: everything a run needs. One stage on a raster is a project too
/// (verb_start.hpp).
struct Project {
    std::string name;  // files begin with it; may be empty
    std::uint64_t seed = 1;
    Grid grid;
    GridSettings grid_settings;                  // that gave the grid
    std::filesystem::path grid_file = {};        // the raster that gave the grid; empty for none
    std::optional<StartRaster> start = {};       // of which `grid` is the grid
    std::vector<StageUse> stages;                // in order
    std::vector<StageUse> disabled_stages = {};  // with `enabled = false`: read, and used for nothing
    OutputSettings output;
    std::vector<NamedFile> named_files = {};  // beside those of `output`
    std::filesystem::path base_directory;     // relative file names in stages start here
    // Where the files go, with their manifest. Empty: only `named_files` are written, anywhere.
    std::filesystem::path output_directory;
    std::string file;       // as named by the user, for messages
    std::string text_hash;  // SHA-256 of the project file's text
    TextSize text_size;
    std::vector<std::string> notes = {};  // on names of earlier versions in it, for the report
};

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
Project read_project(const std::filesystem::path& path, const ProjectOverrides& overrides = {});

/// The text of a project that comes from an open file, such as standard input. Throws Error::input, naming it
/// `name`, as soon as a byte shows that it is no text, or reading all of it would take more memory than there
/// is; polls as cancelling.hpp says.
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
