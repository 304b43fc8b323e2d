#include "thalweg/particles/particle_parameters.hpp"

#include "thalweg/core/error.hpp"

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr const char* kMcDonald = "McDonald 2023, on cells of 10 m";

void declare_droplets(Declaration<ParticleParameters>& d) {
    d.integer("cycles", &ParticleParameters::cycles,
              {.label = "Cycles",
               .group = "Time",
               .unit = "1",
               .sentence = "How often droplets run, and discharge and momentum are averaged.",
               .minimum = 0.0,
               .maximum = 1e7,
               .usual = {50.0, 2000.0, SliderScale::Logarithmic}});
    d.number("time_step", &ParticleParameters::time_step,
             {.label = "Years of a cycle",
              .group = "Time",
              .unit = "yr",
              .sentence = "Time whose rain falls in a cycle.",
              .minimum = 1e-6,
              .maximum = 1e6,
              .usual = {0.1, 10.0, SliderScale::Logarithmic}});
    d.number("rainfall", &ParticleParameters::rainfall,
             {.label = "Runoff",
              .group = "Discharge",
              .unit = "m/yr",
              .sentence = "Rain that runs off.",
              .minimum = 0.0,
              .maximum = 1e3,
              .usual = {0.1, 3.0}});
    d.tables("springs", &ParticleParameters::springs,
             {.label = "Springs",
              .group = "Discharge",
              .unit = "",
              .sentence = "Places at which water comes out of the ground, or rivers enter."});
    d.integer("droplets", &ParticleParameters::droplets,
              {.label = "Droplets of a cycle",
               .group = "Droplets",
               .unit = "1",
               .sentence = "In how many droplets the water of a cycle falls; 0: one for every 64 cells. It "
                           "changes noise and time alone.",
               .minimum = 0.0,
               .maximum = 1 << 24,
               .usual = {100.0, 100000.0, SliderScale::Logarithmic},
               .automatic = 0.0});
    d.integer(
        "batches", &ParticleParameters::batches,
        {.label = "Batches of a cycle",
         .group = "Droplets",
         .unit = "1",
         .sentence = "How often in a cycle the ground is changed by what droplets have done since; 0: as "
                     "often as the largest stream needs.",
         .minimum = 0.0,
         .maximum = 4096.0,
         .usual = {8.0, 256.0, SliderScale::Logarithmic},
         .automatic = 0.0,
         .is_advanced = true});
    d.number("range", &ParticleParameters::range,
             {.label = "Range of a droplet",
              .group = "Droplets",
              .unit = "m",
              .sentence = "Way after which a droplet ends; 0: four times the sides of the grid.",
              .minimum = 0.0,
              .maximum = 1e9,
              .usual = {1e3, 1e6, SliderScale::Logarithmic},
              .automatic = 0.0,
              .is_advanced = true});
    d.number("evaporation_length", &ParticleParameters::evaporation_length,
             {.label = "Evaporation length",
              .group = "Droplets",
              .unit = "m",
              .sentence = "Way on which a droplet dries up to 1/e of its water.",
              .minimum = 0.0,
              .maximum = 1e12,
              .usual = {1e3, 1e6, SliderScale::Logarithmic},
              .source = "McDonald 2023: 1.4e4 on cells of 10 m",
              .minimum_excluded = true});
}

void declare_motion(Declaration<ParticleParameters>& d) {
    d.number("gravity", &ParticleParameters::gravity,
             {.label = "Pull of gravity",
              .group = "Motion",
              .unit = "1/m",
              .sentence = "G: by how much the slope turns droplets towards its fall on each metre.",
              .minimum = 0.0,
              .maximum = 1e3,
              .usual = {0.005, 0.5, SliderScale::Logarithmic},
              .source = kMcDonald,
              .minimum_excluded = true});
    d.number("momentum_transfer", &ParticleParameters::momentum_transfer,
             {.label = "Momentum transfer",
              .group = "Motion",
              .unit = "1/m",
              .sentence = "M: by how much a strong stream turns droplets into its direction on each metre. "
                          "With 0 each droplet runs for itself.",
              .minimum = 0.0,
              .maximum = 1e3,
              .usual = {0.0, 0.2},
              .source = kMcDonald});
    d.number("momentum_discharge", &ParticleParameters::momentum_discharge,
             {.label = "Discharge of a stream",
              .group = "Motion",
              .unit = "m^3/yr",
              .sentence = "Qm: discharge from which on a stream carries droplets with it.",
              .minimum = 0.0,
              .maximum = 1e15,
              .usual = {1e3, 1e7, SliderScale::Logarithmic},
              .source = kMcDonald,
              .minimum_excluded = true});
    d.number("averaging_time", &ParticleParameters::averaging_time,
             {.label = "Averaging time",
              .group = "Motion",
              .unit = "yr",
              .sentence = "T: time over which discharge and momentum are averaged.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {1.0, 100.0, SliderScale::Logarithmic},
              .source = "McDonald 2023: a tenth of each cycle"});
    d.number("climb_limit", &ParticleParameters::climb_limit,
             {.label = "Highest climb",
              .group = "Motion",
              .unit = "m",
              .sentence = "How far a droplet rises above where it was lowest before it turns back and falls.",
              .minimum = 0.0,
              .maximum = 1e4,
              .usual = {0.1, 10.0, SliderScale::Logarithmic},
              .source = "empirical"});
    d.choice("gradient", &ParticleParameters::gradient_order,
             {{"second", GradientOrder::Second, "Central differences of the neighbours: smooth banks."},
              {"fourth", GradientOrder::Fourth, "Two cells on either side: closer to a smooth ground."}},
             {.label = "Order of gradients",
              .group = "Motion",
              .unit = "",
              .sentence = "Order of the finite differences by which the fall of the ground is taken.",
              .is_advanced = true});
}

void declare_sediment(Declaration<ParticleParameters>& d) {
    d.number("capacity", &ParticleParameters::capacity,
             {.label = "Transport capacity",
              .group = "Sediment",
              .unit = "m^3/m^3",
              .sentence = "kc: sediment that a small stream carries in equilibrium, per slope.",
              .minimum = 0.0,
              .maximum = 1e3,
              .usual = {1e-3, 0.1, SliderScale::Logarithmic},
              .source = kMcDonald});
    d.number("entrainment", &ParticleParameters::entrainment,
             {.label = "Entrainment",
              .group = "Sediment",
              .unit = "1",
              .sentence = "K: how many times as much a large stream carries, besides.",
              .minimum = 0.0,
              .maximum = 1e4,
              .usual = {0.0, 30.0},
              .source = "McDonald 2023"});
    d.number(
        "entrainment_discharge", &ParticleParameters::entrainment_discharge,
        {.label = "Discharge of entrainment",
         .group = "Sediment",
         .unit = "m^3/yr",
         .sentence = "Q1: discharge for 10 m of width at which a stream has come to 0.43 of its entrainment.",
         .minimum = 0.0,
         .maximum = 1e15,
         .usual = {1e3, 1e7, SliderScale::Logarithmic},
         .source = kMcDonald,
         .minimum_excluded = true});
    d.number("exchange_length", &ParticleParameters::exchange_length,
             {.label = "Exchange length",
              .group = "Sediment",
              .unit = "m",
              .sentence = "Way on which the load comes to 1/e of its distance from equilibrium.",
              .minimum = 0.0,
              .maximum = 1e7,
              .usual = {10.0, 1000.0, SliderScale::Logarithmic},
              .source = kMcDonald});
    d.number("repose_slope", &ParticleParameters::repose_slope,
             {.label = "Angle of repose, as slope",
              .group = "Sediment",
              .unit = "m/m",
              .sentence = "Slope beyond which the ground slides.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.3, 2.0}});
    d.number("avalanche_rate", &ParticleParameters::avalanche_rate,
             {.label = "Rate of avalanches",
              .group = "Sediment",
              .unit = "1",
              .sentence = "How fast steep ground slides: 1 where frost loosens it, less in climates without.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.0, 1.0}});
}

void declare_materials(Declaration<ParticleParameters>& d) {
    d.number("sediment_depth", &ParticleParameters::sediment_depth,
             {.label = "Depth of sediment at first",
              .group = "Materials",
              .unit = "m",
              .sentence = "Loose sediment that lies on bedrock before droplets run.",
              .minimum = 0.0,
              .maximum = 8000.0,
              .usual = {0.0, 20.0}});
    d.number("bedrock_erodibility", &ParticleParameters::bedrock_erodibility,
             {.label = "Erodibility of bedrock",
              .group = "Materials",
              .unit = "1",
              .sentence = "How fast droplets take up bedrock, over how fast loose sediment.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.01, 1.0, SliderScale::Logarithmic}});
    d.number("bedrock_repose_slope", &ParticleParameters::bedrock_repose_slope,
             {.label = "Steepest slope of bedrock",
              .group = "Materials",
              .unit = "m/m",
              .sentence = "Slope beyond which bedrock falls and becomes sediment; 0: that of sediment, "
                          "repose_slope.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.5, 5.0},
              .automatic = 0.0});
    d.number(
        "freeze_thaw", &ParticleParameters::freeze_thaw,
        {.label = "Freeze and thaw",
         .group = "Materials",
         .unit = "1",
         .sentence = "How fast steep bedrock falls, over how fast sediment slides: 1 where frost loosens "
                     "it, 0 in climates without.",
         .minimum = 0.0,
         .maximum = 1.0,
         .usual = {0.0, 1.0},
         .source = "McDonald 2023, thermal erosion"});
}

void declare_soil(Declaration<ParticleParameters>& d) {
    d.number(
        "soil_depth", &ParticleParameters::soil_depth,
        {.label = "Depth of soil at first",
         .group = "Materials",
         .unit = "m",
         .sentence = "Soil that lies on sediment before droplets run: layer soil tells what becomes of it. "
                     "0: none.",
         .minimum = 0.0,
         .maximum = 8000.0,
         .usual = {0.0, 2.0}});
    d.number("soil_erodibility", &ParticleParameters::soil_erodibility,
             {.label = "Erodibility of soil",
              .group = "Materials",
              .unit = "1",
              .sentence = "How fast droplets take up soil, over how fast loose sediment.",
              .minimum = 1e-3,
              .maximum = 100.0,
              .usual = {0.2, 5.0, SliderScale::Logarithmic},
              .source = "empirical"});
    d.number("soil_repose_slope", &ParticleParameters::soil_repose_slope,
             {.label = "Angle of repose of soil, as slope",
              .group = "Materials",
              .unit = "m/m",
              .sentence = "Slope beyond which soil slides; 0: that of sediment, repose_slope.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.3, 2.0},
              .automatic = 0.0});
    d.number(
        "soil_settling_length", &ParticleParameters::soil_settling_length,
        {.label = "Settling length of soil",
         .group = "Materials",
         .unit = "m",
         .sentence = "Way into still water on which soil settles to 1/e: what has not settled goes on over "
                     "the sill. 0: that of sediment, settling_length.",
         .minimum = 0.0,
         .maximum = 1e7,
         .usual = {10.0, 2000.0, SliderScale::Logarithmic},
         .automatic = 0.0});
    d.number(
        "soil_time", &ParticleParameters::soil_time,
        {.label = "Time in which soil forms",
         .group = "Materials",
         .unit = "yr",
         .sentence = "Years in which plants turn the uppermost ground to 1 - 1/e of soil_limit into soil; "
                     "0: none forms.",
         .minimum = 0.0,
         .maximum = 1e9,
         .usual = {10.0, 1e4, SliderScale::Logarithmic},
         .automatic = 0.0,
         .enabled_when = {differs("plant_time", {0.0})}});
    d.number("soil_limit", &ParticleParameters::soil_limit,
             {.label = "Depth of soil under plants",
              .group = "Materials",
              .unit = "m",
              .sentence = "Depth that soil comes to where plants cover all.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.1, 2.0},
              .source = "empirical",
              .enabled_when = {differs("soil_time", {0.0})}});
}

void declare_pigment(Declaration<ParticleParameters>& d) {
    d.number("pigment", &ParticleParameters::pigment,
             {.label = "Pigment",
              .group = "Materials",
              .unit = "1",
              .sentence = "Colour of the ground at first, 0 to 1, that droplets take up and lay down again: "
                          "layer pigment tells where it has come to. 0: none.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.0, 1.0},
              .automatic = 0.0,
              .source = "McDonald 2023, meander pigment washing"});
    d.number("pigment_depth", &ParticleParameters::pigment_depth,
             {.label = "Depth of mixed pigment",
              .group = "Materials",
              .unit = "m",
              .sentence = "Depth of ground whose pigment is mixed with that of what droplets lay down.",
              .minimum = 0.0,
              .maximum = 1e3,
              .usual = {0.01, 1.0, SliderScale::Logarithmic},
              .source = "empirical",
              .minimum_excluded = true,
              .is_advanced = true});
}

void declare_plants(Declaration<ParticleParameters>& d) {
    d.number("plant_time", &ParticleParameters::plant_time,
             {.label = "Time of growth",
              .group = "Vegetation",
              .unit = "yr",
              .sentence = "Years in which plants cover ground that is left alone to 1 - 1/e; 0: no plants.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {1.0, 100.0, SliderScale::Logarithmic},
              .automatic = 0.0});
    d.number("plant_cover", &ParticleParameters::plant_cover,
             {.label = "Plants at first",
              .group = "Vegetation",
              .unit = "1",
              .sentence = "Share of the ground that plants cover before droplets run.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.0, 1.0},
              .enabled_when = {differs("plant_time", {0.0})}});
    d.number("plant_discharge", &ParticleParameters::plant_discharge,
             {.label = "Discharge that plants bear",
              .group = "Vegetation",
              .unit = "m^3/yr",
              .sentence = "Discharge of a cell at which plants cover half of it.",
              .minimum = 0.0,
              .maximum = 1e15,
              .usual = {1e2, 1e6, SliderScale::Logarithmic},
              .source = "empirical",
              .minimum_excluded = true,
              .enabled_when = {differs("plant_time", {0.0})}});
    d.number("plant_erosion", &ParticleParameters::plant_erosion,
             {.label = "Erosion that plants bear",
              .group = "Vegetation",
              .unit = "m/yr",
              .sentence = "Erosion or deposition at which plants cover half of the ground.",
              .minimum = 0.0,
              .maximum = 1e3,
              .usual = {0.01, 1.0, SliderScale::Logarithmic},
              .source = "empirical",
              .minimum_excluded = true,
              .enabled_when = {differs("plant_time", {0.0})}});
    d.number("root_strength", &ParticleParameters::root_strength,
             {.label = "Strength of roots",
              .group = "Vegetation",
              .unit = "1",
              .sentence = "Share of what droplets would take that roots hold where plants cover all.",
              .minimum = 0.0,
              .maximum = 1.0,
              .usual = {0.0, 1.0},
              .source = "McDonald 2023, root density",
              .enabled_when = {differs("plant_time", {0.0})}});
    d.number(
        "root_repose", &ParticleParameters::root_repose,
        {.label = "Slopes that roots hold",
         .group = "Vegetation",
         .unit = "1",
         .sentence = "By what share of them roots raise the slopes at which soil and sediment rest where "
                     "plants cover all; 0: not at all.",
         .minimum = 0.0,
         .maximum = 10.0,
         .usual = {0.0, 1.0},
         .automatic = 0.0,
         .enabled_when = {differs("plant_time", {0.0})}});
}

void declare_beaches(Declaration<ParticleParameters>& d) {
    d.number("beach_slope", &ParticleParameters::beach_slope,
             {.label = "Slope of beaches",
              .group = "Lakes",
              .unit = "m/m",
              .sentence = "Slope beyond which sediment slides at the sea, where waves move it; 0: as "
                          "elsewhere, no beaches.",
              .minimum = 0.0,
              .maximum = 10.0,
              .usual = {0.0, 0.2},
              .automatic = 0.0,
              .enabled_when = {differs("sea_level", {kNoSea})}});
    d.number("beach_range", &ParticleParameters::beach_range,
             {.label = "Height of beaches",
              .group = "Lakes",
              .unit = "m",
              .sentence = "How far above and below the sea level waves move sediment.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.5, 10.0},
              .enabled_when = {differs("beach_slope", {0.0})}});
}

void declare_lakes(Declaration<ParticleParameters>& d) {
    d.integer(
        "lakes_every", &ParticleParameters::lakes_every,
        {.label = "Cycles between levels of lakes",
         .group = "Lakes",
         .unit = "1",
         .sentence = "After how many cycles water at rest fills depressions, spills and merges anew; 0: "
                     "no lakes, and water that comes to rest dries up.",
         .minimum = 0.0,
         .maximum = 1e6,
         .usual = {0.0, 50.0}});
    d.boolean("lakes_full_at_first", &ParticleParameters::are_lakes_full_at_first,
              {.label = "Full lakes at first",
               .group = "Lakes",
               .unit = "",
               .sentence = "Whether depressions are full of water at first, or dry.",
               .enabled_when = {differs("lakes_every", {std::int64_t{0}})}});
    d.number("lake_evaporation", &ParticleParameters::lake_evaporation,
             {.label = "Evaporation of lakes",
              .group = "Lakes",
              .unit = "m/yr",
              .sentence = "Water that lakes lose to the air, more than falls on them.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.0, 2.0},
              .enabled_when = {differs("lakes_every", {std::int64_t{0}})}});
    d.number("settling_length", &ParticleParameters::settling_length,
             {.label = "Settling length",
              .group = "Lakes",
              .unit = "m",
              .sentence = "Way into still water on which a load settles to 1/e: deltas are as long.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {5.0, 500.0, SliderScale::Logarithmic},
              .source = "empirical",
              .minimum_excluded = true});
    d.number(
        "sea_level", &ParticleParameters::sea_level,
        {.label = "Sea level",
         .group = "Lakes",
         .unit = "m",
         .sentence = "Ground below it lies in the sea, where water has left and loads settle; -1e5: no sea.",
         .minimum = kNoSea,
         .maximum = 1e5,
         .usual = {-500.0, 500.0},
         .automatic = kNoSea});
}

}  // namespace

void ParticleSpring::declare(Declaration<ParticleSpring>& d) {
    d.number("x", &ParticleSpring::x,
             {.label = "Easting", .unit = "m", .sentence = "Where the water comes out, to the east."});
    d.number("y", &ParticleSpring::y,
             {.label = "Northing", .unit = "m", .sentence = "Where the water comes out, to the north."});
    d.number("discharge", &ParticleSpring::discharge,
             {.label = "Discharge",
              .unit = "m^3/yr",
              .sentence = "Water that comes out in a year.",
              .minimum = 0.0,
              .maximum = 1e15,
              .usual = {1e4, 1e8, SliderScale::Logarithmic},
              .minimum_excluded = true});
    d.number("radius", &ParticleSpring::radius,
             {.label = "Radius",
              .unit = "m",
              .sentence = "Radius of the disc in which it comes out.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {0.0, 500.0}});
    d.boolean(
        "fed", &ParticleSpring::is_fed,
        {.label = "Brings sediment",
         .unit = "",
         .sentence = "Whether its water brings the sediment that it can carry on the slope of the disc, as a "
                     "river does that enters. The ground of the disc stays then."});
    d.number("load_share", &ParticleSpring::load_share,
             {.label = "Share of the load",
              .unit = "1",
              .sentence = "Share of what it can carry that fed water brings: with less than 1 the river cuts "
                          "into the plain.",
              .minimum = 0.0,
              .maximum = 10.0,
              .usual = {0.0, 1.0}});
}

void ParticleParameters::declare(Declaration<ParticleParameters>& d) {
    declare_droplets(d);
    declare_motion(d);
    declare_sediment(d);
    declare_materials(d);
    declare_soil(d);
    declare_pigment(d);
    declare_plants(d);
    declare_lakes(d);
    declare_beaches(d);
}

void check_particles(const ParticleParameters& parameters) {
    for (const ParticleSpring& spring : parameters.springs)
        if (!(spring.discharge > 0.0))
            throw Error::input(fmt::format("a spring's discharge = {} m^3/yr is not allowed: greater than 0",
                                           spring.discharge));
}

}  // namespace thalweg
