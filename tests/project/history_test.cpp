#include "thalweg/project/history.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/model/dataset_archive.hpp"
#include "thalweg/project/stages/rain_stage.hpp"
#include "thalweg/river/network.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "archives.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;
using Datasets = std::map<std::string, Dataset>;

Grid small_grid() {
    return {.columns = 13, .rows = 10};
}

bool same_bits(const Field<float>& a, const Field<float>& b) {
    return a.grid() == b.grid() &&
           std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0;
}

Datasets elevation_of(Field<float> values) {
    Datasets datasets;
    datasets.emplace("elevation", Layer{std::move(values), {}});
    return datasets;
}

const Field<float>& layer_of(const Dataset& dataset) {
    return dataset.as<Layer>()->values;
}

/// Ground of which one cell in `every` changes from step to step, to any bits.
Field<float> changed(const Field<float>& before, std::uint64_t step, std::uint64_t every) {
    Field<float> after = before;
    for (std::int64_t cell = 0; cell < after.size(); ++cell) {
        const std::uint64_t bits = random_bits(step, Stream::WhiteNoise, static_cast<std::uint64_t>(cell));
        if (bits % every == 0) after[cell] = std::bit_cast<float>(static_cast<std::uint32_t>(bits >> 32));
    }
    return after;
}

TEST(History, gives_every_snapshot_back_to_the_bit_at_its_time_and_until_the_next) {
    for (const std::uint64_t every : {1, 2, 5, 50, 1000000}) {
        History history;
        std::vector<Field<float>> snapshots = {changed(Field<float>(small_grid(), 7.0F), 99, 1)};
        for (std::uint64_t step = 0; step < 40; ++step) {
            history.add(10.0 * static_cast<double>(step), elevation_of(snapshots.back()));
            snapshots.push_back(changed(snapshots.back(), step, every));
        }
        for (std::size_t step = 0; step < 40; ++step)
            for (const double later : {0.0, 9.9})
                EXPECT_TRUE(
                    same_bits(layer_of(*history.find("elevation", 10.0 * static_cast<double>(step) + later)),
                              snapshots[step]))
                    << every << " " << step;
        EXPECT_TRUE(same_bits(layer_of(*history.find("elevation", 1e9)), snapshots[39]));
        EXPECT_LE(history.layer_bytes(), 40 * 130 * 4);
    }
}

TEST(History, keeps_what_does_not_change_once) {
    const Datasets first = elevation_of(Field<float>(small_grid(), 7.0F));
    History history;
    for (int step = 0; step < 50; ++step)  // as one dataset, and as an equal one
        history.add(step, step % 2 == 0 ? first : elevation_of(Field<float>(small_grid(), 7.0F)));
    EXPECT_EQ(history.layer_bytes(), 130 * 4);
    EXPECT_EQ(history.changes().at("elevation").size(), 1U);
    EXPECT_TRUE(history.find("elevation", 20.0)->shares_with(first.at("elevation")));
    History copy = history;
    copy.add(50.0, {});
    EXPECT_FALSE(copy.find("elevation", 50.0));
    EXPECT_EQ(copy.changes().at("elevation").front(), history.changes().at("elevation").front());
    EXPECT_EQ(history.times().size(), 50U);
}

TEST(History, knows_datasets_of_all_types_and_when_they_come_and_go) {
    RiverNetwork network;
    network.crs = "somewhere";
    History history;
    history.add(0.0, {});
    Datasets rivers;
    rivers.emplace(kRivers, network);
    history.add(1.0, rivers);
    rivers.clear();
    rivers.emplace(kRivers, network);  // equal, though another
    history.add(2.0, rivers);
    history.add(3.0, {});
    history.add(4.0, elevation_of(Field<float>(small_grid(), 1.0F)));
    history.add(5.0, elevation_of(Field<float>({.columns = 2, .rows = 2}, 1.0F)));  // another grid
    EXPECT_EQ(history.changes().at(kRivers).size(), 2U);
    EXPECT_TRUE(history.at(0.5).empty());
    EXPECT_EQ(history.at(2.5).at(kRivers).as<RiverNetwork>()->crs, "somewhere");
    EXPECT_TRUE(history.at(3.5).empty());
    EXPECT_EQ(layer_of(history.at(4.0).at("elevation")).size(), 130);
    EXPECT_EQ(layer_of(history.at(4.5, Between::Linear).at("elevation")).size(), 130);
    EXPECT_EQ(layer_of(history.at(5.0).at("elevation")).size(), 4);
}

TEST(History, lies_on_a_line_between_snapshots_where_that_is_asked_for_and_values_are_numbers) {
    Field<float> from(small_grid(), 2.0F);
    Field<float> to(small_grid(), 6.0F);
    from[3] = kNoData;
    to[4] = kNoData;
    Datasets first = elevation_of(from);
    Datasets second = elevation_of(to);
    first.emplace("lake", Layer{Field<float>(small_grid(), 1.0F), {}});
    second.emplace("lake", Layer{Field<float>(small_grid(), 8.0F), {}});
    History history;
    history.add(100.0, first);
    history.add(200.0, second);
    EXPECT_EQ(layer_of(*history.find("elevation", 125.0))[0], 2.0F);
    const Datasets between = history.at(125.0, Between::Linear);
    EXPECT_EQ(layer_of(between.at("elevation"))[0], 3.0F);
    EXPECT_TRUE(is_no_data(layer_of(between.at("elevation"))[3]));
    EXPECT_EQ(layer_of(between.at("elevation"))[4], 2.0F);
    EXPECT_EQ(layer_of(between.at("lake"))[0], 1.0F);
    EXPECT_TRUE(same_bits(layer_of(*history.find("elevation", 200.0, Between::Linear)), to));
}

TEST(History, has_nothing_before_its_first_snapshot_and_goes_forward_only) {
    History history;
    EXPECT_THAT(refusal_of([&] { history.at(1.0); }), HasSubstr("the history is empty"));
    history.add(500.0, {});
    EXPECT_EQ(refusal_of([&] { history.at(499.0); }), "the history begins at 500: it has nothing at 499");
    EXPECT_THROW(history.add(500.0, {}), std::logic_error);
    EXPECT_THROW(history.add(std::nan(""), {}), std::logic_error);
}

std::vector<std::byte> archived(const Dataset& dataset) {
    return archived_by([&](ArchiveWriter& archive) { write_dataset(archive, dataset); });
}

Dataset read_from(const std::vector<std::byte>& bytes) {
    return read_from_archive(bytes, read_dataset);
}

TEST(History, takes_no_times_and_changes_that_none_can_have) {
    const Dataset layer(Layer{Field<float>({.columns = 70, .rows = 1}, 7.0F), {}});  // two words of bits
    const HistoryChange whole{.whole = layer, .changed = {}, .values = {}};
    const HistoryChange cells{.snapshot = 1, .changed = {1, 32}, .values = {1.0F, 2.0F}};
    const HistoryChange gone{.snapshot = 1, .changed = {}, .values = {}};
    const auto history = [](const std::vector<double>& times, const std::vector<HistoryChange>& changes) {
        HistoryChanges all;
        for (const HistoryChange& change : changes)
            all["elevation"].push_back(std::make_shared<const HistoryChange>(change));
        return History(times, all);
    };
    EXPECT_EQ(layer_of(*history({0, 1}, {whole, cells}).find("elevation", 1.0))[69], 2.0F);
    EXPECT_FALSE(history({0, 1}, {whole, gone}).find("elevation", 1.0));
    const auto refused = [&](const std::vector<double>& times, const std::vector<HistoryChange>& changes) {
        EXPECT_THROW(history(times, changes), std::runtime_error);
    };
    const auto with = [](HistoryChange change, const auto& edit) {
        edit(change);
        return change;
    };
    refused({1, 1}, {whole});
    refused({0, std::nan("")}, {whole});
    refused({0}, {whole, cells});
    refused({0, 1}, {cells, whole});
    refused({0, 1}, {cells});
    refused({0, 1}, {gone});
    refused({0, 1, 2}, {whole, gone, with(cells, [](auto& c) { c.snapshot = 2; })});
    refused({0, 1, 2}, {whole, gone, with(gone, [](auto& c) { c.snapshot = 2; })});
    refused({0, 1}, {whole, with(cells, [](auto& c) { c.values.pop_back(); })});
    refused({0, 1}, {whole, with(cells, [](auto& c) { c.changed = {3}; })});
    refused({0, 1}, {whole, with(cells, [](auto& c) { c.changed = {1, 64}; })});
    refused({0, 1}, {whole, with(cells, [&](auto& c) { c.whole = layer; })});
    refused({0, 1}, {whole, with(gone, [](auto& c) { c.changed = {0, 0}; })});
    EXPECT_THROW(History({0.0}, {{"elevation", {nullptr}}}), std::runtime_error);
}

/// The history that the stage rain leaves on a plane.
Landscape rain_with_history(std::int64_t events, std::int64_t every, int cells) {
    Landscape landscape{
        .grid = make_grid(cells * 100.0, cells * 200.0 / 3.0, cells), .seed = 4, .datasets = {}};
    RainStageParameters parameters;
    parameters.rain.events = events;
    parameters.river_visits = 15;
    parameters.history_every = every;
    QuietProgress quiet;
    StageContext context{landscape, "", quiet, {}, true, {}};
    find_stage("rain").run(&parameters, context);
    return landscape;
}

TEST(History, comes_back_from_an_archive_as_it_was) {
    const Dataset before = rain_with_history(600, 100, 40).datasets.at(kHistory);
    const std::vector<std::byte> bytes = archived(before);
    const Dataset after = read_from(bytes);
    EXPECT_TRUE(archived(after) == bytes);
    const History& history = *after.as<History>();
    EXPECT_EQ(history.times(), (std::vector<double>{0, 100, 200, 300, 400, 500, 600}));
    for (const double time : {0.0, 300.0, 550.0})
        for (const char* layer : {"elevation", "drainage_area"})
            EXPECT_TRUE(same_bits(layer_of(*history.find(layer, time)),
                                  layer_of(*before.as<History>()->find(layer, time))));
    EXPECT_THROW(read_from({bytes.begin(), bytes.begin() + 500}), std::runtime_error);
}

TEST(History, of_rain_ends_with_what_the_stage_leaves_and_takes_less_than_a_third_of_its_snapshots) {
    const Landscape landscape = rain_with_history(2000, 20, 60);
    const auto& history = landscape.get<History>(kHistory);
    ASSERT_EQ(history.times().size(), 101U);
    EXPECT_TRUE(same_bits(layer_of(*history.find("elevation", 2000.0)), landscape.layer("elevation")));
    const std::int64_t whole = 101 * 2 * 60 * 40 * 4;
    EXPECT_LT(3 * history.layer_bytes(), whole);
}

}  // namespace
}  // namespace thalweg
