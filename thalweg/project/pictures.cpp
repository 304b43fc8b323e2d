#include "thalweg/project/pictures.hpp"

#include "thalweg/render/map.hpp"
#include "thalweg/render/view.hpp"

namespace thalweg {
namespace {

const RiverNetwork* rivers_of(const Landscape& landscape) {
    return landscape.rivers ? &*landscape.rivers : nullptr;
}

}  // namespace

Image draw_picture(const OutputFile& file, const std::string& title, const Landscape& landscape,
                   Progress& progress) {
    MapParameters map;
    map.title = title;
    if (file.format == "layers") {
        const Field<float>* relief = landscape.has("elevation") ? &landscape.layer("elevation") : nullptr;
        return draw_layer_map(landscape.layer(file.layer), relief,
                              layer_style(file.layer, layer_unit(file.layer)), map, progress);
    }
    const Field<float>& elevation = landscape.layer("elevation");
    if (file.format == "view")
        return draw_view(elevation, rivers_of(landscape), {.sea_level = landscape.boundary.sea_level},
                         progress);
    map.sea_level = landscape.boundary.sea_level;
    return draw_map(elevation, rivers_of(landscape), map, progress);
}

}  // namespace thalweg
