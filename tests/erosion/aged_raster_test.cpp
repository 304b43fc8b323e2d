// What the default settings make of rasters, beside the slow method.
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/erosion_series.hpp"
#include "thalweg/erosion/levels/resolved_parameters.hpp"
#include "thalweg/io/raster.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "tests/long_test.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// A raster like an elevation model: mountains with bumps of a few metres, pits among them, in whole metres.
Field<float> rough_mountains(int cells) {
    ErosionInputs inputs;
    inputs.grid = make_grid(30.0 * cells, 30.0 * cells, cells);
    inputs.elevation = constant_source(0.0F);
    inputs.uplift = constant_source(5e-4F);
    Field<float> z = erode(inputs, {.diagnostics = false}, 11, progress).elevation;
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        z[cell] = std::round(z[cell] + 4.0F * unit_float(random_bits(5, Stream::SeedTerrain,
                                                                     static_cast<std::uint64_t>(cell))));
    return z;
}

ErosionInputs inputs_of(const Field<float>& z) {
    ErosionInputs inputs;
    inputs.grid = z.grid();
    inputs.elevation = field_source(z);
    inputs.uplift = constant_source(0.0F);
    return inputs;
}

Field<float> aged(const Field<float>& z, const ErosionParameters& parameters) {
    return erode(inputs_of(z), parameters, 1, progress).elevation;
}

double rms(const Field<float>& a, const Field<float>& b) {
    double sum = 0.0;
    for (std::int64_t cell = 0; cell < a.size(); ++cell)
        sum += std::pow(double{a[cell]} - double{b[cell]}, 2);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

double mean(const Field<float>& z) {
    double sum = 0.0;
    for (const float value : z) sum += double{value};
    return sum / static_cast<double>(z.size());
}

double mean_slope(const Field<float>& z) {
    double sum = 0.0;
    for (int row = 1; row + 1 < z.rows(); ++row)
        for (int column = 1; column + 1 < z.columns(); ++column)
            sum += std::atan(std::hypot(double{z(column + 1, row)} - double{z(column - 1, row)},
                                        double{z(column, row + 1)} - double{z(column, row - 1)}) /
                             (2.0 * z.grid().cell_size));
    return sum / static_cast<double>(z.size());
}

/// By default, beside stepping.
void expect_what_stepping_finds(const Field<float>& z, double years, double most) {
    const Field<float> found = aged(z, {.time = years, .diagnostics = false});
    const Field<float> stepped =
        aged(z, {.time = years, .method = ErosionMethod::Stepping, .diagnostics = false});
    const double eroded = mean(z) - mean(stepped);
    EXPECT_LE(rms(found, stepped) / eroded, most) << years << " yr, eroded " << eroded << " m";
    EXPECT_NEAR(mean_slope(found) / mean_slope(stepped), 1.0, 0.03) << years;
}

TEST(AgedRaster, by_default_is_what_stepping_makes_of_it) {
    const Field<float> z = rough_mountains(300);
    for (const double years : {1e4, 1e5}) expect_what_stepping_finds(z, years, 0.05);
}

TEST(AgedRaster, leads_continuously_to_what_was_given) {
    const Field<float> z = rough_mountains(200);
    EXPECT_EQ(aged(z, {.time = 0.0}), z);
    const Field<float> young = aged(z, {.time = 1.0, .diagnostics = false});
    EXPECT_LE(rms(young, z), 1e-3 + 2.0 * (mean(z) - mean(young)));
}

TEST(AgedRaster, has_the_bytes_of_a_series) {
    const Field<float> z = rough_mountains(64);
    ErosionSeries series(inputs_of(z), {.diagnostics = false}, 1);
    EXPECT_EQ(series.at(2e4, progress).elevation, aged(z, {.time = 2e4, .diagnostics = false}));
}

TEST(AgedRaster, is_worked_on_at_its_own_cells_and_generated_terrain_on_a_mesh) {
    const Field<float> z = rough_mountains(40);
    const ErosionInputs given = inputs_of(z);
    ErosionInputs generated = given;
    generated.elevation = constant_source(1.0F);
    const auto lattice = [](const ErosionParameters& parameters, const ErosionInputs& inputs) {
        return resolved_parameters(parameters, inputs).lattice;
    };
    const auto definition = [](const ErosionParameters& parameters, const ErosionInputs& inputs) {
        return resolved_parameters(parameters, inputs).time_definition;
    };
    EXPECT_EQ(lattice({.time = 1e4}, given), ErosionLattice::EightNeighbours);
    EXPECT_EQ(definition({.time = 1e4}, given), TimeDefinition::FullResolution);
    EXPECT_EQ(lattice({}, given), ErosionLattice::Mesh);
    EXPECT_EQ(lattice({.time = 1e4}, generated), ErosionLattice::Mesh);
    EXPECT_EQ(definition({.time = 1e4}, generated), TimeDefinition::Multilevel);
    EXPECT_EQ(lattice({.time = 1e4, .method = ErosionMethod::Stepping}, generated),
              ErosionLattice::EightNeighbours);
    EXPECT_EQ(lattice({.time = 1e4, .lattice = ErosionLattice::Mesh}, given), ErosionLattice::Mesh);
    EXPECT_EQ(definition({.time = 1e4, .lattice = ErosionLattice::FourNeighbours}, generated),
              TimeDefinition::FullResolution);
    EXPECT_EQ(lattice({.time = 1e4, .network = NetworkSource::Terrain}, given), ErosionLattice::Mesh);
}

TEST(AgedRaster, is_nowhere_built_up_beside_a_cliff) {
    Field<float> z(make_grid(6000.0, 6000.0, 120));
    for (int row = 0; row < 120; ++row)
        for (int column = 0; column < 120; ++column)
            z(column, row) = (column < 60 ? 700.0F : 100.0F) + 0.02F * static_cast<float>(row);
    const auto cliff = [](const Grid& grid, Progress&) {
        Field<float> ground(grid);
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column)
                ground(column, row) = grid.x(column) < 3000.0 ? 700.0F : 100.0F;
        return ground;
    };
    for (const LayerSource& source : {field_source(z), LayerSource(cliff)})
        for (const ErosionMethod method : {ErosionMethod::Analytical, ErosionMethod::Stepping})
            for (const double years : {1e3, 1e5}) {
                ErosionInputs inputs = inputs_of(z);
                inputs.elevation = source;
                const Field<float> before = source(inputs.grid, progress);
                const Field<float> after =
                    erode(inputs, {.time = years, .method = method, .diagnostics = false}, 1, progress)
                        .elevation;
                for (std::int64_t cell = 0; cell < after.size(); ++cell)
                    ASSERT_LE(after[cell], before[cell] + 0.1F) << cell << ", " << years;
            }
}

using LongAgedRaster = LongTest;

TEST_F(LongAgedRaster, by_default_is_what_stepping_makes_of_a_real_elevation_model) {
    const char* data = std::getenv("THALWEG_DATA");
    const auto path = std::filesystem::path(data != nullptr ? data : THALWEG_DATA_DEFAULT) / "bigtujunga.tif";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent; set THALWEG_DATA";
    const Field<float> z = read_raster(path);
    for (const double years : {1e4, 1e5, 5e5}) expect_what_stepping_finds(z, years, 0.06);
    const Field<float> young = aged(z, {.time = 1.0, .diagnostics = false});
    EXPECT_LE(rms(young, z), 1.5e-3);
}

}  // namespace
}  // namespace thalweg
