#include "thalweg/project/plan.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/tree_orderer.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/outputs.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kBytesPerLayerCell = 4.0;  // float32
// Encoding one layer holds the file's bytes, the compressor's tiles and a copy of the values; measured with
// GeoTIFF and PNG.
constexpr double kOutputBytesPerCell = 12.0;
constexpr double kMebibyte = 1024.0 * 1024.0;

// Memory that does not grow with the grid, measured at the peak of range.toml (Debian 12, x86-64).
constexpr double kProgramBytes = 64.0 * kMebibyte;  // the program with its libraries
constexpr double kMapBytes = 96.0 * kMebibyte;      // drawing a map, or a layer's map
constexpr double kViewBytes = 240.0 * kMebibyte;    // drawing a view
constexpr double kMapBytesPerPixel = 42.0;          // of a picture alone, at 4000 and 8000 pixels a side
constexpr double kViewBytesPerPixel = 128.0;        // at 1280 x 800 and 3000 x 2000 pixels
constexpr double kImageBytes = 6.0 * kMebibyte;     // the pixels of a map or view of default size

std::string mebibytes(std::int64_t bytes) {
    return fmt::format("{:.0f} MiB", std::ceil(static_cast<double>(bytes) / kMebibyte));
}

std::int64_t bytes_of(double bytes_per_cell, const Grid& grid) {
    return static_cast<std::int64_t>(bytes_per_cell * static_cast<double>(grid.cells()));
}

/// The layers that a landscape holds.
using KeptLayers = std::set<std::string>;

double layer_bytes_per_cell(const KeptLayers& layers) {
    return kBytesPerLayerCell * static_cast<double>(layers.size());
}

void add_step(Plan& plan, KeptLayers& layers, const StageUse& use, const WantedLayers& wanted,
              const Grid& grid) {
    for (const std::string& layer : layers_written(*use.stage, use.parameters.get()))
        if (is_made_unasked(use, layer) || (names_cells(layer) && wanted.has(layer))) layers.insert(layer);
    const double bytes_per_cell = layer_bytes_per_cell(layers) + use.stage->bytes_per_cell;
    plan.steps.push_back({use.label, use.stage->name, use.stage->summary, bytes_of(bytes_per_cell, grid)});
    plan.peak_bytes = std::max(plan.peak_bytes, plan.steps.back().peak_bytes);
}

/// Pictures are drawn one after another, so that the largest counts; finished ones are kept.
double picture_bytes(const Project& project, const std::vector<OutputFile>& files) {
    double largest = 0.0;
    for (const std::string& picture : project.output.pictures)
        largest = std::max(largest, picture == "view" ? kViewBytes : kMapBytes);
    return largest + kImageBytes * static_cast<double>(
                                       std::ranges::count(files, OutputKind::Picture, &OutputFile::kind));
}

void add_output(Plan& plan, const KeptLayers& layers, const Grid& grid, int files, double picture_bytes) {
    const int at_once = std::min({files, thread_count(), static_cast<int>(kFilesAtOnce)});
    const std::int64_t output_bytes =
        bytes_of(layer_bytes_per_cell(layers) + kOutputBytesPerCell * at_once, grid) +
        static_cast<std::int64_t>(picture_bytes);
    plan.peak_bytes = std::max(plan.peak_bytes, output_bytes) + static_cast<std::int64_t>(kProgramBytes);
    plan.available_bytes = available_memory_bytes();
}

}  // namespace

Plan plan_project(const Project& project) {
    Plan plan;
    KeptLayers kept;
    LayerCheck layers;
    for (std::size_t i = 0; i < project.stages.size(); ++i) {
        const StageUse& use = project.stages[i];
        layers.pass(*use.stage, use.parameters.get());
        add_step(plan, kept, use, wanted_layers(project, i), project.grid);
    }
    const std::vector<OutputFile> files = output_files(project, layers.present());
    add_output(plan, kept, project.grid, static_cast<int>(files.size()), picture_bytes(project, files));
    for (const OutputFile& file : files) plan.files.push_back(file.name);
    plan.files.emplace_back(kManifestName);
    return plan;
}

Plan plan_stage(const StageUse& use, const WantedLayers& wanted, const Grid& grid) {
    Plan plan;
    KeptLayers kept{"elevation"};
    add_step(plan, kept, use, wanted, grid);
    add_output(plan, kept, grid, 1, 0.0);
    plan.fits_in_tiles = static_cast<bool>(use.stage->in_tiles);
    return plan;
}

Plan plan_picture(const Grid& grid, bool view, double pixels) {
    const double bytes = kProgramBytes + (view ? kViewBytesPerPixel : kMapBytesPerPixel) * pixels;
    Plan plan;
    plan.peak_bytes = bytes_of(kBytesPerLayerCell, grid) + static_cast<std::int64_t>(bytes);
    plan.available_bytes = available_memory_bytes();
    return plan;
}

void check_memory_to_start() {
    Plan plan;
    plan.peak_bytes = static_cast<std::int64_t>(kProgramBytes);
    plan.available_bytes = available_memory_bytes();
    check_memory(plan);
}

void check_cells(const Stage& stage, const Grid& grid) {
    if (!stage.in_tiles || grid.cells() <= TreeOrderer::kMostCells) return;
    throw Error::input(
        fmt::format("{} x {} cells are too many for {} at once, which takes {}: give "
                    "--memory-limit, and it works in tiles",
                    grid.columns, grid.rows, stage.name, TreeOrderer::kMostCells));
}

void check_memory(const Plan& plan) {
    if (plan.available_bytes == 0 || plan.peak_bytes <= plan.available_bytes) return;
    throw Error::input(fmt::format("this needs about {} of memory and {} is available: take fewer cells{}",
                                   mebibytes(plan.peak_bytes), mebibytes(plan.available_bytes),
                                   plan.fits_in_tiles ? ", or give --memory-limit to work in tiles" : ""));
}

std::string plan_text(const Project& project, const Plan& plan) {
    const Grid& grid = project.grid;
    std::string text = fmt::format("project {}: {} x {} cells of {:.6g} m, seed {}\n", project.name,
                                   grid.columns, grid.rows, grid.cell_size, project.seed);
    for (const PlanStep& step : plan.steps)
        text += fmt::format("  {:<12} {:>10}  {}\n", step.label, mebibytes(step.peak_bytes), step.summary);
    text += fmt::format("memory: about {}, {} available\n", mebibytes(plan.peak_bytes),
                        mebibytes(plan.available_bytes));
    text += fmt::format("files in {}:\n", project.output_directory.string());
    for (const std::string& file : plan.files) text += fmt::format("  {}\n", file);
    return text;
}

}  // namespace thalweg
