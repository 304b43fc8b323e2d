#include "thalweg/water/disc_seeding.hpp"

#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "tests/long_test.hpp"
#include "tests/refusal.hpp"
#include "tests/water/waters.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using testing::HasSubstr;

/// A bending river, 3 to 7 m wide, with a rock in it: m from its water, below 0 in it.
double off_edge(Position p) {
    const double middle = 6.0 * std::sin(0.11 * p.x);
    const double width = 2.5 + std::sin(0.05 * p.x);
    const double off_bank = (std::abs(p.y - middle) - width) / 1.3;  // the line's slope is below 0.67
    const double off_rock = 1.0 - std::hypot(p.x - 28.0, p.y - 0.5);
    return std::max(off_bank, off_rock);
}

double off_river(Position p) {
    return std::max(0.0, off_edge(p));
}

/// Discs are smaller beside the rock.
WaterDomain river(double length) {
    WaterDomain domain{.extent = {-10.0, -12.0, length, 12.0}};
    domain.distance_to_water = off_river;
    domain.radius = [](Position p) { return 0.3 + 0.2 * std::hypot(p.x - 28.0, p.y - 0.5); };
    domain.radius_change = 0.2;
    domain.least_radius = 0.2;
    domain.largest_radius = 4.0;
    return domain;
}

/// Looks up discs by square metres.
class DiscFinder {
  public:
    explicit DiscFinder(const std::vector<WaterDisc>& discs) {
        for (const WaterDisc& disc : discs)
            for (int row = floor_of(disc.centre.y - disc.radius);
                 row <= floor_of(disc.centre.y + disc.radius); ++row)
                for (int column = floor_of(disc.centre.x - disc.radius);
                     column <= floor_of(disc.centre.x + disc.radius); ++column)
                    cells_[{column, row}].push_back(disc);
    }

    [[nodiscard]] double greatest_weight(Position p) const {
        double greatest = 0.0;
        const auto cell = cells_.find({floor_of(p.x), floor_of(p.y)});
        if (cell == cells_.end()) return 0.0;
        for (const WaterDisc& disc : cell->second)
            greatest = std::max(
                greatest, water_weight({.x = disc.centre.x, .y = disc.centre.y, .radius = disc.radius}, p));
        return greatest;
    }

  private:
    static int floor_of(double v) { return static_cast<int>(std::floor(v)); }

    std::map<std::pair<int, int>, std::vector<WaterDisc>> cells_;
};

/// The least weight over random points of the river's water.
double least_weight(int points, double length) {
    QuietProgress progress;
    const DiscFinder finder(seed_discs(river(length), 3, progress));
    double least = 1.0;
    int wet = 0;
    for (int i = 0; i < points; ++i) {
        const auto key = static_cast<std::uint64_t>(i);
        const Position p{drawn(key, 0, -10.0, length), drawn(key, 1, -12.0, 12.0)};
        if (off_river(p) > 0.0) continue;
        ++wet;
        least = std::min(least, finder.greatest_weight(p));
    }
    EXPECT_GT(wet, points / 10);
    return least;
}

TEST(DiscSeeding, gives_the_same_discs_where_dry_ground_is_passed_over) {
    QuietProgress progress;
    WaterDomain domain = river(400.0);
    domain.extent.south = -900.0;
    const std::vector<WaterDisc> all = seed_discs(domain, 7, progress);
    int passed = 0;
    domain.may_hold_water = [&](const Rectangle& place) {
        const bool may = place.north > -20.0;
        passed += may ? 0 : 1;
        return may;
    };
    const ExecutionScope scope({.threads = 1});
    const std::vector<WaterDisc> found = seed_discs(domain, 7, progress);
    EXPECT_GT(passed, 200);
    ASSERT_EQ(found.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(found[i].centre.x, all[i].centre.x);
        ASSERT_EQ(found[i].bits, all[i].bits);
    }
}

TEST(DiscSeeding, asks_for_fewer_distances_where_they_tell_how_far_the_edge_is) {
    QuietProgress progress;
    const ExecutionScope scope({.threads = 1});
    int asked = 0;
    WaterDomain domain = river(100.0);
    domain.distance_to_water = [&](Position p) { return ++asked, off_river(p); };
    const std::vector<WaterDisc> discs = seed_discs(domain, 7, progress);
    const int asked_by_zeros = std::exchange(asked, 0);
    domain.distance_to_water = [&](Position p) { return ++asked, off_edge(p); };
    const std::vector<WaterDisc> found = seed_discs(domain, 7, progress);
    EXPECT_LT(asked, 0.7 * asked_by_zeros);
    ASSERT_EQ(found.size(), discs.size());
    for (std::size_t i = 0; i < discs.size(); ++i) ASSERT_EQ(found[i].bits, discs[i].bits);
}

TEST(DiscSeeding, covers_all_water_with_the_least_weight_that_it_promises) {
    EXPECT_GE(least_weight(100000, 60.0), kLeastCoverage);
}

using LongDiscSeeding = LongTest;
TEST_F(LongDiscSeeding, leaves_no_hole_at_ten_million_points) {
    EXPECT_GE(least_weight(10000000, 60.0), kLeastCoverage);
}

TEST(DiscSeeding, keeps_radii_within_what_is_wanted_and_near_it) {
    QuietProgress progress;
    const WaterDomain domain = river(60.0);
    for (const WaterDisc& disc : seed_discs(domain, 3, progress)) {
        const double wanted = domain.radius(disc.centre);
        EXPECT_LE(disc.radius, std::max(wanted, 2.0 * domain.least_radius));
        EXPECT_GE(disc.radius, domain.least_radius);
        EXPECT_GE(disc.radius, std::min(0.25 * wanted, domain.largest_radius));
    }
}

TEST(DiscSeeding, puts_the_same_discs_at_a_place_whatever_the_extent) {
    QuietProgress progress;
    WaterDomain domain = river(60.0);
    const std::vector<WaterDisc> whole = seed_discs(domain, 3, progress);
    domain.extent = {20.0, -2.0, 30.0, 3.0};
    const std::vector<WaterDisc> part = seed_discs(domain, 3, progress);
    EXPECT_LT(part.size(), whole.size());
    for (const WaterDisc& disc : part)
        EXPECT_TRUE(std::any_of(whole.begin(), whole.end(), [&](const WaterDisc& other) {
            return other.bits == disc.bits && other.centre.x == disc.centre.x && other.radius == disc.radius;
        }));
}

TEST(DiscSeeding, has_the_same_discs_on_any_number_of_threads_and_others_for_another_seed) {
    const auto built = [](int threads, std::uint64_t seed) {
        const ExecutionScope scope({.threads = threads});
        QuietProgress progress;
        std::vector<double> numbers;
        for (const WaterDisc& disc : seed_discs(river(200.0), seed, progress))
            numbers.insert(numbers.end(), {disc.centre.x, disc.centre.y, disc.radius});
        return numbers;
    };
    EXPECT_EQ(built(1, 3), built(2, 3));
    EXPECT_EQ(built(1, 3), built(8, 3));
    EXPECT_NE(built(1, 3), built(1, 4));
}

TEST(DiscSeeding, lays_discs_in_no_rows) {
    // Offsets from the cells' middles spread evenly: none of ten parts holds a share far from a tenth.
    QuietProgress progress;
    WaterDomain domain{.extent = {0.0, 0.0, 80.0, 80.0}};
    domain.distance_to_water = [](Position) { return 0.0; };
    domain.radius = [](Position) { return 1.25; };
    domain.radius_change = 0.0;
    domain.largest_radius = 1.25;
    std::vector<int> counts(10);
    const std::vector<WaterDisc> discs = seed_discs(domain, 3, progress);
    for (const WaterDisc& disc : discs) {
        const double off = disc.centre.x - std::floor(disc.centre.x) - 0.5;
        ++counts[static_cast<std::size_t>(std::clamp(std::floor((off + 0.2) * 25.0), 0.0, 9.0))];
    }
    for (const int count : counts) EXPECT_NEAR(count * 10.0 / static_cast<double>(discs.size()), 1.0, 0.15);
}

TEST(DiscSeeding, refuses_extents_and_lengths_that_are_not_allowed) {
    QuietProgress progress;
    const auto refusal = [&](const auto& spoil) {
        WaterDomain domain = river(60.0);
        spoil(domain);
        return refusal_of([&] { (void)seed_discs(domain, 1, progress); });
    };
    EXPECT_THAT(refusal([](auto& d) { d.extent.east = d.extent.west; }), HasSubstr("west < east"));
    EXPECT_THAT(refusal([](auto& d) { d.extent.north = std::numeric_limits<double>::infinity(); }),
                HasSubstr("west < east"));
    EXPECT_THAT(refusal([](auto& d) { d.least_radius = 0.0; }), HasSubstr("0 < least"));
    EXPECT_THAT(refusal([](auto& d) { d.largest_radius = 0.1; }), HasSubstr("0 < least"));
    EXPECT_THAT(refusal([](auto& d) { d.radius_change = -1.0; }), HasSubstr("radius_change = -1"));
    EXPECT_THAT(refusal([](auto& d) { d.radius = [](Position) { return 0.0; }; }),
                HasSubstr("greater than 0"));
    EXPECT_THAT(refusal([](auto& d) { d.extent.east = 1e12; }), HasSubstr("too large"));
}

}  // namespace
}  // namespace thalweg
