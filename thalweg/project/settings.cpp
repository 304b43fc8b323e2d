#include "thalweg/project/settings.hpp"

namespace thalweg {

void ProjectSettings::declare(Declaration<ProjectSettings>& d) {
    d.text("name", &ProjectSettings::name,
           {.unit = "",
            .sentence = "Name of the project; output files begin with it (letters, digits, - and _)."});
    d.integer("seed", &ProjectSettings::seed,
              {.unit = "1",
               .sentence = "Seed of everything random: equal seeds, equal landscapes.",
               .minimum = 0.0});
}

void GridSettings::declare(Declaration<GridSettings>& d) {
    d.numbers("extent", &GridSettings::extent,
              {.unit = "m",
               .sentence = "Width and height of the landscape, with its south-west corner at (0, 0).",
               .minimum = 0.0,
               .list_size = 2,
               .minimum_excluded = true});
    d.integer("cells", &GridSettings::cells,
              {.unit = "1",
               .sentence = "Cells along the longer side; 0 means 512, or those of the raster `from`.",
               .minimum = 0.0,
               .maximum = 1e6});
    d.file("from", &GridSettings::from,
           {.unit = "",
            .sentence =
                "Raster that gives the grid its place, coordinate system and cells, instead of `extent`."});
}

void OutputSettings::declare(Declaration<OutputSettings>& d) {
    d.text("directory", &OutputSettings::directory,
           {.unit = "",
            .sentence = "Folder of the output files, below the working directory; --out names any."});
    d.texts("layers", &OutputSettings::layers, {}, {.unit = "", .sentence = "Layers to write, or \"all\"."});
    d.texts("formats", &OutputSettings::formats, {"geotiff", "cog", "png16", "r16", "exr"},
            {.unit = "", .sentence = "Raster formats, each layer in every one."});
    d.texts("networks", &OutputSettings::networks, {"gpkg", "geojson"},
            {.unit = "", .sentence = "Vector formats of the river network and of lakes."});
    d.texts(
        "analyses", &OutputSettings::analyses, {"json", "png", "svg"},
        {.unit = "",
         .sentence = "Formats of the terrain's analyses (slope_area, hack, hypsometry, chi_profiles), which "
                     "stage flow makes; none: they are not made."});
    d.texts(
        "pictures", &OutputSettings::pictures, {"map", "view", "layers"},
        {.unit = "",
         .sentence = "Pictures: a shaded map with rivers, a 3-D view, and a map of every written layer."});
}

const std::vector<SettingsTable>& settings_tables() {
    static const std::vector<SettingsTable> tables = {
        {"project", "What is built.", &parameters_of<ProjectSettings>()},
        {"grid", "Where it is built, and how finely.", &parameters_of<GridSettings>()},
        {"output", "Which files are written, and where.", &parameters_of<OutputSettings>()},
    };
    return tables;
}

}  // namespace thalweg
