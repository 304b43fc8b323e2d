// Which shares of a place rock, scree, plants and snow have.
#pragma once

#include "thalweg/ground/seasons.hpp"

namespace thalweg {

/// What the cover of a place depends on.
struct Site {
    float soil = 0.0F;           // m
    float slope = 0.0F;          // m/m
    float laplacian = 0.0F;      // 1/m, of elevation: positive in hollows
    float light = 1.0F;          // over that of level ground
    float debris = 0.0F;         // m, that has come to rest
    float slid_snow = 0.0F;      // m of water, that has come to rest
    float wetness = 0.0F;        // topographic wetness index
    float precipitation = 0.0F;  // m/yr
    Season season;
};

struct Shares {
    float bare_rock = 0.0F;
    float scree = 0.0F;
    float vegetation = 0.0F;
    float forest = 0.0F;  // of all ground, as vegetation
    float snow = 0.0F;
};

/// The laws of ground_cover.hpp.
Shares shares_of(const Site& site);

/// Of ground under `soil` m of soil.
float rock_share(float soil);
/// How much of rock as steep is a cliff that falls.
float cliff_share(float slope);
/// How fast frost loosens rock at a mean temperature of the year, degC, over the fastest.
float frost_share(float temperature);
/// How much of the snow stays on ground as steep.
float snow_held(float slope);

}  // namespace thalweg
