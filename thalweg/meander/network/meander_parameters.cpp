#include "thalweg/meander/meander_parameters.hpp"

namespace thalweg {

void MeanderParameters::declare(Declaration<MeanderParameters>& d) {
    d.include(&MeanderParameters::migration);
    d.number("critical_slope", &MeanderParameters::critical_slope,
             {.label = "Steepest ground to wander on",
              .group = "Migration",
              .unit = "m/m",
              .sentence = "s_0: slope of the ground from which on a channel stays where it is; on flatter "
                          "ground it is the freer the flatter that is.",
              .minimum = 0.0,
              .maximum = 10.0,
              .usual = {0.02, 0.5, SliderScale::Logarithmic},
              .source = "Paris et al. 2023, table 1",
              .minimum_excluded = true});
    d.tables("controls", &MeanderParameters::controls,
             {.label = "Regions of control",
              .group = "Control",
              .unit = "",
              .sentence = "Strokes that attract channels, repel them, or let them stay.",
              .source = "Paris et al. 2023, section 4.5"});
    d.number("minimum_width", &MeanderParameters::minimum_width,
             {.label = "Narrowest channel that wanders",
              .group = "Migration",
              .unit = "m",
              .sentence = "Channels that are narrower in the mean stay where they are.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {0.0, 50.0}});
    d.number("inlet_forcing", &MeanderParameters::inlet_forcing,
             {.label = "Bends beyond the source",
              .group = "Migration",
              .unit = "1",
              .sentence = "Curvature times width of the bends from which rivers come; 0: straight, and the "
                          "first few kilometres of a straight river stay so.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.0, 0.2},
              .source = "empirical",
              .is_advanced = true});
    d.number("initial_roughness", &MeanderParameters::initial_roughness,
             {.label = "First bends",
              .group = "Migration",
              .unit = "1",
              .sentence = "By which share of their width rivers are bent at the start, in bends of about six "
                          "widths; a river that is drawn straight would stay so.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.0, 0.2},
              .source = "empirical",
              .is_advanced = true});
    d.number("point_spacing", &MeanderParameters::spacing,
             {.label = "Distance of points",
              .group = "Method",
              .unit = "m",
              .sentence = "From point to point of a line; 0, and at most: half its width, and 50 m.",
              .minimum = 0.0,
              .maximum = 1e4,
              .usual = {0.0, 50.0},
              .automatic = 0.0,
              .is_advanced = true});
}

}  // namespace thalweg
