// The stage `meander`: from what it begins, what it refuses, what it tells, and its state.
#include "thalweg/io/vectors.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/meandering/meander_stage.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/simulation.hpp"
#include "thalweg/river/network.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "archives.hpp"
#include "scratch_folder.hpp"
#include "tests/refusal.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using Bytes = std::vector<std::byte>;

void write_text(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file) << text;
}

/// Lines as GeoJSON; `lines` are arrays of coordinates.
std::string geojson_of(const std::vector<std::string>& lines) {
    std::string features;
    for (const std::string& line : lines)
        features += fmt::format(
            R"({}{{"type":"Feature","properties":{{}},"geometry":{{"type":"LineString","coordinates":{}}}}})",
            features.empty() ? "" : ",", line);
    return fmt::format(R"({{"type":"FeatureCollection","features":[{}]}})", features);
}

constexpr const char* kStraight = "x_m,y_m,width_m\n1000,5000,60\n11000,5000,60\n";
constexpr const char* kPlain = R"(
[[stage]]
use = "shape"
kind = "plane"
height = 10.0
direction = 270.0
)";

/// Rivers of files in a folder, on a grid of 12 x 10 km.
class MeanderStage : public ::testing::Test {
  protected:
    [[nodiscard]] RunResult run(const std::string& stages,
                                const RunOptions& options = {.write_outputs = false}) const {
        const Project project = parse_project(
            "[project]\nname = \"m\"\nseed = 4\n[grid]\nextent = [12000.0, 10000.0]\ncells = 60\n" + stages,
            "m.toml", folder_ / "", {});
        return run_project(project, options);
    }

    [[nodiscard]] RunResult wander(const std::string& file, const std::string& more = "",
                                   const std::string& before = "") const {
        const std::string years = more.starts_with("years") ? "" : "years = 100\n";
        return run(before + "[[stage]]\nuse = \"meander\"\nnetwork = \"" + file + "\"\n" + years + more);
    }

    [[nodiscard]] RunResult wander_from(const std::string& file, const std::string& text,
                                        const std::string& more = "", const std::string& before = "") const {
        write_text(folder_ / file, text);
        return wander(file, more, before);
    }

    [[nodiscard]] std::string refusal(const std::string& file, const std::string& text,
                                      const std::string& more = "", const std::string& before = "") const {
        return refusal_of([&] { wander_from(file, text, more, before); });
    }

    ScratchFolder folder_;
};

Value told(const RunResult& result, const std::string& name) {
    for (const auto& [key, value] : result.report.stages.back().diagnostics.values)
        if (key == name) return value;
    ADD_FAILURE() << "no " << name;
    return std::int64_t{0};
}

const RiverNetwork& rivers_of(const RunResult& result) {
    return result.landscape.get<RiverNetwork>("rivers");
}

TEST_F(MeanderStage, lets_the_rivers_of_the_landscape_wander) {
    const std::string land = std::string(kPlain) +
                             "[[stage]]\nuse = \"noise\"\nkind = \"white\"\namplitude = 0.5\n" +
                             "[[stage]]\nuse = \"rivers\"\nmin_area = 4e6\nbankfull_factor = 20.0\n";
    const RunResult before = run(land);
    const RunResult after = run(land + "[[stage]]\nuse = \"meander\"\nyears = 50\n");
    EXPECT_NE(rivers_of(before), rivers_of(after));
    EXPECT_GT(std::get<double>(told(after, "sinuosity")), 1.0);
    EXPECT_EQ(std::get<std::int64_t>(told(after, "self_crossings")), 0);
    const auto& courses = after.landscape.get<MeanderHistory>("courses");
    EXPECT_EQ(courses.networks.size(), 11U);
    EXPECT_EQ(courses.networks.front().year, 0.0);
    EXPECT_EQ(courses.networks.back().year, 50.0);
}

TEST_F(MeanderStage, takes_a_straight_line_of_two_points_and_makes_a_river_with_many_bends_of_it) {
    const RunResult result = wander_from("line.csv", kStraight);
    const RiverNetwork& rivers = rivers_of(result);
    ASSERT_EQ(rivers.reaches.size(), 1U);
    EXPECT_EQ(rivers.reaches[0].points.front().x, 1000.0);
    EXPECT_EQ(rivers.reaches[0].points.back().x, 11000.0);
    EXPECT_FLOAT_EQ(rivers.reaches[0].values.width[5], 60.0F);
    EXPECT_GT(std::get<double>(told(result, "sinuosity")), 1.5);
    EXPECT_EQ(std::get<std::int64_t>(told(result, "steps")), 200);
    EXPECT_EQ(std::get<std::int64_t>(told(result, "points")),
              static_cast<std::int64_t>(rivers.reaches[0].points.size()));
}

TEST_F(MeanderStage, tells_the_wavelength_of_each_river_within_the_band_of_real_ones) {
    write_text(folder_ / "two.geojson",
               geojson_of({"[[1000,2500],[11000,2500]]", "[[1000,7500],[11000,7500]]"}));
    const RunResult result = wander("two.geojson");
    const double wavelength = std::get<double>(told(result, "wavelength_m"));
    EXPECT_GT(wavelength, 628.0);
    EXPECT_LT(wavelength, 2150.0);
    const auto each = std::get<std::vector<double>>(told(result, "reach_wavelengths_m"));
    ASSERT_EQ(each.size(), 2U);
    EXPECT_LE(std::min(each[0], each[1]), wavelength);
    EXPECT_GE(std::max(each[0], each[1]), wavelength);
    EXPECT_EQ(std::get<double>(told(wander("two.geojson", "initial_roughness = 0.0\ninlet_forcing = 0.0\n"),
                                    "wavelength_m")),
              0.0);
}

TEST_F(MeanderStage, joins_lines_that_meet_into_a_network_where_the_larger_river_goes_on) {
    const RunResult result = wander_from(
        "y.geojson",
        geojson_of({"[[1000,5000],[6000,5000]]", "[[2000,9000],[6000,5000]]", "[[6000,5000],[11000,5000]]"}));
    EXPECT_GE(rivers_of(result).reaches.size(), 3U);
    EXPECT_EQ(std::get<std::int64_t>(told(result, "self_crossings")), 0);
}

TEST_F(MeanderStage, takes_the_width_of_lines_from_their_attribute_where_they_have_one) {
    const RunResult result =
        wander_from("widths.geojson",
                    R"({"type": "FeatureCollection", "features": [)"
                    R"({"type": "Feature", "properties": {"width_m": 35.5}, "geometry":)"
                    R"( {"type": "LineString", "coordinates": [[1000,2500],[11000,2500]]}},)"
                    R"({"type": "Feature", "properties": {"width_m": null}, "geometry":)"
                    R"( {"type": "LineString", "coordinates": [[1000,7500],[11000,7500]]}}]})",
                    "years = 0\n");
    const RiverNetwork& rivers = rivers_of(result);
    ASSERT_EQ(rivers.reaches.size(), 2U);
    EXPECT_EQ(rivers.reaches[0].values.width[5], 35.5F);
    EXPECT_EQ(rivers.reaches[1].values.width[5], 100.0F);  // channel_width
}

TEST_F(MeanderStage, goes_on_with_a_network_that_it_wrote) {
    const RunResult first = wander_from("line.csv", kStraight, "years = 40\n");
    write_network(folder_ / "rivers.gpkg", rivers_of(first));
    const RunResult second = wander("rivers.gpkg");
    EXPECT_GT(std::get<double>(told(second, "sinuosity")), std::get<double>(told(first, "sinuosity")));
}

TEST_F(MeanderStage, cuts_off_the_loop_of_a_line_that_crosses_itself) {
    const std::string crossing = geojson_of({"[[1000,2000],[9000,2000],[9000,6000],[6000,0]]"});
    const RunResult result = wander_from("cross.geojson", crossing, "years = 0\n");
    EXPECT_EQ(std::get<std::int64_t>(told(result, "cutoffs")), 1);
    EXPECT_EQ(std::get<std::int64_t>(told(result, "self_crossings")), 0);
    EXPECT_EQ(std::get<std::int64_t>(told(result, "steps")), 0);
    EXPECT_THAT(notes_of(result.report), ElementsAre(HasSubstr("a loop of rivers that cross")));
}

TEST_F(MeanderStage, leaves_out_points_at_the_place_of_the_one_before) {
    const RunResult plain = wander_from("line.csv", kStraight);
    const RunResult repeated = wander_from(
        "repeated.csv", "x_m,y_m,width_m\n1000,5000,60\n1000,5000,60\n11000,5000,60\n11000,5000,60\n");
    EXPECT_EQ(rivers_of(plain), rivers_of(repeated));
}

TEST_F(MeanderStage, of_no_years_has_the_river_at_its_place) {
    const RunResult result = wander_from("line.csv", kStraight, "years = 0\n");
    for (const RiverPoint& point : rivers_of(result).reaches[0].points) EXPECT_NEAR(point.y, 5000.0, 2.0);
    EXPECT_EQ(result.landscape.get<MeanderHistory>("courses").networks.size(), 1U);
}

TEST_F(MeanderStage, never_spaces_points_further_than_half_a_width) {
    const RunResult wide = wander_from("line.csv", kStraight, "point_spacing = 500.0\n");
    EXPECT_EQ(rivers_of(wander_from("line.csv", kStraight)), rivers_of(wide));
    EXPECT_THAT(
        notes_of(wide.report),
        ElementsAre(HasSubstr("point_spacing = 500 m is more than channels of 60 m allow: their points "
                              "are 30 m apart")));
}

TEST_F(MeanderStage, refuses_what_is_no_river_in_one_sentence) {
    EXPECT_THAT(refusal_of([&] { run("[[stage]]\nuse = \"meander\"\n"); }),
                HasSubstr("meander has no rivers to begin with: put the stage rivers before it, or give "
                          "network, a file of rivers"));
    EXPECT_THAT(refusal("one.csv", "x_m,y_m,width_m\n1000,5000,60\n"),
                HasSubstr("line 1 has fewer than two different points"));
    EXPECT_THAT(refusal("same.csv", "x_m,y_m,width_m\n1000,5000,60\n1000,5000,60\n"),
                HasSubstr("line 1 has fewer than two different points"));
    EXPECT_THAT(refusal("none.csv", "x_m,y_m,width_m\n"),
                HasSubstr("line 1 has fewer than two different points"));
    EXPECT_THAT(refusal("closed.geojson", geojson_of({"[[1000,1000],[9000,1000],[5000,5000],[1000,1000]]"})),
                HasSubstr("river 1 ends at (1000, 1000) m, where it begins"));
    EXPECT_THAT(refusal("narrow.csv", "x_m,y_m,width_m\n1000,5000,0\n11000,5000,60\n"),
                HasSubstr("line 1 has a width of 0 m: give widths greater than 0"));
    EXPECT_THAT(refusal("nan.csv", "x_m,y_m,width_m\n1000,5000,60\nnan,5000,60\n11000,5000,60\n"),
                HasSubstr("line 1 has a point whose place is no number"));
    EXPECT_THAT(refusal("other.csv", "x,y,w\n1000,5000,60\n11000,5000,60\n"),
                HasSubstr("a first line with x_m,y_m,width_m is needed"));
    EXPECT_THAT(refusal_of([&] { wander("missing.csv"); }), HasSubstr("missing.csv does not exist"));
}

TEST_F(MeanderStage, refuses_lines_in_degrees_but_not_a_brook_near_the_origin) {
    EXPECT_THAT(refusal("degrees.csv", "x_m,y_m,width_m\n3,45,60\n3.1,45.1,60\n"),
                EndsWith("degrees.csv: its coordinates look like degrees: give them in metres"));
    EXPECT_THAT(refusal("degrees.geojson", geojson_of({"[[3,45],[3.1,45.1]]"})),
                EndsWith("degrees.geojson: its coordinates look like degrees: give them in metres"));
    EXPECT_EQ(refusal("brook.csv", "x_m,y_m,width_m\n10,10,1\n80,80,1\n"), "");
}

TEST_F(MeanderStage, refuses_a_river_beside_the_terrain_and_stops_one_where_it_leaves_it) {
    EXPECT_THAT(refusal("beside.csv", "x_m,y_m,width_m\n1000,50000,60\n11000,50000,60\n", "", kPlain),
                EndsWith("beside.csv: river 1 has no point on the terrain: give rivers in the terrain's "
                         "coordinates"));
    const RunResult leaving =
        wander_from("leaving.csv", "x_m,y_m,width_m\n1000,5000,60\n22000,5000,60\n", "", kPlain);
    double furthest = 0.0;  // m
    for (const RiverPoint& point : rivers_of(leaving).reaches[0].points) {
        if (point.x > 12500.0) {
            EXPECT_NEAR(point.y, 5000.0, 2.0);
        }
        furthest = std::max(furthest, std::abs(point.y - 5000.0));
    }
    EXPECT_GT(furthest, 60.0);
}

TEST_F(MeanderStage, shapes_the_ground_where_that_is_asked_for_and_tells_how_much) {
    const RunResult plain = wander_from("line.csv", kStraight, "", kPlain);
    const RunResult shaped = wander_from("line.csv", kStraight, "shape_ground = true\n", kPlain);
    EXPECT_EQ(rivers_of(plain), rivers_of(shaped));
    const Field<float>& before = plain.landscape.layer("elevation");
    const Field<float>& ground = shaped.landscape.layer("elevation");
    std::int64_t changed = 0;
    for (std::int64_t cell = 0; cell < ground.size(); ++cell) changed += ground[cell] != before[cell] ? 1 : 0;
    EXPECT_GT(changed, 50);
    EXPECT_EQ(std::get<std::int64_t>(told(shaped, "changed_cells")), changed);
    EXPECT_GT(std::get<double>(told(shaped, "cut_m3")), 0.0);
    const auto& values = plain.report.stages.back().diagnostics.values;
    EXPECT_TRUE(
        std::ranges::none_of(values, [](const auto& value) { return value.first == "changed_cells"; }));
}

TEST_F(MeanderStage, hands_shaped_ground_on_to_the_stages_after_it) {
    const RunResult result = wander_from(
        "line.csv", kStraight, "shape_ground = true\n[[stage]]\nuse = \"rivers\"\nmin_area = 2e7\n", kPlain);
    // Water follows the bed that was carved: rivers lie where the river had come to.
    const RunResult wandered = wander_from("line.csv", kStraight, "", kPlain);
    int near = 0;
    int points = 0;
    for (const Reach& reach : rivers_of(result).reaches)
        for (const RiverPoint& point : reach.points) {
            ++points;
            for (const RiverPoint& other : rivers_of(wandered).reaches[0].points)
                if (std::hypot(point.x - other.x, point.y - other.y) < 400.0) {
                    ++near;
                    break;
                }
        }
    EXPECT_GT(points, 20);
    EXPECT_GT(near, points / 2);
}

/// A river on a plain, some of it without data, under way.
class Wandering {
  public:
    /// On ground that falls by `fall` (m) from cell to cell in the west, and that nothing is known of in the
    /// east.
    explicit Wandering(const std::filesystem::path& file, const MeanderParameters& meander = {},
                       float fall = 0.1F) {
        landscape_.grid = make_grid(12000.0, 10000.0, 60);
        landscape_.seed = 9;
        Field<float> plain(landscape_.grid);
        for (std::int64_t cell = 0; cell < plain.size(); ++cell)
            plain[cell] = landscape_.grid.column_of(cell) < 30
                              ? 10.0F - fall * static_cast<float>(landscape_.grid.column_of(cell))
                              : std::numeric_limits<float>::quiet_NaN();
        landscape_.set("elevation", std::move(plain));
        MeanderStageParameters parameters;
        parameters.network = file.string();
        parameters.meander = meander;
        StageContext context{landscape_, "", quiet_, {}, true, {}};
        simulation = meander_stage().simulate(&parameters, context);
    }

    void advance(double year) { simulation->advance(year, quiet_); }

    void edit(const std::string& command, const ValueTable& values) {
        StageContext context{landscape_, "", quiet_, {}, true, {}};
        simulation->edit(command, values, context);
    }

    [[nodiscard]] Bytes saved() {
        return archived_by([&](ArchiveWriter& archive) { simulation->save(archive); });
    }

    void restore(const Bytes& bytes) {
        read_from_archive(bytes, [&](ArchiveReader& archive) { simulation->restore(archive); });
    }

    [[nodiscard]] RiverNetwork rivers() {
        Landscape shown = landscape_;
        StageContext context{shown, "", quiet_, {}, true, {}};
        simulation->snapshot(context);
        return shown.get<RiverNetwork>("rivers");
    }

    std::unique_ptr<Simulation> simulation;

  private:
    Landscape landscape_;
    QuietProgress quiet_;
};

TEST_F(MeanderStage, saved_and_restored_on_the_way_has_the_bytes_of_one_run) {
    write_text(folder_ / "line.csv", kStraight);
    Wandering whole(folder_ / "line.csv");
    whole.advance(200.0);
    Bytes state = Wandering(folder_ / "line.csv").saved();
    for (const double year : {0.5, 33.0, 71.5, 150.0, 200.0}) {
        Wandering part(folder_ / "line.csv");
        part.restore(state);
        part.advance(year);
        EXPECT_EQ(part.simulation->time(), year);
        state = part.saved();
    }
    EXPECT_TRUE(state == whole.saved());
}

TEST_F(MeanderStage, with_braids_chutes_plants_and_deltas_goes_on_from_a_saved_state_with_the_same_bytes) {
    write_text(folder_ / "line.csv", "x_m,y_m,width_m\n100,5000,60\n5000,5000,60\n");
    const auto saved_at = [&](const MeanderParameters& parameters, const std::vector<double>& years) {
        const float fall = parameters.deltas ? 0.1F : 4.0F;
        Bytes state = Wandering(folder_ / "line.csv", parameters, fall).saved();
        for (const double year : years) {
            Wandering part(folder_ / "line.csv", parameters, fall);
            part.restore(state);
            part.advance(year);
            state = part.saved();
            if (year >= 21.5) {
                EXPECT_GT(part.rivers().branches.size(), 2U);
            }
        }
        return state;
    };
    for (const MeanderParameters& parameters :
         {MeanderParameters{.chute_rate = 1.0, .vegetation_strength = 0.5, .braiding = Braiding::All},
          MeanderParameters{.vegetation_strength = 0.5, .deltas = true, .water_level = 8.0}}) {
        EXPECT_TRUE(saved_at(parameters, {40.0}) == saved_at(parameters, {0.5, 13.0, 21.5, 40.0}));
    }
}

TEST_F(MeanderStage, goes_on_with_the_braids_and_deltas_of_a_geopackage_that_it_wrote) {
    write_text(folder_ / "line.csv", "x_m,y_m,width_m\n100,5000,60\n5000,5000,60\n");
    for (const MeanderParameters& parameters : {MeanderParameters{.braiding = Braiding::All},
                                                MeanderParameters{.deltas = true, .water_level = 8.0}}) {
        const float fall = parameters.deltas ? 0.1F : 4.0F;
        Wandering river(folder_ / "line.csv", parameters, fall);
        river.advance(40.0);
        const RiverNetwork network = river.rivers();
        ASSERT_GT(network.branches.size(), 2U);
        write_network(folder_ / "rivers.gpkg", network);
        const RiverNetwork read = read_network(folder_ / "rivers.gpkg");
        ASSERT_EQ(read.branches.size(), network.branches.size());
        for (std::size_t i = 0; i < read.branches.size(); ++i) {
            const NetworkBranch& branch = network.branches[i];
            EXPECT_EQ(read.branches[i].id, branch.id);
            EXPECT_EQ(read.branches[i].reach, network.reaches[0].id);
            EXPECT_EQ(read.branches[i].share, branch.share);
            EXPECT_EQ(read.branches[i].points, branch.points);
        }
        // It begins with these, and goes on with them.
        Wandering resumed(folder_ / "rivers.gpkg", parameters, fall);
        const RiverNetwork begun = resumed.rivers();
        ASSERT_EQ(begun.branches.size(), network.branches.size());
        std::map<std::int64_t, const NetworkBranch*> known;
        for (const NetworkBranch& branch : network.branches) known[branch.id] = &branch;
        for (const NetworkBranch& branch : begun.branches) {
            ASSERT_TRUE(known.contains(branch.id));
            EXPECT_EQ(branch.points.front(), known[branch.id]->points.front());
            EXPECT_NEAR(branch.share, known[branch.id]->share, 1e-9);
        }
        resumed.advance(2.0);
        std::size_t kept = 0;
        for (const NetworkBranch& branch : resumed.rivers().branches)
            kept += known.contains(branch.id) ? 1 : 0;
        EXPECT_GT(2 * kept, network.branches.size());
    }
}

TEST_F(MeanderStage, refuses_branches_to_which_no_water_comes) {
    write_text(folder_ / "line.csv", "x_m,y_m,width_m\n100,5000,60\n5000,5000,60\n");
    Wandering river(folder_ / "line.csv", {.braiding = Braiding::All}, 4.0F);
    river.advance(20.0);
    RiverNetwork network = river.rivers();
    network.branches.front().points.back().x += 5.0;
    write_network(folder_ / "rivers.gpkg", network);
    EXPECT_THAT(refusal_of([&] { wander("rivers.gpkg", "braiding = \"all\"\n"); }),
                HasSubstr("no water comes to it"));
    network.branches.resize(1);
    network.branches.front().reach = 77;
    write_network(folder_ / "rivers.gpkg", network);
    EXPECT_THAT(refusal_of([&] { wander("rivers.gpkg", "braiding = \"all\"\n"); }),
                HasSubstr("is of reach 77, and there is no such reach"));
}

TEST_F(MeanderStage, adds_what_deltas_lay_down_to_deposit_and_tells_how_much) {
    write_text(folder_ / "line.csv", "x_m,y_m,width_m\n100,5000,120\n5000,5000,120\n");
    const auto built = [&](const std::string& more) {
        return wander("line.csv",
                      "deltas = true\nwater_level = 20.0\nmigration_rate = 0\ncrevasse_rate = 0\n" + more +
                          "[output]\nlayers = [\"elevation\", \"deposit\"]\n",
                      kPlain);
    };
    const RunResult with = built("");
    const RunResult without = built("sediment_concentration = 0\n");
    double grown = 0.0;   // m
    double raised = 0.0;  // m
    for (std::int64_t cell = 0; cell < with.landscape.grid.cells(); ++cell) {
        raised += double{with.landscape.layer("elevation")[cell]} -
                  double{without.landscape.layer("elevation")[cell]};
        grown += double{with.landscape.layer("deposit")[cell]};
    }
    const double area = with.landscape.grid.cell_area();
    const double laid = std::get<double>(told(with, "delta_m3"));
    const double brought = 0.56 * 0.5 * 144.0 * 31557600.0 * 100.0 / 1600.0;
    EXPECT_NEAR(laid + std::get<double>(told(with, "delta_waiting_m3")), brought, 1e-3 * brought);
    EXPECT_NEAR(raised * area, laid, 1e-3 * brought);
    EXPECT_GE(grown * area, laid);
}

TEST_F(MeanderStage, leaves_a_river_where_there_is_no_data_at_its_place) {
    write_text(folder_ / "line.csv", kStraight);
    Wandering river(folder_ / "line.csv");
    river.advance(200.0);
    double furthest = 0.0;  // m
    const RiverNetwork rivers = river.rivers();
    for (const RiverPoint& point : rivers.reaches[0].points) {
        if (point.x > 6500.0) {
            EXPECT_NEAR(point.y, 5000.0, 60.0);
        }
        furthest = std::max(furthest, std::abs(point.y - 5000.0));
    }
    EXPECT_GT(furthest, 100.0);
}

TEST_F(MeanderStage, takes_edits_of_what_moves_it_but_none_of_how_it_began) {
    write_text(folder_ / "line.csv", kStraight);
    Wandering river(folder_ / "line.csv");
    river.advance(50.0);
    const RiverNetwork at_50 = river.rivers();
    river.edit("meander", {{{"migration_rate", 0.0}, {"crevasse_rate", 0.0}}});
    river.advance(60.0);
    EXPECT_NEAR(river.rivers().reaches[0].length, at_50.reaches[0].length, 1.0);
    EXPECT_EQ(refusal_of([&] { river.edit("meander", {{{"years", 10.0}}}); }),
              "years can't change once rivers wander: it belongs to the start");
    EXPECT_EQ(refusal_of([&] { river.edit("flow", {}); }),
              "flow is no edit of meander: give one of its own commands, or a stage that changes elevation");
}

TEST_F(MeanderStage, has_the_same_bits_on_any_number_of_threads) {
    write_text(folder_ / "y.geojson",
               geojson_of({"[[1000,5000],[6000,5000]]", "[[2000,9000],[6000,5000]]",
                           "[[6000,5000],[11000,5000]]", "[[1000,1500],[11000,1500]]"}));
    const auto with = [&](int threads) {
        const Project project = parse_project(
            "[project]\nname = \"m\"\nseed = 4\n[grid]\nextent = [12000.0, 10000.0]\ncells = 60\n" +
                std::string(kPlain) + "[[stage]]\nuse = \"meander\"\nyears = 150\nnetwork = \"y.geojson\"\n",
            "m.toml", folder_ / "", {});
        return run_project(project, {.write_outputs = false}, {.threads = threads});
    };
    const RunResult one = with(1);
    for (const int threads : {2, 8}) {
        const RunResult more = with(threads);
        EXPECT_EQ(rivers_of(one), rivers_of(more));
        EXPECT_EQ(one.landscape.get<MeanderHistory>("courses"),
                  more.landscape.get<MeanderHistory>("courses"));
    }
}

}  // namespace
}  // namespace thalweg
