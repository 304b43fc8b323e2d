#include "thalweg/project/parts/basin_tracing.hpp"

#include "thalweg/io/river_lines.hpp"
#include "thalweg/project/dataset_catalogue.hpp"

#include <filesystem>

namespace thalweg {
namespace {

/// Those of the project, then those of the file.
std::vector<PourPoint> pour_points(const CatchmentParameters& parameters, const StageContext& context) {
    std::vector<PourPoint> points = parameters.pour_points;
    if (parameters.pour_points_file.empty()) return points;
    const auto path = std::filesystem::path(context.base_directory) / parameters.pour_points_file;
    for (const Spring& point : read_springs(path, context.landscape.grid.crs))
        points.push_back({.x = point.x, .y = point.y});
    return points;
}

}  // namespace

void CatchmentParameters::declare(Declaration<CatchmentParameters>& d) {
    d.tables("pour_points", &CatchmentParameters::pour_points,
             {.label = "Pour points",
              .group = "Catchments",
              .unit = "",
              .sentence = "Places whose catchments become polygons: all ground whose water passes there."});
    d.file(
        "pour_points_file", &CatchmentParameters::pour_points_file,
        {.label = "File of pour points",
         .group = "Catchments",
         .unit = "",
         .sentence = "More such places: the points of a GeoPackage, GeoJSON or Shapefile in the landscape's "
                     "coordinate system.",
         .holds_points = true});
    d.number("snap_distance", &CatchmentParameters::snap_distance,
             {.label = "Snap distance",
              .group = "Catchments",
              .unit = "m",
              .sentence = "How far a pour point may be moved, to where the most water passes; 0 keeps it in "
                          "its cell.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {0.0, 2000.0},
              .source = "empirical: ten cells of 30 m"});
}

bool has_pour_points(const CatchmentParameters& parameters) {
    return !parameters.pour_points.empty() || !parameters.pour_points_file.empty();
}

void trace_basins(const FlowResult& flow, const CatchmentParameters& parameters, double least_area,
                  StageContext& context) {
    const Field<float>& elevation = context.landscape.layer("elevation");
    if (context.wanted.has(kBasins))
        context.landscape.put(kBasins, outline_basins(flow.tree, elevation, least_area, context.progress));
    if (!context.wanted.has(kCatchments) || !has_pour_points(parameters)) return;
    const std::vector<PourPoint> points = pour_points(parameters, context);
    context.landscape.put(kCatchments, outline_catchments(flow.tree, elevation, flow.drainage_area, points,
                                                          parameters.snap_distance, context.progress));
}

}  // namespace thalweg
