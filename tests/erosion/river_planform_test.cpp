#include "thalweg/erosion/river_planform.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;

constexpr double kSpacing = 3000.0;  // m, between drawn points

Grid grid_of_cells(double cell_size) {
    return make_grid(25600.0, 25600.0, static_cast<int>(25600.0 / cell_size));
}

DrawnRiver river(std::initializer_list<double> points) {
    return {.points = points};
}

/// A trunk, a tributary that joins it at a drawn point, and one that joins it between two.
std::vector<DrawnRiver> river_system() {
    return {river({5200.0, 21500.0, 6400.0, 18600.0, 9800.0, 17200.0, 11200.0, 14200.0, 13200.0, 12000.0,
                   12600.0, 9000.0, 14600.0, 6200.0, 13600.0, 3000.0, 14000.0, 0.0}),
            river({21500.0, 20500.0, 19800.0, 17200.0, 16400.0, 15600.0, 15600.0, 13000.0, 13200.0, 12000.0}),
            river({3400.0, 10800.0, 6600.0, 11600.0, 9200.0, 9600.0, 12700.0, 9500.0})};
}

std::vector<DrawnRiver> wound(const std::vector<DrawnRiver>& rivers, const Grid& grid, std::uint64_t seed) {
    QuietProgress quiet;
    return natural_planform(rivers, grid, seed, quiet);
}

std::vector<Position> places_of(const DrawnRiver& drawn) {
    std::vector<Position> places;
    for (std::size_t i = 0; i + 1 < drawn.points.size(); i += 2)
        places.push_back({drawn.points[i], drawn.points[i + 1]});
    return places;
}

double length_of(const DrawnRiver& drawn) {
    const std::vector<Position> places = places_of(drawn);
    double length = 0.0;
    for (std::size_t i = 1; i < places.size(); ++i)
        length += std::hypot(places[i].x - places[i - 1].x, places[i].y - places[i - 1].y);
    return length;
}

double distance_to_line(const Position& place, const DrawnRiver& drawn) {
    const std::vector<Position> places = places_of(drawn);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < places.size(); ++i) {
        const Position& a = places[i - 1];
        const double x = places[i].x - a.x, y = places[i].y - a.y;
        const double along = ((place.x - a.x) * x + (place.y - a.y) * y) / (x * x + y * y);
        const double share = std::clamp(along, 0.0, 1.0);
        least = std::min(least, std::hypot(a.x + share * x - place.x, a.y + share * y - place.y));
    }
    return least;
}

double farthest_from_line(const DrawnRiver& wound, const DrawnRiver& drawn) {
    double farthest = 0.0;
    for (const Position& place : places_of(wound))
        farthest = std::max(farthest, distance_to_line(place, drawn));
    return farthest;
}

double mean_from_line(const DrawnRiver& wound, const DrawnRiver& drawn) {
    double sum = 0.0;
    for (const Position& place : places_of(wound)) sum += distance_to_line(place, drawn);
    return sum / static_cast<double>(places_of(wound).size());
}

/// Whether two segments cross inside of both.
bool cross(const Position& a, const Position& b, const Position& c, const Position& d) {
    const auto side = [](const Position& p, const Position& q, const Position& r) {
        return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    };
    return side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
}

int crossings(const std::vector<DrawnRiver>& rivers) {
    std::vector<std::vector<Position>> lines;
    for (const DrawnRiver& drawn : rivers) lines.push_back(places_of(drawn));
    int count = 0;
    for (std::size_t a = 0; a < lines.size(); ++a)
        for (std::size_t b = a; b < lines.size(); ++b)
            for (std::size_t i = 1; i < lines[a].size(); ++i)
                for (std::size_t j = a == b ? i + 1 : 1; j < lines[b].size(); ++j)
                    count += cross(lines[a][i - 1], lines[a][i], lines[b][j - 1], lines[b][j]) ? 1 : 0;
    return count;
}

TEST(RiverPlanform, makes_a_straight_line_as_long_as_rivers_of_mountains_are) {
    const DrawnRiver drawn = river({2000.0, 12800.0, 5000.0, 12800.0, 8000.0, 12800.0, 11000.0, 12800.0,
                                    14000.0, 12800.0, 17000.0, 12800.0, 20000.0, 12800.0, 23000.0, 12800.0});
    double mean = 0.0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const DrawnRiver winding = wound({drawn}, grid_of_cells(25.0), seed).front();
        const double sinuosity = length_of(winding) / length_of(drawn);
        EXPECT_THAT(sinuosity, AllOf(Ge(1.08), Le(1.4))) << seed;
        mean += sinuosity / 20.0;
    }
    EXPECT_THAT(mean, AllOf(Ge(1.1), Le(1.3)));
}

TEST(RiverPlanform, keeps_ends_and_joins_and_stays_near_what_was_drawn) {
    const std::vector<DrawnRiver> drawn = river_system();
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const std::vector<DrawnRiver> winding = wound(drawn, grid_of_cells(25.0), seed);
        ASSERT_EQ(winding.size(), drawn.size());
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            const std::vector<Position> before = places_of(drawn[i]), after = places_of(winding[i]);
            EXPECT_EQ(before.front().x, after.front().x);
            EXPECT_EQ(before.front().y, after.front().y);
            EXPECT_EQ(before.back().x, after.back().x);
            EXPECT_EQ(before.back().y, after.back().y);
            EXPECT_LT(farthest_from_line(winding[i], drawn[i]), 0.4 * 4000.0);
            EXPECT_GT(farthest_from_line(winding[i], drawn[i]), 50.0);
        }
        // At a drawn point of the trunk, and where the trunk passes by.
        EXPECT_LT(distance_to_line({13200.0, 12000.0}, winding[0]), 1e-9);
        EXPECT_LT(distance_to_line({12700.0, 9500.0}, winding[0]),
                  1.5 * distance_to_line({12700.0, 9500.0}, drawn[0]) + 1.0);
    }
}

TEST(RiverPlanform, is_the_same_river_at_every_size) {
    const std::vector<DrawnRiver> drawn = river_system();
    const std::vector<DrawnRiver> coarse = wound(drawn, grid_of_cells(100.0), 3);
    for (const double cell_size : {50.0, 25.0, 12.5}) {
        const std::vector<DrawnRiver> fine = wound(drawn, grid_of_cells(cell_size), 3);
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            EXPECT_LT(farthest_from_line(fine[i], coarse[i]), 75.0) << cell_size;
            EXPECT_LT(mean_from_line(fine[i], coarse[i]), 20.0) << cell_size;
            EXPECT_GE(length_of(fine[i]), length_of(coarse[i])) << cell_size;
        }
    }
}

TEST(RiverPlanform, crosses_neither_itself_nor_others) {
    ASSERT_EQ(crossings(river_system()), 0);
    for (std::uint64_t seed = 0; seed < 12; ++seed)
        EXPECT_EQ(crossings(wound(river_system(), grid_of_cells(50.0), seed)), 0) << seed;
    // Hairpins, and lines that run side by side, 300 m apart.
    const std::vector<DrawnRiver> narrow = {
        river({4000.0, 4000.0, 14000.0, 4300.0, 4000.0, 4600.0, 14000.0, 4900.0, 4000.0, 5200.0}),
        river({4000.0, 6000.0, 20000.0, 6000.0}), river({4000.0, 6300.0, 20000.0, 6300.0})};
    ASSERT_EQ(crossings(narrow), 0);
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        EXPECT_EQ(crossings(wound(narrow, grid_of_cells(50.0), seed)), 0) << seed;
}

TEST(RiverPlanform, leaves_locked_rivers_as_they_are_and_joins_to_them) {
    std::vector<DrawnRiver> drawn = river_system();
    drawn[0].locked = true;
    const std::vector<DrawnRiver> winding = wound(drawn, grid_of_cells(25.0), 5);
    EXPECT_EQ(winding[0].points, drawn[0].points);
    EXPECT_GT(length_of(winding[1]), 1.05 * length_of(drawn[1]));
    EXPECT_EQ(crossings({winding[0], winding[1]}), 0);
}

TEST(RiverPlanform, leaves_a_river_alone_that_is_drawn_as_finely_as_cells_lie) {
    DrawnRiver drawn;
    for (int i = 0; i <= 1200; ++i) {
        drawn.points.push_back(3000.0 + 10.0 * i);
        drawn.points.push_back(12000.0 + 300.0 * std::sin(i * 0.025));
    }
    EXPECT_EQ(wound({drawn}, grid_of_cells(50.0), 5).front().points, drawn.points);
    EXPECT_GT(wound({drawn}, grid_of_cells(5.0), 5).front().points.size(), drawn.points.size());
}

TEST(RiverPlanform, winds_less_at_small_scales_the_wider_a_river_is) {
    // The same stretch at the head of a river, and 200 km below another's head.
    const Grid grid = grid_of_cells(5.0);
    const DrawnRiver young = river({8000.0, 12800.0, 12000.0, 12800.0, 16000.0, 12800.0});
    const DrawnRiver old = river({-192000.0, 12800.0, 8000.0, 12800.0, 12000.0, 12800.0, 16000.0, 12800.0});
    const auto turns_per_metre = [&](const DrawnRiver& drawn) {
        const std::vector<Position> places = places_of(wound({drawn}, grid, 2).front());
        double turns = 0.0;
        for (std::size_t i = 2; i < places.size(); ++i) {
            const Position &a = places[i - 2], &b = places[i - 1], &c = places[i];
            if (a.x < 9000.0 || c.x > 11000.0) continue;
            const double turn = std::atan2(c.y - b.y, c.x - b.x) - std::atan2(b.y - a.y, b.x - a.x);
            turns += std::abs(std::remainder(turn, 2.0 * std::numbers::pi));
        }
        return turns / 2000.0;
    };
    EXPECT_GT(turns_per_metre(young), 2.0 * turns_per_metre(old));
    EXPECT_GT(turns_per_metre(old), 0.0);
}

TEST(RiverPlanform, takes_lines_that_reach_far_beyond_the_grid_and_no_lines) {
    const std::vector<DrawnRiver> winding =
        wound({river({-1e12, 12000.0, 1e12, 13000.0})}, grid_of_cells(100.0), 1);
    EXPECT_GT(winding.front().points.size(), 400U);
    EXPECT_LT(winding.front().points.size(), 8000U);
    for (const double coordinate : winding.front().points) EXPECT_TRUE(std::isfinite(coordinate));
    EXPECT_TRUE(wound({}, grid_of_cells(100.0), 1).empty());
}

}  // namespace
}  // namespace thalweg
