// Simulations, by the one that there is: the stage `rain`, step by step, edited, saved, replayed and as
// frames.
#include "thalweg/project/simulation.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/history.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/parts/simulated_stage.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/run/frames.hpp"
#include "thalweg/project/stage_time.hpp"
#include "thalweg/project/stages/rain_stage.hpp"
#include "thalweg/project/stages/strokes_stage.hpp"
#include "thalweg/project/verb_start.hpp"
#include "thalweg/river/network.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "archives.hpp"
#include "run_verb.hpp"
#include "scratch_folder.hpp"
#include "tests/cancelling_progress.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using Json = nlohmann::json;
using Bytes = std::vector<std::byte>;

/// Rain on a landscape, with the ways to look at it.
class Rain {
  public:
    explicit Rain(const RainStageParameters& parameters = on_hills()) {
        landscape_.grid = make_grid(4000.0, 3000.0, 40);
        landscape_.seed = 9;
        Field<float> hills(landscape_.grid);
        for (std::int64_t cell = 0; cell < hills.size(); ++cell)
            hills[cell] = static_cast<float>(
                random_bits(2, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)) % 300);
        landscape_.set("elevation", std::move(hills));
        StageContext context = context_on(landscape_);
        simulation = find_stage("rain").simulate(&parameters, context);
    }

    static RainStageParameters on_hills() {
        RainStageParameters parameters;
        parameters.rain.pits = RainPits::Deepen;
        parameters.river_visits = 20;
        return parameters;
    }

    void advance(double time) { simulation->advance(time, quiet_); }

    void edit(const std::string& command, const ValueTable& values) {
        StageContext context = context_on(landscape_);
        simulation->edit(command, values, context);
    }

    void replay_until(double time, const std::vector<SimulationEdit>& edits) {
        StageContext context = context_on(landscape_);
        replay(*simulation, edits, time, context);
    }

    /// What the stage leaves now.
    [[nodiscard]] Landscape landscape() {
        Landscape shown = landscape_;
        StageContext context = context_on(shown);
        simulation->snapshot(context);
        return shown;
    }

    [[nodiscard]] Bytes saved() {
        return archived_by([&](ArchiveWriter& archive) { simulation->save(archive); });
    }

    void restore(const Bytes& bytes) {
        read_from_archive(bytes, [&](ArchiveReader& archive) { simulation->restore(archive); });
    }

    std::unique_ptr<Simulation> simulation;

  private:
    StageContext context_on(Landscape& landscape) { return {landscape, "", quiet_, {}, true, {}}; }

    Landscape landscape_;
    QuietProgress quiet_;
};

const ValueTable kGentle{{{"erosivity", 0.001}, {"depth", 3.0}}};

/// A wall of 200 m across the middle, from which much slides.
ValueTable wall() {
    StrokesParameters parameters;
    parameters.strokes = {
        {.points = {500.0, 1500.0, 3500.0, 1500.0}, .radius = 60.0, .falloff = 0.0, .strength = 200.0}};
    return parameters_of<StrokesParameters>().values(&parameters);
}

TEST(Simulation, of_rain_saved_and_restored_at_random_events_has_the_bits_of_one_run) {
    Rain whole;
    whole.advance(2000);
    for (std::uint64_t order = 0; order < 4; ++order) {
        Bytes state = Rain().saved();
        double time = 0.0;
        for (std::uint64_t step = 0; time < 2000.0; ++step) {
            time = std::min(2000.0,
                            time + static_cast<double>(random_bits(order, Stream::WhiteNoise, step) % 700));
            Rain part;
            part.restore(state);
            part.advance(time);
            state = part.saved();
        }
        EXPECT_TRUE(state == whole.saved()) << order;
    }
}

TEST(Simulation, of_rain_goes_by_single_events_and_never_back) {
    Rain steps;
    QuietProgress quiet;
    for (int event = 0; event < 50; ++event) steps.simulation->step(quiet);
    EXPECT_EQ(steps.simulation->time(), 50.0);
    steps.advance(20);
    EXPECT_EQ(steps.simulation->time(), 50.0);
    Rain once;
    once.advance(50);
    EXPECT_TRUE(steps.saved() == once.saved());
}

TEST(Simulation, shows_the_landscape_that_the_stage_leaves) {
    Rain rain;
    rain.advance(800);
    RainStageParameters parameters = Rain::on_hills();
    parameters.rain.events = 800;
    Landscape left = Rain().landscape();
    QuietProgress quiet;
    StageContext context{left, "", quiet, {}, true, {}};
    find_stage("rain").run(&parameters, context);
    const Landscape shown = rain.landscape();
    for (const char* layer : {"elevation", "drainage_area"}) EXPECT_EQ(shown.layer(layer), left.layer(layer));
    EXPECT_EQ(shown.get<RiverNetwork>(kRivers).reaches.size(),
              left.get<RiverNetwork>(kRivers).reaches.size());
}

TEST(Simulation, whose_edits_are_replayed_has_the_bits_of_the_first) {
    Rain first;
    first.advance(400);
    first.edit("rain", kGentle);
    first.advance(900);
    first.edit("strokes", wall());
    first.edit("rain", {{{"river_visits", std::int64_t{5}}}});
    first.advance(1500);
    ASSERT_THAT(first.simulation->edits(), SizeIs(3));
    EXPECT_EQ(first.simulation->edits()[1].time, 900.0);

    Rain again;
    for (const double time : {350.0, 900.0, 1500.0}) again.replay_until(time, first.simulation->edits());
    EXPECT_TRUE(again.saved() == first.saved());
    Rain restored;  // within the edits of one time, of which it has had two
    Rain half;
    half.replay_until(900, {first.simulation->edits().begin(), first.simulation->edits().begin() + 2});
    restored.restore(half.saved());
    restored.replay_until(1500, first.simulation->edits());
    EXPECT_TRUE(restored.saved() == first.saved());

    Rain unedited;
    unedited.advance(1500);
    EXPECT_NE(unedited.landscape().layer("elevation"), first.landscape().layer("elevation"));
}

TEST(Simulation, edited_by_strokes_changes_the_cells_under_them_and_no_bit_elsewhere) {
    Rain rain;
    rain.advance(300);
    const Field<float> before = rain.landscape().layer("elevation");
    rain.edit("strokes", wall());
    const Field<float> after = rain.landscape().layer("elevation");
    int raised = 0;
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        if (after[cell] == before[cell]) continue;
        ++raised;
        EXPECT_NEAR(after[cell] - before[cell], 200.0, 1e-3);
    }
    EXPECT_GT(raised, 25);
    EXPECT_LT(raised, 70);
}

TEST(Simulation, edited_by_strokes_lets_all_slide_that_then_stands_too_high) {
    Rain rain;
    rain.advance(300);
    rain.edit("strokes", wall());
    rain.advance(301);
    const Field<float> elevation = rain.landscape().layer("elevation");
    double greatest = 0.0;  // m, from row to row
    for (std::int64_t cell = 40; cell < elevation.size(); ++cell)
        greatest = std::max(greatest, std::abs(double{elevation[cell]} - elevation[cell - 40]));
    EXPECT_LE(greatest, 100.0 + 1e-3);  // 2000 units of 5 cm
    EXPECT_GT(greatest, 50.0);
}

TEST(Simulation, edited_before_its_first_event_begins_on_what_the_edit_has_left) {
    Rain rain;
    const Field<float> before = rain.landscape().layer("elevation");
    rain.edit("strokes", wall());
    EXPECT_NE(rain.landscape().layer("elevation"), before);
}

TEST(Simulation, refuses_edits_that_it_can_not_take_and_stays_what_it_was) {
    Rain rain;
    rain.advance(300);
    const Bytes before = rain.saved();
    EXPECT_THAT(refusal_of([&] { rain.edit("rain", {{{"tilt", 2.0}}}); }),
                HasSubstr("tilt can't change once it rains"));
    EXPECT_THAT(refusal_of([&] { rain.edit("rain", {{{"depth", -2.0}}}); }), HasSubstr("depth = -2"));
    EXPECT_THAT(refusal_of([&] { rain.edit("rain", {{{"wind", 2.0}}}); }), HasSubstr("wind"));
    EXPECT_THAT(refusal_of([&] { rain.edit("rivers", {}); }), HasSubstr("rivers is no edit of rain"));
    EXPECT_THAT(refusal_of([&] { rain.edit("hail", {}); }), HasSubstr("unknown stage \"hail\""));
    EXPECT_THAT(refusal_of([&] { rain.edit("strokes", {{{"layer", std::string("uplift")}}}); }),
                HasSubstr("strokes of uplift is no edit of rain"));
    EXPECT_TRUE(rain.saved() == before);
}

TEST(Simulation, that_was_cancelled_goes_on_to_the_bits_of_one_that_was_not) {
    Rain whole;
    whole.advance(1000);
    whole.edit("rain", kGentle);
    whole.advance(3000);
    for (const int patience : {1, 20, 60}) {
        Rain rain;
        rain.advance(1000);
        rain.edit("rain", kGentle);
        ImpatientProgress impatient(patience);
        EXPECT_THROW(rain.simulation->advance(3000, impatient), Cancelled);
        EXPECT_LT(rain.simulation->time(), 3000.0);
        rain.advance(3000);
        EXPECT_TRUE(rain.saved() == whole.saved());
    }
}

TEST(Simulation, is_not_restored_from_another_grid_or_half_a_state) {
    Rain rain;
    rain.advance(10);
    Bytes bytes = rain.saved();
    bytes.resize(bytes.size() / 2);
    EXPECT_THROW(Rain().restore(bytes), std::runtime_error);
}

// ---- Frames

/// How often a copy of the stage rain has begun.
struct CountedRain {
    CountedRain() {
        stage = find_stage("rain");
        stage.simulate = [begin = stage.simulate, this](const void* parameters, StageContext& context) {
            ++begun;
            return begin(parameters, context);
        };
        stage = simulated(stage);
    }

    int begun = 0;
    Stage stage;
};

RainStageParameters rain_until(std::int64_t events) {
    RainStageParameters parameters;
    parameters.rain.events = events;
    parameters.river_visits = 15;
    parameters.history_every = 200;
    return parameters;
}

/// A verb on a small plane.
Project on_small_plane(const Stage& stage, const RainStageParameters& parameters) {
    Project project =
        verb_on(stage, &parameters, {.raster = {}, .grid = {.extent = {3000.0, 2000.0}, .cells = 30}});
    project.seed = 3;
    return project;
}

TEST(RainFrames, in_any_order_are_one_simulation_and_have_the_bytes_of_single_runs) {
    const ScratchFolder folder;
    CountedRain rain;
    const RainStageParameters parameters = rain_until(10);
    const std::vector<double> times = {600, 0, 1000, 250, 250, 1000};
    QuietProgress quiet;
    Project frames = in_folder(on_small_plane(rain.stage, parameters), folder / "frames");
    frames.named_files = {{"history", "history.gpkg"}, {"rivers", "rivers.gpkg"}};
    run_project(frames, {.times = times}, {.progress = &quiet});
    EXPECT_EQ(rain.begun, 1);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const RainStageParameters single = rain_until(static_cast<std::int64_t>(times[i]));
        Project alone = on_small_plane(find_stage("rain"), single);
        alone.named_files = {{"elevation", folder / "elevation.tif"},
                             {"history", folder / "history.gpkg"},
                             {"rivers", folder / "rivers.gpkg"}};
        run_project(alone);
        for (const char* name : {"elevation.tif", "rivers.gpkg", "history.gpkg"})
            EXPECT_TRUE(bytes_of(folder / name) ==
                        bytes_of(folder / "frames" / with_suffix(name, "_000" + std::to_string(i))))
                << name << " at " << times[i];
    }
    const Json json = Json::parse(bytes_of(folder / "frames/frames.json"));
    EXPECT_EQ(json["time"], Json({{"parameter", "events"}, {"unit", "events"}}));
    EXPECT_EQ(json["frames"][2]["time_events"].dump(), "1000");
}

TEST(RainFrames, of_a_project_take_the_events_of_its_last_stage_that_knows_time) {
    const ScratchFolder folder;
    ProjectOverrides overrides;
    overrides.output_directory = folder / "frames";
    const Project project = parse_project(
        "[project]\nname = \"wet\"\n[grid]\ncells = 24\n[[stage]]\nuse = \"rain\"\nevents = 300\n"
        "[[stage]]\nuse = \"flow\"\n[output]\npictures = []\nnetworks = []\n",
        "wet.toml", "", overrides);
    EXPECT_EQ(project.stages[timed_stage(project)].label, "rain");
    run_project(project,
                {.times = {0, 300},
                 .animation = AnimationOptions{.file = folder / "wet.webp", .look = {.animation_size = 64}}});
    Project alone = project;
    alone.output_directory = folder / "alone";
    run_project(alone);
    EXPECT_TRUE(bytes_of(folder / "frames/wet_slope_0001.tif") == bytes_of(folder / "alone/wet_slope.tif"));
    EXPECT_GT(std::filesystem::file_size(folder / "wet.webp"), 100U);
}

TEST(RainFrames, asked_for_an_earlier_time_begin_anew) {
    CountedRain rain;
    const RainStageParameters parameters = rain_until(10);
    Landscape plane{.grid = make_grid(3000.0, 2000.0, 30), .seed = 3, .datasets = {}};
    QuietProgress quiet;
    StageContext context{plane, "", quiet, {}, true, {}};
    const StageAtTime at_time = rain.stage.at_times(&parameters, context);
    std::vector<Field<float>> elevation;
    for (const double time : {500.0, 100.0, 500.0}) {
        Landscape frame = plane;
        StageContext of_frame{frame, "", quiet, {}, true, {}};
        at_time(time, of_frame);
        elevation.push_back(frame.layer("elevation"));
        EXPECT_EQ(frame.get<History>(kHistory).times().size(), time == 100.0 ? 1U : 3U);
    }
    EXPECT_EQ(rain.begun, 2);
    EXPECT_EQ(elevation[0], elevation[2]);
    EXPECT_NE(elevation[0], elevation[1]);
}

TEST(RainFrames, tell_a_note_once) {
    const ScratchFolder folder;
    RainStageParameters parameters = rain_until(10);
    parameters.tilt = 0.0;
    parameters.edges = RainEdges::Closed;
    const RunResult result =
        run_project(in_folder(on_small_plane(find_stage("rain"), parameters), folder / "frames"),
                    {.times = {0, 100, 200}});
    int notes = 0;
    for (const StageReport& stage : result.report.stages)
        for (const std::string& note : stage.diagnostics.notes)
            notes += note.find("ended in pits") != std::string::npos ? 1 : 0;
    EXPECT_EQ(notes, 1);
}

}  // namespace
}  // namespace thalweg
