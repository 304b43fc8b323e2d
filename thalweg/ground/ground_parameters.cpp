#include "thalweg/ground/ground_cover.hpp"

namespace thalweg {
namespace {

void declare_soil(Declaration<GroundParameters>& d) {
    d.number("soil_production", &GroundParameters::soil_production,
             {.label = "Soil production",
              .group = "Soil",
              .unit = "m/yr",
              .sentence = "How fast bare rock becomes soil.",
              .minimum = 0.0,
              .maximum = 0.1,
              .usual = {1e-5, 1e-3, SliderScale::Logarithmic},
              .source = "Heimsath et al. 2001: 2.7e-4 in the Oregon Coast Range",
              .minimum_excluded = true});
    d.number("soil_decay_depth", &GroundParameters::soil_decay_depth,
             {.label = "Decay depth of soil production",
              .group = "Soil",
              .unit = "m",
              .sentence = "Depth of soil below which rock becomes soil e times as slowly.",
              .minimum = 0.01,
              .maximum = 100.0,
              .usual = {0.2, 1.0},
              .source = "Heimsath et al. 2001: 0.33",
              .is_advanced = true});
    d.number("soil_age", &GroundParameters::soil_age,
             {.label = "Age of soil",
              .group = "Soil",
              .unit = "yr",
              .sentence = "Since when soil and scree have gathered on what was bare rock.",
              .minimum = 1.0,
              .maximum = 1e8,
              .usual = {1e3, 1e6, SliderScale::Logarithmic},
              .source = "the end of the last ice age"});
    d.number("diffusivity", &GroundParameters::diffusivity,
             {.label = "Diffusivity of soil",
              .group = "Soil",
              .unit = "m^2/yr",
              .sentence = "How fast soil creeps, which thins it on ridges and gathers it in hollows.",
              .minimum = 0.0,
              .maximum = 1e3,
              .usual = {1e-3, 0.1, SliderScale::Logarithmic},
              .source = "Roering et al. 1999: 0.0032 in the Oregon Coast Range"});
    d.number("critical_slope", &GroundParameters::critical_slope,
             {.label = "Critical slope of soil",
              .group = "Soil",
              .unit = "m/m",
              .sentence = "Slope on which no soil stays; where layer critical_slope says less, that.",
              .minimum = 0.05,
              .maximum = 100.0,
              .usual = {0.6, 1.3},
              .source = "DiBiase et al. 2012: rock shows from 40 degrees on"});
}

}  // namespace

void GroundParameters::declare(Declaration<GroundParameters>& d) {
    d.include(&GroundParameters::climate);
    declare_soil(d);
    d.number("rockfall", &GroundParameters::rockfall,
             {.label = "Retreat of cliffs",
              .group = "Soil",
              .unit = "m/yr",
              .sentence = "How fast cliffs go back where frost is frequent, which makes scree below them.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {1e-5, 3e-3, SliderScale::Logarithmic},
              .source = "Curry and Morris 2004: 1e-4 to 1e-3 for alpine walls"});
    d.number("channel_area", &GroundParameters::channel_area,
             {.label = "Drainage area of channels",
              .group = "Soil",
              .unit = "m^2",
              .sentence = "Streams that drain this much carry off half of the scree that comes to them.",
              .minimum = 1.0,
              .maximum = 1e12,
              .usual = {1e4, 1e8, SliderScale::Logarithmic}});
    d.number("length", &GroundParameters::length,
             {.label = "Length of slopes",
              .group = "Soil",
              .unit = "m",
              .sentence = "Standard deviation of the gaussian over which slopes and curvatures are taken; "
                          "cells beyond 1.5 times as large take their own.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {10.0, 200.0, SliderScale::Logarithmic},
              .is_advanced = true});
}

}  // namespace thalweg
