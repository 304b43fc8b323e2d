#include "thalweg/rock/rock_body.hpp"

#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kExtent = 25600.0;  // m

/// Two level formations, and nothing else.
RockParameters plain() {
    return {.formations =
                {{.name = "cap", .thickness = 100.0, .erodibility_factor = 0.25, .critical_slope = 1.2},
                 {.name = "clay", .thickness = 300.0, .erodibility_factor = 4.0, .critical_slope = 0.4}},
            .strike = 30.0,
            .dip = 0.0,
            .bed_thickness = 0.0,
            .bed_contrast = 0.0,
            .fold_height = 0.0,
            .fold_length = 0.0,
            .fault_spacing = 0.0,
            .fault_throw = 0.0,
            .joint_spacing = 0.0,
            .joint_strength = 0.0,
            .heterogeneity = 0.0,
            .pluton_share = 0.0,
            .dyke_spacing = 0.0,
            .cover = 0.0,
            .top = 500.0};
}

Grid square(int cells) {
    return make_grid(kExtent, kExtent, cells);
}

RockSurface at_level(const RockBody& body, const Grid& grid, float z) {
    return body.at(body.columns(grid, progress), Field<float>(grid, z), progress);
}

double deviation_of_logarithms(const Field<float>& values) {
    double sum = 0.0;
    double squares = 0.0;
    for (const float value : values) {
        sum += std::log(value);
        squares += std::log(value) * std::log(value);
    }
    const auto n = static_cast<double>(values.size());
    return std::sqrt(squares / n - sum / n * sum / n);
}

TEST(RockBody, lays_its_formations_one_below_the_other_and_repeats_them) {
    const RockBody body(plain(), 3);
    const Grid hole = make_grid(30.0, 30.0, 3);
    std::vector<int> order;
    std::vector<double> thickness;
    for (float z = 499.5F; z > -700.5F; z -= 1.0F) {
        const int formation = at_level(body, hole, z).formation[4];
        if (order.empty() || order.back() != formation) {
            order.push_back(formation);
            thickness.push_back(0.0);
        }
        thickness.back() += 1.0;
    }
    EXPECT_THAT(order, testing::ElementsAre(0, 1, 0, 1, 0, 1));
    for (std::size_t i = 0; i < order.size(); i += 2) {
        EXPECT_NEAR(thickness[i] + thickness[i + 1], 400.0, 1.01) << "the column's thickness";
        EXPECT_GE(thickness[i], 100.0 * 0.6 / 1.4 - 1.0);
        EXPECT_LE(thickness[i], 100.0 * 1.4 / 0.6 + 1.0);
    }
    EXPECT_NE(thickness[0], thickness[2]);
}

TEST(RockBody, gives_factor_and_slope_of_the_formation_at_the_surface) {
    const RockBody body(plain(), 3);
    const RockSurface surface = at_level(body, make_grid(30.0, 30.0, 3), 480.0F);
    EXPECT_NEAR(surface.erodibility_factor[4], 0.25, 1e-6);
    EXPECT_FLOAT_EQ(surface.critical_slope[4], 1.2F);
}

TEST(RockBody, falls_by_its_dip_to_the_right_of_its_strike) {
    RockParameters parameters = plain();
    parameters.dip = 30.0;
    parameters.strike = 0.0;  // north: beds fall to the east
    const Grid grid = square(64);
    const RockColumns columns = RockBody(parameters, 3).columns(grid, progress);
    EXPECT_NEAR(columns.base(11, 5) - columns.base(10, 5), 400.0 * 0.5, 1e-2) << "sin(30 degrees) a metre";
    EXPECT_NEAR(columns.base(10, 6) - columns.base(10, 5), 0.0, 1e-2);
}

TEST(RockBody, is_the_same_rock_at_every_size) {
    RockParameters parameters = plain();
    parameters.dip = 12.0;
    parameters.fold_height = 700.0;
    parameters.fold_length = 7000.0;
    parameters.fault_spacing = 4000.0;
    parameters.fault_throw = 250.0;
    const RockBody body(parameters, 3);
    const RockColumns coarse = body.columns(square(64), progress);
    const RockColumns fine = body.columns(square(192), progress);
    for (int row = 0; row < 64; ++row)
        for (int column = 0; column < 64; ++column)
            ASSERT_NEAR(coarse.base(column, row), fine.base(3 * column + 1, 3 * row + 1), 0.01);
}

TEST(RockBody, weakens_a_coarse_cell_by_the_mean_of_what_fine_cells_in_it_are_weakened) {
    RockParameters parameters = plain();
    parameters.fault_spacing = 4000.0;
    parameters.joint_spacing = 500.0;
    parameters.joint_strength = 0.8;
    const RockBody body(parameters, 3);
    const auto mean = [&](int cells) {
        const Field<float> factor = body.columns(square(cells), progress).ln_factor;
        double sum = 0.0;
        for (const float value : factor) sum += value;
        return sum / static_cast<double>(factor.size());
    };
    const double fine = mean(1024);
    EXPECT_GT(fine, 0.03);
    EXPECT_NEAR(mean(512) / fine, 1.0, 0.05);
    EXPECT_NEAR(mean(128) / fine, 1.0, 0.15);
}

TEST(RockBody, breaks_into_blocks_whose_heights_spread_as_the_throw_says) {
    RockParameters parameters = plain();
    parameters.fault_spacing = 800.0;
    parameters.fault_throw = 250.0;
    const Field<float> base = RockBody(parameters, 3).columns(square(256), progress).base;
    const std::set<float> heights(base.begin(), base.end());
    EXPECT_GT(heights.size(), 200U);
    EXPECT_LT(heights.size(), 2000U) << "few heights, each of a whole block";
    double squares = 0.0;
    double sum = 0.0;
    for (const float height : heights) {
        sum += height;
        squares += height * height;
    }
    const auto n = static_cast<double>(heights.size());
    EXPECT_NEAR(std::sqrt(squares / n - sum / n * sum / n), 250.0 * std::sqrt(2.0), 60.0) << "two sets";
}

TEST(RockBody, is_as_heterogeneous_as_it_is_told) {
    RockParameters parameters = plain();
    parameters.heterogeneity = 0.3;
    const RockSurface surface = at_level(RockBody(parameters, 3), square(1024), 450.0F);
    EXPECT_NEAR(deviation_of_logarithms(surface.erodibility_factor), 0.3, 0.03);
}

TEST(RockBody, holds_steeper_slopes_where_rivers_cut_slower) {
    RockParameters parameters = plain();
    parameters.heterogeneity = 0.4;
    const RockSurface surface = at_level(RockBody(parameters, 3), square(64), 450.0F);
    for (std::int64_t cell = 0; cell < surface.critical_slope.size(); ++cell) {
        const double of_formation = 0.25;  // cap's
        const double weaker = static_cast<double>(surface.erodibility_factor[cell]) / of_formation;
        ASSERT_NEAR(surface.critical_slope[cell], 1.2 * std::pow(weaker, -0.5), 1e-5);
    }
}

TEST(RockBody, has_beds_as_different_as_their_contrast_and_no_others) {
    RockParameters parameters = plain();
    parameters.formations = {{.name = "flysch", .thickness = 5000.0}};
    parameters.bed_thickness = 40.0;
    parameters.bed_contrast = 0.5;
    parameters.dip = 60.0;
    const RockBody body(parameters, 3);
    const double fine = deviation_of_logarithms(at_level(body, square(1024), 0.0F).erodibility_factor);
    EXPECT_NEAR(fine, 0.5, 0.08);
    const double coarse = deviation_of_logarithms(at_level(body, square(64), 0.0F).erodibility_factor);
    EXPECT_LT(coarse, 0.3) << "beds thinner than a cell are averaged";
}

TEST(RockBody, has_plutons_under_about_the_share_of_the_ground_that_is_asked_for) {
    RockParameters parameters = plain();
    parameters.pluton_share = 0.2;
    double share = 0.0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const RockSurface surface =
            at_level(RockBody(parameters, seed), make_grid(90000.0, 90000.0, 90), 0.0F);
        share += static_cast<double>(std::ranges::count(surface.formation, 2)) / (40.0 * 90.0 * 90.0);
    }
    EXPECT_NEAR(share, 0.2, 0.04);
}

TEST(RockBody, has_dykes_of_twenty_metres) {
    RockParameters parameters = plain();
    parameters.dyke_spacing = 1000.0;
    const Field<float> dyke = RockBody(parameters, 3).columns(square(512), progress).dyke;
    double sum = 0.0;
    for (const float share : dyke) sum += share;
    EXPECT_NEAR(sum / static_cast<double>(dyke.size()), 20.0 / 1000.0, 0.003);
}

TEST(RockBody, lies_under_level_cover) {
    RockParameters parameters = plain();
    parameters.cover = 100.0;
    const RockBody body(parameters, 3);
    const int cover = static_cast<int>(body.formations().size()) - 1;
    for (const std::uint8_t formation : at_level(body, square(32), 490.0F).formation)
        ASSERT_EQ(formation, cover);
    for (const std::uint8_t formation : at_level(body, square(32), 300.0F).formation) ASSERT_LT(formation, 2);
}

TEST(RockBody, lies_on_older_tilted_beds_below_an_unconformity) {
    RockParameters parameters = plain();
    parameters.unconformity = 350.0;  // 150 m
    parameters.unconformity_tilt = 45.0;
    parameters.strike = 0.0;
    const RockBody body(parameters, 3), level(plain(), 3);
    const Grid grid = square(64);
    // Above it nothing is other than without.
    EXPECT_EQ(at_level(body, grid, 300.0F).formation, at_level(level, grid, 300.0F).formation);
    // Below it beds of the column of 400 m crop out as bands along the strike, 566 m apart.
    const Field<std::uint8_t> below = at_level(body, grid, -100.0F).formation;
    int along = 0, across = 0;
    for (int i = 0; i + 1 < 64; ++i) {
        across += below(i, 20) != below(i + 1, 20) ? 1 : 0;
        along += below(20, i) != below(20, i + 1) ? 1 : 0;
    }
    EXPECT_GT(across, 20);
    EXPECT_EQ(along, 0);
    // It is uneven: at 150 m old and young rock both lie at the surface.
    const Field<std::uint8_t> at = at_level(body, grid, 150.0F).formation;
    EXPECT_NE(std::ranges::count(at, 0), 0);
}

TEST(RockBody, is_sampled_in_single_cells_as_over_a_surface) {
    const RockBody body({.preset = RockPreset::Volcanic, .pluton_share = 0.3, .cover = 30.0}, 3);
    const RockColumns columns = body.columns(square(32), progress);
    const RockSurface surface = body.at(columns, Field<float>(square(32), -20.0F), progress);
    for (std::int64_t cell = 0; cell < surface.formation.size(); ++cell) {
        const RockSample sample = body.sample(columns, cell, -20.0);
        ASSERT_EQ(sample.formation, surface.formation[cell]);
        ASSERT_FLOAT_EQ(static_cast<float>(sample.erodibility_factor), surface.erodibility_factor[cell]);
    }
}

TEST(RockBody, keeps_cells_without_data) {
    const RockBody body(plain(), 3);
    Field<float> z(square(8), 100.0F);
    z(3, 3) = kNoData;
    const RockSurface surface = body.at(body.columns(z.grid(), progress), z, progress);
    EXPECT_TRUE(is_no_data(surface.erodibility_factor(3, 3)));
    EXPECT_TRUE(is_no_data(surface.critical_slope(3, 3)));
    EXPECT_FALSE(is_no_data(surface.erodibility_factor(4, 3)));
}

TEST(RockBody, has_the_same_bits_on_any_number_of_threads) {
    const RockBody body({.preset = RockPreset::Volcanic, .pluton_share = 0.2, .cover = 50.0}, 3);
    const auto on = [&](int threads) {
        const ExecutionScope scope({.progress = &progress, .threads = threads});
        return at_level(body, square(200), 20.0F);
    };
    const RockSurface one = on(1);
    for (const int threads : {2, 8}) {
        const RockSurface more = on(threads);
        EXPECT_TRUE(std::ranges::equal(one.erodibility_factor, more.erodibility_factor));
        EXPECT_TRUE(std::ranges::equal(one.formation, more.formation));
    }
}

TEST(RockParameters, of_every_preset_make_rock_that_differs_from_place_to_place) {
    for (const RockPreset preset : {RockPreset::Alpine, RockPreset::TableLand, RockPreset::FoldBelt,
                                    RockPreset::Volcanic, RockPreset::Badlands, RockPreset::Shield}) {
        const RockParameters filled = resolved({.preset = preset}, 3);
        EXPECT_EQ(filled.preset, preset);
        EXPECT_GE(filled.dip, 0.0);
        EXPECT_GE(filled.cover, 0.0);
        const RockBody body({.preset = preset}, 3);
        EXPECT_GT(deviation_of_logarithms(at_level(body, square(256), 0.0F).erodibility_factor), 0.15);
    }
}

TEST(RockParameters, keep_what_is_given_and_take_the_strike_by_the_seed) {
    const RockParameters given = resolved({.preset = RockPreset::Shield, .strike = 10.0, .dip = 3.0}, 3);
    EXPECT_EQ(given.strike, 10.0);
    EXPECT_EQ(given.dip, 3.0);
    EXPECT_NE(resolved({}, 3).strike, resolved({}, 4).strike);
}

TEST(RockParameters, between_what_the_preset_says_and_0_are_refused) {
    const auto refusal = [](const RockParameters& parameters) {
        return refusal_of([&] { check_rock(parameters); });
    };
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(refusal(plain()), "");
    EXPECT_EQ(refusal({.dip = -0.5}),
              "dip = -0.5 degrees is not allowed: give 0 degrees or more, or -1 for that of the preset");
    EXPECT_EQ(refusal({.strike = -0.5}),
              "strike = -0.5 degrees is not allowed: give 0 degrees or more, or -1 for one by the seed");
    EXPECT_EQ(refusal({.bed_contrast = -0.1}),
              "bed_contrast = -0.1 is not allowed: give 0 or more, or -1 for that of the preset");
    EXPECT_EQ(refusal({.cover = -0.5}),
              "cover = -0.5 m is not allowed: give 0 m or more, or -1 for that of the preset");
    EXPECT_EQ(refusal_of([] { const RockBody body({.cover = -0.5}, 1); }),
              "cover = -0.5 m is not allowed: give 0 m or more, or -1 for that of the preset");
}

TEST(RockParameters, of_folds_without_a_length_are_refused) {
    EXPECT_EQ(
        refusal_of([] { check_rock({.fold_height = 300.0, .fold_length = 0.0}); }),
        "fold_length = 0 m is not allowed with folds 300 m high: give more than 0 m, or fold_height = 0 for "
        "no folds");
    EXPECT_EQ(
        refusal_of([] { check_rock({.fold_length = 0.0}); }),
        "fold_length = 0 m is not allowed with folds 700 m high: give more than 0 m, or fold_height = 0 for "
        "no folds");
    EXPECT_EQ(refusal_of([] { check_rock({.fold_height = 0.0, .fold_length = 0.0}); }), "");
}

TEST(Formations, that_make_no_sense_are_refused_by_name) {
    const auto refusal = [](const std::vector<Formation>& formations) {
        return refusal_of([&] { check_formations(formations); });
    };
    EXPECT_EQ(refusal({{.name = "marl"}, {.name = "limestone"}}), "");
    EXPECT_EQ(refusal({{.name = "marl", .thickness = 0.0}}),
              "formation marl: thickness = 0 is not allowed: give more than 0");
    EXPECT_EQ(refusal({{.name = "marl", .colour = "red"}}),
              "formation marl: colour = \"red\" is not allowed: give one as \"#c8b090\"");
    EXPECT_EQ(refusal({{.name = "marl"}, {.name = "marl"}}),
              "two formations are called marl: give each a name of its own");
    EXPECT_EQ(refusal({{.name = "marl"}, {}}), "formation 2 has no name: give it one");
    EXPECT_EQ(refusal({{.thickness = 400.0}}), "formation 1 has no name: give it one");
    EXPECT_EQ(refusal(std::vector<Formation>(65)), "65 formations are not allowed: give 64 at most");
}

}  // namespace
}  // namespace thalweg
