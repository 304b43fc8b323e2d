#include "thalweg/riverscape/river_water.hpp"

namespace thalweg {

void RiverWaterParameters::declare(Declaration<RiverWaterParameters>& d) {
    d.number("loop_period", &RiverWaterParameters::loop_period,
             {.label = "Loop period",
              .group = "Water",
              .unit = "s",
              .sentence = "Time after which the water moves as before, so that animations loop.",
              .minimum = 0.5,
              .maximum = 3600.0,
              .usual = {5.0, 60.0}});
    d.number("density", &RiverWaterParameters::density,
             {.label = "Density of primitives",
              .group = "Water",
              .unit = "1",
              .sentence = "Times as many primitives on the same water.",
              .minimum = 0.01,
              .maximum = 20.0,
              .usual = {0.5, 4.0}});
    d.number("agitation", &RiverWaterParameters::agitation,
             {.label = "Agitation",
              .group = "Water",
              .unit = "1",
              .sentence = "Factor on the heights of waves and on foam.",
              .minimum = 0.0,
              .maximum = 3.0,
              .usual = {0.3, 1.5}});
}

}  // namespace thalweg
