// Climate of a landscape in few figures: how warm, how wet, and where the sun stands.
#pragma once

#include "thalweg/core/parameters.hpp"

#include <limits>

namespace thalweg {

/// A kind of climate, from which every figure that is left out is taken.
enum class ClimateKind { Alpine, Temperate, Mediterranean, Desert, Humid, Arctic };

/// Of ClimateParameters: the climate's own; of the latitude, that of the map.
inline constexpr double kByClimate = std::numeric_limits<double>::infinity();

/// The climate at height 0 of the map, and how it changes with height.
struct ClimateParameters {
    ClimateKind climate = ClimateKind::Alpine;
    double temperature = kByClimate;    // degC, mean of the year at height 0
    double summer_excess = kByClimate;  // degC, by which the warmest month is above the year's mean
    double precipitation = kByClimate;  // m/yr
    double lapse_rate = 6.5;            // degC/km
    double latitude = kByClimate;       // degrees, south is negative
    double month = 6.2;                 // of snow; 1 is the first of January

    static void declare(Declaration<ClimateParameters>& declaration);
};

/// The parameters with everything left out filled in by the kind of climate, and the latitude by that of the
/// map.
///
/// Example:
///     const ClimateParameters dry = resolved({.climate = ClimateKind::Desert, .temperature = 22.0}, 31.5);
ClimateParameters resolved(ClimateParameters parameters, double map_latitude);

}  // namespace thalweg
