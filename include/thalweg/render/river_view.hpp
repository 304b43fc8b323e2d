// River views: a stretch of river from near by, into whose water one looks.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/grid/grid.hpp"
#include "thalweg/render/image.hpp"
#include "thalweg/render/land_layers.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace thalweg {

/// What lies on a river's bed and banks, by the values of layer `bed_material`.
enum class BedCover { Soil = 0, Bedrock = 1, Boulders = 2, Gravel = 3, Sand = 4, Silt = 5 };

/// Country around the ground of a river view.
struct RiverSurroundings {
    Field<float> elevation;         // m
    Field<float> water_level = {};  // m, of resting water on the same grid; empty: it is not known
    Field<float> cover = {};        // values of BedCover on the same grid; empty: soil
    LandLayers land = {};           // what covers soil, on any grid; empty: turf, or what the heights suggest
};

/// The ground of a river view, which rests while the water flows.
struct RiverGround {
    Field<float> elevation;    // m, of bed and banks, on cells of decimetres
    Field<float> water_level;  // m, mean, on the same grid; no data where it is dry
    Field<float> cover = {};   // values of BedCover on the same grid; empty: soil
    LandLayers land = {};      // what covers soil, on any grid; empty: turf
    // From near to far, on larger and larger cells, each around the one before.
    std::vector<RiverSurroundings> surroundings = {};
};

/// A leaf, or a patch of foam, that drifts.
struct FloatingThing {
    Position middle = {};    // m
    std::uint64_t bits = 0;  // random, for its looks
    double left = 1.0;       // share of it that has not faded
};

/// The water of a river view at one time, on the grid of its ground.
struct RiverWater {
    Field<float> elevation;            // m, of the surface; no data where it is dry
    Field<float> foam = {};            // 0 to 1; empty: none
    Field<float> velocity_east = {};   // m/s, by which foam is drawn out and carried; empty: 0
    Field<float> velocity_north = {};  // m/s
    double time = 0.0;                 // s
    double loop_period = 0.0;          // s, after which foam looks as before; 0: at no time
    std::vector<FloatingThing> leaves = {};
    std::vector<FloatingThing> foam_patches = {};  // beside `foam`
};

/// Where the camera and the sun stand, and how clear the water is.
struct RiverViewParameters {
    int width = 1280;             // pixels
    int height = 720;             // pixels
    Position eye = {};            // m
    double eye_height = 1.7;      // m above ground or water at `eye`
    Position target = {};         // m, the place on ground or water in the picture's middle
    double field_of_view = 50.0;  // degrees, across the picture's longer side
    double sun_azimuth = 150.0;   // degrees clockwise from north
    double sun_altitude = 42.0;   // degrees above the horizontal
    double clarity = 1.6;         // m: way in the water after which a third of the green light is left
    double haze = 3000.0;         // m: distance at which two thirds of the light are haze
    bool scatter = true;          // whether there are stones, grass and trees
    int samples = 4;              // camera rays per pixel

    static void declare(Declaration<RiverViewParameters>& declaration);
};

/// Colours of the ground's cells, sRGB, without light and shade: what covers them, turf on soil above the
/// water, dark where it is wet. For meshes. O(cells). Throws Error::input when grids differ.
///
/// Example:
///     const Image colours = riverside_colours({.elevation = elevation, .water_level = elevation});
Image riverside_colours(const RiverGround& ground);

/// A view of one stretch of river, drawn for one time of its water after another. The camera stands still.
///
/// Camera rays meet ground and water by Embree. Water mirrors sky and banks (Schlick 1994), and lets rays
/// through, bent by Snell's law, to the bed, whose light is lost on its way by Beer's law; the sun glitters
/// on it and foam covers it. The ground is lit by sun and sky (hillshade.hpp); it is gravel, sand, rock or
/// turf, wet beside the water, with stones and blades of grass; where layers tell what covers the land
/// (land_layers.hpp, in use until the view is made), soil has their colours, grass grows as thickly as
/// vegetation, and trees stand as densely as forest. Same bits on any number of threads on one
/// machine; about 1 us a pixel and ray on one core. Throws Error::input when grids differ, the eye lies off
/// the ground, or no cell has data, Error::failure when the program was built without Embree (can_draw_views
/// of view.hpp), Cancelled.
///
/// Example:
///     const Field<float> water(elevation.grid(), 12.0F);  // m
///     const RiverWater still = {.elevation = water};
///     const RiverGround ground = {.elevation = elevation, .water_level = water};
///     const Image picture = RiverView(ground, {.eye = {2.0, 3.0}, .target = {8.0, 9.0}}, progress)
///                               .draw(still, progress);
class RiverView {
  public:
    RiverView(const RiverGround& ground, const RiverViewParameters& parameters, Progress& progress);
    ~RiverView();
    RiverView(const RiverView&) = delete;
    RiverView& operator=(const RiverView&) = delete;

    [[nodiscard]] Image draw(const RiverWater& water, Progress& progress) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg
