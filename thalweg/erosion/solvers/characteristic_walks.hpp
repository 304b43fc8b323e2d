// Walks up the paths of a flow tree, eight side by side, which solve the closed form of a finite time.
#pragma once

#include "thalweg/flow/graph/depth_first_order.hpp"

#include <cstdint>

namespace thalweg {

/// A node and the link to its receiver.
struct PathLink {
    float years;    // that a signal takes up the link
    float uplift;   // m/yr
    float initial;  // z0, m
    float length;   // m
};

/// A node of the path from a root up to the present cell, in sums from the root up.
struct PathNode {
    double years;   // that a signal takes up to here
    double change;  // m, by which its elevation changes on the way
};

/// What else is known of such a node.
struct PathWater {
    float surface;        // of the river or lake after the time, m
    float lake;           // z0, or the level of the lake over it where the path leads out of a basin, m
    std::int32_t signal;  // the node below the place where the signal comes from that is here after the time
    std::int32_t unused;  // makes four, which are moved at once
};

inline constexpr int kCharacteristicWalks = 8;   // side by side
inline constexpr std::int64_t kPathAhead = 4;    // visits ahead for which memory is asked (empirical)
inline constexpr std::int64_t kPathMargin = 32;  // nodes behind the last one of a path, looked at too

/// Walks, each with the path from beyond the root [0] and the root [1] up to its present cell.
struct CharacteristicWalks {
    const TreeVisit* visits[kCharacteristicWalks];  // kPathAhead more can be read than are visited
    PathNode* nodes[kCharacteristicWalks];
    PathWater* waters[kCharacteristicWalks];

    const PathLink* links;   // per cell
    const float* celerity;   // per cell, m/yr
    float time;              // yr
    float most_slope;        // m/m, above which slopes slide
    float thermal_rate;      // k_t, m/yr
    float thermal_uplift;    // k_t s_c, m/yr
    float filled_depth;      // m: lakes less deep are filled
    float floor_depth;       // m: deeper below its receiver a cell begins the paths above it
    double base_slope;       // m/m, of the ground beyond roots
    const float* root_fall;  // per cell, m/yr, in place of base_slope a; null: none
};

/// Lets every walk do its visits [first, last). `elevation`, m, gets what they find, unless it is null. Equal
/// bits for vectors of 4, 8 and 16.
template <int Lanes>
void walk_paths_in_lanes(const CharacteristicWalks& walks, std::int64_t first, std::int64_t last,
                         float* elevation);

}  // namespace thalweg
