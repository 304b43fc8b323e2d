// Trees of water that tests share.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/water/blend_flow_tree.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

constexpr double kLoop = 30.0;  // s

/// A draw in [low, high).
inline double drawn(std::uint64_t key, std::uint64_t what, double low, double high) {
    return low + (high - low) * unit_double(random_bits(5, Stream::WaterDisc, key, what));
}

/// A primitive of a kind with numbers of all sorts, somewhere in 20 x 10 m around `centre`.
inline WaterPrimitive drawn_primitive(WaterKind kind, std::uint64_t key, Position centre = {}) {
    return {.kind = kind,
            .x = centre.x + drawn(key, 0, 0.0, 20.0),
            .y = centre.y + drawn(key, 1, 0.0, 10.0),
            .radius = drawn(key, 2, 1.0, 3.0),
            .elevation = 100.0 + drawn(key, 3, 0.0, 0.5),
            .slope = drawn(key, 4, 0.0, 0.05),
            .amplitude = drawn(key, 5, 0.0, 0.3),
            .velocity_x = drawn(key, 6, -2.0, 2.0),
            .velocity_y = drawn(key, 7, -2.0, 2.0),
            .wavelength = drawn(key, 8, 0.4, 2.0),
            .fall = drawn(key, 9, 0.1, 0.6),
            .fall_length = drawn(key, 10, 0.3, 1.0),
            .rotation = drawn(key, 11, -3.0, 3.0),
            .bank_angle = drawn(key, 12, -1.5, 1.5),
            .foam = drawn(key, 13, 0.0, 1.0),
            .seed = static_cast<std::int64_t>(key % 7)};
}

inline WaterKind kind_of(std::uint64_t key) {
    return static_cast<WaterKind>(key % static_cast<std::uint64_t>(WaterKind::Extra));
}

/// Merges, replacements and replacements of replacements of all kinds over 20 x 10 m.
inline BlendFlowTree mixed_tree(Position centre = {}) {
    BlendFlowTree tree({.origin = centre, .loop_period = kLoop});
    std::uint64_t key = 0;
    const auto fill = [&](WaterNode merge, int count) {
        for (int i = 0; i < count; ++i, ++key) tree.insert(drawn_primitive(kind_of(key), key, centre), merge);
    };
    fill(kWaterRoot, 60);
    fill(tree.insert_merge(), 10);
    for (int i = 0; i < 6; ++i) fill(tree.replace(kWaterRoot), 2);
    const WaterNode nested = tree.insert_merge();
    fill(nested, 8);
    const WaterNode over = tree.replace(nested);
    fill(over, 3);
    fill(tree.replace(over), 3);
    fill(kWaterRoot, 3);
    return tree;
}

/// Points in 24 x 14 m around those trees.
inline std::vector<Position> drawn_points(int count, Position centre = {}) {
    std::vector<Position> points;
    for (int i = 0; i < count; ++i) {
        const auto key = static_cast<std::uint64_t>(1000 + i);
        points.push_back({centre.x + drawn(key, 0, -2.0, 22.0), centre.y + drawn(key, 1, -2.0, 12.0)});
    }
    return points;
}

}  // namespace thalweg
