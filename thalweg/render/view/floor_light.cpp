#include "thalweg/render/view/floor_light.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/grid/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr int kCells = 160;      // along the longer side of the lit floor
constexpr int kSunRays = 12;     // per cell
constexpr int kSkyRays = 24;     // per cell
constexpr double kSmooth = 1.2;  // cells, standard deviation: hides the grain of so few rays
constexpr float kTwoPi = 2.0F * std::numbers::pi_v<float>;

/// Two numbers in [0, 1) for ray `k`: the R2 sequence (Roberts 2018), turned by a hash of the cell.
struct Pair {
    float first;
    float second;
};

Pair draw(std::int64_t cell, int k, std::uint64_t purpose) {
    const std::uint64_t bits = random_bits(0, Stream::Render, purpose, static_cast<std::uint64_t>(cell));
    const float a = unit_float(bits) + 0.7548776662F * static_cast<float>(k);
    const float b = unit_float(bits << 24) + 0.5698402910F * static_cast<float>(k);
    return {a - std::floor(a), b - std::floor(b)};
}

/// A direction of the upper hemisphere, by the cosine.
Vector3 sky_direction(Pair u) {
    const float radius = std::sqrt(u.first);
    const float angle = kTwoPi * u.second;
    return {radius * std::cos(angle), radius * std::sin(angle), std::sqrt(1.0F - u.first)};
}

/// A direction within a disc of the given radius (tangent) around a unit axis.
Vector3 within_disc(Vector3 axis, float radius, float u, float v) {
    const Vector3 side = normalised({-axis.y, axis.x + 1e-6F, 0.0F});
    const Vector3 up{axis.y * side.z - axis.z * side.y, axis.z * side.x - axis.x * side.z,
                     axis.x * side.y - axis.y * side.x};
    const float r = radius * std::sqrt(u);
    return normalised(axis + side * (r * std::cos(kTwoPi * v)) + up * (r * std::sin(kTwoPi * v)));
}

}  // namespace

FloorLights::FloorLights(const RayScene& scene, const Block& block, Vector3 sun, double sun_radius,
                         double reach, const Progress& progress) {
    const Grid& terrain = block.surface.grid();
    const double width = terrain.width() + 2.0 * reach;
    const double height = terrain.height() + 2.0 * reach;
    Grid grid{.columns = 0, .rows = 0, .cell_size = std::max(width, height) / kCells};
    grid.columns = std::max(1, static_cast<int>(std::ceil(width / grid.cell_size)));
    grid.rows = std::max(1, static_cast<int>(std::ceil(height / grid.cell_size)));
    grid.west = -0.5 * grid.width();
    grid.north = 0.5 * grid.height();
    const float disc = static_cast<float>(std::tan(sun_radius * std::numbers::pi / 180.0));
    Field<float> sun_share(grid);
    Field<float> sky_share(grid);
    parallel_for(0, grid.rows, 1, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        for (int row = static_cast<int>(first); row < last; ++row) {
            for (int column = 0; column < grid.columns; ++column) {
                const std::int64_t cell = grid.index(column, row);
                const Vector3 place{static_cast<float>(grid.x(column)), static_cast<float>(grid.y(row)),
                                    block.base};
                int sunny = 0;
                int open = 0;
                for (int k = 0; k < kSunRays; ++k) {
                    const Pair u = draw(cell, k, 1);
                    sunny += scene.is_blocked(place, within_disc(sun, disc, u.first, u.second)) ? 0 : 1;
                }
                for (int k = 0; k < kSkyRays; ++k)
                    open += scene.is_blocked(place, sky_direction(draw(cell, k, 2))) ? 0 : 1;
                sun_share[cell] = static_cast<float>(sunny) / kSunRays;
                sky_share[cell] = static_cast<float>(open) / kSkyRays;
            }
        }
    });
    const CellRange all{.end_column = grid.columns, .end_row = grid.rows};
    const Field<float> sun_light = gaussian_mean(sun_share, kSmooth * grid.cell_size, all);
    const Field<float> sky_light = gaussian_mean(sky_share, kSmooth * grid.cell_size, all);
    light_ = Field<FloorLight>(grid);
    for (std::int64_t cell = 0; cell < light_.size(); ++cell)
        light_[cell] = {.sun = sun_light[cell], .sky = sky_light[cell]};
}

FloorLight FloorLights::at(float x, float y) const {
    const Grid& grid = light_.grid();
    const double column = std::clamp(grid.column_at(x), 0.0, static_cast<double>(grid.columns - 1));
    const double row = std::clamp(grid.row_at(y), 0.0, static_cast<double>(grid.rows - 1));
    const int left = static_cast<int>(column);
    const int top = static_cast<int>(row);
    const int right = std::min(left + 1, grid.columns - 1);
    const int below = std::min(top + 1, grid.rows - 1);
    const float fx = static_cast<float>(column - left);
    const float fy = static_cast<float>(row - top);
    const auto blend = [&](float FloorLight::* share) {
        const float upper = light_(left, top).*share * (1.0F - fx) + light_(right, top).*share * fx;
        const float lower = light_(left, below).*share * (1.0F - fx) + light_(right, below).*share * fx;
        return upper * (1.0F - fy) + lower * fy;
    };
    return {.sun = blend(&FloorLight::sun), .sky = blend(&FloorLight::sky)};
}

}  // namespace thalweg
