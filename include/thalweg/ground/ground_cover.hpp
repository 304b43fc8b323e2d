// What covers the ground: soil, bare rock, scree, plants and snow.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/ground/climate.hpp"

#include <cstdint>

namespace thalweg {

/// The laws' numbers. Their defaults are those of wooded mountains of middle latitudes.
struct GroundParameters {
    ClimateParameters climate;
    double soil_production = 2.7e-4;  // P_0, m/yr, from bare rock
    double soil_decay_depth = 0.33;   // h_0, m, by which production falls to 1/e
    double soil_age = 15000.0;        // t, yr, since the ground was bare
    double diffusivity = 0.01;        // D, m^2/yr, of soil that creeps
    double critical_slope = 0.9;      // S_c, m/m, on which no soil stays
    double rockfall = 3e-4;           // R, m/yr, by which frosty cliffs go back
    double channel_area = 1e6;        // m^2; rivers that drain this much carry half of their scree off
    double length = 40.0;             // m, over which slopes and curvatures are taken

    static void declare(Declaration<GroundParameters>& declaration);
};

/// What is covered. Fields lie on one grid; empty ones say nothing.
struct GroundInputs {
    const Field<float>& elevation;           // m, NaN is no data
    const FlowResult& flow;                  // of it, to any of 8 neighbours
    Field<float> critical_slope = {};        // m/m, of the rock: soil stays on no steeper ground
    Field<float> precipitation_factor = {};  // 1, on precipitation
    Field<float> sediment = {};              // m, that rivers and slopes have laid down
    Field<std::uint8_t> water = {};          // 1: sea or lake, which nothing covers
};

struct GroundReport {
    double tree_line = 0.0;    // m, mean height of the highest trees on level ground; may be off the map
    double snow_line = 0.0;    // m, of the lowest snow on level ground at the date
    double bare_share = 0.0;   // of the land, 0 to 1: bare rock
    double scree_share = 0.0;  // and the others
    double vegetation_share = 0.0;
    double forest_share = 0.0;
    double snow_share = 0.0;
};

/// Layers from 0 to 1 are shares of a cell: what is neither rock, scree nor vegetation is bare soil; forest
/// is a part of vegetation, and snow lies on all of them.
struct GroundCover {
    Field<float> soil_depth;  // m
    Field<float> bare_rock;   // 1
    Field<float> scree;       // 1
    Field<float> vegetation;  // 1
    Field<float> forest;      // 1
    Field<float> snow;        // 1
    GroundReport report;
};

/// Covers the ground, by laws of soil, rockfall, plants and snow:
///
///   soil_depth  h = h_0 ln( P_0 / E + (1 - P_0 / E) e^(-E t' / h_0) ),  E = -D laplacian(z) / s,  t' = s t,
///               s = 1 - (S / S_c)^2; sediment is soil too
///   bare_rock   e^(-h / 0.15 m) of what is not scree
///   scree       1 - e^(-d / 0.5 m), d: depth of the debris of t years; cliffs (S from 0.7 to 1.1) lose R
///               where it freezes often, which falls to lower neighbours and rests on slopes of 25 to 38
///               degrees
///   vegetation  (1 - bare_rock - scree) x warmth x w^2 / (w^2 + 0.4^2)
///   forest      warm and deep enough for trees: w^4 / (w^4 + 0.75^4), soil, no floods, no avalanches
///   snow        1 - e^(-d / 0.2 m), d: water of the snow that has fallen, slid, and not melted by the date
///
/// z: elevation, S: slope, both over `length`. Temperature falls with height by the lapse rate, and rises by
/// 4 degC for twice the light of level ground (Insolation of slopes at the latitude). Warmth is the mean of
/// the growing season, trees end at 6.4 degC (Paulsen and Korner 2014). w: precipitation over Holdridge's
/// (1967) potential evaporation, 0.0589 m/yr a degree of biotemperature, times light; water that runs
/// together counts by the wetness index, e^((index - 7.5) / 4). Sources, and what is empirical:
/// docs/theory/ground.md.
///
/// Where there is water all is 0; where there is no data, none. The same shares on cells of 15 to 60 m, to a
/// twentieth. About 80 bytes a cell; the same bits on any number of threads; reports and polls `progress`.
/// `map_latitude`: degrees, where the climate names none.
///
/// Example:
///     const GroundInputs inputs = {.elevation = elevation, .flow = flow};
///     const GroundParameters wet = {.climate = {.climate = ClimateKind::Humid}};
///     const GroundCover cover = ground_cover(inputs, wet, -3.1, progress);
GroundCover ground_cover(const GroundInputs& inputs, const GroundParameters& parameters, double map_latitude,
                         Progress& progress);

}  // namespace thalweg
