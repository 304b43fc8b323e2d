#include "thalweg/project/project_checks.hpp"

#include "thalweg/io/raster.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace thalweg {

bool is_plain_name(const std::string& name) {
    return !name.empty() && std::ranges::all_of(name, [](unsigned char letter) {
        return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
    });
}

Grid grid_of(const GridSettings& settings, const std::filesystem::path& base_directory) {
    if (settings.from.empty())
        return make_grid(settings.extent.at(0), settings.extent.at(1),
                         settings.cells == 0 ? kDefaultCells : settings.cells);
    Grid grid = read_raster_info(base_directory / settings.from).grid;
    if (settings.cells == 0 || settings.cells == std::max(grid.columns, grid.rows)) return grid;

    // Keep the place; the side that does not come out even may end up to half a cell elsewhere.
    const double width = grid.width();
    const double height = grid.height();
    grid.cell_size = std::max(width, height) / settings.cells;
    grid.columns = std::max(1, static_cast<int>(std::lround(width / grid.cell_size)));
    grid.rows = std::max(1, static_cast<int>(std::lround(height / grid.cell_size)));
    check_grid(grid);
    return grid;
}

void check_formats(const std::vector<std::string>& formats) {
    const auto has = [&](const char* name) { return std::ranges::find(formats, name) != formats.end(); };
    if (has("geotiff") && has("cog"))
        throw Error::input(
            "formats names geotiff and cog, which would write the same .tif file: give one of them");
}

}  // namespace thalweg
