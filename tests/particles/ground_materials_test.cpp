// Soil on loose sediment on bedrock: what droplets take of each, how they slide, and beaches.
#include "thalweg/particles/ground/ground_materials.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/noise/noise.hpp"
#include "thalweg/particles/droplets/droplet_batch.hpp"
#include "thalweg/particles/ground/ground_plants.hpp"
#include "thalweg/particles/ground/particle_ground.hpp"
#include "thalweg/particles/particle_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include "tests/particles/slow_droplets.hpp"
#include "tests/particles/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Units of bedrock below a cell.
std::int32_t bedrock_at(const ParticleState& state, std::int64_t cell) {
    return state.elevation[cell] - state.loose[cell];
}

TEST(GroundMaterials, are_taken_from_the_top_and_bedrock_by_its_erodibility) {
    EXPECT_EQ(tests::taken_of(100, 1.0F, 500, 0.1F), 100) << "sediment alone";
    EXPECT_EQ(tests::taken_of(100, 1.0F, 0, 0.1F), 10) << "bare bedrock";
    EXPECT_EQ(tests::taken_of(100, 1.0F, 60, 0.1F), 64) << "sediment, and bedrock beneath it";
    EXPECT_EQ(tests::taken_of(100, 0.25F, 60, 0.1F), 24) << "its share of the sediment";
    EXPECT_EQ(tests::taken_of(100, 1.0F, 0, 0.0F), 0);
}

TEST(GroundMaterials, give_soil_at_its_own_speed_and_what_lies_beneath_once_it_is_gone) {
    const auto taken = [](std::int32_t soil, float most, float erodibility) {
        const tests::TakenUnits units = tests::taken_of_soil(100, most, 1.0F, soil, erodibility);
        return std::pair(units.soil, units.beneath);
    };
    EXPECT_EQ(taken(500, 1e6F, 2.0F), std::pair(200, 0)) << "soil alone";
    EXPECT_EQ(taken(0, 1e6F, 2.0F), std::pair(0, 100)) << "none";
    EXPECT_EQ(taken(50, 1e6F, 2.0F), std::pair(50, 75)) << "half as much effort as sediment takes";
    EXPECT_EQ(taken(50, 1e6F, 1.0F), std::pair(50, 50));
    EXPECT_EQ(taken(500, 120.0F, 2.0F), std::pair(120, 0)) << "no more than ground could give";
    EXPECT_EQ(taken(50, 110.0F, 2.0F), std::pair(50, 60));
    EXPECT_EQ(taken(500, 1e6F, 0.5F), std::pair(50, 0)) << "soil that roots have bound";
}

TEST(GroundMaterials, lay_soil_down_by_its_part_of_the_load_and_of_what_settles) {
    EXPECT_EQ(tests::soil_laid(100, 250, 1000, 1.0F, 1.0F), 25);
    EXPECT_EQ(tests::soil_laid(1000, 250, 1000, 1.0F, 1.0F), 250) << "all of the load";
    EXPECT_EQ(tests::soil_laid(100, 500, 1000, 0.1F, 0.3F), 25) << "soil settles more slowly";
    EXPECT_EQ(tests::soil_laid(900, 900, 1000, 0.01F, 1.0F), 800) << "there is no more sediment than that";
}

/// What a droplet takes on soil and bedrock that it takes up at such speeds over that of sediment, along a
/// plane; expects what the closed form says.
void expect_load_on(std::int32_t soil_units, float soil_erodibility, float bedrock_erodibility) {
    constexpr double kSlope = 0.02;
    const double speed = static_cast<double>(soil_units > 0 ? soil_erodibility : bedrock_erodibility);
    const DropletLaw law{.cell_size = 10.0F,
                         .gravity = 0.05F,
                         .capacity = 1e6F,
                         .exchange_length = 141.0F,
                         .evaporation_length = 1e30F,
                         .climb_limit = 1.0F,
                         .steps = 1000,
                         .soil_erodibility = soil_erodibility};
    Field<std::int32_t> units(Grid{.columns = 9, .rows = 120, .cell_size = 10.0, .north = 1200.0});
    for (std::int64_t cell = 0; cell < units.size(); ++cell)
        units[cell] = static_cast<std::int32_t>(
            std::lround((119 - units.grid().row_of(cell)) * 10.0 * kSlope / kElevationUnit));
    ParticleGround ground(units, {});
    const Field<std::int32_t> soil(units.grid(), soil_units);
    const std::vector<float> erodibility(static_cast<std::size_t>(units.size()), bedrock_erodibility);
    DropletGround seen = ground.for_droplets(units);
    seen.loose = soil.data();
    seen.soil = soil.data();
    seen.erodibility = erodibility.data();
    std::vector<DropletTraces> traces(1);
    traces[0] = DropletTraces::on(ground.tiles(), units.size(), false, true);
    const std::vector<DropletStart> starts = {{.droplet = {.place = {4.5F, 1.5F}}, .water = 1 << 20}};
    DropletQueue queue = {.starts = starts};
    run_droplets(law, seen, ground.tiles(), queue, traces[0]);
    ground.count_visits(UnitField(units.grid()), traces);
    move_sediment(law, seen, starts, traces[0]);
    EXPECT_EQ(traces[0].tally.soil_left, soil_units > 0 ? traces[0].tally.sediment_left : 0);
    // L grows by F (C V - L) ds / (ds + lambda) in each step.
    const double equilibrium = 1e6 * kSlope;
    double load = 0.0;
    for (int step = 0; step < 118; ++step) {
        const auto cell = static_cast<std::size_t>(units.grid().index(4, 1 + step));
        load -= static_cast<double>(traces[0].cells[cell].exchange);
        const double expected = equilibrium * (1.0 - std::pow(1.0 - speed * 10.0 / 151.0, step + 1));
        ASSERT_NEAR(load, expected, 3e-3 * equilibrium) << step;
    }
}

TEST(GroundMaterials, load_a_droplet_on_bare_bedrock_as_the_closed_form_says) {
    expect_load_on(0, 1.0F, 0.25F);
}

TEST(GroundMaterials, load_a_droplet_on_soil_as_the_closed_form_says) {
    expect_load_on(1 << 24, 3.0F, 0.25F);
    expect_load_on(1 << 24, 0.5F, 1.0F);
}

TEST(GroundMaterials, that_withstand_alike_leave_the_ground_as_one_material_does) {
    const Field<float> elevation = tests::hills(48);
    const ParticleState without = tests::after_cycles(ParticleSimulation(elevation, {}, 1), 5);
    const ParticleState with = tests::after_cycles(
        ParticleSimulation(elevation, {.sediment_depth = 2.0, .bedrock_repose_slope = 1.0}, 1), 5);
    EXPECT_EQ(with.elevation, without.elevation);
    EXPECT_NE(with.loose, without.loose);
}

TEST(GroundMaterials, leave_the_ground_as_one_does_where_soil_is_like_sediment) {
    const Field<float> elevation = tests::hills(48);
    const ParticleParameters plain = {.sediment_depth = 2.0, .sea_level = -8.0};
    ParticleParameters covered = plain;
    covered.soil_depth = 0.03;
    covered.soil_erodibility = 1.0;
    const ParticleState without = tests::after_cycles(ParticleSimulation(elevation, plain, 1), 5);
    const ParticleState with = tests::after_cycles(ParticleSimulation(elevation, covered, 1), 5);
    EXPECT_EQ(with.elevation, without.elevation);
    covered.soil_erodibility = 2.0;
    EXPECT_NE(tests::after_cycles(ParticleSimulation(elevation, covered, 1), 5).elevation, without.elevation);
}

/// Of three materials, each with laws of its own, under plants that make soil.
constexpr ParticleParameters kThree = {.sediment_depth = 0.02,
                                       .bedrock_erodibility = 0.2,
                                       .bedrock_repose_slope = 0.6,
                                       .freeze_thaw = 0.5,
                                       .soil_depth = 0.05,
                                       .soil_repose_slope = 0.4,
                                       .soil_settling_length = 200.0,
                                       .soil_time = 50.0,
                                       .plant_time = 10.0};

TEST(GroundMaterials, keep_their_budget_and_bedrock_only_goes_down) {
    const Field<float> elevation = tests::hills(48);
    ParticleParameters parameters = kThree;
    parameters.sea_level = -8.0;
    ParticleSimulation rivers(elevation, parameters, 1);
    QuietProgress progress;
    for (int cycle = 0; cycle < 8; ++cycle) {
        const ParticleState before = rivers.state();
        rivers.step(progress);
        const ParticleState& after = rivers.state();
        ASSERT_EQ(rivers.report().sediment_error, 0);
        ASSERT_EQ(rivers.report().soil_error, 0);
        for (std::int64_t cell = 0; cell < after.loose.size(); ++cell) {
            ASSERT_GE(after.soil[cell], 0);
            ASSERT_LE(after.soil[cell], after.loose[cell]);
            ASSERT_LE(bedrock_at(after, cell), bedrock_at(before, cell));
        }
    }
    const ParticleReport report = rivers.report();
    EXPECT_GT(report.bedrock_eroded, 0.0);
    EXPECT_GT(report.soil_eroded, report.soil_out);
    EXPECT_GT(report.soil_out, 0.0);
    EXPECT_LT(report.soil_out, report.sediment_out);
}

TEST(GroundMaterials, carry_soil_further_into_still_water_the_longer_it_takes_to_settle) {
    // A slope of soil on sediment that goes down into a wide sea.
    Field<float> coast(Grid{.columns = 24, .rows = 60, .cell_size = 10.0, .north = 600.0});
    for (std::int64_t cell = 0; cell < coast.size(); ++cell)
        coast[cell] = static_cast<float>(std::max(30 - coast.grid().row_of(cell), -8));
    const auto reach_after = [&](double length) {
        const ParticleParameters parameters = {.sediment_depth = 3.0,
                                               .soil_depth = 0.01,
                                               .soil_settling_length = length,
                                               .settling_length = 20.0,
                                               .sea_level = 0.0};
        const ParticleSimulation start(coast, parameters, 1);
        const ParticleState after = tests::after_cycles(ParticleSimulation(start.state()), 6);
        // The mean distance of soil and of sediment into the sea, m.
        double soil = 0.0;
        double soil_distance = 0.0;
        double sediment = 0.0;
        double sediment_distance = 0.0;
        for (int row = 32; row < 59; ++row)
            for (int column = 1; column < 23; ++column) {
                const double of_soil = after.soil(column, row) - start.state().soil(column, row);
                const double of_rest = after.loose(column, row) - start.state().loose(column, row) - of_soil;
                soil += of_soil;
                soil_distance += of_soil * (row - 30) * 10.0;
                sediment += of_rest;
                sediment_distance += of_rest * (row - 30) * 10.0;
            }
        return std::pair(soil_distance / soil, sediment_distance / sediment);
    };
    const auto [soil_alike, sediment_alike] = reach_after(20.0);
    EXPECT_NEAR(soil_alike, sediment_alike, 5.0);
    const auto [soil, sediment] = reach_after(80.0);
    EXPECT_GT(soil, sediment + 25.0);
    EXPECT_NEAR(sediment, sediment_alike, 10.0);
}

TEST(GroundMaterials, give_the_same_bits_on_any_number_of_threads) {
    const Field<float> elevation = tests::hills(48);
    const auto after = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        return tests::after_cycles(ParticleSimulation(elevation, kThree, 1), 4);
    };
    const ParticleState one = after(1);
    EXPECT_EQ(one, after(2));
    EXPECT_EQ(one, after(8));
}

TEST(GroundMaterials, leave_bedrock_that_nothing_can_take_where_it_is) {
    const Field<float> elevation = tests::hills(48);
    const ParticleParameters parameters = {
        .sediment_depth = 0.3, .bedrock_erodibility = 0.0, .bedrock_repose_slope = 100.0};
    const ParticleSimulation start(elevation, parameters, 1);
    const ParticleState first = start.state();
    const ParticleSimulation rivers(tests::after_cycles(ParticleSimulation(first), 20));
    for (std::int64_t cell = 0; cell < first.loose.size(); ++cell)
        ASSERT_EQ(bedrock_at(rivers.state(), cell), bedrock_at(first, cell)) << cell;
    EXPECT_EQ(rivers.report().bedrock_eroded, 0.0);
    EXPECT_GT(rivers.report().sediment_out, 0.0);
}

/// Elevation after slopes have slid so often, m.
Field<float> after_slides(const Field<float>& elevation, const ParticleParameters& parameters, int passes) {
    ParticleState state = ParticleSimulation(elevation, parameters, 1).state();
    ParticleGround ground(state.elevation, {});
    const BedrockOfCells bedrock = bedrock_of(state);
    const std::vector<float> held = held_slopes_of(state);
    const GroundSlides slides = {.law = slides_of(state, bedrock),
                                 .bedrock_rise = bedrock.rise.empty() ? nullptr : bedrock.rise.data(),
                                 .held = held.empty() ? nullptr : held.data()};
    GroundLayers layers = {.elevation = state.elevation, .loose = state.loose};
    if (!state.soil.empty()) layers.soil = &state.soil;
    for (int pass = 0; pass < passes; ++pass) {
        const SlidOut out = ground.avalanche(layers, slides);
        state.sediment.left += out.all;
        state.soil_budget.left += out.soil;
    }
    const ParticleReport report = ParticleSimulation(state).report();
    EXPECT_EQ(report.sediment_error, 0);
    EXPECT_EQ(report.soil_error, 0);
    return ParticleSimulation(std::move(state)).elevation();
}

/// A wall of 12 m across the middle of a plain.
Field<float> wall() {
    Field<float> elevation(Grid{.columns = 64, .rows = 8, .cell_size = 2.0, .north = 16.0});
    for (int row = 0; row < 8; ++row)
        for (int column = 29; column < 35; ++column) elevation(column, row) = 12.0F;
    return elevation;
}

/// m/m, once a wall has slid so often.
float slope_of_wall(const ParticleParameters& parameters, int passes) {
    const Field<float> after = after_slides(wall(), parameters, passes);
    float steepest = 0.0F;
    for (int column = 0; column + 1 < 64; ++column)
        steepest = std::max(steepest, std::abs(after(column + 1, 4) - after(column, 4)) / 2.0F);
    return steepest;
}

TEST(GroundMaterials, slide_each_by_its_own_slope_and_rock_as_fast_as_frost_loosens_it) {
    // Sediment leans at 0.5, bedrock at 2, which only frost wears down.
    const auto slope_after = [&](double depth, double frost, double soil = 0.0) {
        const ParticleParameters parameters = {.repose_slope = 0.5,
                                               .sediment_depth = depth,
                                               .bedrock_repose_slope = 2.0,
                                               .freeze_thaw = frost,
                                               .soil_depth = soil,
                                               .soil_repose_slope = 0.25};
        return slope_of_wall(parameters, 500);
    };
    EXPECT_LT(slope_after(50.0, 1.0), 0.52F) << "all of it sediment";
    const float of_rock = slope_after(0.0, 1.0);
    EXPECT_LT(of_rock, 2.05F) << "bare bedrock";
    EXPECT_GT(of_rock, 1.5F);
    EXPECT_EQ(slope_after(0.0, 0.0), 6.0F) << "no frost";
    EXPECT_LT(slope_after(0.0, 1.0, 50.0), 0.27F) << "all of it soil";
    EXPECT_LT(slope_of_wall({.repose_slope = 0.5, .soil_depth = 50.0, .soil_repose_slope = 0.25}, 500), 0.27F)
        << "on bedrock that withstands as sediment does";
    const float of_sediment = slope_after(50.0, 1.0, 0.01);
    EXPECT_LT(of_sediment, 0.52F) << "soil slides off, and leaves sediment to its own slope";
    EXPECT_GT(of_sediment, 0.4F);
}

TEST(GroundMaterials, rest_at_slopes_that_roots_raise_by_the_cover_of_plants) {
    const auto slope_after = [&](double cover, double depth, double rock) {
        const ParticleParameters parameters = {.repose_slope = 0.5,
                                               .sediment_depth = depth,
                                               .bedrock_repose_slope = rock,
                                               .plant_time = 10.0,
                                               .plant_cover = cover,
                                               .root_repose = 0.8};
        return slope_of_wall(parameters, 800);
    };
    EXPECT_NEAR(slope_after(0.0, 50.0, 0.0), 0.5, 0.02);
    EXPECT_NEAR(slope_after(0.5, 50.0, 0.0), 0.5 * 1.4, 0.02);
    EXPECT_NEAR(slope_after(1.0, 50.0, 0.0), 0.5 * 1.8, 0.02);
    EXPECT_NEAR(slope_after(1.0, 0.0, 0.0), 0.5 * 1.8, 0.02) << "bedrock as weak as sediment";
    EXPECT_NEAR(slope_after(1.0, 0.0, 1.5), 1.5, 0.1) << "bedrock with a slope of its own";
}

TEST(GroundMaterials, form_beaches_where_the_sea_reaches_sediment) {
    // A slope of 0.4 of sediment that goes down into the sea.
    Field<float> coast(Grid{.columns = 60, .rows = 8, .cell_size = 2.0, .north = 16.0});
    for (std::int64_t cell = 0; cell < coast.size(); ++cell)
        coast[cell] = 0.8F * static_cast<float>(30 - coast.grid().column_of(cell));
    const auto after = [&](double beach) {
        const ParticleParameters parameters = {
            .sediment_depth = 100.0, .sea_level = 0.0, .beach_slope = beach, .beach_range = 2.0};
        return after_slides(coast, parameters, 600);
    };
    const Field<float> without = after(0.0);
    for (std::int64_t cell = 0; cell < coast.size(); ++cell) ASSERT_NEAR(without[cell], coast[cell], 1e-5F);
    const Field<float> beach = after(0.1);
    for (int column = 1; column + 1 < 59; ++column) {
        const float here = beach(column, 4);
        const float drop = here - beach(column + 1, 4);
        if (here <= 2.0F && here >= -2.0F) {
            EXPECT_LT(drop, 0.15F * 2.0F) << column;
        }
    }
    EXPECT_LT(beach(27, 4), coast(27, 4) - 0.1F);
    EXPECT_NEAR(beach(2, 4), coast(2, 4), 1e-5F) << "land beyond the reach of waves";
}

TEST(GroundMaterials, are_kept_by_edits_that_raise_bedrock_and_take_soil_first) {
    const Field<float> plane = tests::plane(8, 8, 10.0, 0.0);
    ParticleState state = ParticleSimulation(plane, {.sediment_depth = 1.5, .soil_depth = 0.5}, 1).state();
    Field<float> edited = plane;
    edited(2, 2) = 5.0F;
    edited(4, 4) = -1.5F;
    edited(5, 5) = -3.0F;
    edited(6, 6) = -0.25F;
    change_particle_ground(state, edited);
    constexpr std::int32_t kMetre = 1 << 17;
    EXPECT_EQ(state.loose(2, 2), 2 * kMetre);
    EXPECT_EQ(state.loose(4, 4), kMetre / 2);
    EXPECT_EQ(state.loose(5, 5), 0);
    EXPECT_EQ(state.soil(2, 2), kMetre / 2);
    EXPECT_EQ(state.soil(4, 4), 0);
    EXPECT_EQ(state.soil(6, 6), kMetre / 4);
    const ParticleReport report = ParticleSimulation(state).report();
    EXPECT_EQ(report.sediment_error, 0);
    EXPECT_EQ(report.soil_error, 0);
    EXPECT_EQ(report.bedrock_eroded, 0.0);
}

}  // namespace
}  // namespace thalweg
