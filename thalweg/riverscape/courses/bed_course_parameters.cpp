#include "thalweg/riverscape/bed_course.hpp"

namespace thalweg {

void BedCourseParameters::declare(Declaration<BedCourseParameters>& d) {
    d.number("sinuosity_factor", &BedCourseParameters::sinuosity_factor,
             {.label = "Sinuosity factor",
              .group = "Courses",
              .unit = "1",
              .sentence = "Multiplies what the sinuosity of a type has above 1, where the network is too "
                          "coarse to show bends; 0 leaves lines as they are.",
              .minimum = 0.0,
              .maximum = 3.0,
              .usual = {0.0, 1.5}});
    d.number("rock_density", &BedCourseParameters::rock_density,
             {.label = "Density of rocks",
              .group = "Courses",
              .unit = "1",
              .sentence = "Multiplies how densely rocks lie in beds; 0: none.",
              .minimum = 0.0,
              .maximum = 3.0,
              .usual = {0.0, 2.0}});
    d.number("freeboard", &BedCourseParameters::freeboard,
             {.label = "Freeboard",
              .group = "Courses",
              .unit = "1",
              .sentence = "How far banks stand above the water, in bankfull depths.",
              .minimum = 0.02,
              .maximum = 1.0,
              .usual = {0.05, 0.5},
              .source = "empirical: just below bankfull"});
}

}  // namespace thalweg
