// Edits of wandering rivers: by the protocol of simulations, and by the table `edits` of a project.
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/meandering/meander_stage.hpp"
#include "thalweg/project/meandering/river_edit.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/simulation.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/river/line_network.hpp"

#include <memory>
#include <string>
#include <vector>

#include "archives.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;
using Bytes = std::vector<std::byte>;
using Numbers = std::vector<double>;

/// Two rivers on a flat plain 20 km wide, with the ways to look at them.
class Rivers {
  public:
    explicit Rivers(const MeanderStageParameters& parameters = {}) {
        landscape_.grid = make_grid(20000.0, 20000.0, 50);
        landscape_.seed = 7;
        landscape_.set("elevation", Field<float>(landscape_.grid));
        landscape_.put(kRivers,
                       network_of_lines({{.points = {{1000, 8000, 9}, {9000, 8200, 5}, {19000, 8000, 0}}},
                                         {.points = {{1000, 16000, 9}, {19000, 16000, 0}}}},
                                        60.0, std::nullopt, "test"));
        StageContext context = context_on(landscape_);
        simulation = find_stage("meander").simulate(&parameters, context);
    }

    void advance(double year) { simulation->advance(year, quiet_); }

    void edit(const std::string& command, const ValueTable& values) {
        StageContext context = context_on(landscape_);
        simulation->edit(command, values, context);
    }

    void replay_until(double year, const std::vector<SimulationEdit>& edits) {
        StageContext context = context_on(landscape_);
        replay(*simulation, edits, year, context);
    }

    [[nodiscard]] Landscape landscape() {
        Landscape shown = landscape_;
        StageContext context = context_on(shown);
        simulation->snapshot(context);
        return shown;
    }

    [[nodiscard]] RiverNetwork network() { return landscape().get<RiverNetwork>(kRivers); }

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

/// One of every command, in years that rise.
std::vector<SimulationEdit> session() {
    const ValueTable stroke{{{"points", Numbers{4000, 9000, 16000, 9000}}, {"radius", 800.0}}};
    return {
        {10.0, "attract", stroke},
        {15.0, "avulse", {{{"points", Numbers{16000, 16000, 17500, 8000}}}}},
        {20.0, "repel", {{{"points", Numbers{10000, 15500}}, {"strength", 2.0}}}},
        {25.0, "damp", {{{"points", Numbers{5000, 16000}}, {"strength", 0.5}}}},
        {30.0, "lock", {{{"points", Numbers{15000, 16000}}, {"radius", 300.0}, {"falloff", 100.0}}}},
        {40.0, "move", {{{"points", Numbers{8000, 16000, 8000, 16400}}, {"radius", 900.0}}}},
        {45.0, "release", {{{"points", Numbers{10000, 9000}}}}},
        {50.0, "split", {{{"points", Numbers{11000, 16000}}}}},
        {60.0, "add", {{{"points", Numbers{6000, 1000, 6500, 8100}}, {"width", 30.0}}}},
        {70.0, "channel", {{{"points", Numbers{15000, 8000}}, {"rate_factor", 0.5}, {"width", 90.0}}}},
        {80.0,
         "raise",
         {{{"points", Numbers{3000, 16600, 9000, 16600}}, {"height", 300.0}, {"radius", 200.0}}}},
        {85.0,
         "strokes",
         {{{"strokes",
            std::vector<ValueTable>{{{{"points", Numbers{3000, 7000, 9000, 7000}}, {"strength", 200.0}}}}}}}},
        {90.0, "meander", {{{"migration_rate", 30.0}}}},
        {100.0, "cutoff", {{{"reach", std::int64_t{1}}, {"points", Numbers{2500, 8000, 4000, 8000}}}}},
        {110.0, "redraw", {{{"reach", std::int64_t{2}}, {"points", Numbers{5000, 17500}}}}},
        {120.0, "remove", {{{"points", Numbers{6000, 1000}}}}},
    };
}

TEST(RiverEdits, are_recorded_and_done_again_to_the_same_bytes) {
    Rivers rivers;
    for (const SimulationEdit& edit : session()) {
        rivers.advance(edit.time);
        const RiverNetwork before = rivers.network();
        rivers.edit(edit.command, edit.values);
        EXPECT_EQ(rivers.simulation->edits().back().command, edit.command);
        const bool changes_lines = edit.command == "move" || edit.command == "split" ||
                                   edit.command == "add" || edit.command == "channel" ||
                                   edit.command == "cutoff" || edit.command == "redraw" ||
                                   edit.command == "avulse" || edit.command == "remove";
        if (changes_lines) {
            EXPECT_NE(rivers.network(), before) << edit.command;
        }
    }
    rivers.advance(150.0);
    Rivers again;
    again.replay_until(150.0, rivers.simulation->edits());
    EXPECT_TRUE(again.saved() == rivers.saved());
    EXPECT_NE(rivers.landscape().layer("elevation"), Rivers().landscape().layer("elevation"));
}

TEST(RiverEdits, saved_and_resumed_in_between_have_the_bytes_of_one_run) {
    Rivers whole;
    whole.replay_until(150.0, session());
    Bytes state = Rivers().saved();
    for (double year = 0.0; year <= 150.0; year += 12.5) {
        Rivers part;
        part.restore(state);
        part.replay_until(year, session());
        state = part.saved();
    }
    EXPECT_TRUE(state == whole.saved());
}

/// The same as rows of a project.
MeanderStageParameters scripted(const std::vector<SimulationEdit>& edits) {
    MeanderStageParameters parameters;
    for (const SimulationEdit& edit : edits) {
        if (!river_command(edit.command)) continue;
        parameters.edits.push_back({.year = edit.time, .edit = edit_of(edit.command, edit.values)});
    }
    return parameters;
}

TEST(RiverEdits, of_a_project_do_what_the_same_ones_of_a_program_do) {
    Rivers by_script(scripted(session()));
    by_script.advance(150.0);
    Rivers by_program;
    std::vector<SimulationEdit> edits = session();
    std::erase_if(edits, [](const SimulationEdit& edit) { return !river_command(edit.command); });
    by_program.replay_until(150.0, edits);
    EXPECT_EQ(by_script.network(), by_program.network());
    EXPECT_EQ(by_script.landscape().layer("elevation"), by_program.landscape().layer("elevation"));
    EXPECT_TRUE(by_script.simulation->edits().empty());
}

TEST(RiverEdits, of_a_project_are_done_once_and_in_the_order_of_their_years_however_it_is_cut) {
    MeanderStageParameters parameters = scripted(session());
    Rivers whole(parameters);
    whole.advance(150.0);
    std::swap(parameters.edits.front(), parameters.edits.back());
    Bytes state = Rivers(parameters).saved();
    for (double year = 0.0; year <= 150.0; year += 7.5) {
        Rivers part(parameters);
        part.restore(state);
        part.advance(year);
        state = part.saved();
    }
    EXPECT_TRUE(state == whole.saved());
}

TEST(RiverEdits, stand_in_project_files) {
    const std::string text = R"(
[project]
name = "edited"
[grid]
extent = [20000.0, 20000.0]
cells = 64
[[stage]]
use = "shape"
kind = "plane"
height = 5.0
[[stage]]
use = "rivers"
min_area = 6.0e6
[[stage]]
use = "meander"
years = 20.0
[[stage.controls]]
kind = "repel"
points = [9000.0, 9000.0]
[[stage.edits]]
year = 5.0
command = "add"
points = [3000.0, 19000.0, 5000.0, 12000.0, 9900.0, 8000.0]
[[stage.edits]]
year = 10.0
command = "stage"
stage = "noise"
set = ["amplitude=40", "wavelength=5000"]
[[stage.edits]]
year = 10.0
command = "meander"
set = ["migration_rate=20"]
[output]
pictures = []
)";
    const auto built = [&](const std::string& project) {
        return run_project(parse_project(project, "edited.toml", ""), {.write_outputs = false});
    };
    const RunResult result = built(text);
    std::string plain = text.substr(0, text.find("[[stage.edits]]")) + "[output]\npictures = []\n";
    const RunResult without = built(plain);
    EXPECT_GT(result.landscape.get<RiverNetwork>(kRivers).reaches.size(),
              without.landscape.get<RiverNetwork>(kRivers).reaches.size());
    EXPECT_NE(result.landscape.layer("elevation"), without.landscape.layer("elevation"));
}

TEST(RiverEdits, are_refused_with_one_sentence_and_change_nothing) {
    Rivers rivers;
    rivers.advance(20.0);
    const Bytes before = rivers.saved();
    const auto refused = [&](const std::string& command, const ValueTable& values) {
        return refusal_of([&] { rivers.edit(command, values); });
    };
    EXPECT_THAT(refused("split", {{{"points", Numbers{1, 2, 3}}}}),
                HasSubstr("points of split hold 3 numbers"));
    EXPECT_THAT(refused("split", {{{"points", Numbers{9000, 8000}}, {"width", 3.0}}}),
                HasSubstr("split takes no width: give points, reach"));
    EXPECT_THAT(refused("remove", {{{"reach", std::int64_t{99}}}}), HasSubstr("reach = 99"));
    EXPECT_THAT(refused("remove", {}), HasSubstr("give 1 pairs"));
    EXPECT_THAT(refused("attract", {{{"points", Numbers{0, 0}}, {"radius", -1.0}}}), HasSubstr("radius"));
    EXPECT_THAT(refused("release", {{{"points", Numbers{0, 0}}}}), HasSubstr("nothing to release"));
    EXPECT_THAT(refused("atract", {}), HasSubstr("unknown stage"));
    EXPECT_THAT(refused("flow", {}), HasSubstr("no edit of meander"));
    EXPECT_THAT(refused("meander", {{{"years", 3.0}}}), HasSubstr("belongs to the start"));
    EXPECT_THAT(refused("meander", {{{"edits", std::vector<ValueTable>{}}}}),
                HasSubstr("belongs to the start"));
    EXPECT_TRUE(rivers.saved() == before);

    MeanderStageParameters late;
    late.edits = {{.year = 2.0, .edit = {.command = RiverCommand::Remove, .reach = 99}}};
    Rivers scripted_rivers(late);
    EXPECT_THAT(refusal_of([&] { scripted_rivers.advance(10.0); }),
                HasSubstr("edit remove in year 2: reach = 99"));
    const Stage& stage = find_stage("meander");
    const auto refused_row = [&](const RiverEdit& edit) {
        MeanderStageParameters parameters;
        parameters.edits = {{.year = 0.0, .edit = edit}};
        return refusal_of([&] { stage.check(&parameters); });
    };
    EXPECT_THAT(refused_row({.command = RiverCommand::Stage, .stage = "nose"}), HasSubstr("did you mean"));
    EXPECT_THAT(refused_row({.command = RiverCommand::Stage, .stage = "noise", .set = {"amplitude"}}),
                HasSubstr("parameter=value"));
    EXPECT_THAT(refused_row({.command = RiverCommand::Add, .points = {1.0, 2.0}}), HasSubstr("2 or more"));
    EXPECT_THAT(refused_row({.command = RiverCommand::Lock, .points = {1.0, 2.0}, .strength = 0.5}),
                HasSubstr("lock takes no strength"));
}

}  // namespace
}  // namespace thalweg
