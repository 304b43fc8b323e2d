// Pigment that droplets wash over the ground, and plants that hold it.
#include "thalweg/core/execution.hpp"
#include "thalweg/noise/noise.hpp"
#include "thalweg/particles/ground/ground_materials.hpp"
#include "thalweg/particles/ground/ground_plants.hpp"
#include "thalweg/particles/particle_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include "tests/particles/slow_droplets.hpp"
#include "tests/particles/terrains.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Pigment 1 above the middle of the heights, and 0 below.
Field<float> pigment_of_heights(const Field<float>& elevation) {
    const auto [low, high] = std::ranges::minmax(elevation.values());
    Field<float> pigment(elevation.grid());
    for (std::int64_t cell = 0; cell < pigment.size(); ++cell)
        pigment[cell] = elevation[cell] > 0.5F * (low + high) ? 1.0F : 0.0F;
    return pigment;
}

TEST(Pigment, of_a_load_is_the_mean_of_what_it_was_taken_from) {
    float pigment = 0.0F;
    std::int32_t load = 0;
    for (const auto& [taken, of_ground] :
         {std::pair(100, 1.0F), std::pair(300, 0.0F), std::pair(400, 0.5F)}) {
        pigment = tests::mixed_pigment(pigment, load, taken, of_ground);
        load += taken;
    }
    EXPECT_FLOAT_EQ(pigment, 300.0F / 800.0F);
}

TEST(Pigment, that_is_laid_down_is_mixed_into_the_depth_that_is_told) {
    PigmentTrace trace;
    const float first[kMostPigments] = {1.0F, 0.0F, 0.25F};
    const float second[kMostPigments] = {0.5F, 0.0F, 0.0F};
    lay_pigments(trace, first, 600);
    lay_pigments(trace, second, 400);
    EXPECT_FLOAT_EQ(covered_pigment(0.0F, 1000.0, trace, 0), 800.0F / 2000.0F);
    EXPECT_FLOAT_EQ(covered_pigment(0.8F, 1e-9, trace, 0), 0.8F);
    EXPECT_FLOAT_EQ(covered_pigment(1.0F, 1000.0, trace, 1), 0.5F);
    EXPECT_FLOAT_EQ(covered_pigment(0.0F, 1000.0, trace, 2), 150.0F / 2000.0F);
}

TEST(Pigment, of_three_at_once_is_that_of_each_alone) {
    const Field<float> elevation = tests::hills(48);
    std::vector<Field<float>> starts = {pigment_of_heights(elevation), Field<float>(elevation.grid(), 0.5F),
                                        Field<float>(elevation.grid())};
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        starts[2][cell] = static_cast<float>(elevation.grid().column_of(cell)) / 48.0F;
    const ParticleParameters parameters = {.repose_slope = 0.3, .sediment_depth = 1.0};
    const auto washed = [&](std::vector<Field<float>> pigments) {
        return tests::after_cycles(
                   ParticleSimulation(elevation, parameters, 1, {.pigments = std::move(pigments)}), 6)
            .pigments;
    };
    const std::vector<Field<float>> together = washed(starts);
    ASSERT_EQ(together.size(), 3U);
    for (std::size_t p = 0; p < 3; ++p) {
        EXPECT_NE(together[p] == starts[p], p != 1);
        EXPECT_EQ(washed({starts[p]})[0], together[p]);
    }
}

TEST(Pigment, is_refused_where_there_are_too_many_or_on_other_cells) {
    const Field<float> elevation = tests::plane(16, 16, 10.0, 0.1);
    const Field<float> whole(elevation.grid(), 1.0F);
    EXPECT_THAT(
        refusal_of([&] { ParticleSimulation(elevation, {}, 1, {.pigments = {whole, whole, whole, whole}}); }),
        ::testing::HasSubstr("4 pigments at once are too many: give up to 3"));
    ParticleSimulation rivers(elevation, {}, 1, {.pigments = {whole}});
    EXPECT_THAT(refusal_of([&] { rivers.set_bedrock({}, {}, {tests::plane(8, 8, 10.0, 0.0)}); }),
                ::testing::HasSubstr("8 x 8 values for droplets on 16 x 16 cells"));
    ParticleState state = rivers.state();
    EXPECT_THAT(refusal_of([&] { change_particle_sediment(state, tests::plane(8, 8, 10.0, 0.0)); }),
                ::testing::HasSubstr("8 x 8 values"));
    EXPECT_THAT(refusal_of([&] { change_particle_soil(state, Field<float>(elevation.grid(), 9000.0F)); }),
                ::testing::HasSubstr("a thickness of 9000 m is not allowed"));
    state.bedrock_pigments.clear();
    EXPECT_THAT(refusal_of([&] { ParticleSimulation{state}; }),
                ::testing::HasSubstr("0 pigments of bedrock for 1"));
}

TEST(Pigment, stays_within_that_of_the_start_and_comes_down_to_where_there_was_none) {
    const Field<float> elevation = tests::hills(48);
    const Field<float> start = pigment_of_heights(elevation);
    const ParticleState state =
        tests::after_cycles(ParticleSimulation(elevation, {}, 1, {.pigments = {start}}), 10);
    double reached = 0.0;
    for (std::int64_t cell = 0; cell < start.size(); ++cell) {
        ASSERT_GE(state.pigments[0][cell], 0.0F);
        ASSERT_LE(state.pigments[0][cell], 1.0F);
        if (start[cell] == 0.0F) reached += static_cast<double>(state.pigments[0][cell]);
        if (state.loose[cell] == 0) {
            ASSERT_EQ(state.pigments[0][cell], start[cell]) << "bare bedrock";
        }
    }
    EXPECT_GT(reached, 1.0);
    const ParticleState without = tests::after_cycles(ParticleSimulation(elevation, {}, 1), 10);
    EXPECT_EQ(state.elevation, without.elevation);
}

TEST(Pigment, goes_down_with_what_slides_and_is_mixed_into_the_depth_that_is_told) {
    // A wall of sediment of pigment 1 on a plain of 0, which nothing but slides changes.
    Field<float> wall(Grid{.columns = 40, .rows = 12, .cell_size = 2.0, .north = 24.0});
    Field<float> paint(wall.grid());
    for (int row = 0; row < 12; ++row)
        for (int column = 18; column < 22; ++column) {
            wall(column, row) = 6.0F;
            paint(column, row) = 1.0F;
        }
    const ParticleParameters parameters = {
        .rainfall = 0.0, .batches = 1, .repose_slope = 0.5, .sediment_depth = 20.0, .pigment_depth = 0.3};
    ParticleSimulation sand(wall, parameters, 1, {.pigments = {paint}});
    const Field<float> before = sand.elevation();
    sand = ParticleSimulation(tests::after_cycles(std::move(sand), 1));
    // The plain rises beside the wall by what comes from it, all of one pigment.
    const double came = static_cast<double>(sand.elevation()(22, 6) - before(22, 6));
    ASSERT_GT(came, 0.3);
    EXPECT_NEAR(sand.state().pigments[0](22, 6), came / (0.3 + came), 1e-4);
    EXPECT_EQ(sand.state().pigments[0](23, 6), 0.0F);
    EXPECT_EQ(sand.state().pigments[0](21, 6), 1.0F);
    sand = ParticleSimulation(tests::after_cycles(std::move(sand), 60));
    EXPECT_GT(sand.state().pigments[0](24, 6), 0.5F) << "talus is of the wall";
    EXPECT_EQ(sand.state().pigments[0](35, 6), 0.0F);
    for (const float pigment : sand.state().pigments[0]) {
        ASSERT_GE(pigment, 0.0F);
        ASSERT_LE(pigment, 1.0F);
    }
}

TEST(Pigment, of_bedrock_shows_where_slides_have_taken_its_cover) {
    // Two steps of a cliff: what comes to the middle one is less than what falls from it.
    Field<float> cliff(Grid{.columns = 30, .rows = 12, .cell_size = 2.0, .north = 24.0});
    Field<float> paint(cliff.grid());
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 12; ++column) {
            cliff(column, row) = column < 11 ? 10.0F : 8.0F;
            paint(column, row) = column < 11 ? 1.0F : 0.0F;
        }
    ParticleSimulation rock(cliff, {.rainfall = 0.0, .batches = 1, .repose_slope = 0.5}, 1,
                            {.pigments = {paint}});
    const ParticleState after = tests::after_cycles(std::move(rock), 1);
    ASSERT_EQ(after.loose(11, 6), 0);
    ASSERT_GT(after.loose(12, 6), 0);
    EXPECT_EQ(after.pigments[0](11, 6), 0.0F);
}

TEST(Pigment, of_bedrock_comes_to_ground_that_had_none_once_it_is_told) {
    const Field<float> elevation = tests::hills(32);
    ParticleSimulation rivers(elevation, {}, 1);
    QuietProgress progress;
    rivers.step(progress);
    rivers.set_bedrock({}, {}, {Field<float>(elevation.grid(), 1.0F)});
    rivers.step(progress);
    const ParticleState& state = rivers.state();
    ASSERT_FALSE(state.pigments.empty());
    int bare = 0;
    int covered = 0;
    for (std::int64_t cell = 0; cell < state.pigments[0].size(); ++cell) {
        const bool is_bare = state.loose[cell] == 0;
        bare += is_bare ? 1 : 0;
        covered += !is_bare && state.pigments[0][cell] < 1.0F ? 1 : 0;
        ASSERT_TRUE(!is_bare || state.pigments[0][cell] == 1.0F) << cell;
    }
    EXPECT_GT(bare, 0);
    EXPECT_GT(covered, 0);
}

TEST(Pigment, of_one_colour_stays_so) {
    const ParticleState state =
        tests::after_cycles(ParticleSimulation(tests::hills(32), {.pigment = 0.25}, 1), 5);
    for (const float pigment : state.pigments[0]) ASSERT_NEAR(pigment, 0.25F, 1e-3F);
}

TEST(Plants, cover_still_ground_by_the_closed_form) {
    const Field<float> flat = tests::plane(8, 8, 10.0, 0.0);
    const ParticleParameters parameters = {
        .time_step = 0.5, .rainfall = 0.0, .plant_time = 10.0, .plant_cover = 0.2};
    const ParticleState state = tests::after_cycles(ParticleSimulation(flat, parameters, 1), 40);
    // 1 - v falls as (1 + dt / T)^-n, which is exp(-t / T) for short steps.
    EXPECT_NEAR(state.plant_cover(4, 4), 1.0 - 0.8 * std::pow(1.05, -40.0), 1e-5);
    EXPECT_NEAR(state.plant_cover(4, 4), 1.0 - 0.8 * std::exp(-2.0), 0.01);
}

TEST(Plants, come_to_the_cover_that_their_stress_allows_from_either_side) {
    for (const float stress : {0.0F, 0.5F, 1.0F, 20.0F})
        for (float cover : {0.0F, 1.0F}) {
            for (int step = 0; step < 400; ++step) {
                cover = grown_cover(cover, stress, 0.1F);
                ASSERT_GE(cover, 0.0F);
                ASSERT_LE(cover, 1.0F);
            }
            EXPECT_NEAR(cover, 1.0F / (1.0F + stress), 1e-4F);
        }
}

TEST(Plants, make_soil_of_the_uppermost_ground_by_the_closed_form) {
    Field<float> flat = tests::plane(8, 8, 10.0, 0.0);
    flat(2, 2) = -0.5F;
    flat(5, 5) = -0.125F;
    const ParticleParameters parameters = {.time_step = 2.0,
                                           .rainfall = 0.0,
                                           .sediment_depth = 0.1,
                                           .soil_time = 100.0,
                                           .soil_limit = 0.4,
                                           .plant_time = 1e-3,
                                           .plant_cover = 1.0,
                                           .sea_level = -0.25};
    const ParticleSimulation rivers(tests::after_cycles(ParticleSimulation(flat, parameters, 1), 50));
    // What is missing falls as (1 + dt / T)^-n.
    const double expected = 0.4 * (1.0 - std::pow(1.02, -50.0));
    EXPECT_NEAR(rivers.soil()(4, 4), expected, 1e-3);
    EXPECT_EQ(rivers.sediment()(4, 4), 0.0F) << "it has gone on with bedrock";
    EXPECT_EQ(rivers.elevation(), flat);
    EXPECT_EQ(rivers.soil()(2, 2), 0.0F) << "in the sea";
    EXPECT_EQ(rivers.soil()(5, 5), 0.0F) << "in a lake";
    const ParticleReport report = rivers.report();
    EXPECT_EQ(report.soil_error, 0);
    EXPECT_NEAR(report.bedrock_eroded, 6200.0 * (expected - 0.1), 10.0);
}

TEST(Plants, make_soil_from_when_an_edit_tells_them_to) {
    ParticleState state = ParticleSimulation(tests::plane(8, 8, 10.0, 0.0), {.rainfall = 0.0}, 1).state();
    EXPECT_TRUE(state.soil.empty());
    change_particles(state, {.rainfall = 0.0, .soil_time = 10.0, .plant_time = 1e-3});
    const ParticleSimulation rivers(tests::after_cycles(ParticleSimulation(std::move(state)), 3));
    EXPECT_GT(rivers.soil()(4, 4), 0.1F);
    EXPECT_EQ(rivers.report().soil_error, 0);
}

TEST(Plants, and_the_soil_that_they_make_slide_alike_in_a_run_that_goes_on_from_its_state) {
    // No droplet falls: slides find by themselves where soil has formed, and where roots hold less.
    const ParticleParameters parameters = {
        .rainfall = 0.0, .soil_repose_slope = 0.1, .soil_time = 50.0, .plant_time = 20.0, .root_repose = 0.5};
    ParticleSimulation unbroken(tests::hills(48), parameters, 1);
    QuietProgress progress;
    for (int cycle = 0; cycle < 6; ++cycle) {
        ParticleSimulation resumed(unbroken.state());
        resumed.step(progress);
        unbroken.step(progress);
        ASSERT_EQ(resumed.state(), unbroken.state()) << cycle;
    }
    EXPECT_NE(unbroken.elevation(), tests::hills(48));
}

TEST(Plants, are_gone_once_an_edit_sets_their_time_to_0) {
    const ParticleParameters parameters = {.plant_time = 5.0, .plant_cover = 1.0};
    ParticleState state = ParticleSimulation(tests::plane(8, 8, 10.0, 0.1), parameters, 1).state();
    EXPECT_FALSE(state.plant_cover.empty());
    change_particles(state, {.plant_time = 0.0});
    EXPECT_TRUE(state.plant_cover.empty());
    // They come back from bare ground.
    change_particles(state, {.plant_time = 5.0});
    EXPECT_EQ(state.plant_cover(4, 4), 0.0F);
}

TEST(Plants, make_as_much_soil_where_less_than_a_unit_of_it_forms_in_a_cycle) {
    const auto depth_after = [](double soil_time, int cycles) {
        const ParticleParameters parameters = {.rainfall = 0.0,
                                               .soil_time = soil_time,
                                               .soil_limit = 0.5,
                                               .plant_time = 1e-3,
                                               .plant_cover = 1.0};
        const Field<float> flat = tests::plane(8, 8, 10.0, 0.0);
        return ParticleSimulation(tests::after_cycles(ParticleSimulation(flat, parameters, 1), cycles))
            .soil()(4, 4);
    };
    // It forms once in 98 and in 196 cycles.
    EXPECT_NEAR(depth_after(1e5, 98), 0.5 * 98.0 / 1e5, 1e-5);
    EXPECT_NEAR(depth_after(2e5, 392), 0.5 * 392.0 / 2e5, 2e-5);
    EXPECT_EQ(depth_after(1e-320, 1), 0.5F) << "at once";
}

TEST(Plants, keep_away_from_streams_and_lessen_erosion) {
    const Field<float> elevation = tests::hills(48);
    const auto after = [&](double roots) {
        return tests::after_cycles(
            ParticleSimulation(elevation, {.plant_time = 5.0, .plant_cover = 1.0, .root_strength = roots}, 1),
            12);
    };
    const ParticleState held = after(0.9);
    double in_streams = 0.0;
    double beside = 0.0;
    int streams = 0;
    for (std::int64_t cell = 0; cell < held.plant_cover.size(); ++cell) {
        ASSERT_GE(held.plant_cover[cell], 0.0F);
        ASSERT_LE(held.plant_cover[cell], 1.0F);
        const bool is_stream = held.discharge[cell] > 2e4F;
        (is_stream ? in_streams : beside) += static_cast<double>(held.plant_cover[cell]);
        streams += is_stream ? 1 : 0;
    }
    ASSERT_GT(streams, 20);
    EXPECT_LT(in_streams / streams, 0.5 * beside / static_cast<double>(held.plant_cover.size() - streams));
    const double eroded_held = ParticleSimulation(held).report().bedrock_eroded;
    EXPECT_LT(eroded_held, 0.8 * ParticleSimulation(after(0.0)).report().bedrock_eroded);
    EXPECT_EQ(ParticleSimulation(held).report().sediment_error, 0);
}

TEST(Plants, hold_a_pile_at_the_slope_that_their_roots_raise) {
    Field<float> pile(Grid{.columns = 40, .rows = 8, .cell_size = 2.0, .north = 16.0});
    for (int row = 0; row < 8; ++row)
        for (int column = 18; column < 22; ++column) pile(column, row) = 10.0F;
    const ParticleParameters parameters = {.rainfall = 0.0,
                                           .batches = 1,
                                           .repose_slope = 0.5,
                                           .plant_time = 1e-3,  // full cover from the second cycle on
                                           .plant_erosion = 1e6,
                                           .root_repose = 0.6};
    const Field<float> after =
        ParticleSimulation(tests::after_cycles(ParticleSimulation(pile, parameters, 1), 500)).elevation();
    float steepest = 0.0F;
    for (int column = 0; column + 1 < 40; ++column)
        steepest = std::max(steepest, std::abs(after(column + 1, 4) - after(column, 4)) / 2.0F);
    EXPECT_NEAR(steepest, 0.5F * 1.6F, 0.02F);
}

TEST(Plants, and_pigment_have_the_same_bits_on_any_number_of_threads) {
    const Field<float> elevation = tests::hills(48);
    const auto after = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        return tests::after_cycles(ParticleSimulation(elevation, {.plant_time = 5.0}, 1,
                                                      {.pigments = {pigment_of_heights(elevation)}}),
                                   4);
    };
    const ParticleState one = after(1);
    EXPECT_EQ(one, after(2));
    EXPECT_EQ(one, after(8));
}

}  // namespace
}  // namespace thalweg
