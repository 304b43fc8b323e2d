#include "thalweg/render/view/ground.hpp"

#include "thalweg/grid/gradient.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/render/shading/surroundings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr int kSkyDirections = 16;
constexpr double kSunRadius = 1.6;      // degrees; softer than the true 0.27, as in a studio
constexpr double kBounceShare = 0.012;  // of the longer side: distance that bounced light comes from

float mean_component(Colour colour) {
    return (colour.red + colour.green + colour.blue) / 3.0F;
}

}  // namespace

Field<GroundPoint> light_ground(const Field<float>& elevation, const Field<float>& surface,
                                const Field<Colour>& albedo, const Sun& sun, double exaggeration,
                                Progress& progress) {
    progress.report(0.0, "lighting the land");
    const Gradient rise = gradient(surface);
    const Field<float> shade = hillshade(surface, sun);
    const Field<float> visible = sun_visibility(surface, sun, kSunRadius);
    progress.report(0.3, "lighting the land");
    const Field<float> sky = smooth_sky_view(surface, kSkyDirections, 1.0, progress);
    const float flat = static_cast<float>(std::sin(sun.altitude * std::numbers::pi / 180.0));
    Field<float> sunlit(surface.grid());
    for_each_row(surface.grid(), [&](int row) {
        for (int column = 0; column < surface.columns(); ++column)
            sunlit(column, row) =
                shade(column, row) * visible(column, row) * mean_component(albedo(column, row)) / flat;
    });
    const Field<float> bounce = mean_around(sunlit, kBounceShare);
    Field<GroundPoint> ground(surface.grid());
    for_each_row(surface.grid(), [&](int row) {
        for (int column = 0; column < surface.columns(); ++column) {
            const float water =
                surface(column, row) - elevation(column, row) * static_cast<float>(exaggeration);
            const float open = std::clamp(sky(column, row), 0.0F, 1.0F);
            ground(column, row) = {.albedo = albedo(column, row),
                                   .rise_east = rise.east(column, row),
                                   .rise_north = rise.north(column, row),
                                   .sky = is_no_data(surface(column, row)) ? kNoData : open,
                                   .sun = visible(column, row),
                                   .bounce = (1.0F - open) * bounce(column, row),
                                   .depth = std::max(0.0F, water)};
        }
    });
    progress.report(1.0, "land lit");
    return ground;
}

GroundPoint ground_at(const Field<GroundPoint>& ground, float column, float row) {
    const float x = std::clamp(column, 0.0F, static_cast<float>(ground.columns() - 1));
    const float y = std::clamp(row, 0.0F, static_cast<float>(ground.rows() - 1));
    const int left = std::min(static_cast<int>(x), std::max(0, ground.columns() - 2));
    const int top = std::min(static_cast<int>(y), std::max(0, ground.rows() - 2));
    const float fx = x - static_cast<float>(left);
    const float fy = y - static_cast<float>(top);
    GroundPoint sum{.albedo = {}, .sky = 0.0F, .sun = 0.0F};
    float whole = 0.0F;
    for (int corner = 0; corner < 4; ++corner) {
        const int i = corner % 2;
        const int j = corner / 2;
        const GroundPoint& point =
            ground(std::min(left + i, ground.columns() - 1), std::min(top + j, ground.rows() - 1));
        const float weight = (i == 1 ? fx : 1.0F - fx) * (j == 1 ? fy : 1.0F - fy);
        if (is_no_data(point.sky)) continue;
        whole += weight;
        sum.albedo = sum.albedo + point.albedo * weight;
        sum.rise_east += point.rise_east * weight;
        sum.rise_north += point.rise_north * weight;
        sum.sky += point.sky * weight;
        sum.sun += point.sun * weight;
        sum.bounce += point.bounce * weight;
        sum.depth += point.depth * weight;
    }
    if (!(whole > 0.0F)) return {};
    const float scale = 1.0F / whole;
    return {sum.albedo * scale, sum.rise_east * scale, sum.rise_north * scale, sum.sky * scale,
            sum.sun * scale,    sum.bounce * scale,    sum.depth * scale};
}

}  // namespace thalweg
