// Rasters in and out of files by rectangles, for those that are larger than memory.
#pragma once

#include "thalweg/grid/cell_range.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/io/raster.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace thalweg {

/// A raster that stays open. May be used by several threads, each of which gets an open file of its own.
///
/// Example:
///     RasterReader reader("large.tif");
///     double highest = std::numeric_limits<double>::lowest();  // m
///     for (const CellRange& range : reader.whole_blocks(std::int64_t{1} << 22))
///         highest = std::max(highest, summary_of(reader.read(range)).maximum);
class RasterReader {
  public:
    /// Throws as read_raster_info, and for .r16 and .exr, which are only read whole.
    explicit RasterReader(const std::filesystem::path& path, const RasterHints& hints = {});
    ~RasterReader();

    [[nodiscard]] const RasterInfo& info() const;

    /// The path that it was opened by, for sentences.
    [[nodiscard]] std::string name() const;

    /// The raster cut into ranges that are fast to read, because none shares a block of the file with another
    /// one: of up to `most_cells`, but never less than a block.
    [[nodiscard]] std::vector<CellRange> whole_blocks(std::int64_t most_cells) const;

    /// Cells of band 1 in metres, as read_raster gives them; a range without data is allowed. The field's
    /// grid has the file's cell size, but no place. Throws Error::input for truncated files and infinities.
    Field<float> read(const CellRange& range);

  private:
    struct Opened;
    std::unique_ptr<Opened> opened_;
};

/// While it lives, GDAL keeps no more than so many bytes of open files in memory.
class GdalCacheLimit {
  public:
    explicit GdalCacheLimit(std::int64_t bytes);
    ~GdalCacheLimit();
    GdalCacheLimit(const GdalCacheLimit&) = delete;
    GdalCacheLimit& operator=(const GdalCacheLimit&) = delete;

  private:
    std::int64_t before_;
};

/// A GeoTIFF of one band that is written by rectangles, tiled and compressed as write_raster's. May be used
/// by several threads, which then wait for each other.
class RasterWriter {
  public:
    /// Makes the file over `grid`, of int32 where it `holds_whole_numbers`, else of float32. Throws
    /// Error::failure.
    RasterWriter(const std::filesystem::path& path, const Grid& grid, bool holds_whole_numbers);
    ~RasterWriter();

    /// Writes the values of a range of cells, by rows; no-data is NaN, which files store as kNoDataTag.
    /// Throws Error::failure.
    void write(const CellRange& range, std::vector<float> values);

    /// Flushes the file and closes it. Throws Error::failure. Without it, the file is not whole.
    void close();

  private:
    struct Opened;
    std::unique_ptr<Opened> opened_;
};

}  // namespace thalweg
