#include "thalweg/flow/profile_smoothing.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/flow/built_terrain.hpp"
#include "tests/flow/streams.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// Whole rows from -1 to 1, the same every time.
double noise(std::uint64_t place) {
    return 2.0 * static_cast<double>(unit_float(random_bits(7, Stream::SeedTerrain, place))) - 1.0;
}

/// z = (x / 100)^2 with noise, at places that are not evenly apart.
struct Profile {
    std::vector<double> distance, truth, elevation;
};

Profile noisy_profile(std::size_t points, double deviation) {
    Profile profile;
    double x = 0.0;
    for (std::size_t i = 0; i < points; ++i) {
        profile.distance.push_back(x);
        profile.truth.push_back(x * x / 1e4);
        profile.elevation.push_back(profile.truth.back() + (i == 0 ? 0.0 : deviation * noise(i)));
        x += i % 3 == 0 ? 14.142 : 10.0;
    }
    return profile;
}

/// Sum of squares and penalty, as the header has them.
double cost(const Profile& profile, const std::vector<double>& z, double length) {
    double sum = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i)
        sum += (z[i] - profile.elevation[i]) * (z[i] - profile.elevation[i]);
    const std::vector<double>& x = profile.distance;
    for (std::size_t i = 0; i + 2 < z.size(); ++i) {
        const double bend =
            ((z[i + 2] - z[i + 1]) / (x[i + 2] - x[i + 1]) - (z[i + 1] - z[i]) / (x[i + 1] - x[i])) /
            (0.5 * (x[i + 2] - x[i]));
        sum += std::pow(length, 4.0) * bend * bend;
    }
    return sum;
}

TEST(ProfileSmoothing, makes_the_nearest_rising_values) {
    EXPECT_EQ(isotonic(std::vector{1.0, 3.0, 2.0, 4.0}, -1e9), (std::vector{1.0, 2.5, 2.5, 4.0}));
    EXPECT_EQ(isotonic(std::vector{5.0, 4.0, 3.0}, -1e9), (std::vector{4.0, 4.0, 4.0}));
    EXPECT_EQ(isotonic(std::vector{1.0, 2.0, 9.0}, 1.5), (std::vector{1.5, 2.0, 9.0}));
    EXPECT_TRUE(isotonic({}, 0.0).empty());
}

TEST(ProfileSmoothing, never_rises_downstream_and_comes_nearer_to_the_true_bed) {
    const Profile profile = noisy_profile(200, 8.0);
    const auto error_of = [&](const std::vector<double>& z) {
        double sum = 0.0;
        for (std::size_t i = 0; i < z.size(); ++i) sum += std::pow(z[i] - profile.truth[i], 2.0);
        return std::sqrt(sum / static_cast<double>(z.size()));
    };
    const double before = error_of(profile.elevation);
    for (const double length : {0.0, 30.0, 100.0}) {
        const std::vector<double> smooth =
            smooth_profile(profile.distance, profile.elevation, length, progress);
        EXPECT_TRUE(std::ranges::is_sorted(smooth));
        EXPECT_EQ(smooth[0], profile.elevation[0]);
        EXPECT_LT(error_of(smooth), length == 0.0 ? before : 0.5 * before);
    }
}

TEST(ProfileSmoothing, leaves_straight_profiles_as_they_are) {
    Profile profile = noisy_profile(60, 0.0);
    for (std::size_t i = 0; i < 60; ++i) profile.elevation[i] = 12.0 + 0.03 * profile.distance[i];
    const std::vector<double> smooth = smooth_profile(profile.distance, profile.elevation, 500.0, progress);
    for (std::size_t i = 0; i < 60; ++i) EXPECT_NEAR(smooth[i], profile.elevation[i], 2e-3);
}

TEST(ProfileSmoothing, finds_no_better_profile_near_its_own) {
    // A slow oracle: moves of single points and of runs, as far as the profile still rises.
    const Profile profile = noisy_profile(40, 6.0);
    const double length = 25.0;
    std::vector<double> z = smooth_profile(profile.distance, profile.elevation, length, progress);
    const double found = cost(profile, z, length);
    double best = found;
    for (int round = 0; round < 300; ++round)
        for (std::size_t first = 1; first < z.size(); ++first)
            for (std::size_t last = first; last < std::min(first + 6, z.size()); ++last)
                for (const double step : {0.1, -0.1, 1e-2, -1e-2, 1e-3, -1e-3}) {
                    std::vector<double> moved = z;
                    for (std::size_t i = first; i <= last; ++i) moved[i] += step;
                    if (!std::ranges::is_sorted(moved)) continue;
                    if (const double its = cost(profile, moved, length); its < best - 1e-12) {
                        best = its;
                        z = moved;
                    }
                }
    EXPECT_LT(found - best, 1e-3 * found);
}

TEST(ProfileSmoothing, of_a_network_never_rises_along_any_way_and_keeps_steady_rivers) {
    const FlowTree tree = tests::noise_tree(120, 100, 2);
    const Field<float> z = tests::steady_terrain(tree, 60.0, 0.45);
    const StreamTree streams = tests::streams_of(z, tree, 2000.0);
    std::vector<double> rough = streams.elevation;
    for (std::size_t i = 0; i < rough.size(); ++i) rough[i] += 15.0 * noise(i);
    for (const double length : {0.0, 40.0}) {
        const std::vector<double> bed = smooth_profiles(streams, rough, length, progress);
        double of_rough = 0.0, of_bed = 0.0;
        for (std::int32_t i = 0; i < streams.size(); ++i) {
            if (const std::int32_t below = streams.below[at(i)]; below >= 0) {
                ASSERT_GE(bed[at(i)], bed[at(below)]);
            } else {
                ASSERT_EQ(bed[at(i)], rough[at(i)]);
            }
            of_rough += std::pow(rough[at(i)] - streams.elevation[at(i)], 2.0);
            of_bed += std::pow(bed[at(i)] - streams.elevation[at(i)], 2.0);
        }
        EXPECT_LT(of_bed, of_rough);
    }
}

TEST(ProfileSmoothing, takes_profiles_of_one_and_two_points_and_none) {
    EXPECT_TRUE(smooth_profile({}, {}, 100.0, progress).empty());
    EXPECT_EQ(smooth_profile(std::vector{3.0}, std::vector{7.0}, 100.0, progress), std::vector{7.0});
    EXPECT_EQ(smooth_profile(std::vector{0.0, 3.0}, std::vector{7.0, 5.0}, 100.0, progress),
              (std::vector{7.0, 7.0}));
}

}  // namespace
}  // namespace thalweg
