#include "thalweg/noise/bases.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr int kSeeds = 40;

std::uint64_t key_of(int seed) {
    return random_bits(static_cast<std::uint64_t>(seed), Stream::Noise);
}

/// What values of a basis over many seeds and places amount to.
struct Statistics {
    double mean = 0.0;
    double variance = 0.0;
    double least = 1e9;
    double greatest = -1e9;
};

template <class Basis>
Statistics statistics() {
    Statistics result;
    double squares = 0.0;
    int count = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
        Basis basis(key_of(seed));
        for (int j = 0; j < 300; ++j) {
            for (int i = 0; i < 300; ++i, ++count) {
                const double value = basis(-20.0 + 0.137 * i, -20.0 + 0.1371 * j);
                result.mean += value;
                squares += value * value;
                result.least = std::min(result.least, value);
                result.greatest = std::max(result.greatest, value);
            }
        }
    }
    result.mean /= count;
    result.variance = squares / count - result.mean * result.mean;
    return result;
}

/// Mean squared difference of a basis between points `distance` apart, by direction in steps of 15 degrees.
template <class Basis>
std::vector<double> variogram_by_direction(double distance) {
    std::vector<double> result;
    for (int direction = 0; direction < 12; ++direction) {
        const double angle = direction * std::numbers::pi / 12.0;
        double sum = 0.0;
        for (int seed = 0; seed < kSeeds; ++seed) {
            // Turn the lattice as octaves do; what is left must have no direction.
            const UnitVector turn = unit_vector(key_of(seed + 1000));
            Basis basis(key_of(seed));
            const auto turned = [&](double x, double y) {
                return basis(turn.x * x - turn.y * y, turn.y * x + turn.x * y);
            };
            for (int j = 0; j < 60; ++j) {
                for (int i = 0; i < 60; ++i) {
                    const double x = 0.713 * i;
                    const double y = 0.719 * j;
                    const double difference =
                        turned(x + distance * std::cos(angle), y + distance * std::sin(angle)) - turned(x, y);
                    sum += difference * difference;
                }
            }
        }
        result.push_back(sum / (kSeeds * 3600));
    }
    return result;
}

/// Largest jump of the `order`-th difference quotient of a basis between neighbouring steps along a line.
template <class Basis>
double greatest_jump(int order, double step) {
    Basis basis(key_of(3));
    std::vector<double> values;
    for (double at = 0.0; at < 12.0; at += step) values.push_back(basis(at * 0.8, at * 0.6 + 0.3));
    for (int i = 0; i < order; ++i) {
        for (std::size_t k = 0; k + 1 < values.size(); ++k) values[k] = (values[k + 1] - values[k]) / step;
        values.pop_back();
    }
    double jump = 0.0;
    for (std::size_t k = 0; k + 1 < values.size(); ++k)
        jump = std::max(jump, std::abs(values[k + 1] - values[k]));
    return jump;
}

/// Distances to the two nearest points by looking through a large block of cells, one value per point.
std::vector<double> nearest_by_search(std::uint64_t key, double u, double v) {
    std::vector<double> distances;
    for (std::int64_t row = -8; row < 12; ++row) {
        for (std::int64_t column = -8; column < 12; ++column) {
            const std::uint64_t bits = lattice_bits(key, column, row);
            const double x = static_cast<double>(column) + unit_float(bits);
            const double y = static_cast<double>(row) + unit_float(mix64(bits));
            distances.push_back(std::hypot(x - u, y - v));
        }
    }
    std::sort(distances.begin(), distances.end());
    return distances;
}

TEST(UnitVector, has_length_one_and_points_everywhere) {
    std::vector<int> octants(8);
    for (std::uint64_t i = 0; i < 16000; ++i) {
        const UnitVector v = unit_vector(mix64(i));
        EXPECT_NEAR(std::hypot(v.x, v.y), 1.0, 1e-8);
        const double angle = std::atan2(v.y, v.x) + std::numbers::pi;
        ++octants[static_cast<std::size_t>(angle / (std::numbers::pi / 4.0)) % 8];
    }
    for (const int count : octants) EXPECT_NEAR(count, 2000, 200);
}

TEST(UnitVector, is_the_sine_and_cosine_of_a_uniform_angle) {
    constexpr std::uint64_t kSecondQuarter = 1ULL << 62;
    EXPECT_NEAR(unit_vector(kSecondQuarter | (1ULL << 61)).x, -std::sin(0.0), 2e-9);
    EXPECT_NEAR(unit_vector(kSecondQuarter | (1ULL << 61)).y, 1.0, 2e-9);
    EXPECT_NEAR(unit_vector(0).x, std::cos(std::numbers::pi / 4.0), 2e-9);
    EXPECT_NEAR(unit_vector(0).y, -std::sin(std::numbers::pi / 4.0), 2e-9);
}

TEST(LatticePlace, rounds_down_on_both_sides_of_zero) {
    EXPECT_EQ(lattice_place(2.25).cell, 2);
    EXPECT_EQ(lattice_place(-2.25).cell, -3);
    EXPECT_FLOAT_EQ(lattice_place(-2.25).fraction, 0.75F);
    EXPECT_EQ(lattice_place(-3.0).cell, -3);
    EXPECT_EQ(lattice_place(-3.0).fraction, 0.0F);
}

TEST(GradientBasis, is_unbiased_and_fills_its_range_without_leaving_it) {
    const Statistics s = statistics<GradientBasis>();
    EXPECT_NEAR(s.mean, 0.0, 0.005);
    EXPECT_NEAR(s.variance, 0.305 * 0.305, 0.005);
    EXPECT_GE(s.least, -1.0);
    EXPECT_LE(s.greatest, 1.0);
    EXPECT_GT(s.greatest, 0.9);
    EXPECT_LT(s.least, -0.9);
}

TEST(SimplexBasis, is_unbiased_and_fills_its_range_without_leaving_it) {
    const Statistics s = statistics<SimplexBasis>();
    EXPECT_NEAR(s.mean, 0.0, 0.005);
    EXPECT_NEAR(s.variance, 0.538 * 0.538, 0.01);
    EXPECT_GE(s.least, -1.0);
    EXPECT_LE(s.greatest, 1.0);
    EXPECT_GT(s.greatest, 0.97);
    EXPECT_LT(s.least, -0.97);
}

TEST(CellularBasis, fills_its_range_without_leaving_it) {
    for (const Statistics& s : {statistics<CellularBasis>(), statistics<CellularEdgesBasis>()}) {
        EXPECT_GE(s.least, 0.0);
        EXPECT_LT(s.least, 0.01);
        EXPECT_LE(s.greatest, 1.0);
        EXPECT_GT(s.greatest, 0.6);
    }
}

TEST(GradientBasis, vanishes_at_lattice_points) {
    GradientBasis basis(key_of(1));
    for (int i = -3; i < 4; ++i) EXPECT_EQ(basis(i, 2 * i), 0.0F);
    EXPECT_NE(basis(0.5, 0.5), 0.0F);
}

TEST(GradientBasis, has_no_direction) {
    const std::vector<double> variogram = variogram_by_direction<GradientBasis>(0.4);
    for (const double value : variogram) EXPECT_NEAR(value / variogram[0], 1.0, 0.08);
    EXPECT_GT(variogram[0], 0.01);
}

TEST(SimplexBasis, has_no_direction) {
    const std::vector<double> variogram = variogram_by_direction<SimplexBasis>(0.3);
    for (const double value : variogram) EXPECT_NEAR(value / variogram[0], 1.0, 0.08);
    EXPECT_GT(variogram[0], 0.01);
}

TEST(GradientBasis, has_two_continuous_derivatives) {
    for (const int order : {0, 1, 2})
        EXPECT_LT(greatest_jump<GradientBasis>(order, 0.01), 0.45 * greatest_jump<GradientBasis>(order, 0.04))
            << order;
}

TEST(SimplexBasis, has_two_continuous_derivatives) {
    for (const int order : {0, 1, 2})
        EXPECT_LT(greatest_jump<SimplexBasis>(order, 0.01), 0.45 * greatest_jump<SimplexBasis>(order, 0.04))
            << order;
}

TEST(CellularBasis, is_continuous) {
    EXPECT_LT(greatest_jump<CellularBasis>(0, 0.005), 0.006);
    EXPECT_LT(greatest_jump<CellularEdgesBasis>(0, 0.005), 0.006);
}

TEST(NearestPoints, are_those_that_a_search_through_all_points_finds) {
    for (int seed = 0; seed < 200; ++seed) {
        NearestPoints points(key_of(seed));
        for (int i = 0; i < 20; ++i) {
            const double u = 4.0 * unit_double(random_bits(5, Stream::Cellular, seed, i));
            const double v = 4.0 * unit_double(random_bits(6, Stream::Cellular, seed, i));
            const std::vector<double> expected = nearest_by_search(key_of(seed), u, v);
            const NearestPoints::Distances found = points.at(u, v);
            ASSERT_NEAR(found.first, expected[0], 1e-5);
            ASSERT_NEAR(found.second, expected[1], 1e-5);
        }
    }
}

TEST(Bases, do_not_depend_on_what_was_asked_before) {
    GradientBasis walked(key_of(9));
    SimplexBasis walked_simplex(key_of(9));
    CellularBasis walked_cells(key_of(9));
    for (int i = 0; i < 200; ++i) {
        const double u = 40.0 * unit_double(mix64(static_cast<std::uint64_t>(i)));
        const double v = -30.0 * unit_double(mix64(static_cast<std::uint64_t>(i + 1000)));
        EXPECT_EQ(walked(u, v), GradientBasis(key_of(9))(u, v));
        EXPECT_EQ(walked_simplex(u, v), SimplexBasis(key_of(9))(u, v));
        EXPECT_EQ(walked_cells(u, v), CellularBasis(key_of(9))(u, v));
    }
}

}  // namespace
}  // namespace thalweg
