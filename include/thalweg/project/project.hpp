// Project: a landscape as a list of stages, with all that a run needs.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/project/settings.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/project/toml_document.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
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
    Grid grid;                                   // before the first stage (stage_grids.hpp)
    GridSettings grid_settings;                  // that gave the grid
    std::filesystem::path grid_file = {};        // the raster that gave the grid; empty for none
    std::optional<StartRaster> start = {};       // of which `grid` is the grid
    std::vector<StageUse> stages;                // in order
    std::vector<StageUse> disabled_stages = {};  // with `enabled = false`: read, and used for nothing
    OutputSettings output;
    std::vector<NamedFile> named_files = {};  // beside those of `output`
    std::string animated_layer = {};          // that an animation shows; may be empty
    std::filesystem::path base_directory;     // relative file names in stages start here
    // Where the files go, with their manifest. Empty: only `named_files` are written, anywhere.
    std::filesystem::path output_directory;
    std::string file;       // as named by the user, for messages
    std::string text_hash;  // SHA-256 of the project file's text
    TextSize text_size;
    std::vector<std::string> notes = {};  // on former names and unused rock, for the report
};

}  // namespace thalweg
