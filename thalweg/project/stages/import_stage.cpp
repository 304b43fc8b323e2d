#include "thalweg/project/stages/import_stage.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/limits.hpp"
#include "thalweg/project/project_checks.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

void scale_values(Field<float>& values, double scale, double offset) {
    constexpr std::int64_t kValuesAtOnce = 1 << 16;
    parallel_for(0, values.size(), kValuesAtOnce, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            values[cell] = static_cast<float>(values[cell] * scale + offset);
    });
}

void run(const ImportParameters& parameters, StageContext& context) {
    context.progress.report(0.0, "reading " + parameters.file);
    RasterHints hints;
    if (!parameters.height_range.empty())
        hints.height_range = {parameters.height_range.front(), parameters.height_range.back()};
    if (!parameters.nodata.empty()) hints.no_data = parameters.nodata.front();
    PlacedRaster placed = read_input_raster(parameters.file, context, hints);
    const auto scaled = [source = std::move(placed.source), scale = parameters.scale,
                         offset = parameters.offset](const Grid& grid, Progress& progress) {
        Field<float> values = source(grid, progress);
        if (scale != 1.0 || offset != 0.0) scale_values(values, scale, offset);
        return values;
    };
    join_layer(context.landscape, parameters.layer, {scaled, true}, parameters.mode, context.progress);
    if (parameters.layer == "elevation")
        check_elevation(context.landscape.layer("elevation"), parameters.file);
}

void check(const ImportParameters& parameters) {
    if (parameters.file.empty()) throw Error::input("file = \"\" is not allowed: give the path of a raster");
    check_layer_name(parameters.layer);
    const std::vector<double>& range = parameters.height_range;
    if (!range.empty() && (range.size() != 2 || range.front() >= range.back()))
        throw Error::input(fmt::format(
            "height_range = [{}] is not allowed: give two heights, the lower first", fmt::join(range, ", ")));
    if (parameters.nodata.size() > 1)
        throw Error::input(fmt::format("nodata has {} numbers: give one", parameters.nodata.size()));
}

}  // namespace

void ImportParameters::declare(Declaration<ImportParameters>& d) {
    d.file("file", &ImportParameters::file,
           {.label = "Raster file",
            .group = "Raster",
            .unit = "",
            .sentence = "Raster file: GeoTIFF, or another format of elevation that GDAL reads."});
    declare_layer(d);
    declare_mode(d);
    d.number("scale", &ImportParameters::scale,
             {.label = "Scale factor",
              .group = "Raster",
              .unit = "1",
              .sentence = "Factor on the raster's values before they join the layer.",
              .usual = {0.1, 10.0, SliderScale::Logarithmic}});
    d.number("offset", &ImportParameters::offset,
             {.label = "Offset",
              .group = "Raster",
              .unit = "the layer's",
              .sentence = "What is added to the raster's values after the factor.",
              .usual = {-1000.0, 1000.0}});
    d.numbers("height_range", &ImportParameters::height_range,
              {.label = "Height range",
               .group = "Raster",
               .unit = "m",
               .sentence = "Heights of the numbers 0 and 65535 (255) of a .r16, a PNG or another raster of "
                           "16 (8) bits, the lower first; left out, those that it says itself.",
               .is_advanced = true});
    d.numbers("nodata", &ImportParameters::nodata,
              {.label = "No-data number",
               .group = "Raster",
               .unit = "as stored",
               .sentence = "Number in the raster that stands for no data, beside what the raster says; left "
                           "out, none.",
               .is_advanced = true});
}

Stage import_stage() {
    return make_stage<ImportParameters>(
        {
            .name = "import",
            .summary = "Reads a raster file into a layer.",
            .description =
                "The raster is laid over the landscape by its coordinates, or stretched over the whole of "
                "it when it has none. Where its cells differ from the landscape's, larger ones are "
                "interpolated and smaller ones averaged, and a note says so. Where it does not cover the "
                "landscape, cells take the nearest value of its edge, and a note tells their share. Band 1 "
                "is read; no-data and NaN stay cells without data.",
            .writes = {"elevation"},
            .primary = "elevation",
            .needs_input = false,
            .bytes_per_cell = 8.0,  // the resampled values, beside the raster (plan.cpp)
        },
        run, check);
}

}  // namespace thalweg
