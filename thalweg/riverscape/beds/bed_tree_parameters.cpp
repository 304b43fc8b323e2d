#include "thalweg/riverscape/bed_tree.hpp"

namespace thalweg {

void BedTreeParameters::declare(Declaration<BedTreeParameters>& d) {
    d.number("side_slope", &BedTreeParameters::side_slope,
             {.label = "Side slope",
              .group = "Beds",
              .unit = "m/m",
              .sentence = "Slope of the ground between the banks and the terrain, where that is less steep.",
              .minimum = 0.02,
              .maximum = 5.0,
              .usual = {0.1, 1.0},
              .source = "empirical: loose material at half its angle of repose and more"});
    d.number("bed_roughness", &BedTreeParameters::roughness,
             {.label = "Roughness of beds",
              .group = "Beds",
              .unit = "1",
              .sentence = "Multiplies the roughness of beds and the irregularity of banks; 0: smooth.",
              .minimum = 0.0,
              .maximum = 2.0,
              .usual = {0.0, 2.0}});
}

}  // namespace thalweg
