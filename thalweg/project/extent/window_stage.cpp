#include "thalweg/project/extent/window_stage.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/rectangle.hpp"
#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/summary.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/riverscape/river_beds.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

constexpr double kInside = 1e-6;  // cells that a window may reach beyond the landscape by rounding

struct WindowParameters {
    std::vector<double> window;  // m: west, south, east, north; empty: the whole landscape
    double resolution = 0.0;     // m, side of a cell; 0: the landscape's

    static void declare(Declaration<WindowParameters>& declaration);
};

std::string text_of(const Rectangle& place) {
    return fmt::format("[{:.10g}, {:.10g}, {:.10g}, {:.10g}]", place.west, place.south, place.east,
                       place.north);
}

void check_window(const WindowParameters& parameters) {
    const std::vector<double>& window = parameters.window;
    if (window.empty()) return;
    if (window.size() != 4)
        throw Error::input(
            fmt::format("window = [{}] is not allowed: give four numbers, west, south, east and north, in m",
                        fmt::join(window, ", ")));
    if (!(window[0] < window[2]) || !(window[1] < window[3]))
        throw Error::input(fmt::format(
            "window = [{}] has no area: give west, south, east and north, with west less than east "
            "and south less than north",
            fmt::join(window, ", ")));
}

/// The window that is asked for of a landscape on `grid`.
Rectangle window_of(const WindowParameters& parameters, const Grid& grid) {
    const Rectangle whole = extent_of(grid);
    if (parameters.window.empty()) return whole;
    const Rectangle window{parameters.window[0], parameters.window[1], parameters.window[2],
                           parameters.window[3]};
    const double rounding = kInside * grid.cell_size;
    if (!whole.contains({window.west, window.south}, rounding) ||
        !whole.contains({window.east, window.north}, rounding))
        throw Error::input(fmt::format("window = {} reaches beyond the landscape: give one within {}",
                                       text_of(window), text_of(whole)));
    return window;
}

/// The grid of the window, from its north-west corner; its other sides are moved by up to half a cell, so
/// that cells are whole.
Grid window_grid(const WindowParameters& parameters, const Grid& grid) {
    check_window(parameters);
    const Rectangle window = window_of(parameters, grid);
    const double cell_size = parameters.resolution > 0.0 ? parameters.resolution : grid.cell_size;
    if (cell_size > std::min(window.width(), window.height()) + kInside * grid.cell_size)
        throw Error::input(
            fmt::format("cells of {:g} m are larger than the window of {:g} x {:g} m: give a "
                        "smaller resolution, or a larger window",
                        cell_size, window.width(), window.height()));
    const double columns = std::round(window.width() / cell_size);
    const double rows = std::round(window.height() / cell_size);
    if (columns * rows > static_cast<double>(kMaximumCells))
        throw Error::input(
            fmt::format("the window has {:.0f} x {:.0f} cells of {:g} m, and {} are allowed: give a larger "
                        "resolution, or a smaller window",
                        columns, rows, cell_size, kMaximumCells));
    const Grid placed{.columns = std::max(1, static_cast<int>(columns)),
                      .rows = std::max(1, static_cast<int>(rows)),
                      .cell_size = cell_size,
                      .west = window.west,
                      .north = window.north,
                      .crs = grid.crs};
    check_holds_terrain(placed, "the window");
    return placed;
}

/// Whether values between two of the layer's mean nothing: numbers of things, and directions, which go round.
bool is_category(const std::string& layer) {
    const DatasetDescription& described = description_of(layer);
    return described.whole_numbers || described.unit == "degrees";
}

/// By cubic convolution, which is kept to the range of the field: shares stay within 0 and 1.
Field<float> smooth_values(const Field<float>& field, const Grid& grid) {
    const FieldSummary range = summary_of(field);
    Field<float> values = resample(field, grid, Interpolation::Bicubic);
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            float& value = values(column, row);
            if (!is_no_data(value))
                value =
                    std::clamp(value, static_cast<float>(range.minimum), static_cast<float>(range.maximum));
        }
    });
    return values;
}

/// The layer on another grid. Its source is not kept: a stage that is run again behind the window would have
/// to run all those again that the source comes from.
Layer layer_on(const Grid& grid, const std::string& name, const Layer& layer, Progress& progress) {
    if (layer.source) return {layer.source(grid, progress), {}};
    return {is_category(name) ? resample_nearest(layer.values, grid) : smooth_values(layer.values, grid), {}};
}

/// What is said of water holds where it stands for no cells, and only within the window.
WaterBoundary boundary_on(const Grid& grid, WaterBoundary boundary) {
    boundary.outlets = {};
    const Rectangle window = extent_of(grid);
    std::erase_if(boundary.sources,
                  [&](const DrainageSource& source) { return !window.contains({source.x, source.y}); });
    return boundary;
}

/// What pictures of rivers in a window show of the land around it.
CountryAround country_of(const Landscape& landscape) {
    CountryAround country;
    for (const char* const name : {kBareRock, kScree, kVegetation, kForest, kSnow, kFormation, kErodibility,
                                   kGroundRed, kGroundGreen, kGroundBlue}) {
        if (!landscape.has(name)) continue;
        country.names.emplace_back(name);
        country.values.push_back(landscape.layer(name));
    }
    return country;
}

void run(const WindowParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    const Grid grid = window_grid(parameters, landscape.grid);
    for (const char* name : {kDrainage, kHistory}) landscape.datasets.erase(name);
    if (const auto* const beds = landscape.find<RiverBeds>(kRiverBeds))
        if (const std::string note = resolution_note(courses_near(beds->courses, extent_of(grid), 0.0), grid);
            !note.empty())
            context.diagnostics.cell_notes.push_back(note);
    if (same_cells(grid, landscape.grid)) return;
    if (landscape.has(kRiverBeds) && landscape.has(kVegetation) && !landscape.has(kCountryAround))
        landscape.put(kCountryAround, country_of(landscape));
    const std::vector<std::string> names = landscape.layer_names();
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, names.size()));
    double done = 0.0;
    for (const std::string& name : names) {
        ProgressPart part(context.progress, done, std::min(1.0, done + share));
        done += share;
        part.report(0.0, "window of " + name);
        const Layer layer = landscape.take_layer(name);
        landscape.put(name, layer_on(grid, name, layer, part));
    }
    if (landscape.has(kWaterBoundary)) landscape.set_boundary(boundary_on(grid, landscape.boundary()));
    landscape.grid = grid;
}

}  // namespace

void WindowParameters::declare(Declaration<WindowParameters>& d) {
    d.numbers("window", &WindowParameters::window,
              {.label = "Window",
               .group = "Place",
               .unit = "m",
               .sentence = "West, south, east and north of the part that is gone on with; empty: the whole "
                           "landscape."});
    d.number("resolution", &WindowParameters::resolution,
             {.label = "Resolution",
              .group = "Place",
              .unit = "m",
              .sentence = "Side of the window's cells; 0 for the landscape's.",
              .minimum = 0.0,
              .usual = {0.1, 30.0, SliderScale::Logarithmic},
              .automatic = 0.0});
}

Stage window_stage() {
    Stage stage = make_stage<WindowParameters>(
        {
            .name = "window",
            .summary = "Goes on with a part of the landscape, on cells of another size.",
            .description =
                "All layers are brought to the window's cells. Those that are known between cells, as "
                "beds that `carve` has left, noise and strokes, are evaluated there at full detail; of "
                "others, "
                "values are interpolated by cubic convolution, within their range, or averaged over larger "
                "cells, and numbers and directions are those of the nearest cell. Rivers, lakes and other "
                "lines and polygons stay whole, and so do analyses. The history of a simulation, outlets of "
                "water that were cells, and sources of water beyond the window are left out.\n\nCells count "
                "from the window's north-west corner; its east and south are moved by up to half a cell, so "
                "that cells are whole. Layers of a window are values of cells alone: a window of a window "
                "shows no more detail than the first.",
            .reads = {kElevation},
            .writes = {kElevation},
            .settings = {kCountryAround},
            .drops = {kDrainage, kHistory},
            .primary = kElevation,
            .bytes_per_cell = 24.0,
        },
        run, check_window);
    stage.grid_after = [](const void* parameters, const Grid& grid) {
        return window_grid(*static_cast<const WindowParameters*>(parameters), grid);
    };
    return stage;
}

}  // namespace thalweg
