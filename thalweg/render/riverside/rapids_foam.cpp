#include "thalweg/render/riverside/rapids_foam.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/noise/bases.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/riverside/fractal.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

// Lengths and shares are empirical.
constexpr double kMesh = 0.42;    // m, of the web's wider meshes
constexpr double kCarried = 1.6;  // s, after which a web is made anew

// Of the web, drawn out.
constexpr float kMean = 0.585F;
constexpr float kDeviation = 0.1F;

struct Drawn {
    double east = 0.0;   // m
    double north = 0.0;  // m
};

/// Bubbles gather where upwelling water meets: on the borders of cells, which are torn. About 0 to 1.
float web_at(double x, double y, std::uint64_t web) {
    CellularEdgesBasis wide(random_bits(84, Stream::Render, web));
    CellularEdgesBasis narrow(random_bits(85, Stream::Render, web));
    const double torn_x = 0.30 * static_cast<double>(fractal(106 + 4 * web, x / 0.7, y / 0.7, 3));
    const double torn_y = 0.30 * static_cast<double>(fractal(107 + 4 * web, x / 0.7, y / 0.7, 3));
    const double u = x + torn_x;
    const double v = y + torn_y;
    const float lines = 1.0F - 1.8F * wide(u / kMesh, v / kMesh);
    const float fine = 1.0F - 1.8F * narrow(2.9 * u / kMesh, 2.9 * v / kMesh);
    return 0.5F * lines + 0.3F * fine + 0.35F * fractal(86 + web, x / 0.9, y / 0.9, 3);
}

/// The same, drawn out over `way`.
float streaks_at(Position p, Drawn way, std::uint64_t web) {
    constexpr std::array<double, 3> kPlaces = {-0.5, 0.0, 0.5};
    float sum = 0.0F;
    for (const double t : kPlaces) sum += web_at(p.x + t * way.east, p.y + t * way.north, web);
    return sum / static_cast<float>(kPlaces.size());
}

}  // namespace

RapidsFoam::Cover RapidsFoam::at(Position p) const {
    if (water_.foam.empty()) return {};
    const float foam = sample_bilinear(water_.foam, p);
    if (!(foam > 0.01F)) return {};
    Drawn speed;  // m/s
    if (!water_.velocity_east.empty())
        speed = {sample_bilinear(water_.velocity_east, p), sample_bilinear(water_.velocity_north, p)};
    // Two webs, each of which is carried as far as the stream tears it, and shows least when it is made anew.
    const double loop = water_.loop_period > 0.0 ? water_.loop_period : kCarried;
    const double period = loop / std::max(1.0, std::round(loop / kCarried));
    constexpr double kLong = 0.16;  // s, over which the stream draws bubbles out
    float sum = 0.0F;
    float squares = 0.0F;
    for (const std::uint64_t web : {0U, 1U}) {
        const double turns = water_.time / period + 0.5 + 0.5 * static_cast<double>(web);
        const double gone = turns - std::floor(turns);  // 0 to 1
        const auto weight = static_cast<float>(1.0 - std::abs(2.0 * gone - 1.0));
        if (weight == 0.0F) continue;
        const double carried = (gone - 0.5) * period;
        const Position from{p.x - carried * speed.east, p.y - carried * speed.north};
        sum += weight * (streaks_at(from, {kLong * speed.east, kLong * speed.north}, web) - kMean);
        squares += weight * weight;
    }
    const float height = sum / (kDeviation * std::sqrt(squares));
    const float clear = 1.5F - 4.2F * std::min(foam, 0.85F);  // up to where there is clear water
    const float rise = std::clamp(0.22F * (height - clear), 0.0F, 1.0F);
    // Thin foam is a film of single bubbles.
    return {.share = smoothstep(0.0F, 0.12F, rise) * (0.5F + 0.5F * smoothstep(0.05F, 0.5F, rise)) *
                     smoothstep(0.01F, 0.10F, foam),
            .rise = rise};
}

}  // namespace thalweg
