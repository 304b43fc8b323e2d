#include "thalweg/render/view/outline.hpp"

#include "thalweg/grid/gaussian.hpp"
#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kSmooth = 2.5;  // cells, standard deviation: takes the stairs away, keeps the form

}  // namespace

Outline::Outline(const Block& block) : block_(block) {
    if (std::none_of(block.surface.begin(), block.surface.end(), is_no_data)) return;
    Grid grid{.columns = block.surface.columns(), .rows = block.surface.rows()};
    grid.north = grid.rows;
    Field<float> solid(grid);
    for (std::int64_t cell = 0; cell < solid.size(); ++cell)
        solid[cell] = is_no_data(block.surface[cell]) ? 0.0F : 1.0F;
    inside_ = gaussian_mean(solid, kSmooth, {.end_column = grid.columns, .end_row = grid.rows});
}

Vector3 Outline::outward(Vector3 place, Vector3 normal) const {
    constexpr float kClearSlope = 0.03F;  // per cell; less is a straight side, where all around is solid
    if (inside_.empty()) return normal;
    const double x = static_cast<double>(block_.column_at(place.x)) + 0.5;
    const double y = inside_.rows() - 0.5 - static_cast<double>(block_.row_at(place.y));
    const float east = sample_bilinear(inside_, {x + 1.0, y}) - sample_bilinear(inside_, {x - 1.0, y});
    const float north = sample_bilinear(inside_, {x, y + 1.0}) - sample_bilinear(inside_, {x, y - 1.0});
    if (std::hypot(east, north) < 2.0F * kClearSlope) return normal;
    return normalised({-east, -north, 0.0F});
}

}  // namespace thalweg
