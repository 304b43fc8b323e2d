#include "thalweg/project/plan.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/graph/tree_orderer.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/model/layer_inputs.hpp"
#include "thalweg/project/output/outputs.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/run/frames.hpp"
#include "thalweg/project/stage_grids.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kBytesPerLayerCell = 4.0;         // float32
constexpr double kDescriptionBytesPerCell = 54.0;  // of describe_terrain, at 1000^2 to 4000^2 cells
constexpr double kDrainageBytesPerCell = 22.0;     // of dataset kDrainage
constexpr double kMebibyte = 1024.0 * 1024.0;

// Memory that does not grow with the grid, measured at the peak of range.toml (Debian 12, x86-64).
constexpr double kProgramBytes = 64.0 * kMebibyte;  // the program with its libraries
constexpr double kReadingBytes = 64.0 * kMebibyte;  // that GDAL keeps of a file while it is read
constexpr double kMapBytes = 96.0 * kMebibyte;      // drawing a map, or a layer's map
constexpr double kViewBytes = 240.0 * kMebibyte;    // drawing a view
constexpr double kRiverBytes = 520.0 * kMebibyte;   // stones, grass and trees of a river from near by
constexpr double kRiverBytesPerCell = 540.0;        // its ground, water and surroundings
constexpr double kMapBytesPerPixel = 42.0;          // of a picture alone, at 4000 and 8000 pixels a side
constexpr double kViewBytesPerPixel = 128.0;        // at 1280 x 800 and 3000 x 2000 pixels
constexpr double kImageBytes = 6.0 * kMebibyte;     // the pixels of a map or view of default size

/// What encoding one layer holds: the file's bytes, the compressor's tiles and a copy of the values; and what
/// each further thread adds that GDAL compresses on. Measured at 2400^2 and 8192^2 cells, on 1 and 16
/// threads.
struct Encoding {
    const char* format;
    double bytes_per_cell;
    double bytes_per_thread;
};
constexpr std::array kEncodings = {Encoding{"geotiff", 9.0, 2.5 * kMebibyte},
                                   Encoding{"cog", 15.0, 19.0 * kMebibyte}, Encoding{"png16", 3.0, 0.0},
                                   Encoding{"r16", 3.0, 0.0}, Encoding{"exr", 8.5, 0.0}};
constexpr double kVerbBytesPerCell = 12.0;  // a verb's file, beside the layers that it was made from
constexpr double kSeriesBytesPerCell = 60;  // that a series keeps beside what a single run needs; measured

std::string mebibytes(std::int64_t bytes) {
    return fmt::format("{:.0f} MiB", std::ceil(static_cast<double>(bytes) / kMebibyte));
}

std::int64_t bytes_of(double bytes_per_cell, const Grid& grid) {
    return static_cast<std::int64_t>(bytes_per_cell * static_cast<double>(grid.cells()));
}

/// The layers that are kept from stage to stage.
class KeptLayers {
  public:
    explicit KeptLayers(std::set<std::string> names) : kept_(std::move(names)) {}

    void pass(const StageUse& use, const WantedLayers& wanted) {
        for (const std::string& name : use.stage->drops) kept_.erase(name);
        const std::string primary = primary_layer(*use.stage, use.parameters.get());
        for (const std::string& layer : layers_written(*use.stage, use.parameters.get()))
            if (layer == primary || wanted.has(layer)) kept_.insert(layer);
    }

    [[nodiscard]] double bytes_per_cell() const {
        return kBytesPerLayerCell * static_cast<double>(std::ranges::count_if(kept_, names_cells));
    }

  private:
    std::set<std::string> kept_;
};

/// What the rasters hold that parameters name: their values, and those brought to the grid.
double input_bytes(const StageUse& use, const StageWork& work) {
    double bytes = 0.0;
    for (const Parameter& parameter : use.stage->parameters->parameters()) {
        const bool is_raster = parameter.type == ParameterType::File && !parameter.notes.holds_lines &&
                               !parameter.notes.holds_points;
        if (!is_raster && parameter.type != ParameterType::NumberOrLayer) continue;
        const Value value = parameter.get(use.parameters.get());
        const auto* text = std::get_if<std::string>(&value);
        if (text == nullptr || text->empty() || (!is_raster && !names_a_file(*text))) continue;
        const Grid raster = read_raster_info(std::filesystem::path(work.base_directory) / *text).grid;
        const auto cells = static_cast<double>(raster.cells());
        bytes += kBytesPerLayerCell * cells + std::min(kBytesPerLayerCell * cells, kReadingBytes);
    }
    return bytes;
}

double working_bytes(const StageUse& use, const StageWork& work) {
    const double own = use.stage->working_bytes
                           ? use.stage->working_bytes(use.parameters.get(), work)
                           : use.stage->bytes_per_cell * static_cast<double>(work.grid.cells());
    return own + input_bytes(use, work);
}

/// What there is when a stage begins.
struct HeldBefore {
    const Grid& grid;
    double bytes_per_cell = 0.0;  // beside layers
};

/// While the grid changes, all is there on both.
void add_step(Plan& plan, KeptLayers& layers, const HeldBefore& held, const StageUse& use,
              const StageWork& work) {
    layers.pass(use, work.wanted);
    const double per_cell = layers.bytes_per_cell() + held.bytes_per_cell;
    const std::int64_t bytes = bytes_of(per_cell, work.grid) +
                               (use.stage->grid_after ? bytes_of(per_cell, held.grid) : 0) +
                               static_cast<std::int64_t>(working_bytes(use, work));
    plan.steps.push_back({use.label, use.stage->name, use.stage->summary, bytes});
    plan.peak_bytes = std::max(plan.peak_bytes, bytes);
}

/// What the parser holds of a text, or the manifest of its tables; measured with lists of strokes.
std::int64_t text_bytes(const TextSize& text) {
    constexpr double kRowBytes = 190.0, kCheckpointBytes = 356.0, kValueBytes = 90.0;
    constexpr double kManifestRowBytes = 2560.0;
    const auto rows = static_cast<double>(text.rows);
    const double parsed = static_cast<double>(text.bytes) + kRowBytes * rows +
                          kCheckpointBytes * static_cast<double>(text.keys) +
                          kValueBytes * static_cast<double>(text.values);
    return static_cast<std::int64_t>(std::max(parsed, kManifestRowBytes * rows));
}

/// Pictures are drawn one after another, so that the largest counts; finished ones are kept.
double picture_bytes(const Project& project, const Grid& grid, const std::vector<OutputFile>& files) {
    const double river = kRiverBytes + kRiverBytesPerCell * static_cast<double>(grid.cells());
    double largest = 0.0;
    for (const std::string& picture : project.output.pictures)
        largest = std::max(largest, picture == "river" ? river : picture == "view" ? kViewBytes : kMapBytes);
    return largest + kImageBytes * static_cast<double>(
                                       std::ranges::count(files, OutputKind::Picture, &OutputFile::kind));
}

/// Files are encoded several at a time, on threads whose heaps keep what they free: the largest count.
double encoding_bytes(const std::vector<OutputFile>& files, const Grid& grid) {
    std::vector<double> largest;
    for (const OutputFile& file : files)
        for (const Encoding& encoding : kEncodings)
            if (file.kind == OutputKind::Layer && file.format == encoding.format)
                largest.push_back(encoding.bytes_per_cell * static_cast<double>(grid.cells()) +
                                  encoding.bytes_per_thread * (thread_count() - 1));
    std::ranges::sort(largest, std::greater());
    const std::size_t at_once = std::min({largest.size(), at(thread_count()), kFilesAtOnce});
    return std::accumulate(largest.begin(), largest.begin() + static_cast<std::ptrdiff_t>(at_once), 0.0);
}

/// What files hold while they are made. A verb's are written one by one.
double output_bytes(const Project& project, const Grid& grid, const std::vector<OutputFile>& files) {
    if (project.start || project.output_directory.empty())
        return kVerbBytesPerCell * static_cast<double>(grid.cells());
    return encoding_bytes(files, grid) + picture_bytes(project, grid, files);
}

/// The formats of the files that hold the network.
std::vector<std::string> networks_of(const Project& project) {
    std::vector<std::string> formats = project.output.networks;
    for (const NamedFile& file : project.named_files)
        if (file.dataset == kRivers)
            formats.emplace_back(network_format_of(file.path) == NetworkFormat::GeoPackage ? "gpkg"
                                                                                           : "geojson");
    return formats;
}

/// The project as the frame that needs most, where that grows with time: the latest.
Project latest_frame(const Project& project, const RunOptions& options) {
    Project frame = project;
    if (options.times.empty()) return frame;
    StageUse& timed = frame.stages[timed_stage(project)];
    timed = at_time(timed, std::ranges::max(options.times));
    return frame;
}

/// Memory that an animation of so many frames takes at once, bytes.
double animation_bytes(const AnimationSettings& look, const Grid& grid, std::size_t frames) {
    constexpr double kEncoderBytesPerPixel =
        40.0;  // pictures that the encoder compares, and its work; measured
    const AnimationFrame frame = animation_frame(look, grid);
    const double layers = look.animation_layer.empty() ? 1.0 : 2.0;
    return layers * sizeof(float) * static_cast<double>(frame.grid.cells()) * static_cast<double>(frames) +
           kEncoderBytesPerPixel * frame.pixels +
           static_cast<double>(plan_picture(frame.grid, look.animation_view, frame.pixels).peak_bytes);
}

/// What frames need beside a single run: the series, a second copy of the layers before it, and the
/// animation.
std::int64_t frame_bytes(const Project& project, const std::vector<Grid>& grids, const RunOptions& options) {
    const std::size_t timed = timed_stage(project);
    const std::size_t layers = layers_before(project, timed).present().size();
    const double bytes_per_cell = kSeriesBytesPerCell + kBytesPerLayerCell * static_cast<double>(layers);
    const double animation =
        options.animation ? animation_bytes(options.animation->look, grids.back(), options.times.size())
                          : 0.0;
    return bytes_of(bytes_per_cell, grids[timed]) + static_cast<std::int64_t>(animation);
}

/// The names of files; of frames from the first to the last.
std::vector<std::string> names_of(const std::vector<OutputFile>& files, std::size_t frames) {
    std::vector<std::string> names;
    for (const OutputFile& file : files)
        names.push_back(
            frames == 0 ? file.name
                        : with_suffix(file.name, frame_suffix(0)) +
                              (frames == 1 ? "" : " to " + with_suffix(file.name, frame_suffix(frames - 1))));
    names.emplace_back(frames == 0 ? kManifestName : kFramesName);
    return names;
}

/// Whether the project can also be run in tiles.
bool fits_in_tiles(const Project& project) {
    return project.start && project.stages.size() == 1 && project.stages.front().stage->in_tiles;
}

}  // namespace

Plan plan_project_text(const TextSize& text) {
    Plan plan;
    plan.peak_bytes = text_bytes(text) + static_cast<std::int64_t>(kProgramBytes);
    plan.available_bytes = available_memory_bytes();
    return plan;
}

Plan plan_project(const Project& given, const RunOptions& options) {
    const Project project = latest_frame(animated(given, options), options);
    const std::vector<Grid> grids = grids_of(project);
    Plan plan;
    KeptLayers layers(layers_before(project, 0).present());
    const std::vector<std::string> networks = networks_of(project);
    bool holds_drainage = false;
    for (std::size_t i = 0; i < project.stages.size(); ++i) {
        const WantedLayers used = wanted_layers(project, i);
        add_step(plan, layers, {grids[i], holds_drainage ? kDrainageBytesPerCell : 0.0}, project.stages[i],
                 {grids[i + 1], project.base_directory.string(),
                  options.write_outputs ? used : WantedLayers(), networks});
        holds_drainage =
            used.has(kDrainage) && (holds_drainage || all_outputs_of(project.stages[i]).contains(kDrainage));
    }
    plan.peak_bytes = std::max(plan.peak_bytes, text_bytes(project.text_size));
    const std::vector<OutputFile> files = output_files(project);
    plan.peak_bytes =
        std::max(plan.peak_bytes, bytes_of(layers.bytes_per_cell(), grids.back()) +
                                      static_cast<std::int64_t>(output_bytes(project, grids.back(), files)));
    plan.peak_bytes += static_cast<std::int64_t>(kProgramBytes);
    if (!options.times.empty()) plan.peak_bytes += frame_bytes(project, grids, options);
    plan.available_bytes = available_memory_bytes();
    plan.files = names_of(files, options.times.size());
    plan.fits_in_tiles = fits_in_tiles(project);
    return plan;
}

Plan plan_picture(const Grid& grid, bool view, double pixels) {
    const double bytes = kProgramBytes + (view ? kViewBytesPerPixel : kMapBytesPerPixel) * pixels;
    Plan plan;
    plan.peak_bytes = bytes_of(kBytesPerLayerCell, grid) + static_cast<std::int64_t>(bytes);
    plan.available_bytes = available_memory_bytes();
    return plan;
}

Plan plan_description(const Grid& grid) {
    Plan plan;
    plan.peak_bytes = bytes_of(kBytesPerLayerCell + kDescriptionBytesPerCell, grid) +
                      static_cast<std::int64_t>(kProgramBytes);
    plan.available_bytes = available_memory_bytes();
    return plan;
}

void check_memory_to_start() {
    Plan plan;
    plan.peak_bytes = static_cast<std::int64_t>(kProgramBytes);
    plan.available_bytes = available_memory_bytes();
    check_memory(plan);
}

void check_cells(const Project& project) {
    const Grid& grid = project.grid;
    if (!fits_in_tiles(project) || grid.cells() <= TreeOrderer::kMostCells) return;
    throw Error::input(
        fmt::format("{} x {} cells are too many for {} at once, which takes {}: give "
                    "--memory-limit, and it works in tiles",
                    grid.columns, grid.rows, project.stages.front().stage->name, TreeOrderer::kMostCells));
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
    const Grid last = grids_of(project).back();
    if (last != grid)
        text += fmt::format("outputs: {} x {} cells of {:.6g} m\n", last.columns, last.rows, last.cell_size);
    for (const PlanStep& step : plan.steps)
        text += fmt::format("  {:<12} {:>10}  {}\n", step.label, mebibytes(step.peak_bytes), step.summary);
    text += fmt::format("memory: about {}, {} available\n", mebibytes(plan.peak_bytes),
                        mebibytes(plan.available_bytes));
    text += fmt::format("files in {}:\n", project.output_directory.string());
    for (const std::string& file : plan.files) text += fmt::format("  {}\n", file);
    return text;
}

}  // namespace thalweg
