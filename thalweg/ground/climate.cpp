#include "thalweg/ground/climate.hpp"

#include <cmath>

namespace thalweg {
namespace {

/// Means of the year as of lowland stations (WMO normals 1991-2020, rounded): Alpine of a valley at the foot
/// of the Alps, whose height is the map's 0.
struct ClimateFigures {
    double temperature;    // degC
    double summer_excess;  // degC
    double precipitation;  // m/yr
};

ClimateFigures figures_of(ClimateKind kind) {
    switch (kind) {
        case ClimateKind::Alpine:
            return {8.0, 9.0, 1.2};
        case ClimateKind::Temperate:
            return {10.0, 8.5, 0.9};
        case ClimateKind::Mediterranean:
            return {17.0, 7.5, 0.6};
        case ClimateKind::Desert:
            return {20.0, 9.5, 0.12};
        case ClimateKind::Humid:
            return {25.0, 2.0, 2.2};
        case ClimateKind::Arctic:
            return {-5.0, 13.0, 0.4};
    }
    return {};
}

void declare_kind(Declaration<ClimateParameters>& d) {
    d.choice(
        "climate", &ClimateParameters::climate,
        {{"alpine", ClimateKind::Alpine, "8 degC at height 0, 17 in the warmest month; 1.2 m/yr of rain."},
         {"temperate", ClimateKind::Temperate, "10 degC, 18.5 in the warmest month; 0.9 m/yr."},
         {"mediterranean", ClimateKind::Mediterranean, "17 degC, 24.5 in the warmest month; 0.6 m/yr."},
         {"desert", ClimateKind::Desert, "20 degC, 29.5 in the warmest month; 0.12 m/yr."},
         {"humid", ClimateKind::Humid, "25 degC, 27 in the warmest month; 2.2 m/yr."},
         {"arctic", ClimateKind::Arctic, "-5 degC, 8 in the warmest month; 0.4 m/yr."}},
        {.label = "Kind of climate",
         .group = "Climate",
         .unit = "",
         .sentence = "From which everything is taken that is left out."});
}

}  // namespace

void ClimateParameters::declare(Declaration<ClimateParameters>& d) {
    declare_kind(d);
    d.number("temperature", &ClimateParameters::temperature,
             {.label = "Temperature",
              .group = "Climate",
              .unit = "degC",
              .sentence = "Mean of the year at height 0 of the map; inf takes that of the kind of climate.",
              .minimum = -60.0,
              .maximum = 50.0,
              .usual = {-10.0, 28.0},
              .automatic = kByClimate,
              .infinity_allowed = true});
    d.number("summer_excess", &ClimateParameters::summer_excess,
             {.label = "Excess of summer",
              .group = "Climate",
              .unit = "degC",
              .sentence = "By how much the warmest month is warmer than the year; inf takes that of the kind "
                          "of climate.",
              .minimum = 0.0,
              .maximum = 40.0,
              .usual = {1.0, 20.0},
              .automatic = kByClimate,
              .infinity_allowed = true});
    d.number("precipitation", &ClimateParameters::precipitation,
             {.label = "Precipitation",
              .group = "Climate",
              .unit = "m/yr",
              .sentence = "Rain and snow of a year, times layer precipitation_factor where there is one; inf "
                          "takes that of the kind of climate.",
              .minimum = 0.0,
              .maximum = 20.0,
              .usual = {0.05, 4.0, SliderScale::Logarithmic},
              .automatic = kByClimate,
              .infinity_allowed = true});
    d.number("lapse_rate", &ClimateParameters::lapse_rate,
             {.label = "Lapse rate",
              .group = "Climate",
              .unit = "degC/km",
              .sentence = "How much colder it is 1 km higher up.",
              .minimum = 0.0,
              .maximum = 15.0,
              .usual = {4.0, 9.8},
              .source = "ISO 2533, standard atmosphere",
              .is_advanced = true});
    d.number("latitude", &ClimateParameters::latitude,
             {.label = "Latitude",
              .group = "Climate",
              .unit = "degrees",
              .sentence = "From which the sun's way follows, south negative; inf takes that of the map's "
                          "coordinate system, or 45 where it has none.",
              .minimum = -90.0,
              .maximum = 90.0,
              .usual = {-70.0, 70.0},
              .automatic = kByClimate,
              .infinity_allowed = true});
    d.number(
        "month", &ClimateParameters::month,
        {.label = "Month",
         .group = "Climate",
         .unit = "months",
         .sentence = "Time of the year whose snow is shown: 1 is the first of January, 12.5 mid-December; "
                     "south of the equator seasons are half a year off.",
         .minimum = 1.0,
         .maximum = 13.0,
         .usual = {1.0, 12.9}});
}

ClimateParameters resolved(ClimateParameters parameters, double map_latitude) {
    const ClimateFigures figures = figures_of(parameters.climate);
    if (std::isinf(parameters.temperature)) parameters.temperature = figures.temperature;
    if (std::isinf(parameters.summer_excess)) parameters.summer_excess = figures.summer_excess;
    if (std::isinf(parameters.precipitation)) parameters.precipitation = figures.precipitation;
    if (std::isinf(parameters.latitude)) parameters.latitude = map_latitude;
    return parameters;
}

}  // namespace thalweg
