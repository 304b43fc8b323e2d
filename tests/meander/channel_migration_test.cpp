#include "thalweg/meander/channel/channel_migration.hpp"

#include "thalweg/meander/channel/channel_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "tests/meander/lines.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using std::numbers::pi;

/// Growth rate and drift of a small sine bend by linear theory:
///   y = e^(i q x + lambda t),  lambda = k w q^2 (gamma alpha (alpha - i q) / (alpha^2 + q^2) - 1)
struct LinearBend {
    double growth = 0.0;  // 1/yr
    double drift = 0.0;   // m/yr, downstream
};

double memory_of(const MigrationParameters& law, double width) {
    return law.memory == MemoryLength::Width ? 0.75 / width
                                             : 2.0 * law.friction_factor / depth_of_width(width);
}

LinearBend linear_theory(const MigrationParameters& law, double width, double wavelength) {
    const double q = 2.0 * pi / wavelength;
    const double alpha = memory_of(law, width);
    const std::complex<double> gain =
        law.upstream_weight * alpha * std::complex<double>(alpha, -q) / (alpha * alpha + q * q);
    const std::complex<double> lambda = law.rate * width * q * q * (gain - 1.0);
    return {.growth = lambda.real(), .drift = -lambda.imag() / q};
}

/// The line's part of one wavelength, as amplitude and phase, over whole waves in its middle.
std::complex<double> wave_of(const ChannelLine& line, double wavelength, double first, double waves) {
    std::complex<double> sum = 0.0;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        if (line.x[i] < first || line.x[i] >= first + waves * wavelength - 1e-6) continue;
        const double step = 0.5 * (line.x[i + 1] - line.x[i - 1]);
        sum += line.y[i] * step * std::polar(1.0, -2.0 * pi * line.x[i] / wavelength);
    }
    return sum * std::complex<double>(0.0, 2.0) / (waves * wavelength);
}

LinearBend simulated(const MigrationParameters& law, double width, double wavelength, double spacing,
                     double years) {
    ChannelLine line = sine_line(60.0 * wavelength, spacing, wavelength, 1e-3 * width, width);
    const std::vector<float> mobility = mobile(line.size());
    ChannelMigration migration(law);
    const auto steps = static_cast<int>(std::llround(years / law.time_step));
    const std::complex<double> before = wave_of(line, wavelength, 30.0 * wavelength, 10.0);
    for (int step = 0; step < steps; ++step) migration.step(line, mobility, 0.0, law.time_step);
    const std::complex<double> ratio = wave_of(line, wavelength, 30.0 * wavelength, 10.0) / before;
    return {.growth = std::log(std::abs(ratio)) / years,
            .drift = -std::arg(ratio) * wavelength / (2.0 * pi) / years};
}

TEST(ChannelMigration, lets_small_bends_grow_and_drift_as_linear_theory_says) {
    for (const double width : {50.0, 100.0, 200.0}) {
        const MigrationParameters law;
        const double fastest = 8.242 / memory_of(law, width);
        for (const double wavelength : {0.8 * fastest, fastest, 1.5 * fastest}) {
            const LinearBend expected = linear_theory(law, width, wavelength);
            const LinearBend bend = simulated(law, width, wavelength, channel_spacing(width), 4.0);
            EXPECT_NEAR(bend.growth / expected.growth, 1.0, 0.03) << width << " " << wavelength;
            EXPECT_NEAR(bend.drift / expected.drift, 1.0, 0.03) << width << " " << wavelength;
        }
    }
}

TEST(ChannelMigration, lets_bends_grow_fastest_at_375_depths) {
    const MigrationParameters law;
    const double fastest = 375.0 * depth_of_width(100.0);
    const double growth = simulated(law, 100.0, fastest, 50.0, 8.0).growth;
    EXPECT_GT(growth, simulated(law, 100.0, 0.8 * fastest, 50.0, 8.0).growth);
    EXPECT_GT(growth, simulated(law, 100.0, 1.25 * fastest, 50.0, 8.0).growth);
}

TEST(ChannelMigration, is_of_second_order_in_the_distance_of_points) {
    const MigrationParameters law{.time_step = 0.125};
    const double wavelength = 1200.0;
    const LinearBend exact = linear_theory(law, 100.0, wavelength);
    const double coarse = simulated(law, 100.0, wavelength, 100.0, 4.0).growth - exact.growth;
    const double fine = simulated(law, 100.0, wavelength, 50.0, 4.0).growth - exact.growth;
    EXPECT_NEAR(coarse / fine, 4.0, 0.5);
}

/// How far growth and drift are from those in the limit of small steps, 1/yr.
double error_of(TimeScheme scheme, double time_step, double width, double wavelength) {
    const auto rate = [&](TimeScheme by, double step) {
        const LinearBend bend =
            simulated({.time_step = step, .time_scheme = by}, width, wavelength, channel_spacing(width), 4.0);
        return std::complex<double>(bend.growth, bend.drift * 2.0 * pi / wavelength);
    };
    return std::abs(rate(scheme, time_step) - rate(TimeScheme::Extrapolated, 1.0 / 64.0));
}

TEST(ChannelMigration, is_of_second_order_in_time_when_extrapolated_and_else_of_first) {
    const auto order = [](TimeScheme scheme) {
        return std::log2(error_of(scheme, 0.5, 100.0, 1200.0) / error_of(scheme, 0.25, 100.0, 1200.0));
    };
    EXPECT_NEAR(order(TimeScheme::SemiImplicit), 1.0, 0.15);
    EXPECT_NEAR(order(TimeScheme::Extrapolated), 2.0, 0.25);
}

TEST(ChannelMigration, takes_an_extrapolated_step_that_is_better_than_ten_plain_ones) {
    for (const double width : {50.0, 100.0, 200.0})
        EXPECT_LT(error_of(TimeScheme::Extrapolated, 0.5, width, 12.0 * width),
                  error_of(TimeScheme::SemiImplicit, 0.05, width, 12.0 * width))
            << width;
}

TEST(ChannelMigration, stays_stable_in_steps_of_years_at_any_width) {
    for (const TimeScheme scheme : {TimeScheme::SemiImplicit, TimeScheme::Extrapolated})
        for (const double width : {5.0, 20.0, 200.0}) {
            // A zigzag from point to point is what an explicit step would let grow.
            ChannelLine line = sine_line(100.0 * width, 0.5 * width, width, 0.0, width);
            for (std::size_t i = 1; i + 1 < line.size(); ++i) line.y[i] += i % 2 == 0 ? 1e-3 : -1e-3;
            ChannelMigration migration({.upstream_weight = 0.0, .time_scheme = scheme});
            for (int step = 0; step < 50; ++step) migration.step(line, mobile(line.size()), 0.0, 4.0);
            for (const double y : line.y) ASSERT_LT(std::abs(y), 1e-3);
        }
}

/// J by a sum of small steps.
TEST(MigrationRates, take_the_exact_mean_of_bends_upstream_on_uneven_points) {
    std::vector<RiverPoint> points;
    for (double x = 0.0; x < 4000.0;
         x += 10.0 + 40.0 * unit_double(random_bits(3, Stream::WhiteNoise, points.size())))
        points.push_back({x, 60.0 * std::sin(x / 180.0), 0.0});
    const ChannelLine line = channel_line(points, 80.0, 2.5, 10.0);
    const MigrationParameters law{.sinuosity_scaling = SinuosityScaling::None};
    std::vector<double> rates;
    migration_rates(line, law, 7.0, rates);

    // R0 follows from the rates with no weight upstream; it is linear between points.
    std::vector<double> local;
    MigrationParameters local_law = law;
    local_law.upstream_weight = 0.0;
    migration_rates(line, local_law, 0.0, local);
    const double alpha = 2.0 * law.friction_factor / 2.5;
    double upstream = 7.0;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const double segment = std::hypot(line.x[i + 1] - line.x[i], line.y[i + 1] - line.y[i]);
        constexpr int kSteps = 2000;
        const double step = segment / kSteps;
        for (int j = 0; j < kSteps; ++j) {
            const double share = (j + 0.5) / kSteps;
            const double source = -(local[i] + share * (local[i + 1] - local[i]));
            upstream += (1.0 - std::exp(-alpha * step)) * (source - upstream);
        }
        ASSERT_NEAR(rates[i + 1] - local[i + 1], law.upstream_weight * upstream, 1e-4) << i;
    }
}

TEST(MigrationRates, of_a_mirrored_line_are_those_of_the_line_to_the_other_side) {
    ChannelLine line = nearly_straight_line(5000.0, 25.0, 50.0, 4);
    std::vector<double> rates;
    migration_rates(line, {}, 0.0, rates);
    for (double& y : line.y) y = -y;
    std::vector<double> mirrored;
    migration_rates(line, {}, 0.0, mirrored);
    for (std::size_t i = 0; i < rates.size(); ++i) ASSERT_EQ(rates[i], -mirrored[i]);
}

TEST(MigrationRates, are_slowed_by_sinuosity_as_the_parameter_says) {
    const ChannelLine line = sine_line(12000.0, 25.0, 1200.0, 300.0, 100.0);
    const auto rates_by = [&](SinuosityScaling scaling, double window) {
        std::vector<double> rates;
        migration_rates(line, {.sinuosity_scaling = scaling, .sinuosity_window = window}, 0.0, rates);
        return rates;
    };
    const std::vector<double> free = rates_by(SinuosityScaling::None, 0.0);
    const double slowed = std::pow(sinuosity_of(line), -2.0 / 3.0);
    for (const double window : {0.0, 120.0 * sinuosity_of(line)}) {
        const std::vector<double> both = rates_by(SinuosityScaling::Both, window);
        for (std::size_t i = 100; i + 100 < free.size(); ++i)
            ASSERT_NEAR(both[i], slowed * free[i], 0.01 * std::abs(free[i]) + 0.02) << i;
    }
    MigrationParameters local_alone{.upstream_weight = 0.0,
                                    .sinuosity_scaling = SinuosityScaling::UpstreamAsPrinted};
    std::vector<double> printed;
    migration_rates(line, local_alone, 0.0, printed);
    local_alone.sinuosity_scaling = SinuosityScaling::None;
    std::vector<double> local;
    migration_rates(line, local_alone, 0.0, local);
    EXPECT_EQ(printed, local);
}

/// A step of the plain scheme in double, with the system of the whole line solved at once (Thomas).
void step_at_once(ChannelLine& line, const std::vector<float>& mobility, const MigrationParameters& law,
                  double years) {
    const std::size_t n = line.size();
    std::vector<double> rates;
    migration_rates(line, law, 0.0, rates);
    const double spacing = length_of(line) / static_cast<double>(n - 1);
    std::vector<double> factor(n);
    std::vector<double> move(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double lambda = years * law.rate * line.values.width[i] * mobility[i] / (spacing * spacing);
        const double inverse = 1.0 / (1.0 + 2.0 * lambda - (i > 0 ? lambda * factor[i - 1] : 0.0));
        factor[i] = lambda * inverse;
        move[i] = years * mobility[i] * rates[i] * inverse + (i > 0 ? factor[i] * move[i - 1] : 0.0);
    }
    for (std::size_t i = n - 1; i-- > 0;) move[i] += factor[i] * move[i + 1];
    ChannelGeometry geometry;
    geometry.measure(line.x, line.y);
    for (std::size_t i = 0; i < n; ++i) {
        line.x[i] += move[i] * geometry.normal_x[i];
        line.y[i] += move[i] * geometry.normal_y[i];
    }
}

TEST(ChannelMigration, steps_long_lines_piece_by_piece_as_if_at_once) {
    const MigrationParameters law{
        .rate = 20.0, .sinuosity_scaling = SinuosityScaling::None, .time_scheme = TimeScheme::SemiImplicit};
    // A short step is felt over a few points, a long one over two thousand.
    for (const double years : {0.5, 1e4})
        for (const std::size_t points : {4096U, 4097U, 9000U})
            for (const bool is_uneven : {false, true}) {
                const ChannelLine start =
                    sine_line(50.0 * static_cast<double>(points - 1), 50.0, 1300.0, 20.0, 100.0);
                std::vector<float> mobility = mobile(points);
                for (std::size_t i = 0; is_uneven && i < mobility.size(); ++i)
                    mobility[i] *= 0.6F + 0.4F * std::sin(0.01F * static_cast<float>(i));
                ChannelLine expected = start;
                step_at_once(expected, mobility, law, years);
                ChannelMigration migration(law);
                migration.limit_displacement(1e9);
                ChannelLine line = start;
                migration.step(line, mobility, 0.0, years);
                double furthest = 0.0;
                double difference = 0.0;
                for (std::size_t i = 0; i < points; ++i) {
                    furthest = std::max(furthest, std::abs(expected.y[i] - start.y[i]));
                    difference = std::max(difference, std::abs(line.y[i] - expected.y[i]));
                }
                EXPECT_LT(difference, 1e-3 * furthest) << years << " " << points << " " << is_uneven;
            }
}

TEST(ChannelMigration, keeps_points_of_no_mobility_where_they_are) {
    ChannelLine line = sine_line(6000.0, 50.0, 1200.0, 200.0, 100.0);
    const ChannelLine before = line;
    ChannelMigration migration({});
    migration.step(line, std::vector<float>(line.size(), 0.0F), 0.0, 1.0);
    EXPECT_EQ(line, before);
}

TEST(ChannelMigration, moves_no_point_further_than_two_fifths_of_the_width) {
    ChannelLine line = sine_line(6000.0, 50.0, 500.0, 200.0, 100.0);
    const ChannelLine before = line;
    ChannelMigration migration({.rate = 1e4});
    migration.step(line, mobile(line.size()), 0.0, 10.0);
    double furthest = 0.0;
    for (std::size_t i = 0; i < line.size(); ++i)
        furthest = std::max(furthest, std::hypot(line.x[i] - before.x[i], line.y[i] - before.y[i]));
    EXPECT_NEAR(furthest, kLongestDisplacement * 100.0, 1e-5);
    EXPECT_GT(migration.largest_displacement(), 1.0);
}

TEST(ChannelLine, resampled_lies_on_the_circle_of_its_points_to_third_order) {
    const auto error = [](double step) {
        std::vector<RiverPoint> points;
        for (double angle = 0.0; angle < 3.0; angle += step * (points.size() % 2 == 0 ? 0.8 : 1.2))
            points.push_back({500.0 * std::cos(angle), 500.0 * std::sin(angle), 0.0});
        const ChannelLine even = resampled(channel_line(points, 50.0, 2.0, 1.0), 20.0);
        double worst = 0.0;
        for (std::size_t i = 0; i < even.size(); ++i)
            worst = std::max(worst, std::abs(std::hypot(even.x[i], even.y[i]) - 500.0));
        return worst;
    };
    EXPECT_LT(error(0.1), 0.05);
    EXPECT_GT(error(0.2) / error(0.1), 7.0);
}

TEST(ChannelLine, resampled_is_even_and_keeps_its_ends_and_what_it_carries) {
    ChannelLine line = sine_line(3000.0, 30.0, 700.0, 90.0, 40.0);
    for (std::size_t i = 0; i < line.size(); ++i) line.values.width[i] = 40.0F + 0.1F * static_cast<float>(i);
    const ChannelLine even = resampled(line, 20.0);
    EXPECT_EQ(even.x.front(), line.x.front());
    EXPECT_EQ(even.y.back(), line.y.back());
    EXPECT_EQ(even.z.front(), line.z.front());
    EXPECT_EQ(even.values.width.back(), line.values.width.back());
    EXPECT_EQ(even.size() - 1, static_cast<std::size_t>(std::llround(length_of(line) / 20.0)));
    for (std::size_t i = 1; i < even.size(); ++i) {
        ASSERT_NEAR(std::hypot(even.x[i] - even.x[i - 1], even.y[i] - even.y[i - 1]), 20.0, 0.6) << i;
        ASSERT_LE(even.z[i], even.z[i - 1]);
        ASSERT_GE(even.values.width[i], even.values.width[i - 1]);
    }
}

}  // namespace
}  // namespace thalweg
