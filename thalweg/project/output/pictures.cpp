#include "thalweg/project/output/pictures.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/output/rock_colours.hpp"
#include "thalweg/render/map.hpp"
#include "thalweg/render/view.hpp"
#include "thalweg/river/network.hpp"

namespace thalweg {
Image draw_picture(const OutputFile& file, const std::string& title, const Landscape& landscape,
                   Progress& progress) {
    MapParameters map;
    map.title = title;
    if (file.format == "layers") {
        const Field<float>* relief = landscape.has("elevation") ? &landscape.layer("elevation") : nullptr;
        LayerStyle style = layer_style(file.layer, description_of(file.layer).unit);
        if (file.layer == "formation") style.categories = formation_categories(landscape);
        return draw_layer_map(landscape.layer(file.layer), relief, style, map, progress);
    }
    const Field<float>& elevation = landscape.layer("elevation");
    const auto* const rivers = landscape.find<RiverNetwork>(kRivers);
    if (file.format == "view")
        return draw_view(elevation, rivers, {.sea_level = landscape.boundary().sea_level}, progress,
                         rock_in_cuts(landscape, progress));
    map.sea_level = landscape.boundary().sea_level;
    return draw_map(elevation, rivers, map, progress);
}

}  // namespace thalweg
