#include "thalweg/erosion/erosion_history.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/grid/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "tests/refusal.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

Grid square(int cells) {
    return make_grid(12800.0, 12800.0, cells);
}

ErosionInputs ground(int cells) {
    ErosionInputs inputs;
    inputs.grid = square(cells);
    inputs.elevation = [](const Grid& grid, Progress&) {
        Field<float> z(grid);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            z[cell] = static_cast<float>(20.0 * (std::sin(grid.x(grid.column_of(cell)) / 900.0) *
                                                 std::cos(grid.y(grid.row_of(cell)) / 1100.0)));
        return z;
    };
    return inputs;
}

ErosionParameters quiet() {
    ErosionParameters parameters;
    parameters.diagnostics = false;
    return parameters;
}

double mean_of(const Field<float>& field) {
    double sum = 0.0;
    for (const float value : field) sum += value;
    return sum / static_cast<double>(field.size());
}

TEST(UpliftHistory, spreads_uplift_as_its_patterns_say) {
    const Grid grid = square(64);
    const auto rate = [&](UpliftEpisode episode, double x, double y) {
        episode.centre = {6400.0, 6400.0};
        episode.direction = 90.0;  // east
        episode.uplift = 1e-3;
        const Field<float> field = uplift_source(episode, 0, grid, 7)(grid, progress);
        return 1e3 * field(static_cast<int>(x / 200.0), static_cast<int>(y / 200.0));
    };
    EXPECT_NEAR(rate({.pattern = UpliftPattern::Even, .centre = {}}, 100, 100), 1.0, 1e-6);
    EXPECT_NEAR(rate({.pattern = UpliftPattern::Tilt, .centre = {}}, 12700, 6400), 1.0, 0.02);
    EXPECT_NEAR(rate({.pattern = UpliftPattern::Tilt, .centre = {}}, 100, 6400), 0.0, 0.02);
    EXPECT_NEAR(rate({.pattern = UpliftPattern::Dome, .centre = {}}, 6400, 6400), 1.0, 0.01);
    EXPECT_NEAR(rate({.pattern = UpliftPattern::Dome, .centre = {}}, 100, 6400), 0.0, 1e-6);
    EXPECT_GT(rate({.pattern = UpliftPattern::Block, .centre = {}}, 12700, 6400), 1.1);
    EXPECT_LT(rate({.pattern = UpliftPattern::Block, .centre = {}}, 100, 6400), 0.4);
}

TEST(UpliftHistory, is_the_same_at_every_size) {
    const Grid home = square(64);
    const LayerSource source = uplift_source(episodes_of(HistoryPreset::RisingBlock)[0], 0, home, 7);
    const Field<float> coarse = source(home, progress);
    const Field<float> fine = source(square(192), progress);
    for (int row = 0; row < 64; ++row)
        for (int column = 0; column < 64; ++column)
            ASSERT_FLOAT_EQ(coarse(column, row), fine(3 * column + 1, 3 * row + 1));
}

TEST(UpliftHistory, is_refused_with_the_number_of_the_episode) {
    const auto refusal = [](const UpliftEpisode& episode) {
        return refusal_of([&] { check_episodes({{}, episode}); });
    };
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(refusal({.duration = 0.0, .centre = {}}),
              "episode 2: duration = 0 yr is not allowed: give more than 0 yr");
    EXPECT_EQ(refusal({.uplift = 2.0, .centre = {}}),
              "episode 2: uplift = 2 m/yr is not allowed: give -1 to 1 m/yr");
    EXPECT_EQ(refusal({.centre = {1.0}}),
              "episode 2: centre is not allowed: give x and y in metres, or nothing");
    EXPECT_EQ(refusal({.duration = 1e8, .uplift = 1e-3, .centre = {}}),
              "episode 2: uplift = 0.001 m/yr for 100000000 yr brings the rise of all episodes to 100.2 km: "
              "give up to 50 km");
    EXPECT_EQ(refusal({.duration = 1e8, .uplift = 0.0, .centre = {}}), "");
}

TEST(UpliftHistory, is_refused_where_it_moves_the_ground_too_far_in_words_of_which_way) {
    const UpliftEpisode fall{.duration = 6e7, .uplift = -1e-3, .centre = {}};
    EXPECT_EQ(refusal_of([&] { check_episodes({fall}); }),
              "episode 1: uplift = -0.001 m/yr for 60000000 yr brings the fall of all episodes to 60 km: "
              "give up to 50 km");
    EXPECT_EQ(
        refusal_of([&] { check_episodes({{}, fall}); }),
        "episode 2: uplift = -0.001 m/yr for 60000000 yr brings the rise and fall of all episodes to 60.2 "
        "km: give up to 50 km");
    const UpliftEpisode painted{
        .pattern = UpliftPattern::Painted, .duration = 1e6, .uplift = 1e-3, .centre = {}};
    EXPECT_EQ(refusal_of([&] { check_episodes({painted}, 50.0); }), "");
    EXPECT_EQ(refusal_of([&] { check_episodes({painted}, 1000.0); }),
              "episode 1: uplift = 0.001 m/yr, 1000 times that on its map, for 1000000 yr brings the rise of "
              "all episodes to 1000 km: give up to 50 km");
    EXPECT_EQ(refusal_of([&] { check_episodes({{}}, 1000.0); }), "") << "not painted";
}

TEST(ErosionHistory, of_one_increment_is_one_erosion) {
    const ErosionInputs inputs = ground(96);
    const HistoryParameters history{
        HistoryStart::Terrain, 0.0, {{.duration = 1e5, .uplift = 1e-3, .centre = {}}}};
    ErosionHistory aged(inputs, history, quiet(), {}, 7);
    ErosionInputs once = inputs;
    once.elevation = field_source(inputs.elevation(inputs.grid, progress));
    once.uplift = constant_source(1e-3F);
    ErosionParameters parameters = quiet();
    parameters.time = 1e5;
    EXPECT_EQ(aged.at(1e5, progress), erode(once, parameters, 7, progress).elevation);
    for (const float risen : aged.risen()) ASSERT_NEAR(risen, 100.0F, 1e-3);
}

TEST(ErosionHistory, answers_alike_in_any_order_of_times) {
    const HistoryParameters history{HistoryStart::Steady, 3e-4, episodes_of(HistoryPreset::Pulses)};
    ErosionHistory aged(ground(64), history, quiet(), {}, 7);
    const Field<float> end = aged.at(std::numeric_limits<double>::infinity(), progress);
    const Field<float> early = aged.at(2.5e5, progress);
    EXPECT_EQ(aged.at(aged.duration(), progress), end);
    ErosionHistory fresh(ground(64), history, quiet(), {}, 7);
    EXPECT_EQ(fresh.at(2.5e5, progress), early);
}

TEST(ErosionHistory, goes_back_to_a_time_by_one_increment) {
    int looks = 0;
    const ErodibilityOfRock rock = [&looks](const Field<float>& z, Progress&) {
        ++looks;
        return Field<float>(z.grid(), 2e-5F);
    };
    const HistoryParameters history{HistoryStart::Steady, 3e-4, episodes_of(HistoryPreset::Pulses)};
    ErosionHistory aged(ground(64), history, quiet(), rock, 7);
    aged.at(std::numeric_limits<double>::infinity(), progress);
    const int all = looks;
    aged.at(0.99 * aged.duration(), progress);
    const int late = looks - all;
    aged.at(0.05 * aged.duration(), progress);
    EXPECT_EQ(looks - all - late, late);
    EXPECT_LT(4 * late, all);
}

TEST(ErosionHistory, keeps_few_states_of_a_long_history_and_answers_alike) {
    const HistoryParameters history{
        HistoryStart::Terrain, 0.0, {{.duration = 4e6, .uplift = 1.4e-3, .centre = {}}}};
    ErosionHistory aged(ground(32), history, quiet(), {}, 7);
    const double years = 4e6 / 38.0;  // 5600 m in increments of 150 m at most
    const Field<float> late = aged.at(37.5 * years, progress);
    const Field<float> early = aged.at(4.0 * years, progress);
    aged.at(20.5 * years, progress);
    EXPECT_EQ(aged.at(4.0 * years, progress), early);
    EXPECT_EQ(aged.at(37.5 * years, progress), late);
    ErosionHistory fresh(ground(32), history, quiet(), {}, 7);
    EXPECT_EQ(fresh.at(4.0 * years, progress), early);
}

TEST(ErosionHistory, lets_hard_rock_stand_out_where_it_comes_up) {
    // Below the ground of time 0 the eastern half is eight times as hard.
    const ErodibilityOfRock rock = [](const Field<float>& z, Progress&) {
        Field<float> k(z.grid(), 2e-5F);
        for (std::int64_t cell = 0; cell < k.size(); ++cell)
            if (z.grid().x(z.grid().column_of(cell)) > 6400.0 && z[cell] < -100.0F) k[cell] = 2.5e-6F;
        return k;
    };
    const HistoryParameters history{
        HistoryStart::Steady, 3e-4, {{.duration = 1e6, .uplift = 5e-4, .centre = {}}}};
    ErosionHistory aged(ground(96), history, quiet(), rock, 7);
    const auto halves = [&](double time) {
        const Field<float> z = aged.at(time, progress);
        double west = 0.0;
        double east = 0.0;
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            (z.grid().column_of(cell) < 48 ? west : east) += z[cell];
        return east / west;
    };
    EXPECT_NEAR(halves(0.0), 1.0, 0.15) << "before the hard rock comes up";
    EXPECT_GT(halves(1e6), 1.3);
}

TEST(ErosionHistory, is_the_same_at_every_size) {
    const auto aged = [](int cells) {
        ErosionParameters parameters = quiet();
        parameters.law.hillslope = false;
        parameters.law.debris_flow_celerity = 8e-4;
        return ErosionHistory(ground(cells),
                              {HistoryStart::Steady, 6e-4, episodes_of(HistoryPreset::RisingBlock)},
                              parameters, {}, 7)
            .at(8e5, progress);
    };
    const Field<float> coarse = aged(128);
    const Field<float> fine = resample(aged(256), coarse.grid());
    const double mean_coarse = mean_of(coarse), mean_fine = mean_of(fine);
    double covariance = 0.0, square_coarse = 0.0, square_fine = 0.0;
    for (std::int64_t cell = 0; cell < coarse.size(); ++cell) {
        const double a = coarse[cell] - mean_coarse, b = fine[cell] - mean_fine;
        covariance += a * b, square_coarse += a * a, square_fine += b * b;
    }
    EXPECT_NEAR(mean_fine / mean_coarse, 1.0, 0.07);
    EXPECT_NEAR(std::sqrt(square_fine / square_coarse), 1.0, 0.1);
    EXPECT_GT(covariance / std::sqrt(square_coarse * square_fine), 0.98);
}

/// Of the cells that drain more than `area` (m^2) of `coarse`, the share within a cell of one that does of
/// `fine`, of half its cell size.
double shared_rivers(const Field<float>& coarse, const Field<float>& fine, double area) {
    const auto drained = [&](const Field<float>& elevation) {
        const FlowTree tree = route(elevation, {}, progress).tree;
        Field<std::uint8_t> is_river(elevation.grid());
        const double cell_area = elevation.grid().cell_size * elevation.grid().cell_size;
        for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
            is_river[cell] = static_cast<double>(tree.upstream_cells[cell]) * cell_area > area ? 1 : 0;
        return is_river;
    };
    const Field<std::uint8_t> few = drained(coarse), many = drained(fine);
    int all = 0, found = 0;
    for (int row = 1; row + 1 < few.rows(); ++row)
        for (int column = 1; column + 1 < few.columns(); ++column) {
            if (few(column, row) == 0) continue;
            bool near = false;
            for (int y = 2 * row - 2; y < 2 * row + 4; ++y)
                for (int x = 2 * column - 2; x < 2 * column + 4; ++x) near = near || many(x, y) != 0;
            ++all;
            found += near ? 1 : 0;
        }
    return static_cast<double>(found) / all;
}

ErodibilityOfRock dipping_beds() {
    return [](const Field<float>& z, Progress&) {
        Field<float> k(z.grid());
        for (std::int64_t cell = 0; cell < k.size(); ++cell) {
            const double x = z.grid().x(z.grid().column_of(cell)), y = z.grid().y(z.grid().row_of(cell));
            const double depth = z[cell] + 0.3 * x + 0.1 * y + 40.0 * std::sin(x / 700.0);
            k[cell] = static_cast<float>(2e-5 * (std::sin(depth / 30.0) > 0.0 ? 2.0 : 0.5));
        }
        return k;
    };
}

ErosionHistory over_dipping_beds(int cells) {
    return {ground(cells),
            {HistoryStart::Steady, 1e-3, episodes_of(HistoryPreset::RisingBlock)},
            quiet(),
            dipping_beds(),
            7};
}

TEST(ErosionHistory, has_the_same_rivers_at_twice_the_cells_where_beds_of_rock_differ) {
    ErosionHistory coarse = over_dipping_beds(136);
    ErosionHistory fine = over_dipping_beds(272);
    for (const double time : {0.0, 8e5})
        EXPECT_GT(shared_rivers(coarse.at(time, progress), fine.at(time, progress), 1e6), 0.9) << time;
}

TEST(ErosionHistory, answers_alike_in_any_order_of_times_where_it_has_a_parent_grid) {
    ErosionHistory aged = over_dipping_beds(272);
    const Field<float> late = aged.at(4e5, progress);
    const Field<float> fading = aged.at(6.9e5, progress);
    const Field<float> early = aged.at(1e5, progress);
    EXPECT_EQ(aged.at(4e5, progress), late);
    EXPECT_EQ(over_dipping_beds(272).at(1e5, progress), early);
    EXPECT_EQ(over_dipping_beds(272).at(6.9e5, progress), fading);
}

TEST(ErosionHistory, changes_little_in_little_time_with_a_parent_grid) {
    ErosionHistory aged = over_dipping_beds(272);
    const double left_parent = aged.duration() - 0.5 * ErosionHistory::kRefinedTime;  // yr
    const double faded = left_parent + ErosionHistory::kFadeTime;                     // yr
    for (const double time : {2e5, left_parent, left_parent + 0.5 * ErosionHistory::kFadeTime, faded}) {
        const Field<float> before = aged.at(time - 1e3, progress);
        const Field<float> risen_before = aged.risen();
        const Field<float> after = aged.at(time + 1e3, progress);
        double square_of_change = 0.0;
        for (std::int64_t cell = 0; cell < after.size(); ++cell) {
            square_of_change += std::pow(after[cell] - before[cell], 2.0);
            ASSERT_GT(aged.risen()[cell], risen_before[cell]);
            ASSERT_LT(aged.risen()[cell], risen_before[cell] + 4.0F);
        }
        EXPECT_LT(std::sqrt(square_of_change / static_cast<double>(after.size())), 4.0) << time;
    }
}

TEST(ErosionHistory, is_as_high_as_by_stepping_where_edges_are_held) {
    ErosionInputs inputs = ground(96);
    inputs.boundary = edge_roots(inputs.elevation(inputs.grid, progress));
    ErosionParameters parameters = quiet();
    parameters.law.hillslope = false;
    ErosionHistory aged(inputs,
                        {HistoryStart::Steady, 3e-4, {{.duration = 1e6, .uplift = 5e-4, .centre = {}}}},
                        parameters, {}, 7);
    inputs.elevation = field_source(aged.at(0.0, progress));
    inputs.uplift = constant_source(5e-4F);
    parameters.method = ErosionMethod::Stepping;
    parameters.time_step = 2e3;
    for (const double time : {5e5, 1e6}) {
        parameters.time = time;
        const double by_stepping = mean_of(erode(inputs, parameters, 7, progress).elevation);
        EXPECT_NEAR(mean_of(aged.at(time, progress)), by_stepping, 0.015 * by_stepping) << time;
    }
}

/// Of the cells that drain others, the share whose water goes on for 5 cells in one direction.
double straight_share(const Field<float>& elevation) {
    constexpr int kSteps = 5;
    constexpr std::uint32_t kLeastDrained = 6;  // cells
    const FlowTree tree = route(elevation, {}, progress).tree;
    int straight = 0, all = 0;
    for (std::int32_t cell = 0; cell < elevation.size(); ++cell) {
        if (tree.receiver(cell) < 0 || tree.upstream_cells[cell] < kLeastDrained) continue;
        std::int32_t end = cell;
        int steps = 0;
        for (; steps < kSteps && tree.direction[end] == tree.direction[cell]; ++steps)
            end = tree.receiver(end);
        ++all;
        straight += steps == kSteps ? 1 : 0;
    }
    return static_cast<double>(straight) / all;
}

TEST(ErosionHistory, has_fewer_valleys_along_rows_columns_and_diagonals_than_on_the_cells_of_a_raster) {
    const std::vector<UpliftEpisode> episodes{{.duration = 8e5, .uplift = 1e-3, .centre = {}}};
    for (const std::uint64_t seed : {7U, 8U}) {
        ErosionHistory on_mesh(ground(160), {HistoryStart::Steady, 3e-4, episodes}, quiet(), {}, seed);
        ErosionInputs inputs = ground(160);
        inputs.elevation = field_source(on_mesh.at(0.0, progress));
        ErosionHistory on_cells(inputs, {HistoryStart::Terrain, 0.0, episodes}, quiet(), {}, seed);
        EXPECT_LT(straight_share(on_mesh.at(8e5, progress)),
                  0.85 * straight_share(on_cells.at(8e5, progress)));
    }
}

TEST(ErosionHistory, tells_progress_that_never_goes_back) {
    struct Listening final : Progress {
        std::vector<double> fractions;
        void show(double fraction, std::string_view) override { fractions.push_back(fraction); }
    } listening;
    ErosionHistory aged(ground(64), {HistoryStart::Steady, 6e-4, episodes_of(HistoryPreset::RisingBlock)},
                        quiet(), {}, 7);
    ErosionHistory refined = over_dipping_beds(272);
    for (ErosionHistory* const history : {&aged, &refined}) {
        listening.fractions.clear();
        history->at(7e5, listening);
        EXPECT_GT(listening.fractions.size(), 10U);
        EXPECT_TRUE(std::ranges::is_sorted(listening.fractions));
        EXPECT_GT(listening.fractions.back(), 0.9);
    }
}

TEST(ErosionHistory, wears_down_what_no_longer_rises) {
    const std::vector<UpliftEpisode> episodes = episodes_of(HistoryPreset::Decay);
    ErosionHistory aged(ground(64), {HistoryStart::Steady, 3e-4, episodes}, quiet(), {}, 7);
    const double high = mean_of(aged.at(episodes[0].duration, progress));
    EXPECT_LT(mean_of(aged.at(aged.duration(), progress)), 0.5 * high);
}

TEST(ErosionHistory, has_the_same_bits_on_any_number_of_threads) {
    const auto on = [](int threads) {
        const ExecutionScope scope({.progress = &progress, .threads = threads});
        return over_dipping_beds(272).at(3e5, progress);
    };
    const Field<float> one = on(1);
    EXPECT_EQ(on(2), one);
    EXPECT_EQ(on(8), one);
}

}  // namespace
}  // namespace thalweg
