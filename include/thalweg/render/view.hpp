// Views: terrain in three dimensions, as a block on a table under sun and sky.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/common_scale.hpp"
#include "thalweg/render/image.hpp"
#include "thalweg/render/land_layers.hpp"
#include "thalweg/river/network.hpp"

#include <functional>
#include <limits>
#include <optional>

namespace thalweg {

/// Where the camera and the sun stand, and how much light is spent on a picture.
struct ViewParameters {
    int width = 1280;        // pixels
    int height = 800;        // pixels
    double azimuth = 205.0;  // degrees clockwise from north: where the camera stands, seen from the terrain
    double pitch = 32.0;     // degrees that the camera looks down
    double field_of_view = 28.0;  // degrees, across the picture's longer side
    double exaggeration = 0.0;    // factor on elevations, 0 chooses one
    double sun_azimuth = 300.0;   // degrees clockwise from north
    double sun_altitude = 32.0;   // degrees above the horizontal
    int samples = 4;              // camera rays per pixel
    double haze = 0.18;           // share of the light that is haze at the far end of the terrain
    double sea_level = -std::numeric_limits<double>::infinity();  // m; ground below it is drawn as sea
    bool rivers = true;                                           // whether rivers are drawn
    std::optional<CommonScale> scale = {};                        // none: the terrain's own; not declared

    static void declare(Declaration<ViewParameters>& declaration);
};

/// Whether this program was built with Embree, which views need.
bool can_draw_views();

/// Colour (sRGB) of the ground at a position and a height [m] below the surface. Called from several threads.
using GroundColour = std::function<Colour(const Position& position, double height)>;

/// Colours that a view takes from elsewhere.
struct ViewColours {
    GroundColour cut = {};  // of cut sides; empty: layers that mean nothing
    LandLayers land = {};   // what covers the land; empty: what suits its slopes and heights
};

/// The terrain as a block cut out of the land, on a bright table, in perspective. `rivers` may be null.
///
/// Embree traces camera rays over a grid of the terrain, and shadow rays onto table and walls; the land
/// itself is lit by a sun with soft shadow edges, by the sky as far as each place sees it (hillshade.hpp),
/// and by the sunlit slopes around. Colours are those of what covers the land, where `colours` tell it, and
/// follow slope, height, hollows and ridges elsewhere. The camera's distance is chosen so that the block
/// fills the picture. The terrain is resampled to the picture's size, so its looks do not depend on its
/// cells.
///
/// Draws are hashed by pixel and ray: same bits on any number of threads on one machine. About 0.6 us a
/// pixel and ray on one core. Throws Error::input when no cell has data, Error::failure when the program was
/// built without Embree, Cancelled.
///
/// Example:
///     if (!can_draw_views()) return;
///     const Image view = draw_view(elevation, &network, {.azimuth = 160.0, .sea_level = 0.0}, progress);
Image draw_view(const Field<float>& elevation, const RiverNetwork* rivers, const ViewParameters& parameters,
                Progress& progress, const ViewColours& colours = {});

}  // namespace thalweg
