#include "thalweg/io/raster_summary.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/raster/bare_raster.hpp"
#include "thalweg/io/raster_windows.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsAtOnce = 1 << 20;

}  // namespace

FieldSummary raster_summary(const std::filesystem::path& path, const RasterHints& hints) {
    if (is_bare_raster(path)) return summary_of(read_raster(path, hints));
    RasterReader raster(path, hints);
    FieldSummary whole;
    double sum = 0.0;
    for (const CellRange& range : raster.whole_blocks(kCellsAtOnce)) {
        const FieldSummary part = summary_of(raster.read(range));
        if (part.cells_with_data == 0) continue;
        const bool is_first = whole.cells_with_data == 0;
        whole.minimum = is_first ? part.minimum : std::min(whole.minimum, part.minimum);
        whole.maximum = is_first ? part.maximum : std::max(whole.maximum, part.maximum);
        whole.cells_with_data += part.cells_with_data;
        sum += part.mean * static_cast<double>(part.cells_with_data);
    }
    const Grid& grid = raster.info().grid;
    if (whole.cells_with_data == 0)
        throw Error::input(fmt::format("{} has no cell with data: all {} x {} cells are no-data",
                                       path.string(), grid.columns, grid.rows));
    whole.mean = sum / static_cast<double>(whole.cells_with_data);
    return whole;
}

}  // namespace thalweg
