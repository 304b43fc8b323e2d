#include "thalweg/meander/meander_maps.hpp"

#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/meander/histories.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Columns from x = 1000 to 3000 m, rows from y = -1000 to 2000 m.
Grid grid_of(double cell_size) {
    return {.columns = static_cast<int>(2000.0 / cell_size),
            .rows = static_cast<int>(3000.0 / cell_size),
            .cell_size = cell_size,
            .west = 1000.0,
            .north = 2000.0};
}

double area_of(const Field<float>& belt) {
    double cells = 0.0;
    for (const float value : belt) cells += value;
    return cells * belt.grid().cell_area();
}

Field<float> age_of(const MeanderHistory& history, const Grid& grid, std::optional<double> year = {}) {
    QuietProgress progress;
    return channel_age(history, grid, progress, year);
}

Field<float> moisture_of(const MeanderHistory& history, const Grid& grid,
                         const MeanderMapParameters& parameters) {
    QuietProgress progress;
    return meander_moisture(history, grid, parameters, progress);
}

Field<float> deposit_of(const MeanderHistory& history, const Grid& grid,
                        const MeanderMapParameters& parameters) {
    QuietProgress progress;
    return meander_deposit(history, grid, parameters, progress);
}

OxbowLakes lakes_of(const MeanderHistory& history, const Grid& grid,
                    const MeanderMapParameters& parameters = {}) {
    QuietProgress progress;
    return oxbow_lakes(history, grid, parameters, progress);
}

/// Three quarters of a ring of 400 m radius that was left in year 0, north of a straight channel.
MeanderHistory history_with_loop(double end) {
    MeanderHistory history =
        history_of([](double) { return straight_line(4000.0, -600.0, 100.0); }, 10.0, end);
    std::vector<RiverPoint> points;
    for (int i = 0; i <= 60; ++i) {
        const double angle = 1.25 * std::numbers::pi - 1.5 * std::numbers::pi * i / 60.0;
        points.push_back({2000.0 + 400.0 * std::cos(angle), 400.0 * std::sin(angle), 0.0});
    }
    history.courses.push_back(
        {.id = 77, .reach = 1, .year = 0.0, .line = channel_line(points, 100.0, 3.0, 80.0)});
    return history;
}

TEST(ChannelAge, of_a_channel_that_stays_is_0_over_its_width_and_no_data_beside_it) {
    for (const double cell : {10.0, 25.0}) {
        const Field<float> age = age_of(moving_channel(0.0, 5.0, 20.0), grid_of(cell));
        EXPECT_DOUBLE_EQ(area_of(channel_belt(age)), 2000.0 * 100.0) << cell;
        for (const float value : age) ASSERT_TRUE(is_no_data(value) || value == 0.0F) << value;
    }
}

TEST(ChannelAge, behind_a_channel_that_moves_is_the_way_of_its_bank_over_its_speed) {
    // Records at which it has moved by 0.4, 2 and 3.9 of its widths.
    for (const double interval : {2.0, 10.0, 19.5}) {
        const double speed = 20.0;
        const MeanderHistory history = moving_channel(speed, interval, 4.0 * interval);
        const double bank = speed * history.networks.back().year - 50.0;
        const Field<float> age = age_of(history, grid_of(10.0));
        for (int row = 0; row < age.rows(); ++row) {
            const double behind = bank - age.grid().y(row);
            const float here = age(100, row);
            if (behind > bank + 50.0 || behind < -100.0)
                ASSERT_TRUE(is_no_data(here)) << row;
            else
                ASSERT_NEAR(here, std::max(0.0, std::min(behind, bank + 50.0) / speed), 2e-3)
                    << interval << " " << row;
        }
        EXPECT_DOUBLE_EQ(area_of(channel_belt(age)), 2000.0 * (bank + 150.0));
    }
}

TEST(ChannelAge, of_a_new_branch_of_a_delta_leaves_what_lies_between_it_and_others) {
    MeanderHistory history;
    const auto branch = [](double y, std::int64_t id) {
        RecordedChannel channel = recorded(straight_line(4000.0, y, 100.0));
        channel.branch = id;
        return channel;
    };
    const RecordedChannel river = recorded(straight_line(4000.0, -700.0, 100.0));
    history.networks = {{.year = 0.0, .channels = {river, branch(0.0, 5)}},
                        {.year = 5.0, .channels = {river, branch(0.0, 5), branch(300.0, 6)}}};
    EXPECT_DOUBLE_EQ(area_of(channel_belt(age_of(history, grid_of(10.0)))), 3.0 * 2000.0 * 100.0);
    // In a braid, whose reach has no line of its own, branches are one another's from year to year.
    for (RecordedNetwork& network : history.networks) network.channels.erase(network.channels.begin());
    EXPECT_DOUBLE_EQ(area_of(channel_belt(age_of(history, grid_of(10.0)))), 2000.0 * 400.0);
}

TEST(ChannelAge, is_that_of_the_year_asked_for) {
    const MeanderHistory history = moving_channel(20.0, 5.0, 50.0);
    MeanderHistory shorter = history;
    shorter.networks.resize(5);
    const Field<float> age = age_of(history, grid_of(20.0), 22.0);
    const Field<float> expected = age_of(shorter, grid_of(20.0));
    EXPECT_TRUE(std::ranges::equal(
        age, expected, [](float a, float b) { return a == b || (is_no_data(a) && is_no_data(b)); }));
}

TEST(ChannelAge, has_no_gaps_however_often_courses_of_bends_are_recorded) {
    const Grid grid{.columns = 700, .rows = 300, .cell_size = 20.0, .west = 3000.0, .north = 3000.0};
    const double expected =
        area_of(channel_belt(age_of(simulated_history(20000.0, 100.0, 200.0, 0.5), grid)));
    for (const double interval : {2.0, 5.0}) {
        const Field<float> belt =
            channel_belt(age_of(simulated_history(20000.0, 100.0, 200.0, interval), grid));
        EXPECT_NEAR(area_of(belt) / expected, 1.0, 0.005) << interval;
    }
}

TEST(ChannelAge,
     of_a_network_whose_channels_capture_each_other_does_not_depend_on_how_often_it_was_recorded) {
    const Grid grid{.columns = 500, .rows = 240, .cell_size = 20.0, .west = 0.0, .north = 3000.0};
    const MeanderHistory dense = simulated_network(200.0, 0.5);
    EXPECT_GT(std::ranges::count(dense.courses, MeanderEventKind::Capture, &AbandonedCourse::cause), 5);
    const Field<float> expected = age_of(dense, grid);
    const Field<float> age = age_of(simulated_network(200.0, 5.0), grid);
    std::int64_t cells = 0;
    std::int64_t differing = 0;
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const bool is_belt = !is_no_data(expected[cell]);
        cells += is_belt ? 1 : 0;
        differing += is_belt == is_no_data(age[cell]) || std::abs(expected[cell] - age[cell]) > 10.0F ? 1 : 0;
    }
    EXPECT_GT(cells, 20000);
    EXPECT_LT(static_cast<double>(differing), 0.005 * static_cast<double>(cells));
}

TEST(ChannelAge, on_grids_of_other_cells_is_the_same_where_centres_lie_in_one_place) {
    const MeanderHistory history = simulated_history(12000.0, 100.0, 150.0, 5.0);
    const Grid coarse{.columns = 200, .rows = 100, .cell_size = 30.0, .west = 3000.0, .north = 1500.0};
    const Grid fine{.columns = 600, .rows = 300, .cell_size = 10.0, .west = 3000.0, .north = 1500.0};
    const Field<float> a = age_of(history, coarse);
    const Field<float> b = age_of(history, fine);
    std::int64_t differing = 0;
    for (int row = 0; row < coarse.rows; ++row)
        for (int column = 0; column < coarse.columns; ++column) {
            const float other = b(3 * column + 1, 3 * row + 1);
            const bool is_same =
                is_no_data(a(column, row)) ? is_no_data(other) : std::abs(a(column, row) - other) < 0.01F;
            differing += is_same ? 0 : 1;
        }
    EXPECT_LE(differing, 10);
}

TEST(MeanderMaps, of_what_channels_lay_down_are_the_same_on_grids_of_other_cells) {
    const MeanderMapParameters parameters{.scroll_period = 0.0};
    const MeanderHistory history = simulated_history(8000.0, 100.0, 120.0, 5.0);
    const Grid coarse{.columns = 100, .rows = 60, .cell_size = 45.0, .west = 2000.0, .north = 1350.0};
    const Grid fine{.columns = 300, .rows = 180, .cell_size = 15.0, .west = 2000.0, .north = 1350.0};
    const auto differing = [&](const auto& map_of) {
        const Field<float> a = map_of(history, coarse, parameters);
        const Field<float> b = map_of(history, fine, parameters);
        const float most = *std::ranges::max_element(a);
        EXPECT_GT(most, 0.1F);
        int count = 0;
        for (int row = 0; row < coarse.rows; ++row)
            for (int column = 0; column < coarse.columns; ++column)
                count += std::abs(a(column, row) - b(3 * column + 1, 3 * row + 1)) > 1e-3F * most ? 1 : 0;
        return count;
    };
    EXPECT_LE(differing(moisture_of), 5);
    EXPECT_LE(differing(deposit_of), 20);
}

TEST(MeanderMaps, have_the_same_bits_on_any_number_of_threads) {
    const MeanderHistory history = simulated_history(12000.0, 60.0, 150.0, 5.0);
    const Grid grid{.columns = 300, .rows = 200, .cell_size = 20.0, .west = 3000.0, .north = 2000.0};
    const auto maps = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        Field<float> age = age_of(history, grid);
        for (float& value : age)
            if (is_no_data(value)) value = -1.0F;
        return std::vector{age, moisture_of(history, grid, {}), deposit_of(history, grid, {}),
                           lakes_of(history, grid).depth};
    };
    const auto expected = maps(1);
    EXPECT_EQ(maps(2), expected);
    EXPECT_EQ(maps(8), expected);
}

TEST(MeanderMaps, of_no_channel_are_maps_of_none) {
    for (const MeanderHistory& history :
         {MeanderHistory{},
          MeanderHistory{.networks = {{.year = 0.0, .channels = {}}, {.year = 5.0, .channels = {}}},
                         .courses = {},
                         .events = {}}}) {
        const Grid grid = grid_of(100.0);
        EXPECT_DOUBLE_EQ(area_of(channel_belt(age_of(history, grid))), 0.0);
        EXPECT_THAT(moisture_of(history, grid, {}).values(), testing::Each(0.0F));
        EXPECT_THAT(deposit_of(history, grid, {}).values(), testing::Each(0.0F));
        EXPECT_TRUE(lakes_of(history, grid).lakes.empty());
    }
}

TEST(MeanderMaps, refuse_grids_and_histories_that_are_none) {
    const MeanderHistory good = moving_channel(20.0, 5.0, 20.0);
    EXPECT_NE(refusal_of([&] { age_of(good, Grid{}); }), "");
    MeanderHistory history = good;
    history.networks[1].year = -3.0;
    EXPECT_EQ(refusal_of([&] { moisture_of(history, grid_of(100.0), {}); }),
              "year -3 of the history follows year 0: years must not descend");
    history = good;
    history.networks[2].channels[0].width[3] = 0.0F;
    EXPECT_EQ(
        refusal_of([&] { deposit_of(history, grid_of(100.0), {}); }),
        "a course of the history has a point at (150, 200) of width 0 m: places must be finite and widths "
        "greater than 0");
    history = good;
    history.networks[2].channels[0].y.pop_back();
    EXPECT_EQ(refusal_of([&] { lakes_of(history, grid_of(100.0)); }),
              "a course of the history has 81 x, 80 y and 81 widths: give as many of each");
}

TEST(Moisture, near_a_channel_that_stays_is_that_of_the_equation) {
    const MeanderMapParameters parameters{.moisture_rate = 0.01,
                                          .moisture_memory = std::numeric_limits<double>::infinity()};
    const Field<float> moisture = moisture_of(moving_channel(0.0, 5.0, 50.0), grid_of(10.0), parameters);
    for (int row = 0; row < moisture.rows(); ++row) {
        const double u = std::clamp((std::abs(moisture.grid().y(row)) - 50.0) / 600.0, 0.0, 1.0);
        const double sum = 0.5 * (1.0 - u) * (1.0 - u) * (1.0 + 2.0 * u);
        ASSERT_NEAR(moisture(50, row), 1.0 - std::exp(-sum), 1e-5) << row;
    }
}

TEST(Moisture, and_levees_do_not_depend_on_how_often_networks_were_recorded) {
    const MeanderMapParameters parameters{.moisture_memory = 80.0, .deposit_form = DepositForm::Levees};
    const Grid grid = grid_of(20.0);
    const Field<float> moisture = moisture_of(moving_channel(15.0, 1.0, 60.0), grid, parameters);
    const Field<float> deposit = deposit_of(moving_channel(15.0, 1.0, 60.0), grid, parameters);
    const float highest = *std::ranges::max_element(deposit);
    for (const double interval : {5.0, 20.0}) {
        const Field<float> rarer = moisture_of(moving_channel(15.0, interval, 60.0), grid, parameters);
        const Field<float> rarer_deposit = deposit_of(moving_channel(15.0, interval, 60.0), grid, parameters);
        for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
            ASSERT_NEAR(rarer[cell], moisture[cell], 0.01) << interval << " " << cell;
            ASSERT_NEAR(rarer_deposit[cell], deposit[cell], 0.06 * highest) << interval << " " << cell;
        }
    }
}

TEST(Moisture, adds_stream_power_where_it_is_given) {
    const Grid grid = grid_of(50.0);
    const Field<float> power(grid, 4.0F);
    QuietProgress progress;
    const Field<float> moisture =
        meander_moisture({}, grid, {.stream_power_share = 0.1}, progress, {}, &power);
    EXPECT_FLOAT_EQ(moisture[0], 1.0F - std::exp(-0.4F));
    const Field<float> elsewhere(grid_of(100.0), 4.0F);
    EXPECT_EQ(refusal_of([&] { meander_moisture({}, grid, {}, progress, {}, &elsewhere); }),
              "stream power must be on the grid of the other layers");
}

TEST(Deposit, of_levees_is_highest_on_both_banks_and_reaches_as_far_as_it_may) {
    const MeanderMapParameters parameters{.deposit_form = DepositForm::Levees, .deposit_rate = 0.01};
    const Field<float> deposit = deposit_of(moving_channel(0.0, 5.0, 50.0), grid_of(10.0), parameters);
    for (int row = 0; row < deposit.rows(); ++row) {
        const double widths = std::abs(deposit.grid().y(row)) / 100.0;
        const double inside = 2.0 * widths;
        const double expected = widths < 0.5   ? inside * inside * (3.0 - 2.0 * inside)
                                : widths < 4.0 ? std::pow(1.0 - (widths - 0.5) / 3.5, 3.0)
                                               : 0.0;
        ASSERT_NEAR(deposit(50, row), 0.5 * expected, 1e-5) << row;
    }
}

TEST(Deposit, of_bars_lies_where_channels_have_left_and_is_gone_where_they_are) {
    const MeanderMapParameters parameters{
        .deposit_rate = 0.0, .bar_height = 2.0, .bar_growth_time = 10.0, .scroll_period = 0.0};
    const MeanderHistory history = moving_channel(20.0, 5.0, 50.0);
    const Grid grid = grid_of(10.0);
    const Field<float> age = age_of(history, grid);
    const Field<float> deposit = deposit_of(history, grid, parameters);
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
        ASSERT_NEAR(deposit[cell], is_no_data(age[cell]) ? 0.0 : 2.0 * (1.0 - std::exp(-age[cell] / 10.0)),
                    1e-5);
}

TEST(Deposit, of_bars_has_a_ridge_for_each_period_of_scroll_bars) {
    const MeanderMapParameters parameters{.deposit_rate = 0.0, .bar_growth_time = 0.0, .scroll_period = 10.0};
    const Field<float> deposit = deposit_of(moving_channel(20.0, 5.0, 70.0), grid_of(10.0), parameters);
    int ridges = 0;
    for (int row = 1; row + 1 < deposit.rows(); ++row)
        ridges += deposit(50, row) > deposit(50, row - 1) && deposit(50, row) >= deposit(50, row + 1) &&
                          deposit(50, row) > parameters.bar_height * 1.03
                      ? 1
                      : 0;
    EXPECT_NEAR(ridges, 7, 1);
}

TEST(Deposit, has_ridges_between_minus_1_and_1_that_come_once_a_period) {
    int ridges = 0;
    for (double year = 0.0; year < 1000.0; year += 0.1) {
        const double here = scroll_ridge(year, 10.0);
        ASSERT_LE(std::abs(here), 1.0);
        ridges += here > scroll_ridge(year - 0.1, 10.0) && here >= scroll_ridge(year + 0.1, 10.0) ? 1 : 0;
    }
    EXPECT_NEAR(ridges, 100, 2);
}

TEST(Deposit, beside_a_bend_is_higher_on_its_inner_bank) {
    const MeanderMapParameters parameters{.scroll_period = 0.0};
    std::vector<RiverPoint> points;
    for (int i = 0; i <= 60; ++i) {
        const double angle = std::numbers::pi * i / 60.0;
        points.push_back({2000.0 + 600.0 * std::cos(angle), 600.0 * std::sin(angle), 0.0});
    }
    const MeanderHistory history =
        history_of([&](double) { return channel_line(points, 100.0, 3.0, 80.0); }, 10.0, 100.0);
    const Grid grid = grid_of(10.0);
    const Field<float> deposit = deposit_of(history, grid, parameters);
    const int column = static_cast<int>(std::lround(grid.column_at(2000.0)));
    const auto at_radius = [&](double radius) {
        return deposit(column, static_cast<int>(std::lround(grid.row_at(radius))));
    };
    EXPECT_GT(at_radius(530.0), 2.0F * at_radius(670.0));
    EXPECT_GT(at_radius(670.0), 0.0F);
    EXPECT_EQ(at_radius(600.0), 0.0F);
}

TEST(OxbowLakes, are_filled_by_age_from_their_ends_and_narrow_as_they_do) {
    const MeanderMapParameters parameters{.oxbow_fill_time = 100.0, .oxbow_plug_time = 5.0};
    const AbandonedCourse loop = history_with_loop(10.0).courses.front();
    const std::optional<ChannelLine> fresh = oxbow_water(loop, 0.0, parameters);
    ASSERT_TRUE(fresh);
    EXPECT_EQ(*fresh, loop.line);
    double length = length_of(*fresh);
    for (const double age : {5.0, 20.0, 50.0, 100.0}) {
        const std::optional<ChannelLine> water = oxbow_water(loop, age, parameters);
        ASSERT_TRUE(water);
        EXPECT_LE(length_of(*water), length);
        length = length_of(*water);
        const std::size_t middle = water->size() / 2;
        EXPECT_NEAR(water->values.depth[middle], 3.0 * std::exp(-age / 100.0), 1e-5);
        EXPECT_NEAR(water->values.width[middle], 100.0 * std::exp(-age / 200.0), 1e-4);
    }
    EXPECT_NEAR(length, length_of(*fresh) - 2.0 * 200.0, 100.0);
    EXPECT_FALSE(oxbow_water(loop, 1000.0, parameters));
}

TEST(OxbowLakes, as_cells_have_the_area_and_depth_of_their_water) {
    for (const double cell : {10.0, 20.0}) {
        const OxbowLakes lakes = lakes_of(history_with_loop(50.0), grid_of(cell));
        ASSERT_EQ(lakes.lakes.size(), 1U);
        const OxbowLake& lake = lakes.lakes.front();
        EXPECT_EQ(lake.id, 77);
        EXPECT_DOUBLE_EQ(lake.age, 50.0);
        const ChannelLine water = *oxbow_water(history_with_loop(50.0).courses.front(), 50.0, {});
        double area = 0.0;
        for (std::size_t i = 1; i < water.size(); ++i)
            area += 0.5 * (water.values.width[i - 1] + water.values.width[i]) *
                    std::hypot(water.x[i] - water.x[i - 1], water.y[i] - water.y[i - 1]);
        EXPECT_NEAR(lake.area, area, 0.02 * area) << cell;
        EXPECT_NEAR(lake.depth, 3.0 * std::exp(-0.5), 0.03) << cell;
        ASSERT_EQ(lake.parts.size(), 1U);
        EXPECT_EQ(std::ranges::count(lakes.oxbow, 1), std::llround(lake.area / (cell * cell)));
    }
}

TEST(OxbowLakes, are_gone_where_a_channel_has_come_back) {
    MeanderHistory history = history_with_loop(50.0);
    const double before = lakes_of(history, grid_of(10.0)).lakes.front().area;
    for (RecordedNetwork& network : history.networks)
        if (network.year > 0.0) network.channels.push_back(recorded(straight_line(4000.0, 350.0, 100.0), 2));
    const double after = lakes_of(history, grid_of(10.0)).lakes.front().area;
    EXPECT_LT(after, 0.9 * before);
    EXPECT_GT(after, 0.4 * before);
}

TEST(Vegetation, is_bare_on_young_bars_dense_near_channels_and_none_in_water) {
    const Grid grid{.columns = 5, .rows = 1};
    const Field<float> age(grid, {0.0F, 1.0F, 200.0F, kNoData, 200.0F});
    const Field<float> moisture(grid, {1.0F, 1.0F, 1.0F, 0.0F, 1.0F});
    const Field<float> deposit(grid, 0.0F);
    const Field<float> water(grid, {0.0F, 0.0F, 0.0F, 0.0F, 2.0F});
    const Field<float> plants = meander_vegetation({age, moisture, deposit, water}, {.dry_vegetation = 0.2});
    EXPECT_EQ(plants[0], 0.0F);
    EXPECT_LT(plants[1], 0.1F);
    EXPECT_GT(plants[2], 0.95F);
    EXPECT_FLOAT_EQ(plants[3], 0.2F);
    EXPECT_EQ(plants[4], 0.0F);
    const Field<float> elsewhere(Grid{.columns = 2, .rows = 1}, 0.0F);
    EXPECT_EQ(refusal_of([&] { meander_vegetation({age, elsewhere, deposit, water}, {}); }),
              "moisture must be on the grid of the other layers");
}

TEST(MeanderMapParameters, are_refused_with_one_sentence_out_of_range) {
    MeanderMapParameters parameters;
    EXPECT_NE(refusal_of(
                  [&] { parameters_of<MeanderMapParameters>().at("oxbow_fill_time").set(&parameters, 0.0); }),
              "");
    EXPECT_NE(
        refusal_of([&] { parameters_of<MeanderMapParameters>().at("dry_vegetation").set(&parameters, 1.5); }),
        "");
}

}  // namespace
}  // namespace thalweg
