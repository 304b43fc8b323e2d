#include "thalweg/render/riverside/stones.hpp"

#include "thalweg/core/portable_power.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/riverside/fractal.hpp"
#include "thalweg/render/shading/patches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace thalweg {
namespace {

constexpr float kStonesReach = 90.0F;     // m from the camera
constexpr double kSizePower = 2.2;        // N(larger than D) ~ D^-2.2; empirical
constexpr float kCobbles = 10.0F;         // larger than 0.1 m, on a square metre of gravel; empirical
constexpr float kLeastSeen = 0.0036F;     // size over distance
constexpr float kSmallestStone = 0.045F;  // m
constexpr float kLargestStone = 0.9F;     // m
constexpr float kSeenRound = 0.014F;      // size over distance, of those that are more than an icosahedron

/// The triangles of an icosahedron in a sphere of radius 1.
std::vector<Triangle> icosahedron() {
    const float golden = 0.5F * (1.0F + std::sqrt(5.0F));
    const std::array<Vector3, 12> corners = {{{-1, golden, 0},
                                              {1, golden, 0},
                                              {-1, -golden, 0},
                                              {1, -golden, 0},
                                              {0, -1, golden},
                                              {0, 1, golden},
                                              {0, -1, -golden},
                                              {0, 1, -golden},
                                              {golden, 0, -1},
                                              {golden, 0, 1},
                                              {-golden, 0, -1},
                                              {-golden, 0, 1}}};
    constexpr std::array<std::array<std::size_t, 3>, 20> kFaces = {
        {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
         {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
         {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
    std::vector<Triangle> triangles;
    for (const auto& face : kFaces)
        triangles.push_back(
            {normalised(corners[face[0]]), normalised(corners[face[1]]), normalised(corners[face[2]])});
    return triangles;
}

/// A sphere's triangles, each parted into four.
std::vector<Triangle> parted(const std::vector<Triangle>& sphere) {
    std::vector<Triangle> triangles;
    for (const auto& [a, b, c] : sphere) {
        const Vector3 ab = normalised(a + b);
        const Vector3 bc = normalised(b + c);
        const Vector3 ca = normalised(c + a);
        for (const Triangle& part :
             {Triangle{a, ab, ca}, Triangle{b, bc, ab}, Triangle{c, ca, bc}, Triangle{ab, bc, ca}})
            triangles.push_back(part);
    }
    return triangles;
}

/// A place on the unit sphere, drawn in where faces cut the stone.
Vector3 cut(Vector3 place, std::uint64_t draw) {
    constexpr int kFaces = 9;
    for (int face = 0; face < kFaces; ++face) {
        const std::uint64_t bits = mix64(draw + static_cast<std::uint64_t>(face));
        const float z = 2.0F * unit_float(bits) - 1.0F;
        const float turn = 2.0F * std::numbers::pi_v<float> * unit_float(bits << 24);
        const float level = std::sqrt(1.0F - z * z);
        const Vector3 outwards{level * std::cos(turn), level * std::sin(turn), z};
        const float beyond = dot(place, outwards) - (0.5F + 0.35F * unit_float(mix64(bits)));
        if (beyond > 0.0F) place = place - outwards * (0.85F * beyond);
    }
    return place;
}

/// How densely stones lie in a patch, over the most.
float patch_share(float patch) {
    return smoothstep(-0.35F, 0.55F, patch);
}

}  // namespace

void Stones::add(const Stone& stone, bool is_round, std::vector<Triangle>& triangles) {
    static const std::vector<Triangle> coarse = icosahedron();
    static const std::vector<Triangle> round_sphere = parted(coarse);
    const auto moved = [&](Vector3 corner) {
        const Vector3 form = cut(corner, stone.draw);
        const float along = form.x * stone.half.x;
        const float across = form.y * stone.half.y;
        return stone.middle + Vector3{stone.east * along - stone.north * across,
                                      stone.north * along + stone.east * across, form.z * stone.half.z};
    };
    first_triangle_.push_back(triangles.size());
    for (const Triangle& face : is_round ? round_sphere : coarse)
        triangles.push_back({moved(face[0]), moved(face[1]), moved(face[2])});
    stones_.push_back(stone);
}

Stones::Stones(const Field<float>& density, const Field<float>& surface, const Field<float>& level,
               Vector3 eye, std::vector<Triangle>& triangles) {
    const Grid& grid = density.grid();
    const auto cell_size = static_cast<float>(grid.cell_size);
    Patches patches(91, 2.2, 3);
    for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column) {
            if (!(density(column, row) > 0.0F)) continue;
            const Position p = grid.centre(column, row);
            const float x =
                (static_cast<float>(column) - 0.5F * static_cast<float>(grid.columns - 1)) * cell_size;
            const float y = (0.5F * static_cast<float>(grid.rows - 1) - static_cast<float>(row)) * cell_size;
            const float distance = std::hypot(x - eye.x, y - eye.y);
            if (distance > kStonesReach) continue;
            const float least = std::max(kSmallestStone, kLeastSeen * distance);
            const auto more = static_cast<float>(portable_power(0.1 / least, kSizePower));
            const float wanted = kCobbles * more * density(column, row) * patch_share(patches(p.x, p.y)) *
                                 cell_size * cell_size;
            const std::uint64_t cell_bits = random_bits(
                92, Stream::Render, static_cast<std::uint64_t>(column), static_cast<std::uint64_t>(row));
            const int count = static_cast<int>(wanted + unit_float(cell_bits));
            for (int k = 0; k < count; ++k) {
                const std::uint64_t bits = mix64(cell_bits + static_cast<std::uint64_t>(k) + 1);
                const std::uint64_t form = mix64(bits);
                const double draw = 1.0 - static_cast<double>(unit_float(mix64(form)));
                const float size = std::min(
                    kLargestStone, least * static_cast<float>(portable_power(draw, -1.0 / kSizePower)));
                const float water = level(column, row);
                const float depth = water - surface(column, row);
                // What stands out of deep water would part its flow.
                if (depth > 0.25F * size && size > 0.7F * depth + 0.1F) continue;
                const float turn = 2.0F * std::numbers::pi_v<float> * unit_float(form);
                Stone stone{.middle = {},
                            .half = {0.5F * size * (1.0F + 0.4F * unit_float(form << 24)), 0.5F * size,
                                     0.5F * size * (0.5F + 0.35F * unit_float(bits << 24))},
                            .east = std::cos(turn),
                            .north = std::sin(turn),
                            .ground = surface(column, row),
                            .level = water,
                            .draw = form};
                stone.middle = {x + (unit_float(bits) - 0.5F) * cell_size,
                                y + (unit_float(bits << 12) - 0.5F) * cell_size,
                                surface(column, row) + 0.1F * stone.half.z};
                add(stone, size > kSeenRound * distance, triangles);
            }
        }
    }
}

Stones::Place Stones::at(std::size_t triangle, Vector3 flat, Vector3 place) const {
    constexpr std::array<Colour, 4> kKinds = {{{0.230F, 0.222F, 0.208F},    // granite
                                               {0.150F, 0.150F, 0.152F},    // slate
                                               {0.225F, 0.190F, 0.150F},    // sandstone
                                               {0.300F, 0.285F, 0.258F}}};  // limestone
    constexpr float kWet = 0.1F;  // m above the water that is kept wet
    const auto next = std::ranges::upper_bound(first_triangle_, triangle);
    const Stone& stone = stones_[static_cast<std::size_t>(next - first_triangle_.begin()) - 1];
    const Vector3 from = place - stone.middle;
    const float along = stone.east * from.x + stone.north * from.y;
    const float across = stone.east * from.y - stone.north * from.x;
    const Vector3 round{along / (stone.half.x * stone.half.x), across / (stone.half.y * stone.half.y),
                        from.z / (stone.half.z * stone.half.z)};
    const Vector3 smooth = normalised({stone.east * round.x - stone.north * round.y,
                                       stone.north * round.x + stone.east * round.y, round.z});
    if (dot(flat, smooth) < 0.0F) flat = flat * -1.0F;
    const double u = place.x / 0.06 + place.z / 0.09;
    const double v = place.y / 0.06 - place.z / 0.11;
    const float grain = fractal(93, u, v, 4);
    const Colour kind = kKinds[(stone.draw >> 7) % kKinds.size()];
    const float own = 0.75F + 0.5F * unit_float(mix64(stone.draw));
    const float wet = is_no_data(stone.level)
                          ? 0.0F
                          : smoothstep(1.6F * kWet, 0.4F * kWet, place.z - stone.level + 0.03F * grain);
    const Vector3 rough{0.35F * fractal(94, u, v, 2), 0.35F * fractal(95, u, v, 2), 0.0F};
    return {.albedo = kind * (own * (1.0F + 0.45F * grain) * (1.0F - 0.62F * wet)),
            .normal = normalised(smooth * 0.35F + flat * 0.65F + rough),
            .sky = 0.35F + 0.65F * smoothstep(-0.1F, 0.7F, (place.z - stone.ground) / stone.half.z)};
}

}  // namespace thalweg
