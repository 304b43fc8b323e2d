// Droplets that run on the same ground.
#pragma once

#include "thalweg/particles/droplet.hpp"
#include "thalweg/particles/ground_tiles.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// A droplet before it sets out.
struct DropletStart {
    Droplet droplet;
    std::int64_t water = 0;  // units on a cell
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

/// What droplets of one thread leave behind.
struct DropletTraces {
    std::vector<CellTrace> cells;
    std::vector<std::uint8_t> is_tile_touched;  // of a batch
    DropletTally tally;
    std::vector<WaterAtRest> at_rest;  // of a batch
};

/// Lets droplets run one after the other. O(moves); polls cancelling now and then.
void run_droplets(const DropletLaw& law, const DropletGround& ground, const GroundTiles& tiles,
                  std::span<const DropletStart> starts, DropletTraces& traces);

}  // namespace thalweg
