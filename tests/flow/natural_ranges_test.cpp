#include "thalweg/flow/natural_ranges.hpp"

#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TerrainStatistics means_of_nature(double cell_size) {
    TerrainStatistics statistics;
    for (const TerrainStatistic& statistic : terrain_statistics())
        if (const auto range = natural_range(statistic, cell_size)) statistics.*statistic.value = range->mean;
    return statistics;
}

TEST(TerrainStatistics, are_57_of_distinct_names_and_values_and_families_stand_together) {
    std::set<std::string> names, meanings;
    std::set<std::size_t> places;
    StatisticFamily last = StatisticFamily::Rivers;
    for (const TerrainStatistic& statistic : terrain_statistics()) {
        names.insert(statistic.name);
        meanings.insert(statistic.meaning);
        // Which of the struct's numbers it is.
        TerrainStatistics marked;
        marked.*statistic.value = 1.0;
        const auto* const numbers = reinterpret_cast<const double*>(&marked);
        for (std::size_t i = 0; i < sizeof marked / sizeof(double); ++i)
            if (numbers[i] == 1.0) places.insert(i);
        EXPECT_GE(statistic.family, last) << statistic.name;
        last = statistic.family;
        EXPECT_STRNE(statistic.unit, "") << statistic.name;
        EXPECT_TRUE(std::string(statistic.name).find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") ==
                    std::string::npos);
    }
    EXPECT_EQ(terrain_statistics().size(), 57U);
    EXPECT_EQ(names.size(), 57U);
    EXPECT_EQ(places.size(), sizeof(TerrainStatistics) / sizeof(double));
    EXPECT_EQ(last, StatisticFamily::ValleyFloors);
}

TEST(NaturalRanges, of_every_statistic_hold_their_mean) {
    for (const double cell_size : {30.0, 90.0})
        for (const TerrainStatistic& statistic : terrain_statistics()) {
            const auto range = natural_range(statistic, cell_size);
            ASSERT_TRUE(range) << statistic.name;
            EXPECT_GT(range->deviation, 0.0) << statistic.name;
            EXPECT_TRUE(range->holds(range->mean)) << statistic.name;
            // Of 8 values none lies beyond 7 / sqrt(8) deviations from their mean.
            EXPECT_LT(range->z_of(range->greatest), 2.48) << statistic.name;
            EXPECT_GT(range->z_of(range->least), -2.48) << statistic.name;
        }
}

TEST(NaturalRanges, are_those_of_landscapes_of_like_cells) {
    const TerrainStatistic& angle = terrain_statistics().front();
    EXPECT_EQ(natural_range(angle, 10.0)->mean, natural_range(angle, 64.0)->mean);
    EXPECT_NE(natural_range(angle, 64.0)->mean, natural_range(angle, 65.0)->mean);
    EXPECT_STREQ(natural_landscapes(64.0), "8 real landscapes of 30-50 m");
    EXPECT_STREQ(natural_landscapes(65.0), "8 real landscapes of 90-100 m");
    EXPECT_FALSE(natural_range(angle, 151.0));
    EXPECT_EQ(natural_landscapes(151.0), nullptr);
}

TEST(NaturalRanges, of_single_cells_are_not_those_of_smaller_cells) {
    for (const TerrainStatistic& statistic : terrain_statistics()) {
        EXPECT_EQ(natural_range(statistic, 10.0).has_value(), !statistic.is_of_cells) << statistic.name;
        EXPECT_TRUE(natural_range(statistic, 20.0)) << statistic.name;
    }
}

TEST(Naturalness, counts_what_is_outside_and_passes_over_what_a_terrain_has_not) {
    TerrainStatistics statistics = means_of_nature(30.0);
    EXPECT_EQ(naturalness_of(statistics, 30.0).compared, 57);
    EXPECT_EQ(naturalness_of(statistics, 30.0).outside, 0);
    EXPECT_EQ(naturalness_of(statistics, 30.0).rms_z, 0.0);

    const NaturalRange width = *natural_range(terrain_statistics()[53], 30.0);
    statistics.floor_width = width.mean + 3.0 * width.deviation;
    statistics.hack_exponent = kNoStatistic;
    const Naturalness found = naturalness_of(statistics, 30.0);
    EXPECT_EQ(found.compared, 56);
    EXPECT_EQ(found.outside, 1);
    EXPECT_NEAR(found.rms_z, 3.0 / std::sqrt(56.0), 1e-12);
    EXPECT_EQ(naturalness_of({}, 30.0).compared, 0);
    EXPECT_EQ(naturalness_of(statistics, 500.0).compared, 0);
}

}  // namespace
}  // namespace thalweg
