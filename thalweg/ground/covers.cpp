#include "thalweg/ground/covers.hpp"

#include "thalweg/ground/blend.hpp"

#include <algorithm>

namespace thalweg {
namespace {

// All empirical, by eye on real and grown mountains, unless a source is named.
constexpr float kRockSoil = 0.15F;       // m of soil that leaves 1/e of the ground bare
constexpr float kScreeDepth = 0.5F;      // m of debris that leaves 1/e of the ground free
constexpr float kSnowDepth = 0.2F;       // m of water that leaves 1/e of the ground free
constexpr float kTreeSoil = 0.35F;       // m of soil that trees want
constexpr float kGrassWater = 0.4F;      // precipitation over evaporation at which half the ground is green
constexpr float kTreeWater = 0.75F;      // and at which half of the plants are trees
constexpr float kEvaporation = 0.0589F;  // m/yr a degree of biotemperature (Holdridge 1967)
constexpr float kMeanWetness = 7.5F;     // wetness index that adds no water
constexpr float kHollowSnow = 60.0F;  // m: snow in a hollow of curvature c is e^(kHollowSnow c) times as deep
constexpr float kMostSlid = 0.8F;     // m of water that avalanches leave in one place

/// Water that plants have, over what they could evaporate.
float water_of(const Site& site) {
    const float gathered = fast_exp2(std::clamp(0.36F * (site.wetness - kMeanWetness), -1.0F, 1.6F));
    const float wanted = kEvaporation * std::max(site.season.biotemperature, 0.5F) * site.light;
    return site.precipitation * gathered / std::max(wanted, 1e-3F);
}

/// How much of what grows is trees.
float tree_share(const Site& site, float water) {
    const float ratio = water / kTreeWater;
    const float wet = ratio * ratio * ratio * ratio;
    const float warm = step_up(5.9F, 6.9F, site.season.growing_mean);
    const float depth = site.soil / kTreeSoil;
    const float rooted = 1.0F - decay(depth * depth);
    const float flooded = step_up(11.0F, 14.0F, site.wetness) * (1.0F - step_up(0.03F, 0.10F, site.slope));
    const float swept = step_up(0.1F, 0.8F, site.slid_snow);
    return warm * rooted * wet / (1.0F + wet) * (1.0F - 0.5F * flooded) * (1.0F - 0.8F * swept);
}

}  // namespace

float rock_share(float soil) {
    return decay(soil / kRockSoil);
}

float cliff_share(float slope) {
    return step_up(0.7F, 1.1F, slope);
}

float frost_share(float temperature) {
    return 0.15F + 0.85F * (1.0F - step_up(0.0F, 8.0F, temperature));
}

float snow_held(float slope) {
    return 1.0F - step_up(0.8F, 1.3F, slope);
}

Shares shares_of(const Site& site) {
    const Season& season = site.season;
    Shares shares;
    // Plants close over scree where it is warm.
    const float overgrown = 0.6F * step_up(6.0F, 10.0F, season.growing_mean);
    shares.scree = (1.0F - decay(site.debris / kScreeDepth)) * (1.0F - overgrown);
    shares.bare_rock = (1.0F - shares.scree) * rock_share(site.soil);
    const float water = water_of(site);
    const float green = (water * water) / (water * water + kGrassWater * kGrassWater);
    const float turf = step_up(1.5F, 5.5F, season.growing_mean);
    shares.vegetation = (1.0F - shares.scree - shares.bare_rock) * turf * green;
    shares.forest = shares.vegetation * tree_share(site, water);
    // Snow that has fallen here, blown from ridges into hollows, and slid to here, less what has melted.
    const float blown = fast_exp2(std::clamp(1.44F * kHollowSnow * site.laplacian, -0.8F, 0.6F));
    const float fallen = site.precipitation * season.snowfall * snow_held(site.slope) * blown;
    const float melted = static_cast<float>(kMeltFactor) * season.melt * (0.25F + 0.75F * site.light);
    shares.snow =
        1.0F - decay(std::max(0.0F, fallen + std::min(site.slid_snow, kMostSlid) - melted) / kSnowDepth);
    return shares;
}

}  // namespace thalweg
