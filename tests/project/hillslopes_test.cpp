// The stage `hillslopes`: soil that creeps and slopes that slide, on a landscape.
#include "thalweg/flow/route.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/shaping/hillslopes_stage.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "run_verb.hpp"
#include "scratch_folder.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;

/// A valley between two ridges that falls to the south, with noise on it, and a gap in the data.
Field<float> valley() {
    Field<float> z(make_grid(2560.0, 2560.0, 128));
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column) {
            const double x = z.grid().x(column), y = z.grid().y(row);
            z(column, row) = static_cast<float>(0.1 * y + 0.7 * std::abs(x - 1280.0) +
                                                8.0 * std::sin(x / 35.0) * std::sin(y / 40.0));
        }
    z(100, 30) = kNoData;
    return z;
}

bool same(const Field<float>& a, const Field<float>& b) {
    return std::memcmp(a.data(), b.data(), sizeof(float) * a.size()) == 0;
}

struct Ran {
    Landscape landscape{.grid = valley().grid(), .seed = 3};
    Diagnostics diagnostics;

    explicit Ran(const HillslopesStageParameters& parameters) {
        landscape.set("elevation", valley());
        QuietProgress progress;
        StageContext context{
            .landscape = landscape, .base_directory = "", .progress = progress, .diagnostics = {}};
        const Stage& stage = find_stage("hillslopes");
        if (stage.check) stage.check(&parameters);
        stage.run(&parameters, context);
        diagnostics = context.diagnostics;
    }

    [[nodiscard]] double value(const std::string& name) const {
        for (const auto& [key, value] : diagnostics.values)
            if (key == name)
                return std::holds_alternative<double>(value)
                           ? std::get<double>(value)
                           : static_cast<double>(std::get<std::int64_t>(value));
        return std::nan("");
    }
};

TEST(HillslopesStage, rounds_ridges_and_keeps_channels_and_edges) {
    const Field<float> before = valley();
    const Ran ran(HillslopesStageParameters{.channel_area = 3e5});
    const Field<float>& after = ran.landscape.layer("elevation");
    int kept = 0, lower = 0;
    for (int row = 1; row + 1 < after.rows(); ++row)
        for (int column = 1; column + 1 < after.columns(); ++column) {
            kept += after(column, row) == before(column, row) ? 1 : 0;
            lower += after(column, row) < before(column, row) - 0.5F ? 1 : 0;
        }
    EXPECT_GT(kept, 100);  // the river in the middle
    EXPECT_LT(kept, 1000);
    EXPECT_GT(lower, 1000);
    for (int i = 0; i < 128; ++i) ASSERT_EQ(after(i, 127), before(i, 127));
    EXPECT_TRUE(is_no_data(after(100, 30)));
    EXPECT_LT(ran.value("creep_error_m"), 0.002);
    EXPECT_NE(ran.value("delivered_volume_m3"), 0.0);
}

TEST(HillslopesStage, keeps_all_soil_where_edges_are_closed_and_there_are_no_channels) {
    const double infinite = std::numeric_limits<double>::infinity();
    const Ran ran(HillslopesStageParameters{.channel_area = infinite, .edges = HillslopeEdges::Closed});
    EXPECT_NEAR(ran.value("delivered_volume_m3"), 0.0, 1e-3);
    EXPECT_NE(ran.landscape.layer("elevation")(60, 127), valley()(60, 127));
}

TEST(HillslopesStage, tells_by_wear_and_deposit_what_has_changed) {
    const Ran ran(HillslopesStageParameters{.landslides = {.landslides = 20.0, .failure_slope = 0.4}});
    EXPECT_GT(ran.value("landslides"), 5.0);
    const Field<float> before = valley();
    const auto layer = [&](const char* name) -> const Field<float>& { return ran.landscape.layer(name); };
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        if (is_no_data(before[cell])) continue;
        ASSERT_GE(layer("wear")[cell], 0.0F);
        ASSERT_GE(layer("deposit")[cell], 0.0F);
        ASSERT_NEAR(before[cell] - layer("wear")[cell] + layer("deposit")[cell], layer("elevation")[cell],
                    1e-3F);
    }
}

TEST(HillslopesStage, takes_the_critical_slope_of_a_layer) {
    HillslopesStageParameters parameters;
    parameters.critical_slope = {.number = 0.0, .layer = "strength"};
    Landscape landscape{.grid = valley().grid(), .seed = 1};
    landscape.set("elevation", valley());
    Field<float> strength(landscape.grid, 0.5F);
    for (int row = 0; row < 128; ++row)
        for (int column = 64; column < 128; ++column) strength(column, row) = 5.0F;
    landscape.set("strength", std::move(strength));
    QuietProgress progress;
    StageContext context{
        .landscape = landscape, .base_directory = "", .progress = progress, .diagnostics = {}};
    find_stage("hillslopes").run(&parameters, context);
    const auto fall_from = [&](int column) {
        return std::abs(static_cast<double>(landscape.layer("elevation")(column, 64) - valley()(column, 64)));
    };
    double weak = 0.0, strong = 0.0;
    for (int i = 20; i < 50; ++i) weak += fall_from(i), strong += fall_from(127 - i);
    EXPECT_GT(weak, 1.5 * strong);
}

TEST(HillslopesStage, takes_the_critical_slope_of_the_rock_where_there_is_one) {
    const auto crept = [](double critical_slope, bool with_rock) {
        Landscape landscape{.grid = valley().grid(), .seed = 1, .datasets = {}};
        landscape.set("elevation", valley());
        if (with_rock) landscape.set("critical_slope", Field<float>(landscape.grid, 0.8F));
        HillslopesStageParameters parameters;
        parameters.critical_slope.number = critical_slope;
        parameters.roughness = 0.0;
        parameters.gully_time = 0.0;
        parameters.grain = 0.0;
        parameters.cell_means = 0.0;
        QuietProgress progress;
        StageContext context{
            .landscape = landscape, .base_directory = "", .progress = progress, .diagnostics = {}};
        find_stage("hillslopes").run(&parameters, context);
        const Field<float>& elevation = landscape.layer("elevation");
        return std::vector<float>(elevation.begin(), elevation.begin() + 30 * 128);  // before the gap
    };
    EXPECT_EQ(crept(0.0, false), crept(1.25, false));
    EXPECT_EQ(crept(0.0, true), crept(0.8, false));
    EXPECT_EQ(crept(1.25, true), crept(1.25, false));
}

/// The elevation after the time, on cells of `cell_size` m.
Field<float> crept_on(double cell_size, double time) {
    Landscape landscape{.grid = make_grid(128.0 * cell_size, 128.0 * cell_size, 128), .seed = 1};
    const Field<float> heights = valley();
    Field<float> z(landscape.grid);
    std::copy(heights.begin(), heights.end(), z.begin());
    landscape.set("elevation", std::move(z));
    const HillslopesStageParameters parameters{.time = time};
    QuietProgress progress;
    StageContext context{
        .landscape = landscape, .base_directory = "", .progress = progress, .diagnostics = {}};
    find_stage("hillslopes").run(&parameters, context);
    return landscape.layer("elevation");
}

TEST(HillslopesStage, takes_the_time_of_surveys_with_such_cells_unless_one_is_given) {
    const auto same = [](double cell_size, double time) {
        const Field<float> by_cells = crept_on(cell_size, kTimeByCells), given = crept_on(cell_size, time);
        return std::memcmp(by_cells.data(), given.data(), sizeof(float) * by_cells.size()) == 0;
    };
    EXPECT_TRUE(same(5.0, 1.5e3));
    EXPECT_TRUE(same(10.0, 1.5e3));
    EXPECT_TRUE(same(15.0, 3e4));
    EXPECT_TRUE(same(90.0, 3e4));
    EXPECT_FALSE(same(12.0, 1.5e3));
    EXPECT_FALSE(same(12.0, 3e4));
}

/// The valley after the stage, where the landscape has rock that holds a slope of 2 or not.
Field<float> shaped(HillslopesStageParameters parameters, bool has_rock) {
    Landscape landscape{.grid = valley().grid(), .seed = 3};
    landscape.set("elevation", valley());
    if (has_rock) landscape.set("critical_slope", Field<float>(landscape.grid, 2.0F));
    parameters.critical_slope = {.number = 2.0, .layer = ""};
    parameters.channel_area = 3e5;
    QuietProgress progress;
    StageContext context{
        .landscape = landscape, .base_directory = "", .progress = progress, .diagnostics = {}};
    find_stage("hillslopes").run(&parameters, context);
    return landscape.layer("elevation");
}

/// The same without grain, nor means of cells.
Field<float> roughened(double roughness, bool has_rock, double gully_time = 0.0) {
    return shaped({.roughness = roughness, .gully_time = gully_time, .grain = 0.0, .cell_means = 0.0},
                  has_rock);
}

TEST(HillslopesStage, roughens_slopes_where_there_is_rock_but_not_the_river) {
    const Field<float> smooth = roughened(0.0, true), by_rock = roughened(kRoughnessByRock, true);
    EXPECT_TRUE(same(by_rock, roughened(6.0, true)));
    EXPECT_TRUE(same(smooth, roughened(kRoughnessByRock, false)));
    double sum = 0.0;
    int of_river = 0;
    for (int row = 64; row < 120; ++row) {
        for (int column = 80; column < 120; ++column)
            sum += std::pow(static_cast<double>(by_rock(column, row) - smooth(column, row)), 2);
        for (const int column : {63, 64})
            of_river += by_rock(column, row) <= smooth(column, row) + 1e-3F ? 1 : 0;
    }
    EXPECT_NEAR(std::sqrt(sum / (56 * 40)), 6.0 * std::hypot(0.7, 0.1), 1.2);
    EXPECT_GT(of_river, 56);  // the channel, one cell wide, is lowered at most
}

TEST(HillslopesStage, cuts_gullies_into_slopes_where_there_is_rock_but_not_into_the_river) {
    const Field<float> without = roughened(0.0, true), by_rock = roughened(0.0, true, kGulliesByRock);
    EXPECT_TRUE(same(by_rock, roughened(0.0, true, 6e4)));
    EXPECT_TRUE(same(roughened(10.0, false), roughened(10.0, false, kGulliesByRock)));
    const auto lowered = [&](const Field<float>& z) {
        double sum = 0.0;
        for (int row = 40; row < 90; ++row)
            for (int column = 85; column < 115; ++column)
                sum += static_cast<double>(without(column, row) - z(column, row));
        return sum / (50 * 30);
    };
    EXPECT_GT(lowered(by_rock), 1.0);  // m
    EXPECT_GT(lowered(roughened(0.0, true, 2e5)), 1.5 * lowered(by_rock));
    QuietProgress progress;
    const FlowResult flow = route(valley(), {}, progress);
    int of_river = 0, kept = 0;
    for (std::int64_t cell = 0; cell < by_rock.size(); ++cell) {
        if (flow.drained_area(cell) < 3e5) continue;
        ++of_river;
        kept += by_rock[cell] == without[cell] ? 1 : 0;
    }
    EXPECT_GT(of_river, 30);
    EXPECT_GT(kept, 0.5 * of_river);  // the others lie on ways out of pits
}

TEST(HillslopesStage, adds_grain_and_takes_means_of_cells_where_there_is_rock) {
    const auto made = [](double grain, double cell_means, bool has_rock) {
        return shaped({.roughness = 0.0, .gully_time = 0.0, .grain = grain, .cell_means = cell_means},
                      has_rock);
    };
    const Field<float> plain = made(0.0, 0.0, true);
    EXPECT_TRUE(same(made(kGrainByRock, kMeansByRock, false), made(0.0, 0.0, false)));
    EXPECT_TRUE(same(made(kGrainByRock, 0.0, true), made(5.0, 0.0, true)));
    EXPECT_TRUE(same(made(0.0, kMeansByRock, true), made(0.0, 1.0, true)));
    const Field<float> grained = made(2.4, 0.0, true), blended = made(0.0, 1.0, true);
    int moved = 0, raised = 0;
    for (int row = 64; row < 120; ++row) {
        for (int column = 85; column < 115; ++column)
            moved += std::abs(grained(column, row) - plain(column, row)) > 0.1F ? 1 : 0;
        for (const int column : {63, 64}) raised += blended(column, row) > plain(column, row) + 1.0F ? 1 : 0;
    }
    EXPECT_GT(moved, 1500);  // of 1680
    EXPECT_GT(raised, 50);
}

TEST(HillslopesStage, refuses_wrong_values_in_a_sentence) {
    const auto refused = [](const char* name, const Value& value) {
        HillslopesStageParameters parameters;
        return refusal_of(
            [&] { parameters_of<HillslopesStageParameters>().at(name).set(&parameters, value); });
    };
    EXPECT_THAT(refused("time", -2.0), HasSubstr("time = -2"));
    EXPECT_THAT(refusal_of([] { Ran(HillslopesStageParameters{.time = -0.5}); }),
                HasSubstr("time = -0.5 yr"));
    EXPECT_THAT(refusal_of([] { Ran(HillslopesStageParameters{.roughness = -0.5}); }),
                HasSubstr("roughness = -0.5 m"));
    EXPECT_THAT(refusal_of([] { Ran(HillslopesStageParameters{.gully_time = -0.5}); }),
                HasSubstr("gully_time = -0.5 yr"));
    EXPECT_THAT(refusal_of([] { Ran(HillslopesStageParameters{.grain = -0.5}); }),
                HasSubstr("grain = -0.5 m"));
    EXPECT_THAT(refusal_of([] { Ran(HillslopesStageParameters{.cell_means = -0.5}); }),
                HasSubstr("cell_means = -0.5"));
    EXPECT_THAT(refused("critical_slope", -1.0), HasSubstr("critical_slope = -1"));
    EXPECT_THAT(refused("diffusivity", -1.0), HasSubstr("diffusivity = -1"));
    EXPECT_THAT(refused("repose_slope", 0.0), HasSubstr("repose_slope = 0"));
    EXPECT_THAT(refusal_of([] {
                    Ran(HillslopesStageParameters{.landslides = {.landslides = 1.0, .most_slide = 1e3}});
                }),
                HasSubstr("most_slide = 1000 is not allowed"));
}

TEST(HillslopesStage, tells_where_no_place_slides) {
    const Ran ran(HillslopesStageParameters{.landslides = {.landslides = 1.0, .failure_slope = 8.0}});
    EXPECT_THAT(ran.diagnostics.notes, Contains(HasSubstr("no place slides")));
}

}  // namespace
}  // namespace thalweg
