#include "thalweg/project/model/parameter_layers.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/project/project_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// The cells of a landscape that hold terrain.
class Terrain {
  public:
    explicit Terrain(const Landscape& landscape)
        : grid_(landscape.grid),
          elevation_(landscape.has("elevation") ? &landscape.layer("elevation") : nullptr) {}

    [[nodiscard]] const Grid& grid() const { return grid_; }
    [[nodiscard]] bool holds(int column, int row) const {
        return grid_.contains(column, row) &&
               (elevation_ == nullptr || !is_no_data((*elevation_)(column, row)));
    }
    [[nodiscard]] int column_at(double x) const {
        return static_cast<int>(std::floor(grid_.column_at(x) + 0.5));
    }
    [[nodiscard]] int row_at(double y) const { return static_cast<int>(std::floor(grid_.row_at(y) + 0.5)); }

  private:
    const Grid& grid_;
    const Field<float>* elevation_;
};

/// What the values over terrain hold.
struct Survey {
    std::int64_t cells = 0;
    std::int64_t missing = 0;
    std::int64_t least = -1;     // cell of the smallest value
    std::int64_t greatest = -1;  // and of the largest
};

Survey survey(const Field<float>& values, const Terrain& terrain, Progress& progress) {
    Survey found;
    for (int row = 0; row < values.rows(); ++row) {
        progress.poll();
        const int terrain_row = terrain.row_at(values.grid().y(row));
        for (int column = 0; column < values.columns(); ++column) {
            if (!terrain.holds(terrain.column_at(values.grid().x(column)), terrain_row)) continue;
            const std::int64_t cell = values.grid().index(column, row);
            ++found.cells;
            if (is_no_data(values[cell])) {
                ++found.missing;
                continue;
            }
            if (found.least < 0 || values[cell] < values[found.least]) found.least = cell;
            if (found.greatest < 0 || values[cell] > values[found.greatest]) found.greatest = cell;
        }
    }
    return found;
}

/// The number with the fewest digits that is this float: 0.1 and not 0.10000000149.
double as_written(float value) {
    return std::stod(fmt::format("{}", value));
}

/// Throws Error::input as parameter_source does for values over terrain; `name` says whose they are.
void check_values(const Field<float>& values, const Parameter& parameter, const std::string& name,
                  const Terrain& terrain, Progress& progress) {
    const Survey found = survey(values, terrain, progress);
    if (found.missing > 0)
        throw Error::input(
            fmt::format("{} has no {} at {} of {} cells over the terrain (no-data or NaN): give "
                        "each a value {}",
                        name, parameter.name, found.missing, found.cells, parameter.allowed()));
    for (const std::int64_t cell : {found.least, found.greatest})
        if (cell >= 0)
            with_place(fmt::format("{} at column {}, row {}: ", name, values.grid().column_of(cell),
                                   values.grid().row_of(cell)),
                       [&] { (void)parameter.checked(as_written(values[cell])); });
}

/// How far the cells over terrain lie outside the raster, by their centres, m; 0 or less where none does.
double farthest_outside(const Grid& raster, const Terrain& terrain) {
    const Grid& grid = terrain.grid();
    double farthest = -std::numeric_limits<double>::infinity();
    for (int row = 0; row < grid.rows; ++row) {
        const double y = grid.y(row);
        const double along_y = std::max(y - raster.north, raster.north - raster.height() - y);
        for (int column = 0; column < grid.columns; ++column) {
            const double x = grid.x(column);
            const double outside = std::max({raster.west - x, x - raster.west - raster.width(), along_y});
            if (outside > farthest && terrain.holds(column, row)) farthest = outside;
        }
    }
    return farthest;
}

void check_cover(const Grid& raster, const std::string& name, const Terrain& terrain) {
    const double tolerance = std::max(raster.cell_size, terrain.grid().cell_size);
    const double farthest = farthest_outside(raster, terrain);
    if (farthest > tolerance)
        throw Error::input(
            fmt::format("{} ends {:.6g} m short of the terrain: give a raster that covers it, to "
                        "within one cell of {:.6g} m",
                        name, farthest, tolerance));
}

}  // namespace

LayerSource parameter_source(const NumberOrLayer& input, const Parameter& parameter, StageContext& context) {
    const Terrain terrain(context.landscape);
    if (input.is_number()) return input_source(input, context);
    if (!names_a_file(input.layer)) {
        LayerSource source = input_source(input, context);
        check_values(context.landscape.layer(input.layer), parameter,
                     fmt::format("layer \"{}\"", input.layer), terrain, context.progress);
        return source;
    }
    const std::string name = std::filesystem::path(input.layer).filename().string();
    return read_input_raster(input.layer, context,
                             [&](NotedRaster raster) {
                                 check_cover(raster.values.grid(), input.layer, terrain);
                                 check_values(raster.values, parameter, input.layer, terrain,
                                              context.progress);
                                 const Grid& grid = context.landscape.grid;
                                 PlacedRaster placed = place_raster(std::move(raster), name, grid);
                                 check_values(placed.source(grid, context.progress), parameter, input.layer,
                                              terrain, context.progress);
                                 return placed;
                             })
        .source;
}

Field<float> parameter_field(const NumberOrLayer& input, const Parameter& parameter, StageContext& context) {
    if (input.is_number()) return {};
    return parameter_source(input, parameter, context)(context.landscape.grid, context.progress);
}

}  // namespace thalweg
