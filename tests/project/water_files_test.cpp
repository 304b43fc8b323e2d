// Files of flowing water: meshes, maps, primitives, leaves, animations.
#include "thalweg/io/raster.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/dataset_archive.hpp"
#include "thalweg/project/water_tables.hpp"
#include "thalweg/render/view.hpp"
#include "thalweg/riverscape/flowing_water.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <string>

#include "archives.hpp"
#include "brook.hpp"
#include "scratch_folder.hpp"
#include "tests/io/read_glb.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

/// The brook with water, and what else stands behind it, built into a folder.
RunResult built_into(const std::filesystem::path& folder, const std::string& more,
                     const RunOptions& options = {}, const std::string& stages = water_at(2.0)) {
    ProjectOverrides overrides;
    overrides.output_directory = folder;
    return run_project(parse_project(land(stages + "[output]\npictures = []\nnetworks = []\n" + more),
                                     "brook.toml", "", overrides),
                       options);
}

TEST(WaterFiles, terrain_and_water_are_named_meshes_in_metres) {
    const ScratchFolder folder;
    const RunResult result = built_into(folder / "out", "layers = [\"mesh\"]\n");
    const std::filesystem::path file = folder / "out/brook_mesh.glb";
    const ReadGlb glb(file);
    ASSERT_EQ(glb.json["nodes"].size(), 2U);
    EXPECT_EQ(glb.json["nodes"][0]["name"], "terrain");
    EXPECT_EQ(glb.json["nodes"][1]["name"], "water");
    const auto positions = [&](std::size_t mesh) {
        return glb.values<float>(glb.json["meshes"][mesh]["primitives"][0]["attributes"]["POSITION"]);
    };
    const Field<float>& elevation = result.landscape.layer("elevation");
    const std::vector<float> ground = positions(0);
    ASSERT_EQ(ground.size(), 3 * static_cast<std::size_t>(elevation.size()));
    EXPECT_FLOAT_EQ(ground[0], -39.75F);
    EXPECT_FLOAT_EQ(ground[1], elevation[0]);
    EXPECT_FLOAT_EQ(ground[ground.size() - 3], 39.75F);
    // All water of the layer, and a cell around it.
    const Field<float>& depth = result.landscape.layer("water_depth");
    const auto wet = static_cast<std::size_t>(
        std::count_if(depth.begin(), depth.end(), [](float value) { return value > 0.0F; }));
    const std::size_t vertices = positions(1).size() / 3;
    EXPECT_GT(vertices, wet);
    EXPECT_LT(vertices, 4 * wet);
    for (const char* const name : {"_FOAM", "_VELOCITY", "COLOR_0"})
        EXPECT_TRUE(glb.json["meshes"][1]["primitives"][0]["attributes"].contains(name)) << name;
    EXPECT_THAT(bytes_of(folder / "out/manifest.json"), HasSubstr("\"kind\": \"mesh\""));
}

// Blender 3.4 of Debian 12 asks its newer numpy for a name that this has no more: numpy.bool.
TEST(WaterFiles, meshes_open_in_blender) {
    if (std::system("command -v blender >/dev/null 2>&1") != 0) GTEST_SKIP() << "blender is not installed";
    const ScratchFolder folder;
    built_into(folder / "out", "layers = [\"mesh\"]\n");
    const std::string log = (folder / "told.txt").string();
    const std::string script =
        "import bpy, numpy\\nnumpy.bool = bool\\nbpy.ops.import_scene.gltf(filepath='" +
        (folder / "out/brook_mesh.glb").string() +
        "')\\nfor o in bpy.data.objects:\\n    if o.type == 'MESH' and o.name in ('terrain', 'water'):\\n"
        "        print('mesh', o.name, round(o.dimensions.x, 2), round(o.dimensions.y, 2))";
    const std::string command = "printf \"" + script + "\" >'" + (folder / "list.py").string() +
                                "' && blender -b --factory-startup --python-exit-code 1 --python '" +
                                (folder / "list.py").string() + "' >'" + log + "' 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << bytes_of(log);
    EXPECT_THAT(bytes_of(log), HasSubstr("mesh terrain 79.5 79.5"));
    EXPECT_THAT(bytes_of(log), HasSubstr("mesh water "));
}

TEST(WaterFiles, maps_give_back_velocity_foam_and_depth_by_what_stands_beside_them) {
    const ScratchFolder folder;
    const RunResult result =
        built_into(folder / "out", "layers = [\"flow_map\", \"foam_map\", \"depth_map\", \"shore_map\"]\n");
    const auto check = [&](const std::string& map, const std::string& layer) {
        const std::string place = (folder / ("out/brook_" + map + ".png")).string();
        const nlohmann::json told = nlohmann::json::parse(bytes_of(place + ".json"));
        const nlohmann::json& channel = told["channels"][0];
        EXPECT_EQ(channel["layer"], layer);
        EXPECT_EQ(told["loop_period_s"], 10.0);
        EXPECT_EQ(told["time_s"], 2.0);
        const Field<float> bytes = read_raster(place, {.cell_size = 0.5});
        const Field<float>& values = result.landscape.layer(layer);
        const double scale = channel["scale"];
        for (std::int64_t cell = 0; cell < values.size(); ++cell)
            EXPECT_NEAR(static_cast<double>(bytes[cell]) * scale + channel["offset"].get<double>(),
                        static_cast<double>(values[cell]), 0.51 * scale)
                << map;
    };
    check("flow_map", "velocity_east");
    check("foam_map", "foam");
    check("depth_map", "water_depth");
    EXPECT_TRUE(std::filesystem::exists(folder / "out/brook_shore_map.png.json"));
    EXPECT_THAT(bytes_of(folder / "out/manifest.json"), HasSubstr("\"kind\": \"texture\""));
}

TEST(WaterFiles, frames_have_maps_too) {
    const ScratchFolder folder;
    built_into(folder / "out", "layers = [\"flow_map\"]\n", {.times = {0.0, 3.0}});
    for (const char* const name : {"brook_flow_map_0000.png", "brook_flow_map_0001.png"}) {
        const nlohmann::json told =
            nlohmann::json::parse(bytes_of(folder / ("out/" + std::string(name) + ".json")));
        EXPECT_EQ(told["file"], name);
    }
}

TEST(WaterFiles, primitives_come_back_as_they_were) {
    const ScratchFolder folder;
    const RunResult result = built_into(folder / "out", "layers = [\"water_primitives\"]\n");
    const WaterTreeTable& left = result.landscape.get<FlowingWater>(kFlowingWater).primitives;
    ASSERT_GT(left.node.size(), 10U);
    write_points(folder / "water.csv", primitive_table(left, ""));
    const WaterTreeTable found = read_water_primitives(folder / "water.csv");
    EXPECT_EQ(found.node, left.node);
    EXPECT_EQ(found.parent, left.parent);
    EXPECT_EQ(found.place, left.place);
    EXPECT_EQ(found.operation, left.operation);
    EXPECT_EQ(found.kind, left.kind);
    EXPECT_EQ(found.next_node, left.next_node);
    EXPECT_EQ(found.setting.loop_period, left.setting.loop_period);
    const BlendFlowTree one = BlendFlowTree::from_table(left);
    const BlendFlowTree other = BlendFlowTree::from_table(found);
    for (int i = 0; i < 20; ++i) {
        const Position p{2.0 * i, 40.0};
        EXPECT_EQ(one.at(p, 1.0).weight, other.at(p, 1.0).weight);
        if (one.at(p, 1.0).weight > 0.0) {
            EXPECT_EQ(one.at(p, 1.0).elevation, other.at(p, 1.0).elevation);
        }
    }
    EXPECT_THAT(refusal_of([&] {
                    write_points(folder / "empty.csv", primitive_table({}, ""));
                    read_water_primitives(folder / "empty.csv");
                }),
                HasSubstr("has no root"));
}

TEST(WaterFiles, leaves_drift_on_water_alone_and_come_round) {
    const auto leaves_at = [](double time) { return built(water_at(time) + "leaves = 1.0\n"); };
    std::size_t seen = 0;
    for (const double time : {2.5, 7.0}) {
        const RunResult result = leaves_at(time);
        const Field<float>& depth = result.landscape.layer("water_depth");
        const Grid& grid = depth.grid();
        for (const Drifter& leaf : result.landscape.get<FlowingWater>(kFlowingWater).drifters) {
            ++seen;
            const int column = static_cast<int>(std::lround(grid.column_at(leaf.position.x)));
            const int row = static_cast<int>(std::lround(grid.row_at(leaf.position.y)));
            ASSERT_TRUE(grid.contains(column, row));
            EXPECT_GT(depth(column, row), 0.0F);
        }
    }
    EXPECT_GT(seen, 3U);
    const auto places = [](const RunResult& result) {
        std::vector<double> x;
        for (const Drifter& leaf : result.landscape.get<FlowingWater>(kFlowingWater).drifters)
            x.push_back(leaf.position.x);
        return x;
    };
    EXPECT_THAT(places(leaves_at(10.0)),
                testing::Pointwise(testing::DoubleNear(1e-6), places(leaves_at(0.0))));
}

TEST(WaterFiles, foam_drifts_on_water_alone_and_is_told_from_leaves) {
    const auto drifting = [](const std::string& more) {
        const RunResult result = built(water_at(2.5) + "agitation = 3.0\n" + more);
        return drift_table(result.landscape.get<FlowingWater>(kFlowingWater).drifters,
                           result.landscape.layer("water_elevation"));
    };
    const PointTable leaves = drifting("leaves = 0.3\n");
    const PointTable both = drifting("leaves = 0.3\nfoam_patches = 50.0\n");
    ASSERT_EQ(leaves.columns.size(), 4U);
    ASSERT_EQ(both.columns.size(), 6U);
    EXPECT_EQ(both.columns[4].name, "kind");
    const std::vector<double>& kinds = both.columns[4].values;
    EXPECT_EQ(std::count(kinds.begin(), kinds.end(), 0.0), std::ssize(leaves.points));
    EXPECT_GT(std::count(kinds.begin(), kinds.end(), 1.0), 5);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        EXPECT_FALSE(std::isnan(both.points[i].z));
        EXPECT_GT(both.columns[5].values[i], 0.0);
        EXPECT_LE(both.columns[5].values[i], 1.0);
    }
}

TEST(WaterFiles, a_window_keeps_what_covers_the_land_around_it_for_pictures) {
    const std::string ground = "[[stage]]\nuse = \"ground\"\n";
    const std::string window =
        "[[stage]]\nuse = \"window\"\nwindow = [20.0, 20.0, 60.0, 60.0]\nresolution = 0.4\n";
    const Landscape bare = built(window).landscape;
    EXPECT_FALSE(bare.has(kCountryAround));
    const Landscape covered = built(ground + window).landscape;
    const auto& country = covered.get<CountryAround>(kCountryAround);
    EXPECT_THAT(country.names, testing::ElementsAre("bare_rock", "scree", "vegetation", "forest", "snow"));
    ASSERT_EQ(country.values.size(), country.names.size());
    EXPECT_EQ(country.values[2].columns(), 160);
    EXPECT_EQ(covered.layer("vegetation").columns(), 100);
}

TEST(WaterFiles, the_country_around_a_window_is_archived_whole) {
    Field<float> forest(make_grid(60.0, 30.0, 6), 0.25F);
    forest[3] = kNoData;
    const CountryAround country{.names = {"vegetation", "forest"},
                                .values = {Field<float>(forest.grid(), 0.5F), forest}};
    const Dataset dataset(country);
    ASSERT_TRUE(is_archived_whole(dataset));
    const auto bytes = archived_by([&](ArchiveWriter& archive) { write_dataset(archive, dataset); });
    const Dataset again =
        read_from_archive(bytes, [](ArchiveReader& archive) { return read_dataset(archive); });
    const auto* const read = again.as<CountryAround>();
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(read->names, country.names);
    ASSERT_EQ(read->values.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(read->values[i].grid(), country.values[i].grid());
        for (std::int64_t cell = 0; cell < forest.size(); ++cell)
            EXPECT_EQ(std::bit_cast<std::uint32_t>(read->values[i][cell]),
                      std::bit_cast<std::uint32_t>(country.values[i][cell]));
    }
}

TEST(WaterFiles, edits_change_the_water_where_they_are_and_nowhere_else) {
    const RunResult before = built(water_at(0.0));
    const Field<float>& depth = before.landscape.layer("water_depth");
    const auto deepest = std::max_element(depth.begin(), depth.end()) - depth.begin();
    const Grid& grid = depth.grid();
    const Position place = grid.centre(grid.column_of(deepest), grid.row_of(deepest));
    const auto edited = [&](const std::string& edit) {
        return built(water_at(0.0) + "edits = [{" + edit + ", x = " + std::to_string(place.x) +
                     ", y = " + std::to_string(place.y) + ", radius = 1.5}]\n");
    };
    for (const char* const edit :
         {"command = \"replace\", kind = \"vortex\", fall = 0.1, rotation = 2.0",
          "command = \"insert\", kind = \"ripple\", amplitude = 0.2", "command = \"retune\", strength = 3.0",
          "command = \"move\", shift_east = 0.3", "command = \"remove\""}) {
        const RunResult after = edited(edit);
        std::int64_t near = 0, far = 0;
        for (std::int64_t cell = 0; cell < depth.size(); ++cell) {
            const Position p = grid.centre(grid.column_of(cell), grid.row_of(cell));
            if (after.landscape.layer("water_depth")[cell] == depth[cell]) continue;
            (std::hypot(p.x - place.x, p.y - place.y) < 9.0 ? near : far) += 1;
        }
        EXPECT_GT(near, 0) << edit;
        EXPECT_EQ(far, 0) << edit;
    }
    EXPECT_THAT(
        refusal_of([&] { built(water_at(0.0) + "edits = [{command = \"remove\", x = -500.0, y = 0.0}]\n"); }),
        HasSubstr("edit 1: there are no primitives of water within 1 m"));
}

TEST(WaterFiles, an_animation_of_the_river_loops_and_needs_water) {
    const ScratchFolder folder;
    RunOptions options{.times = {0.0, 5.0, 10.0},
                       .animation = AnimationOptions{
                           .file = folder / "river.webp",
                           .look = {.animation_size = 64, .frame_rate = 4.0, .animation_river = true}}};
    EXPECT_THAT(refusal_of([&] { built_into(folder / "dry", "", options, "[[stage]]\nuse = \"erode\"\n"); }),
                HasSubstr("--animation-river shows what stage water leaves"));
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    built_into(folder / "out", "layers = [\"foam\"]\n", options);
    const std::string whole = bytes_of(folder / "river.webp");
    EXPECT_EQ(whole.substr(0, 4) + whole.substr(8, 4), "RIFFWEBP");
    // The last frame is the first one again, and is left out.
    options.times = {0.0, 5.0};
    built_into(folder / "out", "layers = [\"foam\"]\n", options);
    EXPECT_EQ(bytes_of(folder / "river.webp"), whole);
}

}  // namespace
}  // namespace thalweg
