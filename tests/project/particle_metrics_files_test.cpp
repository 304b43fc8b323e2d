#include "thalweg/project/tables/particle_metrics_files.hpp"

#include "thalweg/project/model/dataset_archive.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <string>

#include "archives.hpp"
#include "scratch_folder.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

ParticleMetrics two_cycles() {
    return {.records = {{.cycles = 0, .drained_share = 0.5},
                        {.cycles = 10,
                         .moves = 1234,
                         .sediment_in = 2.5,
                         .sediment_out = 100.25,
                         .bedrock_eroded = 40.0,
                         .sinuosity = 1.5,
                         .lake_volume = 7.0,
                         .drained_share = 1.0}}};
}

TEST(ParticleMetricsFiles, as_a_table_have_a_line_for_every_record) {
    EXPECT_EQ(particle_metrics_csv(two_cycles()),
              "cycle,sinuosity,drained_share,sediment_in_m3,sediment_out_m3,bedrock_eroded_m3,"
              "lake_volume_m3,moves,mass_error\n"
              "0,1,0.5,0,0,0,0,0,0\n"
              "10,1.5,1,2.5,100.25,40,7,1234,0\n");
}

TEST(ParticleMetricsFiles, as_json_hold_the_same_numbers_by_columns) {
    const Json json = Json::parse(particle_metrics_json(two_cycles()));
    EXPECT_EQ(json.at("cycle"), Json({0.0, 10.0}));
    EXPECT_EQ(json.at("sinuosity"), Json({1.0, 1.5}));
    EXPECT_EQ(json.at("sediment_out_m3"), Json({0.0, 100.25}));
}

TEST(ParticleMetricsFiles, of_another_kind_are_refused) {
    EXPECT_THAT(refusal_of([] { write_particle_metrics("m.tif", two_cycles(), ""); }),
                HasSubstr("m.tif: metrics of rivers are written as .csv, .json, .png or .svg"));
}

TEST(ParticleMetricsFiles, come_back_from_an_archive_as_they_were) {
    const std::vector<std::byte> bytes =
        archived_by([](ArchiveWriter& archive) { write_dataset(archive, Dataset(two_cycles())); });
    const Dataset dataset =
        read_from_archive(bytes, [](ArchiveReader& archive) { return read_dataset(archive); });
    ASSERT_NE(dataset.as<ParticleMetrics>(), nullptr);
    EXPECT_EQ(particle_metrics_json(*dataset.as<ParticleMetrics>()), particle_metrics_json(two_cycles()));
}

TEST(ParticleMetricsFiles, of_a_project_have_a_record_of_the_start_of_every_so_many_cycles_and_of_the_end) {
    const ScratchFolder folder;
    ProjectOverrides overrides;
    overrides.output_directory = folder / "out";
    run_project(
        parse_project("[project]\nname = \"w\"\n[grid]\nextent = [400.0, 400.0]\ncells = 32\n"
                      "[[stage]]\nuse = \"noise\"\namplitude = 30.0\nwavelength = 200.0\n"
                      "[[stage]]\nuse = \"particles\"\ncycles = 7\nmetrics_every = 3\n"
                      "[output]\npictures = []\nlayers = []\nanalyses = [\"json\"]\n",
                      "w.toml", folder / "", overrides));
    const Json json = Json::parse(bytes_of(folder / "out/w_particle_metrics.json"));
    EXPECT_EQ(json.at("cycle"), Json({0.0, 3.0, 6.0, 7.0}));
    EXPECT_GT(json.at("moves").at(3), json.at("moves").at(2));
    EXPECT_EQ(json.at("mass_error"), Json({0.0, 0.0, 0.0, 0.0}));
}

}  // namespace
}  // namespace thalweg
