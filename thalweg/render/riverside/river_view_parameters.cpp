#include "thalweg/render/river_view.hpp"

namespace thalweg {

void RiverViewParameters::declare(Declaration<RiverViewParameters>& d) {
    d.integer("width", &RiverViewParameters::width,
              {.unit = "pixels", .sentence = "Width of the picture.", .minimum = 16, .maximum = 16384});
    d.integer("height", &RiverViewParameters::height,
              {.unit = "pixels", .sentence = "Height of the picture.", .minimum = 16, .maximum = 16384});
    d.number("eye_height", &RiverViewParameters::eye_height,
             {.unit = "m",
              .sentence = "Height of the camera above ground or water.",
              .minimum = 0.05,
              .maximum = 1e5});
    d.number("field_of_view", &RiverViewParameters::field_of_view,
             {.unit = "degrees",
              .sentence = "Angle across the picture's longer side.",
              .minimum = 5.0,
              .maximum = 120.0});
    d.number("sun_azimuth", &RiverViewParameters::sun_azimuth,
             {.unit = "degrees",
              .sentence = "Where the sun stands, clockwise from north.",
              .minimum = -360.0,
              .maximum = 360.0});
    d.number("sun_altitude", &RiverViewParameters::sun_altitude,
             {.unit = "degrees",
              .sentence = "Height of the sun above the horizontal.",
              .minimum = 5.0,
              .maximum = 90.0});
    d.number("clarity", &RiverViewParameters::clarity,
             {.unit = "m",
              .sentence = "Way in the water after which a third of the green light is left.",
              .minimum = 0.02,
              .maximum = 100.0});
    d.number("haze", &RiverViewParameters::haze,
             {.unit = "m",
              .sentence = "Distance at which two thirds of the light are haze.",
              .minimum = 10.0,
              .maximum = 1e6});
    d.boolean("scatter", &RiverViewParameters::scatter,
              {.unit = "", .sentence = "Whether there are stones, grass and trees."});
    d.integer("samples", &RiverViewParameters::samples,
              {.unit = "1", .sentence = "Camera rays per pixel.", .minimum = 1, .maximum = 256});
}

}  // namespace thalweg
