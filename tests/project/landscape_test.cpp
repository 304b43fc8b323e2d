#include "thalweg/project/landscape.hpp"

#include "thalweg/project/dataset_catalogue.hpp"

#include <set>

#include "flat_land.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Landscape, shares_its_datasets_with_copies) {
    const Landscape one = flat_land();
    const Landscape other = one;
    EXPECT_EQ(one.layer("elevation").data(), other.layer("elevation").data());
    EXPECT_TRUE(one.datasets.at("elevation").shares_with(other.datasets.at("elevation")));
}

TEST(Landscape, leaves_copies_as_they_were_when_a_layer_is_taken_out_and_changed) {
    const Landscape before = flat_land();
    Landscape after = before;
    Layer taken = after.take_layer("elevation");
    taken.values(3, 3) = 9.0F;
    after.put("elevation", std::move(taken));
    EXPECT_EQ(before.layer("elevation")(3, 3), 5.0F);
    EXPECT_EQ(after.layer("elevation")(3, 3), 9.0F);
}

TEST(Landscape, hands_out_a_layer_that_nobody_shares_without_copying_it) {
    Landscape landscape = flat_land();
    const float* const values = landscape.layer("elevation").data();
    const Layer taken = landscape.take_layer("elevation");
    EXPECT_EQ(taken.values.data(), values);
    EXPECT_FALSE(landscape.has("elevation"));
}

TEST(Landscape, lets_water_out_over_its_edges_until_a_stage_says_otherwise) {
    Landscape landscape = flat_land();
    EXPECT_TRUE(landscape.boundary().outlets.empty());
    landscape.set_boundary({.sources = {}, .outlets = {}, .sea_level = 3.0});
    EXPECT_EQ(landscape.boundary().sea_level, 3.0);
    EXPECT_THAT(landscape.layer_names(), ::testing::ElementsAre("elevation"));
}

TEST(DatasetCatalogue, lists_each_name_once_with_what_it_means_and_how_it_is_written) {
    std::set<std::string> names;
    for (const DatasetDescription& dataset : dataset_catalogue()) {
        EXPECT_TRUE(names.insert(dataset.name).second) << dataset.name;
        EXPECT_THAT(dataset.meaning, ::testing::EndsWith(".")) << dataset.name;
        EXPECT_EQ(dataset.kind == DatasetKind::Layer, !dataset.unit.empty()) << dataset.name;
        const bool has_files = dataset.kind != DatasetKind::Layer && dataset.kind != DatasetKind::Settings;
        EXPECT_EQ(dataset.kind == DatasetKind::Texture, dataset.write_scale != nullptr) << dataset.name;
        EXPECT_EQ(has_files, dataset.write != nullptr) << dataset.name;
        EXPECT_EQ(has_files, dataset.check_file != nullptr) << dataset.name;
    }
    for (const DatasetDescription& dataset : dataset_catalogue())
        EXPECT_TRUE(dataset.part_of.empty() || names.contains(dataset.part_of)) << dataset.name;
}

TEST(DatasetCatalogue, takes_names_that_it_does_not_hold_for_layers_without_a_unit) {
    EXPECT_TRUE(names_cells("hardness"));
    EXPECT_EQ(description_of("hardness").unit, "1");
    EXPECT_FALSE(names_cells("rivers"));
    EXPECT_FALSE(names_cells("water_boundary"));
}

}  // namespace
}  // namespace thalweg
