// Runner: runs the stages of a project, or one stage on files.
#pragma once

#include "thalweg/io/raster.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/report.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace thalweg {

enum class RunStatus { Completed, Cancelled };

struct RunOptions {
    bool write_outputs = true;
    int repeat = 1;           // runs of all stages on equal inputs, for timing
    bool is_measured = true;  // whether the report tells what costs time to measure

    // Folder of results of stages that need not be computed again (project/cache/stage_cache.hpp); empty:
    // none. It is neither read nor written where nothing is written or stages are repeated.
    std::filesystem::path cache = {};
    std::int64_t cache_limit = std::int64_t{4} << 30;  // bytes
};

struct RunResult {
    RunStatus status = RunStatus::Completed;
    Landscape landscape = {};  // empty when cancelled
    RunReport report = {};
    std::vector<std::filesystem::path> files =
        {};                                 // written, in the order of the manifest; empty when cancelled
    std::filesystem::path unfinished = {};  // folder that a cancelled run has left for the next one; or empty
};

/// Runs the stages in order and writes the outputs with their manifest. Of those whose results are in the
/// cache, only the ones run that give a layer as a function which a stage that runs may ask for. Checks
/// memory and that the output folder can be written before any work. A failed or cancelled run leaves no new
/// file. Equal projects give equal bytes in every output, on any number of threads, with and without the
/// cache. Throws Error.
RunResult run_project(const Project& project, const RunOptions& options, Progress& progress);

/// What a verb works on.
struct VerbInput {
    std::optional<std::filesystem::path> raster;  // becomes layer `elevation` and gives the grid
    RasterHints hints = {};                       // on what that raster does not say
    bool is_lasting = true;                       // whether that raster will still be there for another run
    std::vector<std::string> notes = {};          // on how that raster was made, for the report
    std::string name = {};                        // of the terrain, above charts; may be empty
    GridSettings grid;                            // for a source, or where no raster is given
    std::uint64_t seed = 1;
    int repeat = 1;           // solves on equal inputs, for timing
    bool is_measured = true;  // whether the report tells what costs time to measure
};

/// Where a verb's results go.
struct VerbOutput {
    std::optional<std::filesystem::path> primary;  // the stage's primary layer, or the network
    // --also: by layer, name of vectors or an analysis; the latter two may go to several files.
    std::multimap<std::string, std::filesystem::path> layers;
};

/// Runs one stage on a raster (or on an empty grid for a source) and writes its results: whole or not at all,
/// all of them or none. Output paths are checked before any work. Throws Error.
RunResult run_verb(const Stage& stage, const void* parameters, const VerbInput& input,
                   const VerbOutput& output, Progress& progress);

}  // namespace thalweg
