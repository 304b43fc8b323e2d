#include "thalweg/project/stages/flow_in_tiles.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/version.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/tiled_route.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/raster_windows.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/parts/tiled_work.hpp"
#include "thalweg/project/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

namespace thalweg {
namespace {

constexpr std::int64_t kBytesPerCell = 80;   // of a tile at work
constexpr double kBytesPerPit = 60.0;        // that are remembered (tiled_route.hpp)
constexpr double kBytesPerEdgeCell = 105.0;  // that are remembered (measured)
constexpr int kBlock = 256;                  // cells, side of a GeoTIFF's own tiles
constexpr int kBlocksAtOnce = 8;             // written by one call
constexpr int kLargestTile = 2048;           // cells; larger ones are no faster

/// The first parameter that tiles can't heed, or nullptr.
const char* refused(const FlowStageParameters& parameters) {
    const DrainageParameters& drainage = parameters.drainage;
    const ConditioningParameters& conditioning = drainage.flow.conditioning;
    const Depressions depressions = conditioning.depressions;
    if (depressions != Depressions::Breach && depressions != Depressions::Fill)
        return "depressions other than breach and fill";
    if (!std::isinf(conditioning.breach_depth)) return "breach_depth";
    if (!std::isinf(conditioning.breach_length)) return "breach_length";
    if (conditioning.fill_gradient) return "fill_gradient";
    if (parameters.condition) return "condition";
    if (drainage.flow.routing.routing != Routing::D8) return "routing other than d8";
    if (drainage.edges == GridEdges::Closed) return "edges = closed";
    if (!drainage.sources.empty()) return "sources";
    if (!drainage.outlets.layer.empty() || drainage.outlets.number != 0.0) return "outlets";
    if (!drainage.rivers_file.empty()) return "rivers_file";
    return nullptr;
}

void check_tiled(const FlowStageParameters& parameters) {
    if (const char* parameter = refused(parameters))
        throw Error::input(
            fmt::format("{} can't be had with --memory-limit: give that up, or the limit", parameter));
}

/// What unfinished work must be for, so that a run may go on with it: these files, as they are now, these
/// parameters and this program.
std::string purpose_of(const FlowStageParameters& parameters, const TiledRun& run, int tile_side) {
    constexpr int kLayout = 3;  // of the parts; to be counted up when passes or parts change
    std::string purpose =
        fmt::format("thalweg {}, layout {}, flow in tiles of {} cells\n", kVersion, kLayout, tile_side);
    for (const std::filesystem::path& file : files_of_raster(run.raster)) {
        struct stat now{};  // GDAL also names files that are no files of the system
        ::stat(file.c_str(), &now);
        // The time of its last change (ctime), which no program can set, tells also of a file that was put in
        // place with the size and time of another.
        purpose +=
            fmt::format("{}, file {} of device {}, {} bytes, {}.{:09}, {}.{:09}\n",
                        resolved_place(file).string(), now.st_ino, now.st_dev, now.st_size,
                        now.st_mtim.tv_sec, now.st_mtim.tv_nsec, now.st_ctim.tv_sec, now.st_ctim.tv_nsec);
    }
    if (run.hints.no_data) purpose += fmt::format("no data {}\n", *run.hints.no_data);
    if (run.hints.cell_size) purpose += fmt::format("cell size {}\n", *run.hints.cell_size);
    if (run.hints.height_range)
        purpose +=
            fmt::format("heights {} to {}\n", run.hints.height_range->at(0), run.hints.height_range->at(1));
    for (const auto& [name, value] : parameters_of<FlowStageParameters>().values(&parameters).entries)
        purpose += fmt::format("{} = {}\n", name, to_text(value));
    return purpose;
}

/// What to tell of work that an earlier run has left; empty for none.
std::string note_of(StoreState state) {
    switch (state) {
        case StoreState::Empty:
            break;
        case StoreState::GoesOn:
            return "this went on from where an earlier run was interrupted";
        case StoreState::Foreign:
            return "what an interrupted run has left was for another input, other parameters or other tiles: "
                   "this began afresh";
        case StoreState::Damaged:
            return "what an interrupted run has left is damaged: this began afresh";
    }
    return {};
}

/// What to tell where more memory was needed than was given; empty where it was enough.
std::string note_of_memory(std::int64_t given_bytes, int tile_side, const TiledReport& report) {
    constexpr double kBytesPerMebibyte = 1 << 20;
    const double given = static_cast<double>(given_bytes) / kBytesPerMebibyte;
    const double at_work =
        static_cast<double>(kBytesPerCell * thread_count() * tile_side * tile_side) / kBytesPerMebibyte;
    const double remembered = (kBytesPerPit * static_cast<double>(report.pits) +
                               kBytesPerEdgeCell * 4.0 * static_cast<double>(tile_side * report.tiles)) /
                              kBytesPerMebibyte;
    if (at_work + remembered <= given) return {};
    return fmt::format(
        "this needed about {:.0f} MiB of memory, more than the {:.0f} MiB given: {:.0f} for {} "
        "tiles at work, {:.0f} to remember {} pits and the edges of {} tiles",
        at_work + remembered, given, at_work, thread_count(), remembered, report.pits, report.tiles);
}

/// Values of a layer in a range of cells.
std::vector<float> layer_values(const TiledWork& work, const std::string& layer, const CellRange& range) {
    if (layer == "drainage_area") return work.area(range);
    const std::vector<std::uint8_t> direction = work.directions(range);
    std::vector<float> values(direction.size());
    std::transform(direction.begin(), direction.end(), values.begin(), [](std::uint8_t d) {
        return d == kOutside ? kNoData : static_cast<float>(esri_direction(d));
    });
    return values;
}

/// Writes the layers, each block by block in the order of the rows.
void write_layers(const TiledRun& files, const Grid& grid, const TiledWork& work, Progress& progress) {
    for (const auto& [layer, path] : files.outputs) {
        progress.report(0.0, "writing " + layer);
        RasterWriter writer(path, grid, description_of(layer).whole_numbers);
        for (int row = 0; row < grid.rows; row += kBlock)
            for (int column = 0; column < grid.columns; column += kBlocksAtOnce * kBlock) {
                progress.poll();
                const CellRange range{.first_column = column,
                                      .end_column = std::min(column + kBlocksAtOnce * kBlock, grid.columns),
                                      .first_row = row,
                                      .end_row = std::min(row + kBlock, grid.rows)};
                writer.write(range, layer_values(work, layer, range));
            }
        writer.close();
    }
}

TiledReport route(const FlowStageParameters& parameters, const TiledRun& files, RasterReader& raster,
                  TiledWork& work, int tile_side, Progress& progress) {
    progress.report(0.0, "reading the terrain");
    work.copy_terrain(raster, progress);
    ProgressPart routing(progress, 0.2, 0.85);
    TiledReport report = route_in_tiles(
        work.terrain(parameters.drainage.sea_level),
        {.depressions = parameters.drainage.flow.conditioning.depressions, .tile_side = tile_side},
        work.results(), routing);
    if (report.cells == 0)
        throw Error::input(fmt::format("{} has no cell with data: all {} x {} cells are no-data",
                                       files.raster.string(), raster.info().grid.columns,
                                       raster.info().grid.rows));
    return report;
}

}  // namespace

int tile_side_for(std::int64_t memory_bytes, std::int64_t cells, int threads) {
    const double tile_bytes = static_cast<double>(kBytesPerCell * threads);  // per cell of a tile
    const double allowed = std::sqrt(static_cast<double>(memory_bytes) / 2.0 / tile_bytes);
    // Where tile_bytes side^2 + 4 kBytesPerEdgeCell cells / side is least.
    const double thriftiest = std::cbrt(2.0 * kBytesPerEdgeCell * static_cast<double>(cells) / tile_bytes);
    const int blocks =
        std::max(static_cast<int>(allowed / kBlock), static_cast<int>(std::lround(thriftiest / kBlock)));
    return std::clamp(blocks * kBlock, kBlock, kLargestTile);
}

std::vector<std::string> layers_in_tiles() {
    return {"drainage_area", "receiver"};
}

Diagnostics flow_in_tiles(const FlowStageParameters& parameters, const TiledRun& files, Progress& progress) {
    check_tiled(parameters);
    progress.poll();
    const GdalCacheLimit cache(files.memory_bytes / 8);
    auto raster = std::make_unique<RasterReader>(files.raster, files.hints);
    const Grid grid = raster->info().grid;
    const int side = tile_side_for(files.memory_bytes, grid.cells(), thread_count());
    TiledWork work(files.folder, grid, side, purpose_of(parameters, files, side));
    const Stopwatch routing;
    const TiledReport report = route(parameters, files, *raster, work, side, progress);
    const double routing_ms = routing.milliseconds();
    raster.reset();
    const Stopwatch writing;
    ProgressPart part(progress, 0.85, 1.0);
    write_layers(files, grid, work, part);
    Diagnostics diagnostics;
    diagnostics.phases_ms = {{"reading and routing", routing_ms}, {"writing", writing.milliseconds()}};
    const auto cells = static_cast<double>(report.cells);
    describe_routing(
        {.pits = report.pits,
         .outlet_area_error = std::abs(static_cast<double>(report.drained_cells) - cells) / cells,
         .cells = grid.cells(),
         .milliseconds = routing_ms},
        diagnostics);
    diagnostics.values.emplace_back("tiles", report.tiles);
    diagnostics.values.emplace_back("tile_side", std::int64_t{side});
    for (std::string& note :
         std::array{note_of(work.state()), note_of_memory(files.memory_bytes, side, report)})
        if (!note.empty()) diagnostics.notes.push_back(std::move(note));
    return diagnostics;
}

}  // namespace thalweg
