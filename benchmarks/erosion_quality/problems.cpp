#include "benchmarks/erosion_quality/problems.hpp"

#include "thalweg/core/random.hpp"

#include <cmath>
#include <numbers>

namespace thalweg {

bool anywhere(double, double) {
    return true;
}

bool in_disc(double x, double y) {
    return std::hypot(x, y) < 0.49 * kExtent;
}

bool in_square(double x, double y, double half, double degrees) {
    const double turn = degrees * std::numbers::pi / 180.0;
    return std::abs(x * std::cos(turn) + y * std::sin(turn)) < half &&
           std::abs(y * std::cos(turn) - x * std::sin(turn)) < half;
}

bool in_turned_square(double x, double y) {
    const double turn = std::numbers::pi / 6.0;
    return in_square(x, y, 0.49 * kExtent / (std::cos(turn) + std::sin(turn)), 30.0);
}

namespace {

/// A value that depends on the place alone.
LayerSource painted(float (*value)(double x, double y)) {
    return [value](const Grid& grid, Progress&) {
        Field<float> field(grid);
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column)
                field(column, row) = value(grid.x(column), grid.y(row));
        return field;
    };
}

/// A ridge from south-west to north-east on slowly rising ground, m/yr.
float ridge_uplift(double x, double y) {
    const double off_ridge = (x - y) / (0.5 * kExtent);  // 1
    return kUplift * static_cast<float>(0.2 + std::exp(-off_ridge * off_ridge));
}

/// Bands of hard and soft rock, 8 km apart and across the ridge.
float banded_erodibility(double x, double y) {
    return kErodibility * static_cast<float>(1.0 + 0.5 * std::sin((x + 0.5 * y) / 1300.0));
}

}  // namespace

LayerSource white_noise(std::uint64_t seed) {
    return [seed](const Grid& grid, Progress&) {
        Field<float> noise(grid);
        for (std::int64_t cell = 0; cell < noise.size(); ++cell)
            noise[cell] = unit_float(random_bits(seed, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)));
        return noise;
    };
}

ErosionInputs even_problem(int cells, std::uint64_t seed) {
    ErosionInputs inputs;
    inputs.grid = make_grid(kExtent, kExtent, cells);
    inputs.elevation = white_noise(seed);
    inputs.uplift = constant_source(kUplift);
    return inputs;
}

ErosionInputs painted_problem(int cells, std::uint64_t seed) {
    ErosionInputs inputs = even_problem(cells, seed);
    inputs.uplift = painted(ridge_uplift);
    inputs.erodibility = painted(banded_erodibility);
    return inputs;
}

Field<std::uint8_t> boundary_of(const Domain& domain, const Grid& grid) {
    if (domain.holds == anywhere) return {};
    Field<std::uint8_t> outside(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            outside(column, row) =
                domain.holds(grid.x(column) - 0.5 * kExtent, grid.y(row) - 0.5 * kExtent) ? 0 : 1;
    return outside;
}

double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

}  // namespace thalweg
