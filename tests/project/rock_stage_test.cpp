// Stages rock and history.
#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/dataset_archive.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/rock.hpp"
#include "thalweg/project/run/frames.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/rock/rock_body.hpp"

#include <algorithm>
#include <string>

#include "archives.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

const std::string kGround = R"(
[grid]
extent = [12800.0, 12800.0]
cells = 64
[output]
layers = ["elevation", "erodibility", "formation", "critical_slope", "rock_uplift"]
[[stage]]
use = "noise"
amplitude = 50.0
wavelength = 4000.0
)";

const std::string kFolds = "[[stage]]\nuse = \"rock\"\npreset = \"fold_belt\"\n";
const std::string kBlock = "[[stage]]\nuse = \"history\"\n";

/// The ground alone, with the layers that are written anyway.
std::string plain_ground() {
    return kGround.substr(0, kGround.find("[output]")) + kGround.substr(kGround.find("[[stage]]"));
}

Landscape built(const std::string& text) {
    return run_project(parse_project(text, "p.toml", "", {}), {.write_outputs = false}).landscape;
}

TEST(RockStage, leaves_the_rock_at_the_ground_as_layers) {
    const std::string layers =
        "[output]\nlayers = [\"elevation\", \"erodibility\", \"formation\", \"critical_slope\"]\n";
    const Landscape land = built(layers + plain_ground() + kFolds);
    const auto& rock = land.get<Rock>(kRock);
    const RockBody body(rock.parameters, rock.seed, rock.maps);
    QuietProgress progress;
    const RockSurface surface = body.at(body.columns(land.grid, progress), land.layer("elevation"), progress);
    for (std::int64_t cell = 0; cell < land.grid.cells(); ++cell) {
        ASSERT_EQ(land.layer("formation")[cell], static_cast<float>(surface.formation[cell] + 1));
        ASSERT_EQ(land.layer("critical_slope")[cell], surface.critical_slope[cell]);
        ASSERT_FLOAT_EQ(land.layer("erodibility")[cell], 2e-5F * surface.erodibility_factor[cell]);
    }
}

TEST(RockStage, takes_named_formations) {
    const std::string table = kFolds + R"(
[[stage.formations]]
name = "limestone"
erodibility_factor = 0.5
[[stage.formations]]
name = "marl"
erodibility_factor = 3.0
)";
    const Landscape land = built(plain_ground() + table);
    const auto& rock = land.get<Rock>(kRock);
    ASSERT_EQ(rock.parameters.formations.size(), 2U);
    EXPECT_EQ(rock.parameters.formations[1].name, "marl");
    EXPECT_THAT(
        refusal_of([&] { built(kGround + table + "[[stage.formations]]\nname = \"marl\"\n" + kBlock); }),
        testing::HasSubstr("two formations are called marl"));
}

TEST(RockStage, refuses_what_makes_no_rock_in_a_sentence) {
    const auto refusal = [](const std::string& parameters) {
        return refusal_of([&] { built(plain_ground() + kFolds + parameters); });
    };
    EXPECT_THAT(refusal("dip = -0.5\n"), testing::HasSubstr("dip = -0.5 degrees is not allowed"));
    EXPECT_THAT(refusal("fold_length = 0.0\n"), testing::HasSubstr("fold_length = 0 m is not allowed"));
    EXPECT_THAT(refusal("formations = [{ thickness = 300.0 }, { thickness = 200.0 }]\n"),
                testing::HasSubstr("formation 1 has no name"));
}

TEST(RockStage, is_told_of_where_a_stage_after_it_goes_by_a_number_that_nobody_gave) {
    const auto notes_of = [](const std::string& stages) {
        return parse_project(plain_ground() + stages, "p.toml", "", {}).notes;
    };
    const std::string erode = "[[stage]]\nuse = \"erode\"\n", floors = "[[stage]]\nuse = \"floors\"\n";
    const auto note = [](const std::string& stage) {
        return "stage " + stage +
               " does not look at the rock that is laid out before it: give it erodibility = "
               "\"erodibility\" for it to erode by it";
    };
    EXPECT_THAT(notes_of(kFolds + erode + floors), testing::ElementsAre(note("erode"), note("floors")));
    EXPECT_THAT(notes_of(kFolds + erode + "erodibility = \"erodibility\"\n"), testing::IsEmpty());
    EXPECT_THAT(notes_of(kFolds + erode + "erodibility = 1e-5\n"), testing::IsEmpty());
    EXPECT_THAT(notes_of(erode + kFolds), testing::IsEmpty());
    EXPECT_THAT(notes_of(kFolds + kBlock + floors), testing::IsEmpty()) << "history has looked at it";
}

TEST(HistoryStage, leaves_the_rock_that_it_has_laid_open) {
    const Landscape land = built(kGround + kFolds + kBlock);
    const auto& rock = land.get<Rock>(kRock);
    const RockBody body(rock.parameters, rock.seed, rock.maps);
    Field<float> z = land.layer("elevation");
    double risen = 0.0;
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        z[cell] -= land.layer("rock_uplift")[cell];
        risen += land.layer("rock_uplift")[cell] / static_cast<double>(z.size());
    }
    EXPECT_GT(risen, 300.0);
    QuietProgress progress;
    const RockSurface surface = body.at(body.columns(land.grid, progress), z, progress);
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        ASSERT_EQ(land.layer("formation")[cell], static_cast<float>(surface.formation[cell] + 1));
}

TEST(HistoryStage, goes_without_rock_by_the_erodibility_of_its_law) {
    const Landscape hard = built(plain_ground() + kBlock + "erodibility = 5e-6\n");
    const Landscape soft = built(plain_ground() + kBlock + "erodibility = 2e-5\n");
    EXPECT_GT(*std::ranges::max_element(hard.layer("elevation")),
              *std::ranges::max_element(soft.layer("elevation")));
    EXPECT_FALSE(hard.has("erodibility"));
}

TEST(HistoryStage, ends_with_its_last_episode) {
    const std::string text = kGround + kFolds + kBlock;
    const Landscape end = built(text);
    EXPECT_EQ(built(text + "time = 8e5\n").layer("elevation"), end.layer("elevation"));
    EXPECT_NE(built(text + "time = 3.1e5\n").layer("elevation"), end.layer("elevation"));
}

TEST(HistoryStage, tells_of_a_fault_beside_the_map) {
    const auto notes_of = [](const std::string& centre) {
        const RunResult result = run_project(
            parse_project("[project]\nname = \"x\"\n[grid]\nextent = [6400.0, 6400.0]\ncells = 32\n"
                          "[[stage]]\nuse = \"shape\"\n[[stage]]\nuse = \"history\"\nepisodes = [{ pattern = "
                          "\"block\", duration = 1e5, "
                          "uplift = 1e-3, centre = " +
                              centre + " }]\n",
                          "x.toml", "", {}),
            {.write_outputs = false});
        return result.report.stages.back().diagnostics.notes;
    };
    EXPECT_THAT(notes_of("[3000.0, 3000.0]"), testing::IsEmpty());
    EXPECT_THAT(notes_of("[20000.0, 3000.0]"),
                testing::ElementsAre("episode 1: its centre, 20000, 3000 m, lies beside the map"));
}

TEST(HistoryStage, tells_of_a_time_after_its_last_episode) {
    const auto notes_of = [](const std::string& time) {
        const std::string episode =
            "\nstart = \"terrain\"\n[[stage.episodes]]\nduration = 1e5\nuplift = 1e-4\n";
        return run_project(
                   parse_project(plain_ground() + kBlock + "time = " + time + episode, "x.toml", "", {}),
                   {.write_outputs = false})
            .report.stages.back()
            .diagnostics.notes;
    };
    EXPECT_THAT(
        notes_of("2e5"),
        testing::ElementsAre("time = 200000 yr is after the last episode: the history ends after 100000 yr"));
    EXPECT_THAT(notes_of("1e5"), testing::IsEmpty());
    EXPECT_THAT(notes_of("inf"), testing::IsEmpty());
}

/// A layer that is `value` in the middle of the map and 0 elsewhere.
std::string painted(const std::string& layer, const std::string& value) {
    return "[[stage]]\nuse = \"strokes\"\nlayer = \"" + layer +
           "\"\n[[stage.strokes]]\npoints = [3000.0, 6400.0, 9800.0, 6400.0]\nradius = 2000.0\n"
           "falloff = 0.0\noperation = \"set\"\nstrength = " +
           value + "\n";
}

TEST(RockStage, is_overridden_by_a_painted_map_of_formations_at_every_depth) {
    const std::string map = painted("marl", "3.0");
    const Landscape land = built(kGround + map + kFolds + "formation_map = \"marl\"\n" + kBlock);
    const Landscape plain = built(kGround + kFolds + kBlock);
    std::int64_t cells = 0;
    for (std::int64_t cell = 0; cell < land.grid.cells(); ++cell)
        if (land.layer("marl")[cell] == 3.0F) {
            ++cells;
            ASSERT_EQ(land.layer("formation")[cell], 3.0F);
        }
    EXPECT_GT(cells, 200);
    EXPECT_NE(plain.layer("formation")(32, 32), 3.0F);
    EXPECT_THAT(refusal_of([&] {
                    built(kGround + painted("x", "77.0") + kFolds + "formation_map = \"x\"\n" + kBlock);
                }),
                testing::HasSubstr("holds 77, which is none: give 1 to"));
}

TEST(RockStage, is_weaker_where_a_painted_map_says_so) {
    const Landscape plain = built(plain_ground() + kFolds);
    const Landscape land =
        built(plain_ground() + "[[stage]]\nuse = \"noise\"\nlayer = \"weak\"\namplitude = 0.5\nmean = 2.0\n" +
              kFolds + "erodibility_map = \"weak\"\n");
    for (std::int64_t cell = 0; cell < land.grid.cells(); ++cell)
        ASSERT_NEAR(land.layer("erodibility")[cell] / plain.layer("erodibility")[cell],
                    land.layer("weak")[cell], 1e-4);
}

TEST(RockStage, takes_numbers_for_its_maps_as_layers_that_hold_them_everywhere) {
    const Landscape plain = built(plain_ground() + kFolds);
    const Landscape weak = built(plain_ground() + kFolds + "erodibility_map = 2.0\n");
    for (std::int64_t cell = 0; cell < weak.grid.cells(); ++cell)
        ASSERT_NEAR(weak.layer("erodibility")[cell] / plain.layer("erodibility")[cell], 2.0, 1e-4);
    const Landscape third = built(kGround + kFolds + "formation_map = 3\n" + kBlock);
    EXPECT_EQ(std::ranges::count(third.layer("formation"), 3.0F), third.grid.cells());
    EXPECT_TRUE(plain.get<Rock>(kRock).maps.erodibility_factor.empty());
    EXPECT_TRUE(plain.get<Rock>(kRock).maps.formation.empty());
    EXPECT_THAT(refusal_of([&] { built(plain_ground() + kFolds + "formation_map = 200\n"); }),
                testing::HasSubstr("holds 200, which is none: give 1 to"));
}

TEST(HistoryStage, raises_the_ground_where_uplift_is_painted) {
    const std::string episode =
        "start = \"terrain\"\nuplift_map = \"up\"\n[[stage.episodes]]\npattern = \"painted\"\n"
        "duration = 1e5\nuplift = 1e-3\n";
    const std::string uplifted = "[output]\nlayers = [\"elevation\", \"rock_uplift\"]\n" + plain_ground();
    const Landscape land = built(uplifted + painted("up", "1.0") + kBlock + episode);
    for (std::int64_t cell = 0; cell < land.grid.cells(); ++cell)
        ASSERT_NEAR(land.layer("rock_uplift")[cell], 100.0F * land.layer("up")[cell], 0.01F);
    EXPECT_THAT(refusal_of([&] { built(uplifted + painted("up", "1000.0") + kBlock + episode); }),
                testing::HasSubstr(
                    "episode 1: uplift = 0.001 m/yr, 1000 times that on its map, for 100000 yr brings"));
    const Landscape twice = built(uplifted + painted("up", "1.0") + kBlock + episode + kBlock + episode);
    EXPECT_NEAR(twice.layer("rock_uplift")(32, 32), 200.0F, 0.01F)
        << "a second history goes on from the first";
}

TEST(HistoryStage, keeps_the_sea_where_it_is) {
    const Landscape land = built(plain_ground() + kBlock + "sea_level = 0.0\n");
    const Landscape before = built(plain_ground());
    std::int64_t cells = 0;
    for (std::int64_t cell = 0; cell < land.grid.cells(); ++cell)
        if (before.layer("elevation")[cell] <= 0.0F) {
            ++cells;
            ASSERT_EQ(land.layer("elevation")[cell], before.layer("elevation")[cell]);
        }
    EXPECT_GT(cells, 400);
}

TEST(Rock, comes_back_from_an_archive) {
    const Landscape land = built(kGround + kFolds + kBlock);
    const Dataset& dataset = land.datasets.at(kRock);
    ASSERT_TRUE(can_be_archived(dataset));
    const auto bytes = archived_by([&](ArchiveWriter& archive) { write_dataset(archive, dataset); });
    const Dataset again =
        read_from_archive(bytes, [](ArchiveReader& archive) { return read_dataset(archive); });
    const auto& before = *dataset.as<Rock>();
    const auto& after = *again.as<Rock>();
    EXPECT_EQ(after.seed, before.seed);
    EXPECT_EQ(parameters_of<RockParameters>().values(&after.parameters),
              parameters_of<RockParameters>().values(&before.parameters));
}

}  // namespace
}  // namespace thalweg
