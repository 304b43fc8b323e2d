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
    const RockBody body(rock.parameters, rock.seed);
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

TEST(HistoryStage, leaves_the_rock_that_it_has_laid_open) {
    const Landscape land = built(kGround + kFolds + kBlock);
    const auto& rock = land.get<Rock>(kRock);
    const RockBody body(rock.parameters, rock.seed);
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
