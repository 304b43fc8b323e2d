#include "thalweg/meander/meander_metrics.hpp"

#include "thalweg/core/execution.hpp"

#include <cmath>
#include <numbers>

#include "tests/meander/histories.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Direction omega cos(2 pi s / meander) at s along it (Langbein and Leopold 1966).
ChannelLine sine_generated(double omega, double meander, int meanders, double spacing, double width) {
    std::vector<RiverPoint> points = {{0.0, 0.0, 0.0}};
    constexpr int kSmall = 20;
    const auto steps = static_cast<int>(std::lround(meanders * meander / spacing));
    for (int i = 0; i < steps * kSmall; ++i) {
        const double s = (i + 0.5) * spacing / kSmall;
        const double direction = omega * std::cos(2.0 * std::numbers::pi * s / meander);
        if (i % kSmall == 0) points.push_back(points.back());
        points.back().x += spacing / kSmall * std::cos(direction);
        points.back().y += spacing / kSmall * std::sin(direction);
    }
    return channel_line(points, width, 3.0, 80.0);
}

TEST(ChannelForm, of_a_sine_generated_curve_is_that_of_its_equation) {
    for (const double omega : {0.6, 1.1, 1.9}) {
        const double meander = 2400.0;
        const ChannelLine line = sine_generated(omega, meander, 12, 50.0, 100.0);
        double highest = 0.0;
        double lowest = 0.0;
        for (const double y : line.y) {
            highest = std::max(highest, y);
            lowest = std::min(lowest, y);
        }
        const ChannelForm form = channel_form(line);
        const double wavelength = meander * std::cyl_bessel_j(0.0, omega);
        EXPECT_NEAR(form.sinuosity, 1.0 / std::cyl_bessel_j(0.0, omega), 0.01) << omega;
        EXPECT_NEAR(form.wavelength, wavelength, 0.02 * meander) << omega;
        EXPECT_NEAR(form.amplitude, 0.5 * (highest - lowest), 0.02 * meander) << omega;
        EXPECT_NEAR(form.valley_length, 12.0 * wavelength, 0.1 * meander) << omega;
        EXPECT_EQ(form.bends, 22) << omega;
        EXPECT_NEAR(form.width, 100.0, 1e-9);
    }
}

TEST(ChannelForm, of_arcs_of_circles_is_that_of_their_radius_and_angle) {
    const double radius = 300.0;
    for (const double half : {0.7, 1.3, 1.8}) {  // radians, half the angle of an arc
        std::vector<RiverPoint> points = {{0.0, 0.0, 0.0}};
        double direction = half;
        for (int arc = 0; arc < 20; ++arc) {
            const double sense = arc % 2 == 0 ? -1.0 : 1.0;
            const int steps = static_cast<int>(std::ceil(2.0 * half * radius / 25.0));
            const double turn = sense * 2.0 * half / steps;
            const double step = 2.0 * radius * std::sin(half / steps);
            for (int i = 0; i < steps; ++i) {
                direction += 0.5 * turn;
                points.push_back({points.back().x + step * std::cos(direction),
                                  points.back().y + step * std::sin(direction), 0.0});
                direction += 0.5 * turn;
            }
        }
        const ChannelForm form = channel_form(channel_line(points, 60.0, 2.0, 40.0));
        EXPECT_NEAR(form.wavelength, 4.0 * radius * std::sin(half), 15.0) << half;
        EXPECT_NEAR(form.amplitude, radius * (1.0 - std::cos(half)), 12.0) << half;
        EXPECT_NEAR(form.sinuosity, half / std::sin(half), 0.01) << half;
        EXPECT_EQ(form.bends, 18) << half;
    }
}

TEST(ChannelForm, has_no_bends_where_a_line_is_rough_but_straight) {
    ChannelLine line = straight_line(5000.0, 0.0, 100.0);
    for (std::size_t i = 0; i < line.size(); ++i)
        line.y[i] += 6.0 * (unit_double(random_bits(1, Stream::WhiteNoise, i)) - 0.5);
    const ChannelForm form = channel_form(line);
    EXPECT_EQ(form.bends, 0);
    EXPECT_EQ(form.wavelength, 0.0);
    EXPECT_NEAR(form.valley_length, 5000.0, 10.0);
}

TEST(ChannelForm, is_robust_against_noise_on_bends) {
    ChannelLine line = sine_generated(1.3, 2400.0, 12, 50.0, 100.0);
    const ChannelForm expected = channel_form(line);
    for (std::size_t i = 0; i < line.size(); ++i) {
        line.x[i] += 8.0 * (unit_double(random_bits(1, Stream::WhiteNoise, i)) - 0.5);
        line.y[i] += 8.0 * (unit_double(random_bits(2, Stream::WhiteNoise, i)) - 0.5);
    }
    const ChannelForm form = channel_form(line);
    EXPECT_EQ(form.bends, expected.bends);
    EXPECT_NEAR(form.wavelength, expected.wavelength, 0.05 * expected.wavelength);
    EXPECT_NEAR(form.amplitude, expected.amplitude, 0.05 * expected.amplitude);
}

TEST(MeanderMetrics, find_the_speed_of_a_channel_and_the_width_of_its_belt) {
    QuietProgress progress;
    for (const double interval : {2.0, 10.0}) {
        const MeanderMetrics metrics = meander_metrics(moving_channel(12.0, interval, 40.0), progress);
        EXPECT_NEAR(metrics.migration.mean, 12.0, 1e-3);
        EXPECT_NEAR(metrics.migration.median, 12.0, 1e-3);
        EXPECT_NEAR(metrics.migration.p90, 12.0, 1e-3);
        EXPECT_DOUBLE_EQ(metrics.migration.years, 40.0);
        EXPECT_NEAR(metrics.belt.mean_width, 580.0, 15.0);
        EXPECT_NEAR(metrics.belt.p90_width, 580.0, 40.0);
        ASSERT_EQ(metrics.networks.back().reaches.size(), 1U);
        EXPECT_NEAR(metrics.networks.back().reaches.front().migration.mean, 12.0, 1e-3);
        EXPECT_EQ(metrics.networks.front().migration.mean, 0.0);
    }
}

TEST(MeanderMetrics, find_the_mean_speed_of_bends_that_grow_by_the_area_that_they_sweep) {
    // y = a sin(2 pi x / 1200), a grows by 4 m a year: the area between two courses over the mean length.
    const auto line_at = [](double year) {
        return sine_line(12000.0, 20.0, 1200.0, 100.0 + 4.0 * year, 60.0);
    };
    const MeanderHistory history = history_of(line_at, 5.0, 5.0);
    QuietProgress progress;
    const double area = 12000.0 * 20.0 * 2.0 / std::numbers::pi;
    const double length = 0.5 * (length_of(line_at(0.0)) + length_of(line_at(5.0)));
    EXPECT_NEAR(meander_metrics(history, progress).migration.mean, area / length / 5.0,
                0.02 * area / length / 5.0);
}

TEST(MeanderMetrics, do_not_take_the_other_limb_of_a_bend_for_where_a_limb_came_from) {
    // Limbs 150 m apart move by 90 m: the lower one comes to lie nearer to where the upper one was.
    const auto line_at = [](double year) {
        std::vector<RiverPoint> points;
        for (double x = 0.0; x < 6000.0; x += 50.0) points.push_back({x, 18.0 * year, 0.0});
        for (int i = 0; i <= 6; ++i) {
            const double angle = std::numbers::pi * (i / 6.0 - 0.5);
            points.push_back(
                {6000.0 + 75.0 * std::cos(angle), 18.0 * year + 75.0 * (1.0 + std::sin(angle)), 0.0});
        }
        for (double x = 5950.0; x >= 0.0; x -= 50.0) points.push_back({x, 18.0 * year + 150.0, 0.0});
        return channel_line(points, 100.0, 3.0, 80.0);
    };
    QuietProgress progress;
    const MeanderMetrics metrics = meander_metrics(history_of(line_at, 5.0, 5.0), progress);
    EXPECT_NEAR(metrics.migration.median, 18.0, 0.01);
    EXPECT_NEAR(metrics.migration.mean, 18.0, 0.3);
}

TEST(MeanderMetrics, count_cutoffs_by_century_and_length) {
    MeanderHistory history = moving_channel(0.0, 5.0, 50.0);
    for (const double year : {4.0, 20.0, 21.0})
        history.courses.push_back(
            {.id = 1, .reach = 1, .year = year, .cause = MeanderEventKind::Cutoff, .line = {}});
    history.courses.push_back(
        {.id = 1, .reach = 1, .year = 30.0, .cause = MeanderEventKind::Capture, .line = {}});
    QuietProgress progress;
    const MeanderMetrics metrics = meander_metrics(history, progress);
    EXPECT_NEAR(metrics.cutoff_rate, 3.0 * 2.0 * 25.0, 1e-6);  // of 50 yr and 4 km
    EXPECT_NEAR(metrics.networks[1].cutoff_rate, 20.0 * 25.0, 1e-6);
    EXPECT_EQ(metrics.networks[2].cutoff_rate, 0.0);
}

TEST(MeanderMetrics, of_a_simulation_lie_in_the_bands_of_real_rivers) {
    QuietProgress progress;
    const MeanderMetrics metrics = meander_metrics(simulated_history(20000.0, 100.0, 400.0, 5.0), progress);
    const ReferenceBand& band = kNaturalWavelengths[1];
    EXPECT_EQ(band.width, 100.0);
    EXPECT_GT(metrics.networks.back().wavelength, band.low);
    EXPECT_LT(metrics.networks.back().wavelength, band.high);
    EXPECT_GT(metrics.networks.back().sinuosity, kMeanderingSinuosity);
    EXPECT_GT(metrics.migration.p90, metrics.migration.median);
    double cutoff_rate = 0.0;  // once bends are grown
    for (std::size_t i = 51; i <= 80; ++i) cutoff_rate += metrics.networks[i].cutoff_rate / 30.0;
    EXPECT_GT(cutoff_rate, 70.0);
    EXPECT_LT(cutoff_rate, 220.0);
    EXPECT_GT(metrics.belt.mean_width, 1000.0);
    EXPECT_GT(metrics.belt.p90_width, metrics.belt.mean_width);
}

TEST(MeanderMetrics, have_the_same_bits_on_any_number_of_threads) {
    const MeanderHistory history = simulated_history(12000.0, 60.0, 100.0, 5.0);
    const auto measured = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        QuietProgress progress;
        const MeanderMetrics metrics = meander_metrics(history, progress);
        return std::vector{metrics.migration.mean, metrics.migration.median, metrics.belt.area,
                           metrics.belt.p90_width};
    };
    EXPECT_EQ(measured(8), measured(1));
}

TEST(MeanderMetrics, of_no_channel_are_none) {
    QuietProgress progress;
    EXPECT_TRUE(meander_metrics({}, progress).networks.empty());
    MeanderHistory history;
    history.networks = {{.year = 0.0, .channels = {}}};
    EXPECT_EQ(meander_metrics(history, progress).belt.area, 0.0);
}

}  // namespace
}  // namespace thalweg
