#include "thalweg/ground/covers.hpp"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Deep soil on gentle ground in a mild and wet climate, in June.
Site meadow() {
    return {.soil = 1.0F,
            .slope = 0.2F,
            .wetness = 7.5F,
            .precipitation = 1.0F,
            .season = {.growing_mean = 11.0F, .biotemperature = 9.0F, .snowfall = 0.3F, .melt = 0.1F}};
}

/// The shares of that place with one thing changed.
template <class Change>
Shares with(const Change& change) {
    Site site = meadow();
    change(site);
    return shares_of(site);
}

TEST(Covers, of_deep_soil_in_a_mild_climate_are_forest) {
    const Shares shares = shares_of(meadow());
    EXPECT_GT(shares.vegetation, 0.9F);
    EXPECT_GT(shares.forest, 0.8F);
    EXPECT_LT(shares.bare_rock, 0.01F);
    EXPECT_EQ(shares.scree, 0.0F);
}

TEST(Covers, are_bare_rock_where_soil_is_thin) {
    EXPECT_GT(with([](Site& site) { site.soil = 0.0F; }).bare_rock, 0.99F);
    const Shares thin = with([](Site& site) { site.soil = 0.1F; });
    EXPECT_NEAR(thin.bare_rock, 0.51F, 0.01F);
    EXPECT_LT(thin.forest, 0.2F * thin.vegetation);
}

TEST(Covers, are_fewer_plants_where_the_sun_dries_the_ground_and_more_where_water_gathers) {
    const auto dry = [](float light, float wetness) {
        return with([&](Site& site) {
            site.precipitation = 0.25F;
            site.light = light;
            site.wetness = wetness;
        });
    };
    EXPECT_GT(dry(0.7F, 7.5F).vegetation, dry(1.2F, 7.5F).vegetation + 0.1F);
    EXPECT_GT(dry(0.7F, 7.5F).forest, 1.5F * dry(1.2F, 7.5F).forest);
    EXPECT_GT(dry(1.0F, 10.0F).vegetation, dry(1.0F, 7.5F).vegetation + 0.1F);
}

TEST(Covers, have_no_trees_where_the_growing_season_is_cold_and_no_plants_higher_up) {
    const auto summer = [](float mean) { return with([&](Site& site) { site.season.growing_mean = mean; }); };
    EXPECT_EQ(summer(5.5F).forest, 0.0F);
    EXPECT_GT(summer(5.5F).vegetation, 0.9F);
    EXPECT_EQ(summer(1.5F).vegetation, 0.0F);
}

TEST(Covers, have_fewer_trees_where_rivers_flood_and_avalanches_rest) {
    const float forest = shares_of(meadow()).forest;
    EXPECT_LT(with([](Site& site) { site.slope = 0.01F, site.wetness = 14.0F; }).forest, 0.7F * forest);
    EXPECT_LT(with([](Site& site) { site.slid_snow = 1.0F; }).forest, 0.4F * forest);
}

TEST(Covers, are_scree_where_debris_lies_which_plants_close_over_in_warm_places) {
    const auto scree = [](float mean) {
        return with([&](Site& site) { site.debris = 2.0F, site.season.growing_mean = mean; }).scree;
    };
    EXPECT_GT(scree(5.0F), 0.95F);
    EXPECT_LT(scree(11.0F), 0.5F);
}

TEST(Covers, have_less_snow_on_walls_in_the_sun_and_on_ridges) {
    const float snow = shares_of(meadow()).snow;
    EXPECT_GT(snow, 0.4F);
    EXPECT_EQ(with([](Site& site) { site.slope = 1.4F; }).snow, 0.0F);
    EXPECT_LT(with([](Site& site) { site.light = 1.3F; }).snow, snow - 0.05F);
    EXPECT_LT(with([](Site& site) { site.laplacian = -0.01F; }).snow, snow - 0.1F);
    EXPECT_GT(with([](Site& site) { site.laplacian = 0.01F; }).snow, snow + 0.1F);
    EXPECT_GT(with([](Site& site) { site.slid_snow = 0.3F; }).snow, snow + 0.1F);
}

TEST(Covers, loosen_rock_by_frost_and_steepness) {
    EXPECT_EQ(frost_share(-2.0F), 1.0F);
    EXPECT_NEAR(frost_share(12.0F), 0.15F, 1e-6F);
    EXPECT_EQ(cliff_share(0.6F), 0.0F);
    EXPECT_EQ(cliff_share(1.2F), 1.0F);
}

}  // namespace
}  // namespace thalweg
