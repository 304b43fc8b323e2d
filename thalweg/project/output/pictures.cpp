#include "thalweg/project/output/pictures.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/output/natural_land.hpp"
#include "thalweg/project/output/river_picture.hpp"
#include "thalweg/project/output/rock_colours.hpp"
#include "thalweg/render/map.hpp"
#include "thalweg/render/meander_map.hpp"
#include "thalweg/render/view.hpp"
#include "thalweg/river/network.hpp"
#include "thalweg/riverscape/river_beds.hpp"

#include <algorithm>

namespace thalweg {
namespace {

Image draw_courses(const std::string& title, const Landscape& landscape, Progress& progress) {
    const auto& courses = landscape.get<MeanderHistory>(kCourses);
    const Field<float>* const elevation = landscape.has(kElevation) ? &landscape.layer(kElevation) : nullptr;
    return draw_meander_map(
        courses, landscape.grid,
        {.legend = true, .title = title, .elevation = elevation, .sea_level = landscape.boundary().sea_level},
        progress);
}

Image draw_river(const OutputSettings& look, const Landscape& landscape, Progress& progress) {
    constexpr int kWidth = 1280;
    constexpr int kHeight = 720;
    ProgressPart laying(progress, 0.0, 0.3);
    const auto view = river_view(look, landscape, kWidth, kHeight, laying);
    ProgressPart drawing(progress, 0.3, 1.0);
    return view->draw(river_water_of(landscape), drawing);
}

/// Whether the layer of water is that of carved beds, on cells so small that it shows each river in its own
/// shape.
bool shows_rivers_by_cells(const Landscape& landscape) {
    constexpr double kCellsAcross = 2.0;
    const auto* const rivers = landscape.find<RiverNetwork>(kRivers);
    if (rivers == nullptr || !landscape.has(kWaterDepth)) return false;
    if (landscape.find<RiverBeds>(kRiverBeds) == nullptr) return false;
    return std::ranges::all_of(rivers->reaches, [&](const Reach& reach) {
        return reach.width > kCellsAcross * landscape.grid.cell_size;
    });
}

}  // namespace

Image draw_picture(const OutputFile& file, const std::string& title, const OutputSettings& look,
                   const Landscape& landscape, Progress& progress) {
    MapParameters map;
    map.title = title;
    if (file.format == "layers") {
        const Field<float>* relief = landscape.has("elevation") ? &landscape.layer("elevation") : nullptr;
        LayerStyle style = layer_style(file.layer, description_of(file.layer).unit);
        if (file.layer == "formation") style.categories = formation_categories(landscape);
        return draw_layer_map(landscape.layer(file.layer), relief, style, map, progress);
    }
    if (file.format == "courses") return draw_courses(title, landscape, progress);
    if (file.format == "river") return draw_river(look, landscape, progress);
    const Field<float>& elevation = landscape.layer("elevation");
    LandLayers land = look.natural_colours ? land_layers(landscape) : LandLayers{};
    const auto* const rivers = landscape.find<RiverNetwork>(kRivers);
    if (file.format == "view")
        return draw_view(elevation, rivers, {.sea_level = landscape.boundary().sea_level}, progress,
                         {.cut = rock_in_cuts(landscape, progress), .land = land});
    map.sea_level = landscape.boundary().sea_level;
    if (shows_rivers_by_cells(landscape)) land.water_depth = &landscape.layer(kWaterDepth);
    return draw_map(elevation, rivers, map, progress, land);
}

}  // namespace thalweg
