#include "thalweg/flow/statistics/power_spectrum.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/statistics/fourier.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "tests/flow/statistics_of.hpp"
#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using Complex = std::complex<double>;

TEST(FourierTransform, is_the_sum_that_defines_it) {
    for (const std::size_t length : {2U, 8U, 64U}) {
        std::vector<Complex> series;
        for (std::size_t i = 0; i < length; ++i)
            series.emplace_back(unit_double(random_bits(1, Stream::WhiteNoise, i)),
                                unit_double(random_bits(2, Stream::WhiteNoise, i)));
        std::vector<Complex> found = series;
        const FourierTransform transform(length);
        ASSERT_EQ(transform.length(), length);
        transform(found);
        for (std::size_t k = 0; k < length; ++k) {
            Complex sum = 0.0;
            for (std::size_t n = 0; n < length; ++n)
                sum += series[n] * std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(k * n) /
                                                       static_cast<double>(length));
            EXPECT_NEAR(std::abs(found[k] - sum), 0.0, 1e-12);
        }
    }
}

TEST(PowerSpectrum, adds_up_to_the_variance_of_the_tapered_ground) {
    const Field<float> z = tests::white_terrain(140, 150, 5);  // 0 to 100 m: variance 100^2 / 12
    const PowerSpectrum found =
        power_spectrum(z, {.first_column = 7, .end_column = 135, .first_row = 11, .end_row = 139});
    ASSERT_EQ(found.side, 128);
    double sum = 0.0;
    for (std::int64_t k = 0; k <= 64; ++k)
        for (std::int64_t l = 0; l < 128; ++l)
            sum += (k > 0 && k < 64 ? 2.0 : 1.0) * found.power[at(k * 128 + l)];
    EXPECT_NEAR(sum, 1e4 / 12.0, 40.0);
}

TEST(PowerSpectrum, of_a_plane_is_nought) {
    const Field<float> plane = tests::ground_of(64, [](double x, double y) { return 0.5 * x - 0.25 * y; });
    for (const double power : power_spectrum(plane, {.end_column = 64, .end_row = 64}).power)
        EXPECT_LT(power, 1e-6);
}

/// Ground of random waves whose power falls with wavenumber to `slope`, of a deviation of 1 m.
Field<float> self_affine(int cells, double slope) {
    const auto side = static_cast<std::int64_t>(cells);
    std::vector<Complex> modes(at(side * side));
    const auto signed_number = [&](std::int64_t k) {
        return static_cast<double>(k < side / 2 ? k : k - side);
    };
    for (std::int64_t row = 0; row < side; ++row)
        for (std::int64_t column = 0; column < side; ++column) {
            const auto cell = static_cast<std::uint64_t>(row * side + column);
            const double wave = std::hypot(signed_number(row), signed_number(column));
            if (wave > 0.0)
                modes[cell] = std::polar(
                    std::pow(wave, -0.5 * slope),
                    2.0 * std::numbers::pi * unit_double(random_bits(4, Stream::WhiteNoise, cell)));
        }
    const FourierTransform transform(at(side));
    for (int axis = 0; axis < 2; ++axis) {
        for (std::int64_t row = 0; row < side; ++row)
            transform(std::span(modes).subspan(at(row * side), at(side)));
        for (std::int64_t row = 0; row < side; ++row)
            for (std::int64_t column = 0; column < row; ++column)
                std::swap(modes[at(row * side + column)], modes[at(column * side + row)]);
    }
    double squares = 0.0;
    for (const Complex& mode : modes) squares += mode.real() * mode.real();
    const double deviation = std::sqrt(squares / static_cast<double>(modes.size()));
    Field<float> ground(Grid{.columns = cells, .rows = cells, .cell_size = 30.0});
    for (std::int64_t cell = 0; cell < ground.size(); ++cell)
        ground[cell] = static_cast<float>(modes[at(cell)].real() / deviation);
    return ground;
}

TEST(SpectralSlope, is_that_of_self_affine_ground_at_all_lengths) {
    for (const double slope : {2.5, 3.5}) {
        const TerrainStatistics found = tests::statistics_of(self_affine(512, slope));
        EXPECT_NEAR(found.spectral_slope_short, slope, 0.15);
        EXPECT_NEAR(found.spectral_slope_middle, slope, 0.25);
        EXPECT_NEAR(found.spectral_slope_long, slope, 0.5);  // few waves of 48 and more
        EXPECT_LT(found.spectral_anisotropy, 2.0);
        EXPECT_NEAR(found.spectral_fourfold_share, 0.0, 0.1);
    }
}

}  // namespace
}  // namespace thalweg
