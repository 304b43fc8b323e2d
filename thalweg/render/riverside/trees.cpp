#include "thalweg/render/riverside/trees.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/shading/patches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr double kTreesReach = 1500.0;  // m from the camera
constexpr double kSpacing = 3.5;        // m, of places where one may stand
constexpr float kSingle = 0.012F;       // share of places in open land where one does
constexpr float kClearWay = 5.0F;       // m to each side of the line of sight
constexpr float kBank = 1.6F;           // m above the water up to which shrubs grow; empirical
constexpr float kLeafSeen = 0.0034F;    // size of leaves, or sprays of them, over their distance
constexpr float kNearest = 12.0F;       // m, from which leaves are no smaller
constexpr float kMostLeaves = 8000.0F;
constexpr float kFewestLeaves = 16.0F;
constexpr float kAside = 0.2F;  // cosine of the angle from the view beyond which only near trees stand
constexpr float kNear = 45.0F;  // m

Vector3 drawn_direction(std::uint64_t bits) {
    const float z = 2.0F * unit_float(bits) - 1.0F;
    const float turn = 2.0F * std::numbers::pi_v<float> * unit_float(bits << 24);
    const float level = std::sqrt(1.0F - z * z);
    return {level * std::cos(turn), level * std::sin(turn), z};
}

/// How far a place lies beside the way from the camera to what it looks at.
float beside_sight(Vector3 place, Vector3 eye, Vector3 target) {
    const Vector3 way{target.x - eye.x, target.y - eye.y, 0.0F};
    const Vector3 from{place.x - eye.x, place.y - eye.y, 0.0F};
    const float t = std::clamp(dot(from, way) / std::max(dot(way, way), 1e-6F), 0.0F, 1.2F);
    return length(from - way * t);
}

/// How trees away from the water stand.
struct Stand {
    float wood = 0.0F;      // 0 open land to 1 wood
    float least = kSingle;  // share of places with a tree in open land
};

/// Where `forest` tells its share, patches of about as much; else by the patches alone.
Stand stand_at(const Field<float>* forest, Position p, float patch) {
    const float share = forest == nullptr ? kNoData : sample_bilinear(*forest, p);
    if (is_no_data(share)) return {.wood = smoothstep(0.05F, 0.45F, patch)};
    return {.wood = smoothstep(0.18F, 0.82F, share + 1.2F * patch * share * (1.0F - share)),
            .least = kSingle * smoothstep(0.0F, 0.1F, share)};
}

}  // namespace

Vector3 Trees::leaf_place(const Tree& tree, std::uint64_t bits) {
    const std::uint64_t more = mix64(bits);
    const float turn = 2.0F * std::numbers::pi_v<float> * unit_float(more);
    if (tree.kind == Kind::Conifer) {
        // Whorls of branches that are shorter towards the top.
        const float t = 0.08F + 0.92F * (1.0F - std::sqrt(unit_float(bits)));
        const float whorl = 0.75F + 0.25F * std::sin(55.0F * t + 2.0F * turn);
        const float radius =
            0.21F * tree.height * (1.02F - t) * whorl * std::sqrt(0.15F + 0.85F * unit_float(more << 24));
        return {radius * std::cos(turn), radius * std::sin(turn), t * tree.height - 0.25F * radius};
    }
    // Clumps around a crown.
    constexpr unsigned kClumps = 6;
    const bool is_shrub = tree.kind == Kind::Shrub;
    const std::uint64_t clump = mix64(tree.draw + (bits >> 3) % kClumps);
    const Vector3 middle = drawn_direction(clump);
    const float size = (is_shrub ? 0.42F : 0.30F) * tree.height;
    const Vector3 leaf = drawn_direction(more) * (0.55F + 0.45F * unit_float(mix64(more)));
    const float low = is_shrub ? 0.42F : 0.66F;
    return {0.75F * size * middle.x + 0.62F * size * leaf.x, 0.75F * size * middle.y + 0.62F * size * leaf.y,
            std::max(0.02F, low * tree.height + 0.6F * size * middle.z + 0.55F * size * leaf.z)};
}

void Trees::add(const Tree& tree, float distance, std::vector<Triangle>& triangles) {
    const auto number = static_cast<std::uint32_t>(trees_.size());
    // As much leaf as covers the crown about twice.
    const float crown = tree.height * (tree.kind == Kind::Conifer ? 0.62F : 0.95F);
    const float sizes = crown / (kLeafSeen * std::max(distance, kNearest));
    const auto leaves = static_cast<unsigned>(std::clamp(sizes * sizes, kFewestLeaves, kMostLeaves));
    const float size = crown / std::sqrt(static_cast<float>(leaves));
    for (unsigned leaf = 0; leaf < leaves; ++leaf) {
        const std::uint64_t bits = mix64(tree.draw + 977ULL * (leaf + 1));
        const Vector3 middle = tree.root + leaf_place(tree, bits);
        Vector3 along = drawn_direction(mix64(bits + 1)) * size;
        const Vector3 across = drawn_direction(mix64(bits + 2)) * (0.55F * size);
        if (tree.kind == Kind::Conifer) along.z = -std::abs(along.z);  // sprays hang
        triangles.push_back({middle + along, middle - along * 0.5F + across, middle - along * 0.5F - across});
        tree_of_.push_back(number);
    }
    const float width = 0.014F * tree.height;
    if (tree.kind != Kind::Shrub && distance < 300.0F) {
        const Vector3 top = tree.root + Vector3{0.0F, 0.0F, 0.8F * tree.height};
        const Vector3 foot = tree.root - Vector3{0.0F, 0.0F, 0.2F};
        for (const Vector3 side : {Vector3{width, 0.0F, 0.0F}, Vector3{0.0F, width, 0.0F}}) {
            triangles.push_back({foot - side, foot + side, top});
            tree_of_.push_back(number);
        }
    }
    trees_.push_back(tree);
}

Trees::Trees(const std::function<TreeSite(Position)>& site, const Field<float>* forest, Vector3 eye,
             Vector3 target, Position eye_position, std::vector<Triangle>& triangles) {
    Patches woods(101, 170.0, 4);
    Patches thickets(102, 14.0, 3);
    const auto first = [](double from) { return static_cast<std::int64_t>(std::floor(from / kSpacing)); };
    for (std::int64_t row = first(eye_position.y - kTreesReach); row <= first(eye_position.y + kTreesReach);
         ++row) {
        for (std::int64_t column = first(eye_position.x - kTreesReach);
             column <= first(eye_position.x + kTreesReach); ++column) {
            const std::uint64_t bits = random_bits(103, Stream::Render, static_cast<std::uint64_t>(column),
                                                   static_cast<std::uint64_t>(row));
            const std::uint64_t more = mix64(bits);
            const Position p{(static_cast<double>(column) + unit_double(bits)) * kSpacing,
                             (static_cast<double>(row) + unit_double(more)) * kSpacing};
            const auto distance = static_cast<float>(std::hypot(p.x - eye_position.x, p.y - eye_position.y));
            if (distance > kTreesReach) continue;
            if (distance > kNear) {
                const Vector3 way{static_cast<float>(p.x - eye_position.x),
                                  static_cast<float>(p.y - eye_position.y), 0.0F};
                const Vector3 ahead{target.x - eye.x, target.y - eye.y, 0.0F};
                if (dot(way, ahead) < kAside * distance * length(ahead)) continue;
            }
            const float stands = unit_float(mix64(more));
            const auto [wood, least] = stand_at(forest, p, woods(p.x, p.y));
            const float thicket = smoothstep(0.1F, 0.5F, thickets(p.x, p.y));
            if (stands > std::max({least, 0.45F * wood, 0.5F * thicket})) continue;
            const TreeSite ground = site(p);
            if (is_no_data(ground.place.z) || ground.soil < 0.5F) continue;
            const bool by_water = ground.above_water < kBank;
            if (by_water && ground.above_water < 0.12F) continue;
            const float share = by_water ? 0.5F * thicket : std::max(least, 0.45F * wood);
            if (stands > share) continue;
            const float clear = by_water ? 0.5F * kClearWay : kClearWay;
            if (distance < 2.0F * clear || beside_sight(ground.place, eye, target) < clear) continue;
            const float size = 0.55F + 0.9F * unit_float(mix64(more + 1));
            Tree tree{.root = ground.place, .draw = mix64(more + 2)};
            if (by_water) {
                tree.height = 1.5F * size;
            } else if (wood > 0.05F && (bits & 3U) != 0) {
                tree.kind = Kind::Conifer;
                tree.height = 11.0F * size;
            } else {
                tree.kind = Kind::Broadleaf;
                tree.height = 6.0F * size;
            }
            add(tree, distance, triangles);
        }
    }
}

Trees::Leaf Trees::at(std::size_t triangle, Vector3 place) const {
    constexpr std::array<Colour, 3> kLeaves = {{{0.058F, 0.076F, 0.027F},    // shrubs: willow
                                                {0.042F, 0.064F, 0.020F},    // broad-leaved
                                                {0.024F, 0.039F, 0.019F}}};  // conifers
    const Tree& tree = trees_[tree_of_[triangle]];
    const float own = 0.75F + 0.5F * unit_float(mix64(tree.draw + 5));
    const float leaf = 0.75F + 0.5F * unit_float(mix64(triangle));
    const float up = std::clamp((place.z - tree.root.z) / tree.height, 0.0F, 1.0F);
    const Colour yellow{0.95F + 0.4F * unit_float(mix64(tree.draw + 6)), 1.05F, 0.9F};
    return {.albedo = kLeaves[static_cast<std::size_t>(tree.kind)] * yellow * (own * leaf),
            .sky = 0.3F + 0.7F * up};
}

}  // namespace thalweg
