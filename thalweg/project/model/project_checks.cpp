#include "thalweg/project/project_checks.hpp"

#include "thalweg/io/raster.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {

namespace {

/// The grid's place in `cells` along its longer side; the side that does not come out even may end up to half
/// a cell elsewhere.
Grid with_longer_side(Grid grid, int cells) {
    if (cells == std::max(grid.columns, grid.rows)) return grid;
    const double width = grid.width();
    const double height = grid.height();
    grid.cell_size = std::max(width, height) / cells;
    grid.columns = std::max(1, static_cast<int>(std::lround(width / grid.cell_size)));
    grid.rows = std::max(1, static_cast<int>(std::lround(height / grid.cell_size)));
    check_grid(grid);
    return grid;
}

}  // namespace

bool is_plain_name(const std::string& name) {
    return !name.empty() && std::ranges::all_of(name, [](unsigned char letter) {
        return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
    });
}

void check_holds_terrain(const Grid& grid, const std::string& name) {
    if (grid.cells() == 1)
        throw Error::input(fmt::format("{} has 1 x 1 cells: give terrain of at least 2 cells", name));
}

Grid grid_of(const GridSettings& settings, const std::filesystem::path& base_directory) {
    Grid grid;
    if (settings.from.empty()) {
        grid = make_grid(settings.extent.at(0), settings.extent.at(1),
                         settings.cells == 0 ? kDefaultCells : settings.cells);
    } else {
        grid = read_raster_info(base_directory / settings.from).grid;
        if (settings.cells != 0) grid = with_longer_side(grid, settings.cells);
    }
    check_holds_terrain(grid, settings.from.empty() || settings.cells == 1 ? "the landscape" : settings.from);
    return grid;
}

void check_formats(const std::vector<std::string>& formats) {
    const auto has = [&](const char* name) { return std::ranges::find(formats, name) != formats.end(); };
    if (has("geotiff") && has("cog"))
        throw Error::input(
            "formats names geotiff and cog, which would write the same .tif file: give one of them");
}

}  // namespace thalweg
