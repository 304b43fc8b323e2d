#include "thalweg/render/riverside/grass.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/shading/patches.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr float kGrassReach = 60.0F;     // m from the camera; farther away turf has no blades
constexpr float kBladesByEye = 2600.0F;  // a square metre, up to kDenseReach
constexpr float kDenseReach = 4.5F;      // m
constexpr float kBehind = 2.0F;          // m behind the camera from which there is no grass
constexpr float kBladeHeight = 0.13F;    // m, mean of meadow grass; empirical
constexpr float kBladeWidth = 0.007F;    // m at the root

/// Blades on a square metre at a distance from the camera, m.
float density(float distance) {
    if (distance >= kGrassReach) return 0.0F;
    const float far = std::max(1.0F, distance / kDenseReach);
    return kBladesByEye / (far * far) * smoothstep(kGrassReach, 0.7F * kGrassReach, distance);
}

/// A blade that bends over at a knee.
void add_blade(Vector3 root, float height, float width, float turn, float bend, std::vector<Triangle>& to) {
    const Vector3 side{std::cos(turn) * width, std::sin(turn) * width, 0.0F};
    const Vector3 lean{-std::sin(turn) * bend, std::cos(turn) * bend, 0.0F};
    const Vector3 knee = root + lean * 0.35F + Vector3{0.0F, 0.0F, 0.62F * height};
    const Vector3 tip = root + lean + Vector3{0.0F, 0.0F, height};
    to.push_back({root - side * 0.5F, root + side * 0.5F, knee});
    to.push_back({knee - side * 0.35F, knee + side * 0.35F, tip});
}

}  // namespace

Grass::Grass(const Field<float>& turf, const Field<float>& straw, const Field<float>& surface, Vector3 eye,
             Vector3 ahead, std::vector<Triangle>& triangles) {
    const float way = std::hypot(ahead.x - eye.x, ahead.y - eye.y);
    const Grid& grid = turf.grid();
    const auto cell_size = static_cast<float>(grid.cell_size);
    Patches patches(76, 5.0, 3);
    for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column) {
            if (!(turf(column, row) > 0.1F)) continue;
            const Position p = grid.centre(column, row);
            const float x =
                (static_cast<float>(column) - 0.5F * static_cast<float>(grid.columns - 1)) * cell_size;
            const float y = (0.5F * static_cast<float>(grid.rows - 1) - static_cast<float>(row)) * cell_size;
            const float distance = std::hypot(x - eye.x, y - eye.y);
            if ((x - eye.x) * (ahead.x - eye.x) + (y - eye.y) * (ahead.y - eye.y) < -kBehind * way) continue;
            const float wanted = density(distance) * turf(column, row) * cell_size * cell_size;
            if (!(wanted > 0.0F)) continue;
            const float patch = patches(p.x, p.y);
            const float dry = straw.empty() ? 0.25F : 0.25F + 0.75F * straw(column, row);
            const std::uint64_t cell_bits = random_bits(
                86, Stream::Render, static_cast<std::uint64_t>(column), static_cast<std::uint64_t>(row));
            const int count = static_cast<int>(wanted + unit_float(cell_bits));
            for (int k = 0; k < count; ++k) {
                const std::uint64_t bits = mix64(cell_bits + static_cast<std::uint64_t>(k) + 1);
                const std::uint64_t more = mix64(bits);
                const Vector3 root{x + (unit_float(bits) - 0.5F) * cell_size,
                                   y + (unit_float(bits << 24) - 0.5F) * cell_size,
                                   surface(column, row) - 0.02F};
                const float height =
                    kBladeHeight * (0.4F + 1.2F * unit_float(more)) * std::max(0.35F, 1.0F + 0.9F * patch);
                // Far blades stand for several: they are wider.
                const float width = kBladeWidth * std::max(1.0F, 0.5F * distance / kDenseReach);
                add_blade(root, height, width, 2.0F * std::numbers::pi_v<float> * unit_float(more << 24),
                          height * (0.2F + 0.7F * unit_float(mix64(more))), triangles);
                blades_.push_back(
                    {root.z, height,
                     std::clamp(dry + 0.5F * patch + 0.5F * (unit_float(more) - 0.5F), 0.0F, 1.0F)});
            }
        }
    }
}

Colour Grass::colour(std::size_t triangle, Vector3 place) const {
    constexpr Colour kGreen{0.092F, 0.130F, 0.036F};
    constexpr Colour kStraw{0.205F, 0.182F, 0.090F};
    const Blade& blade = blades_[triangle / 2];
    const float up = std::clamp((place.z - blade.root) / blade.height, 0.0F, 1.0F);
    return mix(kGreen, kStraw, blade.dry * (0.4F + 0.6F * up)) * (0.40F + 0.60F * up);
}

}  // namespace thalweg
