#include "thalweg/project/run/tiled_verb.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/files/unfinished_folder.hpp"
#include "thalweg/project/stage_run.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastMemory = std::int64_t{64} << 20;

/// Throws Error::input where a layer or its file is not for tiles.
void check_tiled_layer(const Stage& stage, const NamedFile& file) {
    if (std::ranges::find(stage.tiled_writes, file.dataset) == stage.tiled_writes.end())
        throw Error::input(fmt::format("{} can't be had with --memory-limit: {} gives {} in tiles",
                                       file.dataset, stage.name, fmt::join(stage.tiled_writes, ", ")));
    if (raster_format_of(file.path) != RasterFormat::GeoTiff)
        throw Error::input(
            fmt::format("{} can't be written with --memory-limit: give a .tif", file.path.string()));
}

}  // namespace

void check_tiles(const Project& project, const RunOptions& options) {
    const Stage& stage = *project.stages.front().stage;
    if (options.memory_limit < kLeastMemory)
        throw Error::input(fmt::format("--memory-limit {} is not allowed: give {} MiB or more",
                                       options.memory_limit >> 20, kLeastMemory >> 20));
    if (options.repeat > 1)
        throw Error::input(fmt::format(
            "--repeat {} is not allowed with --memory-limit: work in tiles is done once", options.repeat));
    if (!stage.in_tiles || project.stages.size() > 1 || !project.start || project.named_files.empty())
        throw Error::input(
            "--memory-limit needs one stage that works in tiles, a raster and a file to write");
    std::set<std::string> named;
    for (const NamedFile& file : project.named_files) {
        check_tiled_layer(stage, file);
        if (!named.insert(file.dataset).second)
            throw Error::input(fmt::format(
                "{} goes to two files, which --memory-limit does not allow: name one", file.dataset));
    }
}

void run_in_tiles(const Project& project, const RunOptions& options, const std::vector<WrittenFile>& files,
                  RunResult& result, Progress& progress) {
    const StageUse& use = project.stages.front();
    TiledRun run{.raster = project.start->file,
                 .hints = project.start->hints,
                 .outputs = {},
                 .folder = {},
                 .memory_bytes = options.memory_limit};
    for (const WrittenFile& file : files) run.outputs[file.file.layer] = file.staged;
    UnfinishedFolder unfinished(std::filesystem::absolute(files.front().file.name),
                                files.front().staged.parent_path());
    run.folder = unfinished.path();
    StageReport report = begin_report(use);
    const Stopwatch solving;
    try {
        report.diagnostics = use.stage->in_tiles(use.parameters.get(), run, progress);
    } catch (const Cancelled&) {
        if (project.start->is_lasting && unfinished.keep()) throw UnfinishedRun(unfinished.path());
        throw;
    }
    set_repeats(report, {solving.milliseconds()});
    put_notes_first(report, project.start->notes);
    result.report.stages = {std::move(report)};
    for (const WrittenFile& file : files) result.files.emplace_back(file.file.name);
}

}  // namespace thalweg
