#include "thalweg/project/stages/flow_in_tiles.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/tiled_route.hpp"
#include "thalweg/io/raster_windows.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/stage_run.hpp"
#include "thalweg/project/tile_store.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::int64_t kBytesPerCell = 80;  // of a tile at work
constexpr int kBlock = 256;                 // cells, side of a GeoTIFF's own tiles
constexpr int kLargestTile = 2048;          // cells; larger ones are no faster

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
    if (drainage.edges != GridEdges::Open) return "edges = closed";
    if (!drainage.outlets.layer.empty() || drainage.outlets.number != 0.0) return "outlets";
    if (!drainage.rivers_file.empty()) return "rivers_file";
    return nullptr;
}

void check_tiled(const FlowStageParameters& parameters) {
    if (const char* parameter = refused(parameters))
        throw Error::input(
            fmt::format("{} can't be had with --memory-limit: give that up, or the limit", parameter));
}

/// The largest side of a tile for which all threads keep to half the memory.
int tile_side_for(std::int64_t memory_bytes) {
    const double cells =
        static_cast<double>(memory_bytes) / 2.0 / static_cast<double>(kBytesPerCell * thread_count());
    const int blocks = static_cast<int>(std::sqrt(cells)) / kBlock;
    return std::clamp(blocks * kBlock, kBlock, kLargestTile);
}

/// The files of the layers that are wanted.
class TiledLayers {
  public:
    TiledLayers(const TiledRun& files, const Grid& grid) {
        for (const auto& [layer, path] : files.outputs)
            writers_[layer] = std::make_unique<RasterWriter>(path, grid, holds_whole_numbers(layer));
    }

    void write(const CellRange& range, const Field<double>& area,
               const std::vector<std::uint8_t>& direction) {
        for (const auto& [layer, writer] : writers_) {
            std::vector<float> values(direction.size());
            const bool is_area = layer == "drainage_area";
            for (std::size_t cell = 0; cell < values.size(); ++cell)
                values[cell] = direction[cell] == kOutside ? kNoData
                               : is_area ? static_cast<float>(area[static_cast<std::int64_t>(cell)])
                                         : static_cast<float>(esri_direction(direction[cell]));
            writer->write(range, std::move(values));
        }
    }

    void close() {
        for (const auto& [layer, writer] : writers_) writer->close();
    }

  private:
    std::map<std::string, std::unique_ptr<RasterWriter>> writers_;
};

}  // namespace

std::vector<std::string> layers_in_tiles() {
    return {"drainage_area", "receiver"};
}

Diagnostics flow_in_tiles(const FlowStageParameters& parameters, const TiledRun& files, Progress& progress) {
    check_tiled(parameters);
    const GdalCacheLimit cache(files.memory_bytes / 8);
    RasterReader raster(files.raster);
    TiledLayers layers(files, raster.info().grid);
    const int side = tile_side_for(files.memory_bytes);
    TileStore directions(files.outputs.begin()->second.string() + ".directions",
                         static_cast<std::int64_t>(side) * side);
    const TiledTerrain terrain{.grid = raster.info().grid,
                               .read = [&](const CellRange& range) { return raster.read(range); },
                               .sea_level = parameters.drainage.sea_level};
    const TiledResults results{
        .keep = [&](std::int64_t tile,
                    const std::vector<std::uint8_t>& bytes) { directions.keep(tile, bytes); },
        .kept = [&](std::int64_t tile) { return directions.kept(tile); },
        .write = [&](const CellRange& range, const Field<double>& area,
                     const std::vector<std::uint8_t>& direction) { layers.write(range, area, direction); }};
    const Stopwatch routing;
    const TiledReport report = route_in_tiles(
        terrain, {.depressions = parameters.drainage.flow.conditioning.depressions, .tile_side = side},
        results, progress);
    layers.close();
    if (report.cells == 0)
        throw Error::input(fmt::format("{} has no cell with data: all {} x {} cells are no-data",
                                       files.raster.string(), terrain.grid.columns, terrain.grid.rows));
    Diagnostics diagnostics;
    const auto cells = static_cast<double>(report.cells);
    describe_routing(
        {.pits = report.pits,
         .outlet_area_error = std::abs(static_cast<double>(report.drained_cells) - cells) / cells,
         .cells = terrain.grid.cells(),
         .milliseconds = routing.milliseconds()},
        diagnostics);
    diagnostics.values.emplace_back("tiles", report.tiles);
    diagnostics.values.emplace_back("tile_side", std::int64_t{side});
    return diagnostics;
}

}  // namespace thalweg
