#include "thalweg/project/tables/meander_metrics_files.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/dataset_archive.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "archives.hpp"
#include "scratch_folder.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

/// Two records of a channel, without bends at first.
MeanderMetrics two_records() {
    MeanderMetrics metrics{
        .parameters = {.window = 25.0}, .networks = {}, .cutoff_rate = 40.0, .migration = {}, .belt = {}};
    metrics.migration = {.years = 10.0, .length = 2e4, .mean = 1.5, .median = 1.25, .p90 = 3.0};
    metrics.belt = {.area = 8e6, .valley_length = 1e4, .mean_width = 800.0, .p90_width = 900.0};
    ChannelMetrics channel;
    channel.form = {.length = 1e4, .chord = 1e4, .valley_length = 1e4, .width = 60.0};
    channel.belt_width = 60.0;
    metrics.networks.push_back({.year = 0.0, .whole = channel, .reaches = {{7, channel}}});
    channel.form.sinuosity = 2.0;
    channel.form.bends = 12;
    channel.form.wavelength = 700.5;
    channel.form.amplitude = 250.0;
    channel.migration = metrics.migration;
    channel.cutoffs = 3;
    channel.cutoff_rate = 40.0;
    metrics.networks.push_back({.year = 12.5, .whole = channel, .reaches = {{7, channel}}});
    return metrics;
}

TEST(MeanderMetricsFiles, as_a_table_have_a_line_of_all_channels_and_of_each_reach_for_every_record) {
    EXPECT_EQ(meander_metrics_csv(two_records()),
              "year,reach_id,width_m,length_m,valley_length_m,sinuosity,bends,wavelength_m,amplitude_m,"
              "migration_m_per_yr,migration_median_m_per_yr,migration_p90_m_per_yr,cutoffs,"
              "cutoffs_per_century_100km,belt_width_m\n"
              "0,all,60,10000,10000,1,0,,,,,,0,,60\n"
              "0,7,60,10000,10000,1,0,,,,,,0,,60\n"
              "12.5,all,60,10000,10000,2,12,700.5,250,1.5,1.25,3,3,40,60\n"
              "12.5,7,60,10000,10000,2,12,700.5,250,1.5,1.25,3,3,40,60\n");
}

TEST(MeanderMetricsFiles, as_json_hold_the_same_numbers_by_columns_and_null_where_there_are_none) {
    const Json json = Json::parse(meander_metrics_json(two_records()));
    EXPECT_EQ(json.at("window_yr"), 25.0);
    EXPECT_EQ(json.at("all_years").at("belt_p90_width_m"), 900.0);
    EXPECT_EQ(json.at("all").at("year"), Json({0.0, 12.5}));
    EXPECT_EQ(json.at("all").at("wavelength_m"), Json({nullptr, 700.5}));
    EXPECT_EQ(json.at("reaches").size(), 1U);
    EXPECT_EQ(json.at("reaches").at(0).at("reach_id"), 7);
    EXPECT_EQ(json.at("reaches").at(0).at("cutoffs_per_century_100km"), Json({nullptr, 40.0}));
}

TEST(MeanderMetricsFiles, of_another_kind_are_refused) {
    EXPECT_THAT(
        refusal_of([] { write_meander_metrics("m.tif", two_records(), ""); }),
        HasSubstr("m.tif: metrics of rivers are written as .csv, .json, .png or .svg, not as \".tif\""));
}

TEST(MeanderMetricsFiles, come_back_from_an_archive_as_they_were) {
    const std::vector<std::byte> bytes =
        archived_by([](ArchiveWriter& archive) { write_dataset(archive, Dataset(two_records())); });
    const Dataset dataset =
        read_from_archive(bytes, [](ArchiveReader& archive) { return read_dataset(archive); });
    ASSERT_NE(dataset.as<MeanderMetrics>(), nullptr);
    EXPECT_EQ(meander_metrics_json(*dataset.as<MeanderMetrics>()), meander_metrics_json(two_records()));
}

/// A river that wanders for 40 years, and what comes of it in the folder `out`.
RunResult wander(const ScratchFolder& folder, const std::string& output) {
    std::ofstream(folder / "line.csv") << "x_m,y_m,width_m\n1000,5000,60\n11000,5000,60\n";
    ProjectOverrides overrides;
    overrides.output_directory = folder / "out";
    return run_project(
        parse_project("[project]\nname = \"w\"\n[grid]\nextent = [12000.0, 10000.0]\ncells = 30\n"
                      "[[stage]]\nuse = \"shape\"\n[[stage]]\nuse = \"flow\"\n"
                      "[[stage]]\nuse = \"meander\"\nnetwork = \"line.csv\"\nyears = 40\nrecord_every = 10\n"
                      "metrics_window = 20\n[output]\npictures = []\nnetworks = []\n" +
                          output,
                      "w.toml", folder / "", overrides));
}

TEST(MeanderMetricsFiles, of_a_project_are_written_beside_other_analyses_and_alone_as_a_table) {
    const ScratchFolder folder;
    std::vector<std::string> names;
    for (const std::filesystem::path& file :
         wander(folder, "layers = []\nanalyses = [\"csv\", \"json\"]\n").files)
        names.push_back(file.filename().string());
    EXPECT_THAT(names,
                ElementsAre("w_slope_area.json", "w_hack.json", "w_hypsometry.json", "w_chi_profiles.json",
                            "w_meander_metrics.csv", "w_meander_metrics.json", "manifest.json"));
    const Json json = Json::parse(bytes_of(folder / "out/w_meander_metrics.json"));
    EXPECT_EQ(json.at("all").at("year"), Json({0.0, 10.0, 20.0, 30.0, 40.0}));
    EXPECT_EQ(json.at("window_yr"), 20.0);
    const std::string table = bytes_of(folder / "out/w_meander_metrics.csv");
    EXPECT_EQ(std::ranges::count(table, '\n'), 1 + 5 * 2);
}

TEST(MeanderMetricsFiles, of_a_project_are_in_its_report_where_they_are_made) {
    const ScratchFolder folder;
    const auto told = [&](const RunResult& result) {
        std::vector<double> sinuosities;
        for (const auto& [name, value] : result.report.stages.back().diagnostics.values)
            if (name == "recorded_sinuosity") sinuosities = std::get<std::vector<double>>(value);
        return sinuosities;
    };
    const RunResult measured = wander(folder, "layers = []\nanalyses = [\"csv\"]\n");
    const auto& metrics = measured.landscape.get<MeanderMetrics>(kMeanderMetrics);
    ASSERT_EQ(told(measured).size(), 5U);
    EXPECT_EQ(told(measured).back(), metrics.networks.back().whole.form.sinuosity);
    EXPECT_TRUE(told(wander(folder, "layers = [\"elevation\"]\n")).empty());
}

}  // namespace
}  // namespace thalweg
