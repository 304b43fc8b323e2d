#include "thalweg/meander/meander_metrics.hpp"

#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/meander/histories.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr MeanderMetricsParameters kLatest = {.window = 0.0};

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
        const MeanderMetrics metrics =
            meander_metrics(moving_channel(12.0, interval, 40.0), kLatest, progress);
        EXPECT_NEAR(metrics.migration.mean, 12.0, 1e-3);
        EXPECT_NEAR(metrics.migration.median, 12.0, 1e-3);
        EXPECT_NEAR(metrics.migration.p90, 12.0, 1e-3);
        EXPECT_DOUBLE_EQ(metrics.migration.years, 40.0);
        EXPECT_NEAR(metrics.belt.mean_width, 580.0, 15.0);
        EXPECT_NEAR(metrics.belt.p90_width, 580.0, 40.0);
        ASSERT_EQ(metrics.networks.back().reaches.size(), 1U);
        EXPECT_NEAR(metrics.networks.back().reaches.front().channel.migration.mean, 12.0, 1e-3);
        EXPECT_EQ(metrics.networks.front().whole.migration.mean, 0.0);
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
    EXPECT_NEAR(meander_metrics(history, kLatest, progress).migration.mean, area / length / 5.0,
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
    const MeanderMetrics metrics = meander_metrics(history_of(line_at, 5.0, 5.0), kLatest, progress);
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
    const MeanderMetrics metrics = meander_metrics(history, kLatest, progress);
    EXPECT_NEAR(metrics.cutoff_rate, 3.0 * 2.0 * 25.0, 1e-6);  // of 50 yr and 4 km
    EXPECT_NEAR(metrics.networks[1].whole.cutoff_rate, 20.0 * 25.0, 1e-6);
    EXPECT_EQ(metrics.networks[2].whole.cutoff_rate, 0.0);
}

/// Two straight channels 3 km apart, reach 1, which moves north, and reach 2, every 5 years to year 60.
MeanderHistory two_channels(const std::function<double(double year)>& north) {
    MeanderHistory history;
    for (int i = 0; i <= 12; ++i) {
        const double year = 5.0 * i;
        history.networks.push_back({.year = year,
                                    .channels = {recorded(straight_line(4000.0, north(year), 100.0), 1),
                                                 recorded(straight_line(4000.0, -3000.0, 100.0), 2)}});
    }
    return history;
}

TEST(MeanderMetrics, of_a_sine_generated_curve_that_drifts_are_those_of_its_equation) {
    // Drifting by v along its axis, a point migrates by v |sin(direction)|.
    const double omega = 1.1;
    const double speed = 2.0;  // m/yr
    const auto line_at = [&](double year) {
        ChannelLine line = sine_generated(omega, 2400.0, 12, 50.0, 100.0);
        for (double& x : line.x) x += speed * year;
        return line;
    };
    std::vector<double> rates;
    double mean = 0.0;
    for (int i = 0; i < 10000; ++i) {
        rates.push_back(speed *
                        std::abs(std::sin(omega * std::cos(2.0 * std::numbers::pi * (i + 0.5) / 10000))));
        mean += rates.back() / 10000;
    }
    std::ranges::sort(rates);
    QuietProgress progress;
    const MeanderMetrics metrics = meander_metrics(history_of(line_at, 5.0, 40.0), {}, progress);
    EXPECT_NEAR(metrics.networks.back().whole.migration.mean, mean, 0.03 * mean);
    EXPECT_NEAR(metrics.networks.back().whole.migration.median, rates[5000], 0.03 * rates[5000]);
    EXPECT_NEAR(metrics.networks.back().whole.migration.p90, rates[9000], 0.03 * rates[9000]);
    for (const NetworkMetrics& network : metrics.networks) {
        EXPECT_NEAR(network.whole.form.sinuosity, metrics.networks[0].whole.form.sinuosity, 1e-3);
        EXPECT_NEAR(network.whole.form.wavelength, 2400.0 * std::cyl_bessel_j(0.0, omega), 48.0);
    }
}

TEST(MeanderMetrics, have_rates_that_are_means_of_the_window_before_each_record) {
    const MeanderHistory history =
        two_channels([](double year) { return year <= 40.0 ? 2.0 * year : 80.0 + 10.0 * (year - 40.0); });
    QuietProgress progress;
    const MeanderMetrics metrics = meander_metrics(history, {.window = 20.0}, progress);
    const auto rate = [&](std::size_t record, std::size_t reach) {
        return metrics.networks[record].reaches[reach].channel.migration;
    };
    EXPECT_EQ(rate(0, 0).years, 0.0);
    EXPECT_EQ(rate(1, 0).years, 5.0);
    EXPECT_EQ(rate(12, 0).years, 20.0);
    EXPECT_NEAR(rate(1, 0).mean, 2.0, 1e-3);
    EXPECT_NEAR(rate(8, 0).mean, 2.0, 1e-3);
    EXPECT_NEAR(rate(10, 0).mean, 6.0, 1e-3);
    EXPECT_NEAR(rate(12, 0).mean, 10.0, 1e-3);
    EXPECT_NEAR(rate(12, 0).length, 4000.0, 60.0);
    EXPECT_NEAR(rate(12, 1).mean, 0.0, 1e-3);
    EXPECT_NEAR(metrics.networks[12].whole.migration.mean, 5.0, 1e-3);
}

TEST(MeanderMetrics, count_the_cutoffs_of_each_reach_so_far_and_their_rate_within_the_window) {
    MeanderHistory history = two_channels([](double) { return 0.0; });
    for (const auto& [year, reach] : {std::pair{0.0, 1}, {12.0, 1}, {13.0, 1}, {30.0, 2}, {42.0, 1}})
        history.courses.push_back(
            {.id = 9, .reach = reach, .year = year, .cause = MeanderEventKind::Cutoff, .line = {}});
    QuietProgress progress;
    const MeanderMetrics metrics = meander_metrics(history, {.window = 20.0}, progress);
    const auto expect = [&](std::size_t record, std::array<std::int64_t, 3> so_far,
                            std::array<double, 3> per_window) {
        const NetworkMetrics& network = metrics.networks[record];
        const std::array channels = {network.whole, network.reaches[0].channel, network.reaches[1].channel};
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(channels[i].cutoffs, so_far[i]) << record;
            const double kilometres = i == 0 ? 8.0 : 4.0;
            EXPECT_NEAR(channels[i].cutoff_rate, per_window[i] * 100.0 / 20.0 * 100.0 / kilometres, 1e-3)
                << record;
        }
    };
    expect(4, {2, 2, 0}, {2.0, 2.0, 0.0});
    expect(6, {3, 2, 1}, {3.0, 2.0, 1.0});
    expect(7, {3, 2, 1}, {1.0, 0.0, 1.0});
    expect(12, {4, 3, 1}, {1.0, 1.0, 0.0});
    EXPECT_NEAR(metrics.cutoff_rate, 4.0 * 100.0 / 60.0 * 100.0 / 8.0, 1e-3);
}

TEST(MeanderMetrics, tell_how_the_belt_of_each_reach_widens) {
    const MeanderHistory history = two_channels([](double year) { return 8.0 * year; });
    QuietProgress progress;
    const MeanderMetrics metrics = meander_metrics(history, {}, progress);
    for (const NetworkMetrics& network : metrics.networks) {
        EXPECT_NEAR(network.reaches[0].channel.belt_width, 100.0 + 8.0 * network.year, 15.0) << network.year;
        EXPECT_NEAR(network.reaches[1].channel.belt_width, 100.0, 15.0) << network.year;
        EXPECT_NEAR(network.whole.belt_width, 100.0 + 4.0 * network.year, 15.0) << network.year;
    }
    EXPECT_NEAR(metrics.networks.back().whole.belt_width, metrics.belt.mean_width, 1e-6);
}

TEST(MeanderMetrics, of_a_window_without_end_are_those_of_all_years) {
    QuietProgress progress;
    const MeanderMetrics metrics = meander_metrics(simulated_network(100.0, 5.0), {.window = 1e6}, progress);
    EXPECT_DOUBLE_EQ(metrics.networks.back().whole.migration.mean, metrics.migration.mean);
    EXPECT_EQ(metrics.networks.back().whole.cutoff_rate, metrics.cutoff_rate);
    EXPECT_GT(metrics.networks.back().reaches.size(), 1U);
}

TEST(MeanderMetrics, of_a_simulation_lie_in_the_bands_of_real_rivers) {
    QuietProgress progress;
    const MeanderMetrics metrics =
        meander_metrics(simulated_history(20000.0, 100.0, 400.0, 5.0), kLatest, progress);
    const ReferenceBand& band = kNaturalWavelengths[1];
    EXPECT_EQ(band.width, 100.0);
    EXPECT_GT(metrics.networks.back().whole.form.wavelength, band.low);
    EXPECT_LT(metrics.networks.back().whole.form.wavelength, band.high);
    EXPECT_GT(metrics.networks.back().whole.form.sinuosity, kMeanderingSinuosity);
    EXPECT_GT(metrics.migration.p90, metrics.migration.median);
    double cutoff_rate = 0.0;  // once bends are grown
    for (std::size_t i = 51; i <= 80; ++i) cutoff_rate += metrics.networks[i].whole.cutoff_rate / 30.0;
    EXPECT_GT(cutoff_rate, 70.0);
    EXPECT_LT(cutoff_rate, 220.0);
    EXPECT_GT(metrics.belt.mean_width, 1000.0);
    EXPECT_GT(metrics.belt.p90_width, metrics.belt.mean_width);
}

TEST(NaturalWavelengths, of_any_width_are_the_bands_of_the_paper) {
    for (const ReferenceBand& band : kNaturalWavelengths) {
        EXPECT_NEAR(natural_wavelengths(band.width).low, band.low, 0.005 * band.low);
        EXPECT_NEAR(natural_wavelengths(band.width).high, band.high, 0.005 * band.high);
    }
}

TEST(MeanderMetrics, have_the_same_bits_on_any_number_of_threads) {
    const MeanderHistory history = simulated_history(12000.0, 60.0, 100.0, 5.0);
    const auto measured = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        QuietProgress progress;
        const MeanderMetrics metrics = meander_metrics(history, kLatest, progress);
        std::vector<double> values = {metrics.migration.mean, metrics.migration.median, metrics.belt.area,
                                      metrics.belt.p90_width};
        for (const NetworkMetrics& network : metrics.networks)
            values.insert(values.end(), {network.whole.belt_width, network.whole.migration.p90,
                                         network.reaches.front().channel.belt_width});
        return values;
    };
    EXPECT_EQ(measured(8), measured(1));
}

TEST(MeanderMetrics, of_no_channel_are_none) {
    QuietProgress progress;
    EXPECT_TRUE(meander_metrics({}, {}, progress).networks.empty());
    MeanderHistory history;
    history.networks = {{.year = 0.0, .channels = {}}};
    EXPECT_EQ(meander_metrics(history, kLatest, progress).belt.area, 0.0);
}

}  // namespace
}  // namespace thalweg
