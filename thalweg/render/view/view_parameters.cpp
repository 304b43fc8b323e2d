#include "thalweg/render/view.hpp"

namespace thalweg {

void ViewParameters::declare(Declaration<ViewParameters>& d) {
    d.integer("width", &ViewParameters::width,
              {.unit = "pixels", .sentence = "Width of the picture.", .minimum = 16, .maximum = 16384});
    d.integer("height", &ViewParameters::height,
              {.unit = "pixels", .sentence = "Height of the picture.", .minimum = 16, .maximum = 16384});
    d.number("azimuth", &ViewParameters::azimuth,
             {.unit = "degrees",
              .sentence = "Where the camera stands, clockwise from north as seen from the terrain.",
              .minimum = -360.0,
              .maximum = 360.0});
    d.number(
        "pitch", &ViewParameters::pitch,
        {.unit = "degrees", .sentence = "How far the camera looks down.", .minimum = 5.0, .maximum = 89.0});
    d.number("field_of_view", &ViewParameters::field_of_view,
             {.unit = "degrees",
              .sentence = "Angle across the picture's longer side.",
              .minimum = 5.0,
              .maximum = 100.0});
    d.number("exaggeration", &ViewParameters::exaggeration,
             {.unit = "1",
              .sentence = "Factor on elevations; 0 chooses one that suits the terrain.",
              .minimum = 0.0,
              .maximum = 100.0});
    d.number("sun_azimuth", &ViewParameters::sun_azimuth,
             {.unit = "degrees",
              .sentence = "Where the sun stands, clockwise from north.",
              .minimum = -360.0,
              .maximum = 360.0});
    d.number("sun_altitude", &ViewParameters::sun_altitude,
             {.unit = "degrees",
              .sentence = "Height of the sun above the horizontal.",
              .minimum = 5.0,
              .maximum = 90.0});
    d.integer("samples", &ViewParameters::samples,
              {.unit = "1", .sentence = "Camera rays per pixel.", .minimum = 1, .maximum = 256});
    d.number("haze", &ViewParameters::haze,
             {.unit = "1",
              .sentence = "Share of haze in the light from the far end of the terrain.",
              .minimum = 0.0,
              .maximum = 1.0});
    d.number("sea_level", &ViewParameters::sea_level,
             {.unit = "m",
              .sentence = "Ground below this height is drawn as sea; -inf is none.",
              .maximum = 1e5,
              .infinity_allowed = true});
    d.boolean("rivers", &ViewParameters::rivers, {.unit = "", .sentence = "Whether rivers are drawn."});
}

}  // namespace thalweg
