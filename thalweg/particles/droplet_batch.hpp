// Droplets that run on the same ground.
#pragma once

#include "thalweg/particles/droplet.hpp"
#include "thalweg/particles/ground_pigment.hpp"
#include "thalweg/particles/ground_tiles.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// A droplet before it sets out.
struct DropletStart {
    Droplet droplet;
    std::int64_t water = 0;  // units on a cell
    float feed = 0.0F;  // slope times share of what it can carry, which it brings; 0: not of a fed spring
};

/// What droplets came to.
struct DropletTally {
    std::int64_t moves = 0;
    std::int64_t water_evaporated = 0;  // units on a cell, as all that follow
    std::int64_t water_left = 0;
    std::int64_t sediment_entered = 0;
    std::int64_t sediment_left = 0;

    DropletTally& operator+=(const DropletTally& other);
};

/// Water that a droplet leaves in a cell at its end.
struct WaterAtRest {
    std::int64_t cell = 0;
    std::int64_t water = 0;  // units on a cell
};

/// A step of a droplet.
struct PathStep {
    std::int32_t cell = 0;  // in which it begins
    float length = 0.0F;    // m; 0 where the droplet ends
};

/// The way of a droplet, which its load has no part in.
struct DropletPath {
    std::int64_t first = 0;  // of its steps
    std::int64_t steps = 0;  // without the place where it ends
    float volume = 1.0F;     // of a mean droplet, at first
    float feed = 0.0F;       // DropletStart::feed
    bool has_left = false;   // at its end
};

/// What droplets of one thread leave behind.
struct DropletTraces {
    std::vector<CellTrace> cells = {};
    std::vector<PigmentTrace> pigment = {};  // per cell, where it is washed
    CellMarks is_touched = {};               // of a batch
    DropletTally tally = {};
    std::vector<WaterAtRest> at_rest = {};  // of a batch
    std::vector<DropletPath> paths = {};    // of a batch
    std::vector<PathStep> steps = {};       // of `paths`, one after the other
};

/// Finds the ways of droplets and leaves their water there. O(moves); polls cancelling now and then.
void run_droplets(const DropletLaw& law, const DropletGround& ground, const GroundTiles& tiles,
                  std::span<const DropletStart> starts, DropletTraces& traces);

/// Lets droplets take and lay down sediment along their ways, once the visits of all are known
/// (ParticleGround::count_visits). O(moves); polls likewise.
void move_sediment(const DropletLaw& law, const DropletGround& ground, DropletTraces& traces);

}  // namespace thalweg
