#include "thalweg/project/settings.hpp"

namespace thalweg {

void ProjectSettings::declare(Declaration<ProjectSettings>& d) {
    d.text("name", &ProjectSettings::name,
           {.label = "Name",
            .unit = "",
            .sentence = "Name of the project; output files begin with it (letters, digits, - and _)."});
    d.integer("seed", &ProjectSettings::seed,
              {.label = "Seed",
               .unit = "1",
               .sentence = "Seed of everything random: equal seeds, equal landscapes.",
               .minimum = 0.0,
               .usual = {0.0, 1000.0}});
}

void GridSettings::declare(Declaration<GridSettings>& d) {
    d.numbers("extent", &GridSettings::extent,
              {.label = "Extent",
               .unit = "m",
               .sentence = "Width and height of the landscape, with its south-west corner at (0, 0).",
               .minimum = 0.0,
               .usual = {1000.0, 1e6, SliderScale::Logarithmic},
               .list_size = 2,
               .minimum_excluded = true,
               .enabled_when = {equals("from", {""})}});
    d.integer("cells", &GridSettings::cells,
              {.label = "Cells along the longer side",
               .unit = "1",
               .sentence = "Cells along the longer side; 0 means 512, or those of the raster `from`.",
               .minimum = 0.0,
               .maximum = 1e6,
               .usual = {64.0, 8192.0, SliderScale::Logarithmic},
               .automatic = 0.0});
    d.file("from", &GridSettings::from,
           {.label = "Raster that gives the grid",
            .unit = "",
            .sentence =
                "Raster that gives the grid its place, coordinate system and cells, instead of `extent`."});
}

void OutputSettings::declare(Declaration<OutputSettings>& d) {
    d.text("directory", &OutputSettings::directory,
           {.label = "Output folder",
            .unit = "",
            .sentence = "Folder of the output files, below the working directory; --out names any."});
    d.texts("layers", &OutputSettings::layers, {},
            {.label = "Layers", .unit = "", .sentence = "Layers to write, or \"all\"."});
    d.texts("formats", &OutputSettings::formats,
            {{"geotiff", "Float GeoTIFF with coordinates, for GIS."},
             {"cog", "Cloud-optimised GeoTIFF, with overviews."},
             {"png16", "Grey PNG of 16 bits, for game engines."},
             {"r16", "Raw heights of 16 bits, for game engines."},
             {"exr", "OpenEXR of floats, for 3-D programs."}},
            {.label = "Raster formats", .unit = "", .sentence = "Raster formats, each layer in every one."});
    d.texts("networks", &OutputSettings::networks,
            {{"gpkg", "GeoPackage, for GIS."}, {"geojson", "GeoJSON, for the web and for scripts."}},
            {.label = "Vector formats",
             .unit = "",
             .sentence = "Vector formats of the river network and of lakes."});
    d.texts(
        "analyses", &OutputSettings::analyses,
        {{"json", "All numbers, for scripts."},
         {"png", "Charts as pictures of pixels."},
         {"svg", "Charts as drawings of lines."},
         {"csv", "A table, of meander_metrics and particle_metrics alone."}},
        {.label = "Formats of analyses",
         .unit = "",
         .sentence = "Formats of the terrain's analyses (slope_area, hack, hypsometry, chi_profiles), which "
                     "stage flow makes, of meander_metrics, which stage meander makes, and of "
                     "particle_metrics, which stage particles makes; none: they are not "
                     "made."});
    d.texts("pictures", &OutputSettings::pictures,
            {{"map", "A shaded map with rivers."},
             {"view", "A view in three dimensions."},
             {"layers", "A map of every written layer."},
             {"courses", "Wandering rivers, and what they have left, of stage meander."},
             {"river", "Flowing water of stage water, seen from near by."}},
            {.label = "Pictures",
             .unit = "",
             .sentence = "Pictures: a shaded map with rivers, a 3-D view, a map of every written layer, "
                         "wandering rivers with what they have left, and flowing water from near by."});
    d.boolean("natural_colours", &OutputSettings::natural_colours,
              {.label = "Natural colours",
               .unit = "",
               .sentence = "Whether maps and views show forest, grass, rock, scree and snow where stage "
                           "ground tells of them, instead of colours by height and slope."});
    d.numbers("river_eye", &OutputSettings::river_eye,
              {.label = "Eye by the river",
               .unit = "m",
               .sentence = "Where the camera of picture river stands, x and y; none: on the bank nearest to "
                           "the middle of the landscape.",
               .minimum = -1e9,
               .maximum = 1e9,
               .usual = {0.0, 1e5},
               .list_size = 2});
    d.numbers("river_target", &OutputSettings::river_target,
              {.label = "Target on the river",
               .unit = "m",
               .sentence = "What the camera of picture river looks at, x and y; none: the water upstream.",
               .minimum = -1e9,
               .maximum = 1e9,
               .usual = {0.0, 1e5},
               .list_size = 2});
    d.number("river_eye_height", &OutputSettings::river_eye_height,
             {.label = "Height of the eye",
              .unit = "m",
              .sentence = "Height of the camera of picture river above ground or water.",
              .minimum = 0.05,
              .maximum = 1e4,
              .usual = {0.5, 10.0}});
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
