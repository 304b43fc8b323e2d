// What routing in tiles works on and leaves, in files that outlive an interrupted run.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/tiled_route.hpp"
#include "thalweg/flow/tiles/tile_map.hpp"
#include "thalweg/io/raster_windows.hpp"
#include "thalweg/project/files/scratch_file.hpp"
#include "thalweg/project/files/tile_store.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace thalweg {

/// Two files in a folder: `cells`, 4 bytes each, which hold the terrain until the last pass puts the drainage
/// area in its place, and `parts` of tiles (tile_store.hpp). Together up to 6 bytes a cell, and what tiles
/// tell each other. A run for the same `purpose` goes on from what an earlier one left, once every byte that
/// it will use has been found sound. May be used by several threads. Throws as ScratchFile.
class TiledWork {
  public:
    TiledWork(const std::filesystem::path& folder, const Grid& grid, int tile_side,
              const std::string& purpose);

    /// What an earlier run has left.
    [[nodiscard]] StoreState state() const { return parts_.state(); }

    /// Copies the elevations of the raster, m, but for what has been copied.
    void copy_terrain(RasterReader& raster, Progress& progress);

    /// For route_in_tiles, while this lives.
    [[nodiscard]] TiledTerrain terrain(double sea_level) const;
    [[nodiscard]] TiledResults results();

    /// Drainage area, m^2, NaN without data, and directions (directions.hpp), once all is routed.
    [[nodiscard]] std::vector<float> area(const CellRange& range) const;
    [[nodiscard]] std::vector<std::uint8_t> directions(const CellRange& range) const;

  private:
    /// What is kept of cells that lie in their own file.
    struct CellsPart {
        CellRange range;
        std::uint64_t checksum = 0;
    };

    [[nodiscard]] bool are_sound() const;
    [[nodiscard]] bool is_sound(std::uint8_t kind, std::int64_t number) const;
    [[nodiscard]] CellsPart cells_part(std::uint8_t kind, std::int64_t number) const;
    void read_cells(const CellRange& range, std::span<float> into) const;
    void set_cells(std::uint8_t kind, std::int64_t number, const CellRange& range,
                   std::span<const float> values);

    Grid grid_;
    TileMap map_;
    TileStore parts_;
    ScratchFile cells_;
};

}  // namespace thalweg
