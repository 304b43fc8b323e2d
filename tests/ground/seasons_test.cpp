#include "thalweg/ground/seasons.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr int kDays = 36500;  // hundredths of days

ClimateParameters climate(double month, double latitude = 45.0) {
    ClimateParameters parameters{.month = month};
    return resolved(parameters, latitude);
}

/// The temperature of a time, as a share of the year from midsummer.
double at_time(double mean, double share) {
    return mean + 9.0 * std::cos(2.0 * std::numbers::pi * share);
}

TEST(Seasons, are_those_of_a_year_gone_through_day_by_day) {
    const Seasons seasons(climate(6.2));
    for (const double mean : {-4.0, 0.0, 2.5, 7.0, 20.0}) {
        double growing = 0.0, days = 0.0, above = 0.0;
        for (int day = 0; day < kDays; ++day) {
            const double t = at_time(mean, (day + 0.5) / kDays);
            if (t > kGrowing) growing += t, days += 1.0;
            above += std::max(0.0, t) / kDays;
        }
        const Season season = seasons.at(static_cast<float>(mean));
        EXPECT_NEAR(season.growing_mean, growing / days, 0.02) << mean;
        EXPECT_NEAR(season.biotemperature, above, 0.02) << mean;
    }
}

TEST(Seasons, count_snow_from_the_frost_on_and_what_melts_from_the_thaw_on) {
    const double month = 6.2;
    const Seasons seasons(climate(month));
    for (const double mean : {-2.0, 1.0, 3.0}) {
        // From the first frost, through the winter, to the date.
        double frozen = 0.0, melt = 0.0;
        const double date = (month - 7.65) / 12.0;
        for (int day = 0; day < kDays; ++day) {
            const double share = -0.5 + (day + 0.5) / kDays;
            const double t = at_time(mean, share);
            if (t < 0.0) frozen += 1.0 / kDays;
            if (t > 0.0 && share < date) melt += t / kDays;
        }
        const Season season = seasons.at(static_cast<float>(mean));
        EXPECT_NEAR(season.snowfall, frozen, 2e-3) << mean;
        EXPECT_NEAR(season.melt, melt, 0.01) << mean;
    }
}

TEST(Seasons, end_trees_where_the_growing_season_is_as_warm_as_they_need) {
    const Seasons seasons(climate(6.2));
    const double line = seasons.tree_line();
    EXPECT_NEAR(seasons.at(static_cast<float>(line)).growing_mean, kTreeLine, 0.02);
    EXPECT_NEAR(line, 0.5, 0.3);  // degC: 9 in the warmest month and 6.4 in the mean of three
}

TEST(Seasons, lower_the_snow_line_from_summer_to_winter) {
    double before = -100.0;
    for (const double month : {9.0, 8.0, 7.0, 6.0, 5.0}) {
        const double line = Seasons(climate(month)).snow_line();
        EXPECT_GT(line, before) << month;
        before = line;
    }
}

TEST(Seasons, are_half_a_year_off_in_the_south) {
    const Season north = Seasons(climate(6.2, 45.0)).at(0.0F);
    const Season south = Seasons(climate(12.2, -45.0)).at(0.0F);
    EXPECT_FLOAT_EQ(north.melt, south.melt);
    EXPECT_GT(north.melt, Seasons(climate(6.2, -45.0)).at(0.0F).melt);
}

TEST(Climate, takes_what_is_left_out_from_its_kind_and_the_latitude_from_the_map) {
    const ClimateParameters desert = resolved({.climate = ClimateKind::Desert, .precipitation = 0.3}, -22.0);
    EXPECT_EQ(desert.temperature, 20.0);
    EXPECT_EQ(desert.precipitation, 0.3);
    EXPECT_EQ(desert.latitude, -22.0);
    EXPECT_EQ(resolved({.latitude = 10.0}, -22.0).latitude, 10.0);
}

}  // namespace
}  // namespace thalweg
