#include "thalweg/meander/river_validation.hpp"

#include "thalweg/io/point_table.hpp"
#include "thalweg/meander/channel/channel_migration.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <vector>

#include "tests/meander/lines.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using std::numbers::pi;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kRiverWidth = 100.0;  // m

/// The line after `years` of migration in steps of a quarter of a year; its points stay.
ChannelLine migrated(ChannelLine line, const MigrationParameters& law, double years) {
    ChannelMigration migration(law);
    for (int step = 0; step < std::lround(4.0 * years); ++step) {
        migration.step(line, mobile(line.size()), 0.0, 0.25);
    }
    return line;
}

/// A river 60 km long whose bends the law itself has grown.
const ChannelLine& winding_river() {
    static const ChannelLine river = [] {
        ChannelLine line = nearly_straight_line(40000.0, 50.0, kRiverWidth, 11);
        for (int i = 0; i < 30; ++i) line = resampled(migrated(line, {}, 2.5), 50.0);
        return line;
    }();
    return river;
}

RiverValidation validated(const ChannelLine& before, const ChannelLine& after, double years,
                          RiverValidationParameters parameters = {}) {
    QuietProgress progress;
    parameters.years = years;
    return validate_river(before, after, parameters, progress);
}

/// Ten years with k = 20 m/yr.
const ChannelLine& later_river() {
    static const ChannelLine river = migrated(winding_river(), {.rate = 20.0}, 10.0);
    return river;
}

ChannelLine mirrored(ChannelLine line) {
    for (double& y : line.y) y = -y;
    return line;
}

ChannelLine reversed(ChannelLine line) {
    std::ranges::reverse(line.x);
    std::ranges::reverse(line.y);
    std::ranges::reverse(line.values.width);
    return line;
}

/// With a loop of `radius` put in at a point, to the right of the line.
ChannelLine with_loop(const ChannelLine& line, std::size_t at, double radius) {
    ChannelLine looped;
    const auto add = [&](double x, double y) {
        looped.x.push_back(x);
        looped.y.push_back(y);
    };
    const double dx = line.x[at + 1] - line.x[at], dy = line.y[at + 1] - line.y[at],
                 step = std::hypot(dx, dy);
    for (std::size_t i = 0; i <= at; ++i) add(line.x[i], line.y[i]);
    constexpr int kPieces = 60;
    for (int k = 2; k <= kPieces - 2; ++k) {
        // From behind the point round its right side to before it.
        const double angle = 2.0 * pi * k / kPieces;
        const double along = -radius * std::sin(angle), right = radius * (1.0 - std::cos(angle));
        add(line.x[at] + (along * dx + right * dy) / step, line.y[at] + (along * dy - right * dx) / step);
    }
    for (std::size_t i = at + 1; i < line.size(); ++i) add(line.x[i], line.y[i]);
    looped.z.assign(looped.size(), 0.0);
    looped.values.width.assign(looped.size(), static_cast<float>(kRiverWidth));
    looped.values.depth.assign(looped.size(), 1.0F);
    looped.values.discharge.assign(looped.size(), 0.0F);
    return looped;
}

TEST(RiverValidation, finds_the_rate_and_the_depth_by_which_the_law_moved_a_river) {
    const RiverValidation found = validated(winding_river(), later_river(), 10.0);
    EXPECT_GT(sinuosity_of(winding_river()), 1.3);
    EXPECT_NEAR(found.fit.rate, 20.0, 0.03 * 20.0);
    EXPECT_NEAR(found.width_fit.rate, 20.0, 0.03 * 20.0);
    EXPECT_NEAR(found.slowed_rate, 20.0 * std::pow(sinuosity_of(winding_river()), -2.0 / 3.0), 0.5);
    EXPECT_GT(found.fit.correlation, 0.98);
    EXPECT_NEAR(found.fit.depth, depth_of_width(kRiverWidth), 0.05 * depth_of_width(kRiverWidth));
    EXPECT_NEAR(found.lag, 2.2 * kRiverWidth, 0.6 * kRiverWidth);
    EXPECT_THAT(found.excluded, IsEmpty());
    EXPECT_THAT(found.notes, IsEmpty());
    EXPECT_LT(found.shifted_rms, 0.3);
}

TEST(RiverValidation, finds_a_rate_that_moved_bends_by_more_than_their_river_is_wide) {
    // The rates of the earlier line are those of its first day.
    const ChannelLine after = resampled(migrated(winding_river(), {.rate = 40.0}, 20.0), 40.0);
    const RiverValidation found = validated(winding_river(), after, 20.0);
    double furthest = 0.0;
    for (const double rate : found.observed) furthest = std::max(furthest, 20.0 * std::abs(rate));
    EXPECT_GT(furthest, 1.5 * kRiverWidth);
    EXPECT_NEAR(found.fit.rate, 40.0, 0.05 * 40.0);
    EXPECT_GT(found.fit.correlation, 0.97);
    EXPECT_GT(found.fit.correlation, found.start_fit.correlation + 0.01);
}

TEST(RiverValidation, finds_the_lag_of_small_bends_that_linear_theory_gives) {
    // R is k w kappa times this, so that it follows the curvature by its angle.
    constexpr double kWavelength =
        30.0 * kRiverWidth;  // beyond the shifts that are tried, so that one is best
    const double q = 2.0 * pi / kWavelength, alpha = 2.0 * 0.011 / depth_of_width(kRiverWidth);
    const std::complex<double> gain = 2.5 * alpha / std::complex<double>(alpha, q) - 1.0;
    const ChannelLine before =
        sine_line(30.0 * kWavelength, 25.0, kWavelength, 0.3 * kRiverWidth, kRiverWidth);
    const RiverValidation found = validated(before, migrated(before, {.rate = 10.0}, 2.0), 2.0);
    EXPECT_NEAR(found.lag, -std::arg(gain) / q, 0.05 * kRiverWidth);
}

TEST(RiverValidation, of_a_mirrored_river_is_the_same_to_the_other_side) {
    const RiverValidation found = validated(winding_river(), later_river(), 10.0);
    const RiverValidation other = validated(mirrored(winding_river()), mirrored(later_river()), 10.0);
    ASSERT_EQ(other.observed.size(), found.observed.size());
    for (std::size_t i = 0; i < found.observed.size(); ++i) {
        ASSERT_NEAR(other.observed[i], -found.observed[i], 1e-9) << i;
        ASSERT_NEAR(other.predicted[i], -found.predicted[i], 1e-9) << i;
    }
    EXPECT_EQ(other.is_used, found.is_used);
    EXPECT_NEAR(other.lag, found.lag, 1e-6);
}

TEST(RiverValidation, counts_migration_to_the_right_as_positive) {
    const ChannelLine before = sine_line(60.0 * kRiverWidth, 25.0, 1200.0, 50.0, kRiverWidth);
    ChannelLine after = before;
    for (double& y : after.y) y -= 30.0;
    for (const double rate : validated(before, after, 10.0).observed)
        if (rate != 0.0) {
            ASSERT_NEAR(rate, 3.0, 0.2);
        }
}

TEST(RiverValidation, turns_a_later_line_round_that_runs_the_other_way_and_says_so) {
    const RiverValidation found = validated(winding_river(), later_river(), 10.0);
    const RiverValidation turned = validated(winding_river(), reversed(later_river()), 10.0);
    EXPECT_THAT(turned.notes, Contains(HasSubstr("runs the other way")));
    EXPECT_NEAR(turned.fit.rate, found.fit.rate, 0.01 * found.fit.rate);
    EXPECT_NEAR(turned.fit.correlation, found.fit.correlation, 1e-3);
    const RiverValidation upstream = validated(reversed(winding_river()), reversed(later_river()), 10.0);
    EXPECT_THAT(upstream.notes, Contains(HasSubstr("both lines run upstream")));
}

TEST(RiverValidation, leaves_out_a_loop_that_was_cut_off_and_finds_the_same_rate) {
    const RiverValidation found = validated(with_loop(winding_river(), 500, 500.0), later_river(), 10.0);
    ASSERT_EQ(found.excluded.size(), 1U);
    EXPECT_TRUE(found.excluded[0].is_cutoff);
    const double from = found.distance[found.excluded[0].first], to = found.distance[found.excluded[0].last];
    EXPECT_NEAR(to - from, 2.0 * pi * 500.0, 0.25 * 2.0 * pi * 500.0);
    EXPECT_NEAR(0.5 * (from + to), 500.0 * 50.0 + pi * 500.0, 5.0 * kRiverWidth);
    for (std::size_t i = found.excluded[0].first; i <= found.excluded[0].last; ++i)
        ASSERT_EQ(found.is_used[i], 0);
    EXPECT_NEAR(found.fit.rate, 20.0, 0.05 * 20.0);
    EXPECT_GT(found.fit.correlation, 0.97);
}

TEST(RiverValidation, leaves_out_what_lies_beside_a_course_that_the_earlier_line_had_not) {
    const RiverValidation found = validated(winding_river(), with_loop(later_river(), 500, 500.0), 10.0);
    ASSERT_EQ(found.excluded.size(), 1U);
    EXPECT_FALSE(found.excluded[0].is_cutoff);
    EXPECT_NEAR(found.fit.rate, 20.0, 0.05 * 20.0);
}

TEST(RiverValidation, keeps_what_both_lines_show) {
    ChannelLine shorter = later_river();
    for (auto* column : {&shorter.x, &shorter.y, &shorter.z})
        column->erase(column->begin(), column->begin() + 200);
    for (auto* column : {&shorter.values.width, &shorter.values.depth, &shorter.values.discharge})
        column->erase(column->begin(), column->begin() + 200);
    const RiverValidation found = validated(winding_river(), shorter, 10.0);
    EXPECT_THAT(found.notes, Contains(HasSubstr("the earlier line's first ")));
    EXPECT_NEAR(found.before.x.front(), shorter.x.front(), kRiverWidth);
    // What is left has another sinuosity than the whole, by which k is divided.
    EXPECT_NEAR(found.slowed_rate, 20.0 * std::pow(sinuosity_of(winding_river()), -2.0 / 3.0), 0.5);
}

TEST(RiverValidation, finds_the_rate_in_spite_of_a_survey_that_jitters_from_pixel_to_pixel) {
    const auto jittered = [](ChannelLine line, std::uint64_t seed) {
        line = resampled(line, 25.0);
        for (std::size_t i = 1; i + 1 < line.size(); ++i) {
            line.x[i] += 80.0 * (unit_double(random_bits(seed, Stream::WhiteNoise, i, 1)) - 0.5);
            line.y[i] += 80.0 * (unit_double(random_bits(seed, Stream::WhiteNoise, i, 2)) - 0.5);
        }
        return line;
    };
    const RiverValidation found = validated(jittered(winding_river(), 5), jittered(later_river(), 6), 10.0);
    EXPECT_NEAR(found.fit.rate, 20.0, 0.06 * 20.0);
    EXPECT_NEAR(found.distance.back(), length_of(winding_river()), 0.01 * length_of(winding_river()));
    EXPECT_NEAR(found.lag, validated(winding_river(), later_river(), 10.0).lag, 0.2 * kRiverWidth);
    EXPECT_GT(found.fit.correlation, 0.95);
}

TEST(RiverValidation, finds_nothing_in_a_river_that_moved_by_chance) {
    ChannelLine after = winding_river();
    std::vector<double> shift(after.size(), 0.0);
    for (std::size_t wave = 1; wave <= 40; ++wave)
        for (std::size_t i = 0; i < shift.size(); ++i)
            shift[i] += 3.0 * std::sin(2.0 * pi *
                                       (static_cast<double>(i) / (20.0 + static_cast<double>(wave)) +
                                        unit_double(random_bits(9, Stream::WhiteNoise, wave))));
    for (std::size_t i = 0; i < shift.size(); ++i) after.y[i] += shift[i];
    const RiverValidation found = validated(winding_river(), after, 10.0);
    EXPECT_LT(std::abs(found.width_fit.correlation), 0.25);
}

TEST(RiverValidation, takes_the_depth_that_is_given_and_tells_the_best_beside_it) {
    const RiverValidation found = validated(winding_river(), later_river(), 10.0, {.depth = 8.0});
    EXPECT_EQ(found.fit.depth, 8.0);
    EXPECT_LT(found.fit.correlation, found.best_fit.correlation);
    EXPECT_NEAR(found.best_fit.depth, depth_of_width(kRiverWidth), 0.05 * depth_of_width(kRiverWidth));
}

TEST(RiverValidation, drops_repeated_points_and_says_how_many) {
    ChannelLine repeated = winding_river();
    for (const std::size_t at : {100U, 200U, 200U}) {
        for (auto* column : {&repeated.x, &repeated.y, &repeated.z})
            column->insert(column->begin() + at, (*column)[at]);
        for (auto* column : {&repeated.values.width, &repeated.values.depth, &repeated.values.discharge})
            column->insert(column->begin() + at, (*column)[at]);
    }
    const RiverValidation found = validated(repeated, later_river(), 10.0);
    EXPECT_THAT(found.notes, Contains(HasSubstr("3 of the earlier line's ")));
    EXPECT_EQ(found.fit.rate, validated(winding_river(), later_river(), 10.0).fit.rate);
}

TEST(RiverValidation, refuses_in_one_sentence_what_it_cannot_compare) {
    const ChannelLine& line = winding_river();
    const auto refusal = [&](const ChannelLine& before, const ChannelLine& after, double years = 10.0) {
        return refusal_of([&] { validated(before, after, years); });
    };
    const auto changed = [&](auto change) {
        ChannelLine other = line;
        change(other);
        return other;
    };
    EXPECT_THAT(refusal(line, line, 0.0), HasSubstr("years = 0 is not allowed"));
    EXPECT_THAT(refusal(line, line, -3.0), HasSubstr("years = -3 is not allowed"));
    EXPECT_THAT(refusal(line, line, std::nan("")), HasSubstr("years = nan is not allowed"));
    EXPECT_THAT(refusal(changed([](ChannelLine& l) { l.x[7] = std::nan(""); }), line),
                HasSubstr("point 8 lies at x = nan"));
    EXPECT_THAT(refusal(line, changed([](ChannelLine& l) { l.values.width[3] = 0.0F; })),
                HasSubstr("point 4 has the width 0 m"));
    EXPECT_THAT(refusal(line, changed([](ChannelLine& l) {
                            for (double& x : l.x) x = -70.0 + 1e-5 * x;
                            for (double& y : l.y) y = -7.0 + 1e-5 * y;
                        })),
                HasSubstr("are degrees"));
    EXPECT_THAT(refusal(line, changed([](ChannelLine& l) {
                            for (double& y : l.y) y += 20000.0;
                        })),
                HasSubstr("not of one place: they are "));
    EXPECT_THAT(refusal(sine_line(400.0, 50.0, 400.0, 10.0, 1.0), line), HasSubstr("9 points are too few"));
    EXPECT_THAT(refusal(sine_line(3000.0, 50.0, 1200.0, 10.0, 100.0), line), HasSubstr("30 widths long"));
}

TEST(RiverValidation, has_every_figure_once_with_a_unit_and_a_meaning) {
    const RiverValidation found = validated(winding_river(), later_river(), 10.0);
    std::vector<std::string> names;
    for (const ValidationFigure& figure : figures_of(found)) {
        EXPECT_TRUE(std::isfinite(figure.value)) << figure.name;
        EXPECT_STRNE(figure.meaning, "");
        EXPECT_THAT(names, testing::Not(Contains(figure.name)));
        names.emplace_back(figure.name);
    }
    for (const char* name :
         {"correlation", "lag_m", "lag_widths", "k_m_per_yr", "depth_m", "observed_rate_median",
          "predicted_rate_median", "observed_rate_p90", "points", "cutoffs_excluded"})
        EXPECT_THAT(names, Contains(name));
}

/// The Jurua, Amazon basin, in October 1987 and July 2017 (Sylvester et al. 2019).
class Jurua : public testing::Test {
  protected:
    void SetUp() override {
        const char* data = std::getenv("THALWEG_DATA");
        const auto folder = std::filesystem::path(data != nullptr ? data : THALWEG_DATA_DEFAULT) / "rivers";
        if (!std::filesystem::exists(folder / "jurua_19871012.csv"))
            GTEST_SKIP() << folder << " holds no jurua_19871012.csv; set THALWEG_DATA";
        const auto line_of = [&](const char* name) {
            const PointTable table = read_points(folder / name, "x_m", "y_m", {"width_m"});
            ChannelLine line = channel_line(table.points, 1.0, 1.0, 0.0);
            for (std::size_t i = 0; i < line.size(); ++i)
                line.values.width[i] = static_cast<float>(table.columns[0].values[i]);
            return line;
        };
        found = validated(line_of("jurua_19871012.csv"), line_of("jurua_20170710.csv"), 29.75);
    }

    RiverValidation found;
};

TEST_F(Jurua, migrates_as_the_law_predicts) {
    EXPECT_GT(found.fit.correlation, 0.80);
    EXPECT_GT(found.start_fit.correlation, 0.75);
    EXPECT_LT(found.shifted_greatest, 0.2);
    EXPECT_NEAR(found.fit.rate, 38.0, 4.0);
    EXPECT_NEAR(found.slowed_rate, found.fit.rate * std::pow(2.32, -2.0 / 3.0), 0.5);
    EXPECT_NEAR(found.fit.depth, 19.0, 2.5);
    EXPECT_NEAR(found.lag / found.width, 4.1, 0.4);
    EXPECT_EQ(std::ranges::count(found.excluded, true, &ExcludedStretch::is_cutoff), 3);
}

}  // namespace
}  // namespace thalweg
