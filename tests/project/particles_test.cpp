// The stage `particles`: step by step, edited, saved and resumed, and by its verb.
#include "thalweg/noise/noise.hpp"
#include "thalweg/particles/particle_simulation.hpp"
#include "thalweg/project/output/rock_colours.hpp"
#include "thalweg/project/particles/particles_stage.hpp"
#include "thalweg/project/simulation.hpp"
#include "thalweg/project/stages/strokes_stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include "tests/project/running_droplets.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

TEST(Particles, leave_elevation_flow_and_lakes_and_tell_their_budget) {
    Droplets droplets;
    const Landscape start = droplets.landscape();
    droplets.advance(6.0);
    const Landscape after = droplets.landscape();
    EXPECT_NE(after.layer("elevation"), start.layer("elevation"));
    for (const char* const name : {"discharge", "momentum_east", "momentum_north", "water_depth"})
        EXPECT_TRUE(after.has(name)) << name;
    std::int64_t found = 0;
    for (const auto& [name, value] : droplets.told.values) {
        if (name == "mass_error" || name == "water_error") {
            EXPECT_EQ(value, Value(std::int64_t{0})) << name;
        }
        for (const char* const wanted : {"droplets", "moves", "moves_per_second", "mass_error",
                                         "drained_share", "sinuosity", "lake_volume_m3"})
            found += name == wanted ? 1 : 0;
    }
    EXPECT_EQ(found, 7);
}

TEST(Particles, that_no_cycle_has_run_leave_elevation_as_it_is) {
    Droplets droplets;
    QuietProgress progress;
    const Landscape start = droplets.landscape();
    EXPECT_EQ(start.layer("elevation"), make_noise(start.grid, {.amplitude = 30.0}, 5, progress));
}

TEST(Particles, go_on_to_equal_bytes_from_where_they_were_saved_with_their_edits) {
    Droplets whole;
    whole.advance(3.0);
    whole.edit("strokes", dam());
    whole.advance(5.0);
    whole.edit("particles", kDrier);
    const std::vector<std::byte> middle = whole.saved();
    whole.advance(9.0);

    Droplets resumed;
    resumed.restore(middle);
    resumed.advance(9.0);
    EXPECT_EQ(resumed.saved(), whole.saved());

    Droplets again;
    again.replay_until(9.0, whole.simulation->edits());
    EXPECT_EQ(again.saved(), whole.saved());
    Droplets plain;
    plain.advance(9.0);
    EXPECT_NE(plain.landscape().layer("elevation"), whole.landscape().layer("elevation"));
}

TEST(Particles, go_on_with_the_records_of_before_they_were_saved) {
    ParticleStageParameters parameters;
    parameters.metrics_every = 2;
    Droplets whole(parameters);
    whole.advance(3.0);
    Droplets resumed(parameters);
    resumed.restore(whole.saved());
    resumed.advance(5.0);
    const Landscape after = resumed.landscape();
    std::vector<std::int64_t> cycles;
    for (const ParticleReport& record : after.get<ParticleMetrics>("particle_metrics").records)
        cycles.push_back(record.cycles);
    EXPECT_EQ(cycles, (std::vector<std::int64_t>{0, 2, 4, 5}));
}

TEST(Particles, record_what_an_edit_has_brought_in_in_its_cycle) {
    ParticleStageParameters parameters;
    parameters.metrics_every = 2;
    Droplets droplets(parameters);
    droplets.advance(2.0);
    droplets.edit("strokes", dam());
    const Landscape after = droplets.landscape();
    const auto& metrics = after.get<ParticleMetrics>("particle_metrics");
    ASSERT_EQ(metrics.records.size(), 2U);
    EXPECT_GT(metrics.records.at(1).sediment_in, 0.0);
}

TEST(Particles, that_were_cancelled_go_on_to_equal_bytes) {
    Droplets whole;
    whole.advance(5.0);
    Droplets halted;
    ImpatientProgress impatient(40);
    EXPECT_THROW(halted.simulation->advance(5.0, impatient), Cancelled);
    EXPECT_LT(halted.simulation->time(), 5.0);
    halted.advance(5.0);
    EXPECT_EQ(halted.saved(), whole.saved());
}

TEST(Particles, take_rain_from_a_layer) {
    Droplets by_number([] {
        ParticleStageParameters p;
        p.rainfall.number = 0.5;
        return p;
    }());
    Droplets by_layer([] {
        ParticleStageParameters p;
        p.rainfall.layer = "wet";
        return p;
    }());
    by_number.advance(3.0);
    by_layer.advance(3.0);
    EXPECT_EQ(by_layer.landscape().layer("elevation"), by_number.landscape().layer("elevation"));
}

TEST(Particles, on_rock_with_soil_pigment_and_plants_go_on_to_equal_bytes_from_where_they_were_saved) {
    Droplets whole(with_all_that_covers());
    whole.advance(3.0);
    whole.edit("strokes", dam());
    const std::vector<std::byte> middle = whole.saved();
    whole.advance(6.0);
    Droplets resumed(with_all_that_covers());
    resumed.restore(middle);
    resumed.advance(6.0);
    EXPECT_EQ(resumed.saved(), whole.saved());
    const Landscape after = whole.landscape();
    for (const char* const name : {"sediment", "soil", "pigment", "vegetation"})
        EXPECT_TRUE(after.has(name)) << name;
    for (const auto& [name, value] : whole.told.values)
        if (name == "mass_error" || name == "soil_error") {
            EXPECT_EQ(value, Value(std::int64_t{0}));
        }
}

TEST(Particles, find_harder_rock_as_they_come_down_to_it) {
    ParticleStageParameters soft;
    soft.bedrock_erodibility.number = 0.3;
    ParticleStageParameters layered = soft;
    layered.has_rock = true;
    Droplets on_one_rock(soft);
    Droplets on_layers(layered);
    on_one_rock.advance(4.0);
    on_layers.advance(4.0);
    EXPECT_NE(on_layers.landscape().layer("elevation"), on_one_rock.landscape().layer("elevation"));
}

TEST(Particles, tell_from_which_formation_the_ground_comes) {
    ParticleStageParameters parameters;
    parameters.has_rock = true;
    parameters.bedrock_erodibility.number = 0.3;
    Field<float> sum;
    int mixed = 0;
    for (const char* const name :
         {"claystone", "siltstone", "sandstone", "bentonite", "granite", "dyke", "cover"}) {
        parameters.pigment_formation = name;
        Droplets droplets(parameters);
        const Landscape start = droplets.landscape();
        for (const float share : start.layer("pigment").values())
            ASSERT_TRUE(share == 0.0F || share == 1.0F) << name;
        droplets.advance(4.0);
        const Landscape after = droplets.landscape();
        const Field<float>& pigment = after.layer("pigment");
        if (sum.empty()) sum = Field<float>(pigment.grid());
        for (std::int64_t cell = 0; cell < sum.size(); ++cell) {
            sum[cell] += pigment[cell];
            mixed += pigment[cell] > 0.0F && pigment[cell] < 1.0F ? 1 : 0;
        }
    }
    // What droplets and slides mix comes from one of them.
    for (const float all : sum) ASSERT_NEAR(all, 1.0F, 2e-3F);
    EXPECT_GT(mixed, 50);
}

TEST(Particles, wash_the_colours_of_all_formations_at_once) {
    ParticleStageParameters parameters;
    parameters.has_rock = true;
    parameters.bedrock_erodibility.number = 0.3;
    const auto after = [&] {
        Droplets droplets(parameters);
        droplets.advance(4.0);
        return droplets.landscape();
    };
    // The sum of their colours, each by its share.
    std::array<Field<float>, 3> sums;
    for (const Category& formation : formation_categories(after())) {
        parameters.pigment_formation = formation.name;
        const Landscape washed = after();
        const Field<float>& share = washed.layer("pigment");
        const Colour light = to_linear(formation.colour);
        const std::array<float, 3> colours = {light.red, light.green, light.blue};
        for (std::size_t p = 0; p < sums.size(); ++p) {
            if (sums[p].empty()) sums[p] = Field<float>(share.grid());
            for (std::int64_t cell = 0; cell < share.size(); ++cell)
                sums[p][cell] += colours[p] * share[cell];
        }
    }
    parameters.pigment_formation.clear();
    parameters.has_ground_colours = true;
    const Landscape coloured = after();
    EXPECT_FALSE(coloured.has("pigment"));
    constexpr std::array kNames = {"ground_red", "ground_green", "ground_blue"};
    for (std::size_t p = 0; p < sums.size(); ++p)
        for (std::int64_t cell = 0; cell < sums[p].size(); ++cell)
            ASSERT_NEAR(coloured.layer(kNames[p])[cell], sums[p][cell], 1e-3F) << kNames[p];
}

TEST(Particles, refuse_colours_without_rock_or_with_another_pigment) {
    const Stage& stage = find_stage("particles");
    ParticleStageParameters parameters;
    parameters.has_ground_colours = true;
    EXPECT_THAT(refusal_of([&] { stage.check(&parameters); }),
                HasSubstr("ground_colours = true takes rock = true"));
    parameters.has_rock = true;
    EXPECT_NO_THROW(stage.check(&parameters));
    EXPECT_EQ(stage.why_left_out(&parameters, "ground_red"), "");
    parameters.pigment.number = 0.5;
    EXPECT_THAT(refusal_of([&] { stage.check(&parameters); }), HasSubstr("give one of them"));
}

ParticleStageParameters painted_by(const char* formation) {
    ParticleStageParameters parameters;
    parameters.has_rock = true;
    parameters.pigment_formation = formation;
    return parameters;
}

TEST(Particles, show_the_rock_that_an_edit_lays_open) {
    Droplets droplets(painted_by("claystone"));
    droplets.advance(1.0);
    const Landscape before = droplets.landscape();
    StrokesParameters cut;
    cut.strokes = {{.points = {240.0, 50.0, 240.0, 350.0}, .radius = 40.0, .strength = -20.0}};
    droplets.edit("strokes", parameters_of<StrokesParameters>().values(&cut));
    droplets.advance(2.0);
    const Landscape after = droplets.landscape();
    const auto is_of = [](const Landscape& landscape, std::int64_t cell) {
        return landscape.layer("pigment")[cell] == 1.0F;
    };
    int laid_open = 0;
    for (std::int64_t cell = 0; cell < before.grid.cells(); ++cell)
        laid_open += before.layer("pigment")[cell] == 0.0F && is_of(after, cell) ? 1 : 0;
    EXPECT_GT(laid_open, 5);
}

TEST(Particles, find_rock_beneath_soil_as_beneath_sediment) {
    const auto pigment_under = [](double soil, double sediment) {
        ParticleStageParameters parameters = painted_by("claystone");
        parameters.soil_depth.number = soil;
        parameters.sediment_depth.number = sediment;
        return Droplets(parameters).landscape().layer("pigment");
    };
    EXPECT_EQ(pigment_under(15.0, 0.0), pigment_under(0.0, 15.0));
    EXPECT_NE(pigment_under(15.0, 0.0), pigment_under(0.0, 0.0));
}

TEST(Particles, leave_soil_pigment_and_plants_out_where_there_are_none) {
    const Stage& stage = find_stage("particles");
    const ParticleStageParameters none;
    EXPECT_THAT(stage.why_left_out(&none, "soil"), HasSubstr("it takes soil_depth"));
    ParticleStageParameters bare;
    bare.particles.soil_time = 100.0;
    EXPECT_THAT(stage.why_left_out(&bare, "soil"), HasSubstr("it takes plant_time"));
    EXPECT_THAT(stage.why_left_out(&none, "pigment"), HasSubstr("it takes pigment"));
    EXPECT_THAT(stage.why_left_out(&none, "vegetation"), HasSubstr("it takes plant_time"));
    const ParticleStageParameters all = with_all_that_covers();
    EXPECT_EQ(stage.why_left_out(&all, "soil"), "");
    EXPECT_EQ(stage.why_left_out(&all, "pigment"), "");
    EXPECT_EQ(stage.why_left_out(&all, "vegetation"), "");
}

TEST(Particles, refuse_rock_where_there_is_none_or_with_a_map_of_erodibility) {
    ParticleStageParameters parameters;
    parameters.has_rock = true;
    Landscape bare{.grid = make_grid(80.0, 80.0, 8), .seed = 1, .datasets = {}};
    bare.set("elevation", Field<float>(bare.grid));
    QuietProgress quiet;
    StageContext context{bare, "", quiet, {}, true, {}};
    const Stage& stage = find_stage("particles");
    EXPECT_EQ(refusal_of([&] { stage.simulate(&parameters, context); }),
              "rock = true takes the rock of stage rock: there is none");
    parameters.bedrock_erodibility.layer = "wet";
    EXPECT_THAT(refusal_of([&] { stage.check(&parameters); }), HasSubstr("not allowed with rock = true"));
    ParticleStageParameters painted;
    painted.pigment_formation = "cheese";
    EXPECT_THAT(refusal_of([&] { stage.check(&painted); }), HasSubstr("takes rock = true"));
    painted.has_rock = true;
    EXPECT_THAT(refusal_of([&] { Droplets droplets(painted); }),
                HasSubstr("pigment_formation = \"cheese\" is not allowed: give one of claystone, "));
    painted.pigment.number = 0.5;
    EXPECT_THAT(refusal_of([&] { stage.check(&painted); }), HasSubstr("not allowed with pigment"));
}

}  // namespace
}  // namespace thalweg
