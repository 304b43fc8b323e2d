#include "thalweg/project/model/layer_inputs.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/project/stopwatch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kSamePlace = 1e-4;  // cells: rasters nearer than this to the grid need no resampling
constexpr std::int64_t kCellsAtOnce = 65536;  // grain of cell-by-cell work

bool same_cells_within_rounding(const Grid& a, const Grid& b) {
    const double tolerance = kSamePlace * b.cell_size;
    return a.columns == b.columns && a.rows == b.rows &&
           std::abs(a.cell_size - b.cell_size) * std::max(a.columns, a.rows) <= tolerance &&
           std::abs(a.west - b.west) <= tolerance && std::abs(a.north - b.north) <= tolerance;
}

bool touches(const Grid& a, const Grid& b) {
    return a.west < b.west + b.width() && b.west < a.west + a.width() && a.north - a.height() < b.north &&
           b.north - b.height() < a.north;
}

/// The raster's cells laid over the whole of `grid`.
Grid stretched(const Grid& raster, const Grid& grid, const std::string& file) {
    Grid placed = grid;
    placed.columns = raster.columns;
    placed.rows = raster.rows;
    placed.cell_size = grid.width() / raster.columns;
    if (std::abs(placed.height() - grid.height()) > std::max(placed.cell_size, grid.cell_size))
        throw Error::input(
            fmt::format("{}: {} x {} cells without coordinates can't be laid over a landscape of {} x {} m: "
                        "give a raster of the same proportions",
                        file, raster.columns, raster.rows, grid.width(), grid.height()));
    return placed;
}

void check_place(const Grid& raster, const Grid& grid, const std::string& file) {
    if (!raster.crs.empty() && !grid.crs.empty() && raster.crs != grid.crs)
        throw Error::input(fmt::format(
            "{}: its coordinate system differs from the landscape's: reproject it with gdalwarp -t_srs",
            file));
    if (!touches(raster, grid))
        throw Error::input(fmt::format(
            "{}: it covers x {} to {} m, y {} to {} m, which does not touch the landscape's x {} to {} m, y "
            "{} to {} m",
            file, raster.west, raster.west + raster.width(), raster.north - raster.height(), raster.north,
            grid.west, grid.west + grid.width(), grid.north - grid.height(), grid.north));
}

/// Share of the cells of `grid` whose centres lie outside `raster`.
double share_outside(const Grid& grid, const Grid& raster) {
    const auto inside = [](double place, int cells) { return place >= -0.5 && place <= cells - 0.5; };
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    for (int column = 0; column < grid.columns; ++column)
        columns += inside(raster.column_at(grid.x(column)), raster.columns) ? 1 : 0;
    for (int row = 0; row < grid.rows; ++row) rows += inside(raster.row_at(grid.y(row)), raster.rows) ? 1 : 0;
    return 1.0 - static_cast<double>(columns * rows) / static_cast<double>(grid.cells());
}

float joined(float before, float addition, LayerMode mode) {
    switch (mode) {
        case LayerMode::Add:
            return before + addition;
        case LayerMode::Set:
            return addition;
        case LayerMode::Multiply:
            return before * addition;
        case LayerMode::Minimum:
            return std::isnan(before) ? before : std::min(before, addition);
        case LayerMode::Maximum:
            return std::isnan(before) ? before : std::max(before, addition);
    }
    return before;
}

void join_values(Field<float>& values, const Field<float>& addition, LayerMode mode) {
    parallel_for(0, values.size(), kCellsAtOnce, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            values[cell] = joined(values[cell], addition[cell], mode);
    });
}

/// The same with a layer of zeros, which takes no memory.
void join_to_zero(Field<float>& addition, LayerMode mode) {
    parallel_for(0, addition.size(), kCellsAtOnce, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            addition[cell] = joined(0.0F, addition[cell], mode);
    });
}

LayerSource joined_source(LayerSource before, const LayerSource& addition, LayerMode mode) {
    const bool is_stored = before.is_stored() || addition.is_stored();
    return {[before = std::move(before), addition, mode](const Grid& grid, Progress& progress) {
                Field<float> values = before(grid, progress);
                join_values(values, addition(grid, progress), mode);
                return values;
            },
            is_stored};
}

}  // namespace

bool names_a_file(const std::string& text) {
    return text.find_first_of("./\\") != std::string::npos;
}

bool is_layer_name(const std::string& name) {
    return !name.empty() && std::ranges::all_of(name, [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '_';
    });
}

NotedRaster lay_raster(const std::filesystem::path& path, const Grid& grid, const RasterHints& hints) {
    const RasterInfo info = read_raster_info(path, hints);
    NotedRaster raster = read_noted_raster(path, hints);
    if (info.georeferenced) {
        check_place(info.grid, grid, path.string());
    } else {
        raster.values.move_to(stretched(info.grid, grid, path.string()));
    }
    return raster;
}

PlacedRaster place_raster(NotedRaster raster, const std::string& name, const Grid& grid) {
    PlacedRaster placed{.source = {}, .notes = std::move(raster.notes)};
    if (same_cells_within_rounding(raster.values.grid(), grid)) {
        raster.values.move_to(grid);
        placed.source = field_source(std::move(raster.values));
        return placed;
    }
    const Grid cells = raster.values.grid();
    placed.notes.push_back(
        fmt::format("{} was resampled from {} x {} cells of {:.6g} m to {} x {} cells of {:.6g} m", name,
                    cells.columns, cells.rows, cells.cell_size, grid.columns, grid.rows, grid.cell_size));
    if (const double share = share_outside(grid, cells); share > 0.0)
        placed.notes.push_back(
            fmt::format("{} does not cover {:.2g} % of the landscape: those cells take the nearest value of "
                        "its edge",
                        name, 100.0 * share));
    placed.source = field_source(std::move(raster.values));
    return placed;
}

PlacedRaster read_input_raster(const std::string& file, StageContext& context,
                               const std::function<PlacedRaster(NotedRaster)>& place,
                               const RasterHints& hints) {
    context.progress.poll();
    const Stopwatch watch;
    PlacedRaster placed = place(
        lay_raster(std::filesystem::path(context.base_directory) / file, context.landscape.grid, hints));
    std::vector<std::string>& notes = context.diagnostics.notes;
    notes.insert(notes.end(), placed.notes.begin(), placed.notes.end());
    context.diagnostics.phases_ms.emplace_back(kReadingPhase, watch.milliseconds());
    return placed;
}

PlacedRaster read_input_raster(const std::string& file, StageContext& context, const RasterHints& hints) {
    const auto place = [&](NotedRaster raster) {
        return place_raster(std::move(raster), std::filesystem::path(file).filename().string(),
                            context.landscape.grid);
    };
    return read_input_raster(file, context, place, hints);
}

LayerSource input_source(const NumberOrLayer& input, StageContext& context) {
    if (input.is_number()) return constant_source(static_cast<float>(input.number));
    if (!names_a_file(input.layer)) {
        const Field<float>& values = context.landscape.layer(input.layer);
        const LayerSource& source = context.landscape.get<Layer>(input.layer).source;
        return source ? source : field_source(values);
    }
    return read_input_raster(input.layer, context).source;
}

Layer layer_to_change(Landscape& landscape, const std::string& name) {
    if (landscape.has(name)) return landscape.take_layer(name);
    return {Field<float>(landscape.grid, 0.0F), constant_source(0.0F)};
}

void join_layer(Landscape& landscape, const std::string& name, const LayerSource& addition, LayerMode mode,
                Progress& progress) {
    Field<float> values = addition(landscape.grid, progress);
    if (!landscape.has(name)) {
        join_to_zero(values, mode);
        LayerSource source =
            mode == LayerMode::Set ? addition : joined_source(constant_source(0.0F), addition, mode);
        return landscape.put(name, Layer{std::move(values), std::move(source)});
    }
    Layer layer = landscape.take_layer(name);
    join_values(layer.values, values, mode);
    if (mode == LayerMode::Set) {
        layer.source = addition;
    } else if (layer.source) {
        layer.source = joined_source(std::move(layer.source), addition, mode);
    }
    landscape.put(name, std::move(layer));
}

}  // namespace thalweg
