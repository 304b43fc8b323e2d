// Edits of droplets under way, by programs and by projects.
#include "thalweg/core/execution.hpp"
#include "thalweg/particles/particle_simulation.hpp"
#include "thalweg/project/input_files.hpp"
#include "thalweg/project/particles/particles_stage.hpp"
#include "thalweg/project/simulation.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stages/strokes_stage.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
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

/// A stroke that raises a layer at the middle of the landscape.
ValueTable stroke_on(const char* layer, double strength) {
    StrokesParameters parameters;
    parameters.layer = layer;
    parameters.strokes = {{.points = {240.0, 200.0}, .radius = 30.0, .falloff = 30.0, .strength = strength}};
    return parameters_of<StrokesParameters>().values(&parameters);
}

TEST(ParticleEdits, take_strokes_on_sediment_and_soil_with_which_the_ground_rises) {
    Droplets droplets(with_all_that_covers());
    droplets.advance(2.0);
    const Landscape before = droplets.landscape();
    droplets.edit("strokes", stroke_on("sediment", 3.0));
    const Landscape with_sediment = droplets.landscape();
    droplets.edit("strokes", stroke_on("soil", -50.0));
    const Landscape without_soil = droplets.landscape();
    const std::int64_t middle = before.grid.index(24, 20);
    EXPECT_NEAR(with_sediment.layer("sediment")[middle], before.layer("sediment")[middle] + 3.0F, 1e-4F);
    EXPECT_NEAR(with_sediment.layer("elevation")[middle], before.layer("elevation")[middle] + 3.0F, 1e-4F);
    EXPECT_EQ(with_sediment.layer("soil"), before.layer("soil"));
    EXPECT_EQ(without_soil.layer("soil")[middle], 0.0F);
    EXPECT_NEAR(without_soil.layer("elevation")[middle],
                with_sediment.layer("elevation")[middle] - with_sediment.layer("soil")[middle], 1e-4F);
    EXPECT_EQ(without_soil.layer("elevation")[0], before.layer("elevation")[0]);
    droplets.advance(5.0);
    (void)droplets.landscape();
    int budgets = 0;
    for (const auto& [name, value] : droplets.told.values)
        if (name == "mass_error" || name == "soil_error") {
            EXPECT_EQ(value, Value(std::int64_t{0})) << name;
            ++budgets;
        }
    EXPECT_EQ(budgets, 2);
}

TEST(ParticleEdits, take_a_pigment_stroke_on_bare_bedrock_under_the_brush_alone) {
    ParticleStageParameters parameters;
    parameters.pigment.layer = "wet";
    Droplets painted(parameters);
    Droplets left(parameters);
    painted.advance(3.0);
    left.advance(3.0);
    StrokesParameters far;
    far.layer = "pigment";
    far.strokes = {{.points = {-9000.0, -9000.0}, .radius = 30.0, .falloff = 30.0, .strength = 1.0}};
    painted.edit("strokes", parameters_of<StrokesParameters>().values(&far));
    painted.advance(9.0);
    left.advance(9.0);
    EXPECT_EQ(painted.landscape().layer("pigment"), left.landscape().layer("pigment"));
}

TEST(ParticleEdits, refuse_strokes_on_what_the_rock_supplies) {
    ParticleStageParameters parameters;
    parameters.has_rock = true;
    parameters.has_ground_colours = true;
    Droplets droplets(parameters);
    EXPECT_THAT(refusal_of([&] { droplets.edit("strokes", stroke_on("ground_red", 1.0)); }),
                HasSubstr("strokes of ground_red is no edit of particles"));
    EXPECT_THAT(refusal_of([&] { droplets.edit("window", {}); }),
                HasSubstr("window is no edit of particles"));
}

TEST(ParticleEdits, leave_layers_that_edits_bring_and_take_away) {
    const Stage& stage = find_stage("particles");
    ParticleStageParameters parameters;
    parameters.edits = {{.cycle = 2, .stage = "particles", .stroke = {}, .set = {"plant_time=5"}},
                        {.cycle = 2, .layer = "soil", .stroke = {.points = {240.0, 200.0}, .strength = 1.0}}};
    EXPECT_EQ(stage.why_left_out(&parameters, "vegetation"), "");
    EXPECT_EQ(stage.why_left_out(&parameters, "soil"), "");
    Droplets droplets(parameters);
    EXPECT_EQ(droplets.landscape().layer("vegetation"), Field<float>(droplets.landscape().grid));
    EXPECT_EQ(droplets.landscape().layer("soil"), Field<float>(droplets.landscape().grid));
    droplets.advance(3.0);
    EXPECT_GT(std::ranges::max(droplets.landscape().layer("vegetation").values()), 0.0F);
    EXPECT_GT(std::ranges::max(droplets.landscape().layer("soil").values()), 0.5F);
}

TEST(ParticleEdits, take_strokes_on_rain_plants_and_pigment) {
    ParticleStageParameters parameters = with_all_that_covers();
    parameters.rainfall.layer = "wet";
    Droplets painted(parameters);
    Droplets left(parameters);
    painted.edit("strokes", stroke_on("pigment", -1.0));
    painted.edit("strokes", stroke_on("vegetation", 2.0));
    const Landscape at_once = painted.landscape();
    const std::int64_t middle = at_once.grid.index(24, 20);
    EXPECT_EQ(at_once.layer("pigment")[middle], 0.0F);
    EXPECT_EQ(at_once.layer("vegetation")[middle], 1.0F);
    EXPECT_EQ(at_once.layer("elevation"), left.landscape().layer("elevation"));
    // Rain on the stroke alone: it stays when another parameter is edited.
    painted.edit("strokes", stroke_on("wet", 500.0));
    painted.edit("particles", {{{"gravity", 0.06}}});
    painted.advance(1.0);
    left.advance(1.0);
    const auto wettest = [](const Landscape& landscape) {
        return std::ranges::max(landscape.layer("discharge").values());
    };
    EXPECT_GT(wettest(painted.landscape()), 20.0F * wettest(left.landscape()));
}

TEST(ParticleEdits, of_a_project_are_edited_as_those_of_a_program) {
    ParticleStageParameters parameters;
    parameters.sediment_depth.number = 1.0;
    Droplets by_program(parameters);
    by_program.advance(2.0);
    by_program.edit("strokes", stroke_on("sediment", 4.0));
    by_program.edit("particles", {{{"rainfall", 3.0}}});
    by_program.advance(4.0);
    const ParticleEdit rain = {.cycle = 2, .stage = "particles", .stroke = {}, .set = {"rainfall=3.0"}};
    const Stroke dab = {.points = {240.0, 200.0}, .radius = 30.0, .falloff = 30.0, .strength = 4.0};
    parameters.edits = {rain, {.cycle = 2, .layer = "sediment", .stroke = dab}};
    std::swap(parameters.edits[0], parameters.edits[1]);
    Droplets by_project(parameters);
    by_project.advance(3.0);
    const std::vector<std::byte> middle = by_project.saved();
    by_project.advance(4.0);
    EXPECT_EQ(by_project.landscape().layer("elevation"), by_program.landscape().layer("elevation"));
    Droplets resumed(parameters);
    resumed.restore(middle);
    resumed.advance(4.0);
    EXPECT_EQ(resumed.saved(), by_project.saved());
}

TEST(ParticleEdits, are_edited_once_wherever_a_cycle_is_cancelled) {
    ParticleStageParameters parameters;
    parameters.metrics_every = 2;
    const Stroke dab = {.points = {240.0, 200.0}, .radius = 30.0, .falloff = 30.0, .strength = 4.0};
    parameters.edits = {{.cycle = 2, .layer = "sediment", .stroke = dab}};
    Droplets whole(parameters);
    whole.advance(4.0);
    const std::vector<std::byte> unbroken = whole.saved();
    int cancelled = 0;
    for (int patience = 1; patience < 400; patience += 3) {
        Droplets droplets(parameters);
        droplets.advance(2.0);
        ImpatientProgress impatient(patience);
        try {
            const ExecutionScope scope({.progress = &impatient});
            droplets.simulation->step(impatient);
        } catch (const Cancelled&) {
            ++cancelled;
        }
        droplets.advance(4.0);
        ASSERT_EQ(droplets.saved(), unbroken) << patience;
    }
    EXPECT_GT(cancelled, 5);
}

TEST(ParticleEdits, are_edited_by_their_project_before_a_program_at_one_cycle) {
    const Stroke flat = {.points = {240.0, 200.0}, .radius = 30.0, .falloff = 30.0, .strength = 5.0};
    ParticleStageParameters parameters;
    parameters.edits = {{.cycle = 2, .layer = "sediment", .stroke = flat}};
    Droplets droplets(parameters);
    droplets.advance(2.0);
    droplets.edit("strokes", stroke_on("sediment", -9.0));
    const Landscape after = droplets.landscape();
    EXPECT_EQ(after.layer("sediment")(24, 20), 0.0F);
    EXPECT_NEAR(after.layer("elevation")(24, 20), Droplets(parameters).landscape().layer("elevation")(24, 20),
                2.0F);
}

TEST(ParticleEdits, have_what_their_edits_name_as_inputs) {
    const Stage& stage = find_stage("particles");
    ParticleStageParameters parameters;
    parameters.edits = {{.cycle = 2, .stage = "particles", .stroke = {}, .set = {"rainfall=wet"}}};
    const StageUse use{&stage, "particles", stage.copy_parameters(&parameters), {}};
    EXPECT_THAT(inputs_of(use), ::testing::Contains("wet"));
    Droplets droplets(parameters);
    EXPECT_NO_THROW(droplets.advance(3.0));
    const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "rain_of_edits.tif";
    std::ofstream(file) << "rain";
    parameters.edits[0].set = {"rainfall=" + file.filename().string()};
    EXPECT_THAT(files_of_stage(stage, &parameters, file.parent_path()),
                ::testing::ElementsAre(file.string()));
}

TEST(ParticleEdits, refuse_edits_of_a_project_that_say_too_much_or_nothing) {
    const Stage& stage = find_stage("particles");
    const auto refusal = [&](const ParticleEdit& edit) {
        ParticleStageParameters parameters;
        parameters.edits = {edit};
        return refusal_of([&] { stage.check(&parameters); });
    };
    EXPECT_THAT(refusal({}), HasSubstr("points"));
    EXPECT_THAT(refusal({.stroke = {.points = {0.0, 0.0}}, .set = {"rainfall=2"}}),
                HasSubstr("set is not allowed with stage = \"strokes\""));
    EXPECT_THAT(refusal({.stage = "particles", .stroke = {.points = {0.0, 0.0}}}),
                HasSubstr("points are not allowed with stage = \"particles\""));
    EXPECT_THAT(refusal({.stage = "particles", .set = {"rain=2"}}), HasSubstr("rain"));
    EXPECT_EQ(refusal({.cycle = 7, .stage = "particles", .set = {"cycles=9"}}),
              "edit at cycle 7: cycles can't change once droplets run: it belongs to the start");
    for (const char* const name : {"window", "rivers"})
        EXPECT_THAT(refusal({.stage = name}),
                    HasSubstr("give strokes, particles, or a stage that changes a layer"))
            << name;
    ParticleStageParameters late;
    late.edits = {{.cycle = 1, .layer = "forest", .stroke = {.points = {0.0, 0.0}}}};
    Droplets droplets(late);
    EXPECT_EQ(
        refusal_of([&] { droplets.advance(3.0); }),
        "edit at cycle 1: strokes of forest is no edit of particles: give particles, or a stage that changes "
        "elevation, sediment, soil");
}

TEST(ParticleEdits, refuse_edits_of_their_start_and_of_nothing_they_know) {
    Droplets droplets;
    EXPECT_EQ(refusal_of([&] { droplets.edit("particles", {{{"cycles", std::int64_t{3}}}}); }),
              "cycles can't change once droplets run: it belongs to the start");
    EXPECT_THAT(refusal_of([&] { droplets.edit("flow", {}); }), HasSubstr("flow is no edit of particles"));
    StrokesParameters parameters;
    parameters.strokes = {{.points = {240.0, 50.0}, .strength = 9000.0}};
    EXPECT_THAT(
        refusal_of([&] { droplets.edit("strokes", parameters_of<StrokesParameters>().values(&parameters)); }),
        HasSubstr("droplets that run take from"));
}

}  // namespace
}  // namespace thalweg
