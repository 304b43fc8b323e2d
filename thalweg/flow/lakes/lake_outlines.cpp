#include "thalweg/flow/lake_outlines.hpp"

#include "thalweg/core/index.hpp"

#include <utility>

namespace thalweg {

LakeOutlines outline(const Lakes& lakes, Progress& progress) {
    const Grid& grid = lakes.lake.grid();
    std::vector<std::int32_t> labels;
    for (const Lake& lake : lakes.lakes) labels.push_back(lake.id);
    std::vector<std::vector<OutlinePart>> parts = outline_cells(lakes.lake, labels, progress);
    LakeOutlines outlines{.crs = grid.crs, .lakes = {}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        LakeOutline& outline = outlines.lakes.emplace_back();
        outline.lake = lakes.lakes[i];
        outline.parts = std::move(parts[i]);
        if (const std::int64_t outlet = outline.lake.outlet; outlet >= 0)
            outline.outlet = grid.centre(grid.column_of(outlet), grid.row_of(outlet));
    }
    return outlines;
}

}  // namespace thalweg
