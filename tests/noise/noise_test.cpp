#include "thalweg/noise/noise.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/grid/gradient.hpp"
#include "thalweg/noise/octaves.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kExtent = 25600.0;  // m
constexpr NoiseKind kAllKinds[] = {NoiseKind::Gradient, NoiseKind::Simplex,     NoiseKind::Ridged,
                                   NoiseKind::Billow,   NoiseKind::Cellular,    NoiseKind::CellularEdges,
                                   NoiseKind::White,    NoiseKind::Multifractal};

Grid square(int cells) {
    return make_grid(kExtent, kExtent, cells);
}

NoiseParameters noise_of(NoiseKind kind) {
    NoiseParameters parameters;
    parameters.kind = kind;
    parameters.amplitude = 100.0;
    parameters.wavelength = 6400.0;
    return parameters;
}

Field<float> noise(const Grid& grid, const NoiseParameters& parameters, std::uint64_t seed = 7) {
    QuietProgress quiet;
    return make_noise(grid, parameters, seed, quiet);
}

double mean_of(const Field<float>& field) {
    double sum = 0.0;
    for (const float value : field) sum += value;
    return sum / static_cast<double>(field.size());
}

double deviation_of(const Field<float>& field) {
    const double mean = mean_of(field);
    double sum = 0.0;
    for (const float value : field) sum += (value - mean) * (value - mean);
    return std::sqrt(sum / static_cast<double>(field.size()));
}

TEST(Noise, of_every_kind_stays_in_its_range_and_has_relief) {
    for (const NoiseKind kind : kAllKinds) {
        NoiseParameters parameters = noise_of(kind);
        parameters.mean = 40.0;
        const Field<float> field = noise(square(128), parameters);
        for (const float value : field)
            ASSERT_TRUE(value >= -60.0F && value <= 140.0F) << static_cast<int>(kind);
        EXPECT_GT(deviation_of(field), 5.0) << static_cast<int>(kind);
    }
}

TEST(Noise, of_every_kind_has_its_mean) {
    for (const NoiseKind kind : kAllKinds) {
        NoiseParameters parameters = noise_of(kind);
        parameters.wavelength = 800.0;
        double sum = 0.0;
        for (std::uint64_t seed = 0; seed < 6; ++seed) sum += mean_of(noise(square(160), parameters, seed));
        EXPECT_NEAR(sum / 6.0, 0.0, 0.4) << static_cast<int>(kind);
    }
}

TEST(Noise, of_another_seed_is_another_terrain) {
    for (const NoiseKind kind : kAllKinds) {
        const Field<float> one = noise(square(64), noise_of(kind), 1);
        const Field<float> two = noise(square(64), noise_of(kind), 2);
        double product = 0.0;
        for (std::int64_t cell = 0; cell < one.size(); ++cell) product += one[cell] * two[cell];
        EXPECT_LT(std::abs(product / static_cast<double>(one.size())),
                  0.5 * deviation_of(one) * deviation_of(two))
            << static_cast<int>(kind);
    }
}

TEST(Noise, with_given_octaves_is_the_same_at_every_size_that_holds_them) {
    for (const NoiseKind kind : kAllKinds) {
        NoiseParameters parameters = noise_of(kind);
        parameters.octaves = 3;  // down to 1600 m
        parameters.warp = 500.0;
        // Of three times as many cells, every third has its centre on a coarse one's.
        const Field<float> coarse = noise(square(128), parameters);
        const Field<float> fine = noise(square(384), parameters);
        for (int row = 0; row < 128; ++row)
            for (int column = 0; column < 128; ++column)
                ASSERT_NEAR(coarse(column, row), fine(3 * column + 1, 3 * row + 1), 1e-3)
                    << static_cast<int>(kind);
    }
}

TEST(Noise, on_a_finer_grid_differs_by_finer_octaves_alone) {
    for (const NoiseKind kind : kAllKinds) {
        if (kind == NoiseKind::White) continue;
        const NoiseParameters parameters = noise_of(kind);
        const Field<float> coarse = noise(square(256), parameters);
        const Field<float> fine = noise(square(768), parameters);
        // Octaves below 8 cells of 100 m fade: 6400 m / 2^i < 800 m, from the fifth on.
        const double finer_octaves = 100.0 * std::pow(0.5, 4);
        double worst = 0.0;
        double bias = 0.0;
        for (int row = 0; row < 256; ++row) {
            for (int column = 0; column < 256; ++column) {
                const double difference = fine(3 * column + 1, 3 * row + 1) - coarse(column, row);
                worst = std::max(worst, std::abs(difference));
                bias += difference / (256.0 * 256.0);
            }
        }
        EXPECT_LE(worst, finer_octaves) << static_cast<int>(kind);
        EXPECT_GT(worst, 0.01 * finer_octaves) << static_cast<int>(kind);
        EXPECT_NEAR(bias, 0.0, 0.3) << static_cast<int>(kind);
    }
}

TEST(Noise, on_grids_of_half_the_cell_agrees_in_blocks) {
    const Field<float> coarse = noise(square(256), noise_of(NoiseKind::Gradient));
    const Field<float> fine = noise(square(512), noise_of(NoiseKind::Gradient));
    for (int row = 0; row < 256; ++row) {
        for (int column = 0; column < 256; ++column) {
            const float mean = 0.25F * (fine(2 * column, 2 * row) + fine(2 * column + 1, 2 * row) +
                                        fine(2 * column, 2 * row + 1) + fine(2 * column + 1, 2 * row + 1));
            ASSERT_NEAR(coarse(column, row), mean, 3.3);  // m, of 100; the fifth octave has a 32nd
        }
    }
}

TEST(Noise, on_a_part_of_a_grid_is_the_part_of_the_noise) {
    for (const NoiseKind kind : kAllKinds) {
        NoiseParameters parameters = noise_of(kind);
        if (kind == NoiseKind::White) parameters.wavelength = 0.0;
        const Grid whole = square(128);
        Grid part = whole;
        part.columns = 20;
        part.rows = 30;
        part.west += 40 * whole.cell_size;
        part.north -= 50 * whole.cell_size;
        const Field<float> all = noise(whole, parameters);
        const Field<float> some = noise(part, parameters);
        for (int row = 0; row < 30; ++row)
            for (int column = 0; column < 20; ++column)
                ASSERT_EQ(some(column, row), all(column + 40, row + 50)) << static_cast<int>(kind);
    }
}

TEST(Octaves, fade_in_between_four_and_eight_cells) {
    NoiseParameters parameters = noise_of(NoiseKind::Gradient);
    parameters.octaves = 1;
    const auto share = [&](double cells) {
        const auto octaves = octaves_on(6400.0 / cells, parameters, 1, OctaveUse::Elevation);
        return octaves.empty() ? 0.0F : octaves[0].share;
    };
    EXPECT_EQ(share(3.9), 0.0F);
    EXPECT_EQ(share(4.0), 0.0F);
    EXPECT_LT(share(4.1), 0.001F);
    EXPECT_FLOAT_EQ(share(6.0), 0.5F);
    EXPECT_GT(share(7.9), 0.999F);
    EXPECT_EQ(share(8.0), 1.0F);
    EXPECT_EQ(share(1000.0), 1.0F);
}

TEST(Octaves, do_not_change_when_a_finer_grid_adds_more) {
    const NoiseParameters parameters = noise_of(NoiseKind::Gradient);
    const auto coarse = octaves_on(100.0, parameters, 1, OctaveUse::Elevation);
    const auto fine = octaves_on(12.5, parameters, 1, OctaveUse::Elevation);
    ASSERT_EQ(coarse.size(), 4U);  // 6400, 3200, 1600, 800 m; 400 m is 4 cells
    ASSERT_EQ(fine.size(), 7U);
    for (std::size_t i = 0; i < coarse.size(); ++i) {
        EXPECT_EQ(coarse[i].key, fine[i].key);
        EXPECT_EQ(coarse[i].share, fine[i].share);
        EXPECT_EQ(coarse[i].per_metre_x, fine[i].per_metre_x);
    }
    EXPECT_FLOAT_EQ(coarse[0].share, 0.5F);
    EXPECT_FLOAT_EQ(coarse[1].share, 0.25F);
}

TEST(Octaves, share_the_whole_amplitude_where_their_number_is_given) {
    NoiseParameters parameters = noise_of(NoiseKind::Gradient);
    parameters.octaves = 4;
    float sum = 0.0F;
    for (const Octave& octave : octaves_on(1.0, parameters, 1, OctaveUse::Elevation)) sum += octave.share;
    EXPECT_FLOAT_EQ(sum, 1.0F);
}

TEST(Octaves, of_different_uses_are_different) {
    const NoiseParameters parameters = noise_of(NoiseKind::Gradient);
    EXPECT_NE(octaves_on(100.0, parameters, 1, OctaveUse::Elevation)[0].key,
              octaves_on(100.0, parameters, 1, OctaveUse::WarpEast)[0].key);
}

TEST(Noise, of_one_octave_is_its_basis) {
    NoiseParameters parameters = noise_of(NoiseKind::Simplex);
    parameters.octaves = 1;
    const Field<float> field = noise(square(64), parameters, 5);
    const Octave octave = octaves_on(400.0, parameters, 5, OctaveUse::Elevation)[0];
    SimplexBasis basis(octave.key);
    const Position p = field.grid().centre(10, 20);
    EXPECT_FLOAT_EQ(field(10, 20),
                    100.0F * basis(octave.per_metre_x * p.x - octave.per_metre_y * p.y + octave.shift_u,
                                   octave.per_metre_y * p.x + octave.per_metre_x * p.y + octave.shift_v));
    EXPECT_NEAR(std::hypot(octave.per_metre_x, octave.per_metre_y), 1.0 / 6400.0, 1e-12);
}

TEST(Noise, white_draws_are_uniform_and_independent) {
    NoiseParameters parameters = noise_of(NoiseKind::White);
    parameters.wavelength = 0.0;
    const Field<float> field = noise(square(256), parameters);
    EXPECT_NEAR(mean_of(field), 0.0, 1.0);
    EXPECT_NEAR(deviation_of(field), 100.0 / std::sqrt(3.0), 1.0);
    double neighbours = 0.0;
    for (int row = 0; row < 256; ++row)
        for (int column = 1; column < 256; ++column)
            neighbours += field(column, row) * field(column - 1, row);
    EXPECT_NEAR(neighbours / (256.0 * 255.0) / (100.0 * 100.0 / 3.0), 0.0, 0.02);
    EXPECT_GT(std::set<float>(field.begin(), field.end()).size(), 60000U);
}

TEST(Noise, white_has_one_draw_per_lattice_cell_of_its_wavelength) {
    NoiseParameters parameters = noise_of(NoiseKind::White);
    parameters.wavelength = kExtent / 16.0;
    const Field<float> field = noise(square(128), parameters);
    for (int row = 0; row < 128; ++row)
        for (int column = 0; column < 128; ++column)
            ASSERT_EQ(field(column, row), field(column / 8 * 8, row / 8 * 8));
    EXPECT_EQ(std::set<float>(field.begin(), field.end()).size(), 256U);
    // The same draws as a grid of such cells.
    parameters.wavelength = 0.0;
    const Field<float> cells = noise(square(16), parameters);
    EXPECT_EQ(cells(3, 5), field(24, 40));
    EXPECT_EQ(cells(15, 15), field(127, 127));
}

TEST(Noise, multifractal_is_smoother_where_it_is_low) {
    NoiseParameters parameters = noise_of(NoiseKind::Multifractal);
    parameters.persistence = 0.7;
    const auto roughness_ratio = [&](double heterogeneity) {
        parameters.heterogeneity = heterogeneity;
        double low = 0.0;
        double high = 0.0;
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const Field<float> field = noise(square(256), parameters, seed);
            const Gradient slope = gradient(field);
            for (std::int64_t cell = 0; cell < field.size(); ++cell)
                (field[cell] < 0.0F ? low : high) += std::hypot(slope.east[cell], slope.north[cell]);
        }
        return high / low;
    };
    EXPECT_NEAR(roughness_ratio(0.0), 1.0, 0.15);
    EXPECT_GT(roughness_ratio(1.0), 1.4);
}

TEST(Noise, without_heterogeneity_multifractal_is_plain_gradient_noise) {
    NoiseParameters parameters = noise_of(NoiseKind::Multifractal);
    parameters.heterogeneity = 0.0;
    EXPECT_EQ(noise(square(64), parameters), noise(square(64), noise_of(NoiseKind::Gradient)));
}

TEST(Noise, ridges_are_high_and_billows_are_low_where_gradient_noise_is_zero) {
    NoiseParameters parameters = noise_of(NoiseKind::Gradient);
    parameters.octaves = 1;
    const Field<float> base = noise(square(128), parameters);
    parameters.kind = NoiseKind::Ridged;
    const Field<float> ridged = noise(square(128), parameters);
    parameters.kind = NoiseKind::Billow;
    const Field<float> billow = noise(square(128), parameters);
    for (std::int64_t cell = 0; cell < base.size(); ++cell) {
        const double n = base[cell] / 100.0;
        ASSERT_NEAR(ridged[cell], 100.0 * ((1.0 - std::abs(n)) * (1.0 - std::abs(n)) - 0.5944), 1e-3);
        ASSERT_NEAR(billow[cell], 100.0 * (std::abs(n) - 0.2494), 1e-3);
    }
}

TEST(Noise, warp_moves_forms_by_no_more_than_it_says) {
    NoiseParameters parameters = noise_of(NoiseKind::Gradient);
    parameters.octaves = 1;
    const Field<float> straight = noise(square(128), parameters);
    parameters.warp = 300.0;
    const Field<float> warped = noise(square(128), parameters);
    // The steepest that one octave of gradient noise can be, times the farthest move.
    const double steepest = 100.0 * 4.0 / 6400.0;
    double moved = 0.0;
    for (std::int64_t cell = 0; cell < straight.size(); ++cell)
        moved = std::max<double>(moved, std::abs(warped[cell] - straight[cell]));
    EXPECT_GT(moved, 1.0);
    EXPECT_LT(moved, steepest * 300.0 * std::sqrt(2.0));
}

TEST(Noise, leaves_lengths_out_by_the_grid) {
    NoiseParameters parameters;
    EXPECT_EQ(resolved_on(square(64), parameters).wavelength, kExtent / 4.0);
    EXPECT_EQ(resolved_on(square(64), parameters).warp_wavelength, kExtent / 4.0);
    EXPECT_EQ(resolved_on(square(512), parameters).wavelength, kExtent / 4.0);
    parameters.wavelength = 3000.0;
    EXPECT_EQ(resolved_on(square(64), parameters).wavelength, 3000.0);
    EXPECT_EQ(resolved_on(square(64), parameters).warp_wavelength, 3000.0);
    parameters.kind = NoiseKind::White;
    parameters.wavelength = 0.0;
    EXPECT_EQ(resolved_on(square(64), parameters).wavelength, 0.0);
}

TEST(Noise, refuses_forms_too_small_for_the_cells_and_says_what_would_do) {
    NoiseParameters parameters = noise_of(NoiseKind::Gradient);
    parameters.wavelength = 300.0;
    QuietProgress quiet;
    try {
        make_noise(square(256), parameters, 1, quiet);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Input);
        EXPECT_STREQ(error.what(),
                     "wavelength = 300 m is not allowed on cells of 100 m: give more than 4 cells, 400 m");
    }
    EXPECT_NO_THROW(noise(square(512), parameters));
}

TEST(Noise, of_one_cell_or_one_row_is_made) {
    for (const NoiseKind kind : kAllKinds) {
        EXPECT_TRUE(std::isfinite(noise(make_grid(10.0, 10.0, 1), noise_of(kind))[0]));
        EXPECT_EQ(noise(make_grid(6400.0, 10.0, 640), noise_of(kind)).size(), 640);
    }
}

TEST(Noise, far_from_the_origin_is_as_smooth_as_near_it) {
    NoiseParameters parameters = noise_of(NoiseKind::Gradient);
    Grid far = square(128);
    far.west = 5e6;
    far.north = 9e6;
    const Gradient slope = gradient(noise(far, parameters));
    for (std::int64_t cell = 0; cell < far.cells(); ++cell) ASSERT_LT(std::abs(slope.east[cell]), 0.1F);
}

TEST(Noise, source_gives_each_grid_its_octaves_of_one_terrain) {
    NoiseParameters parameters = noise_of(NoiseKind::Gradient);
    parameters.wavelength = 0.0;
    const LayerSource source = noise_source(parameters, 3, square(256));
    EXPECT_EQ(source(square(256), progress), noise(square(256), parameters, 3));
    EXPECT_EQ(source(square(64), progress), noise(square(64), parameters, 3));
    // Too coarse for any octave: flat, not an error.
    EXPECT_EQ(source(square(8), progress), Field<float>(square(8), 0.0F));
    // A grid that reaches farther has the wavelength of its home.
    Grid wider = square(256);
    wider.columns += 64;
    EXPECT_EQ(source(wider, progress)(100, 100), source(square(256), progress)(100, 100));
    parameters.wavelength = 1.0;
    EXPECT_THROW(noise_source(parameters, 3, square(256)), Error);
}

TEST(Noise, threads_do_not_change_a_bit) {
    for (const NoiseKind kind : kAllKinds) {
        NoiseParameters parameters = noise_of(kind);
        parameters.warp = 300.0;
        const ExecutionScope on_one_thread({.threads = 1});
        const Field<float> one = noise(square(300), parameters);
        for (const int threads : {2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            EXPECT_EQ(noise(square(300), parameters), one) << static_cast<int>(kind);
        }
    }
}

TEST(Noise, stops_when_cancelled) {
    QuietProgress cancelled;
    cancelled.cancel();
    EXPECT_THROW(make_noise(square(64), NoiseParameters{}, 1, cancelled), Cancelled);
    EXPECT_THROW(noise_source({}, 1, square(64))(square(64), cancelled), Cancelled);
}

TEST(Noise, every_parameter_has_a_unit_a_sentence_and_a_default_in_range) {
    for (const Parameter& parameter : parameters_of<NoiseParameters>().parameters()) {
        EXPECT_FALSE(parameter.notes.sentence.empty()) << parameter.name;
        EXPECT_NE(parameter.notes.unit.empty(), parameter.type != ParameterType::Choice) << parameter.name;
        NoiseParameters parameters;
        EXPECT_NO_THROW(parameter.set(&parameters, parameter.default_value)) << parameter.name;
    }
}

}  // namespace
}  // namespace thalweg
