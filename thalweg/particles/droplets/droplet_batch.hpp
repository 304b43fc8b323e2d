// Droplets that run on the same ground.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/particles/droplets/droplet.hpp"
#include "thalweg/particles/droplets/droplet_lanes.hpp"
#include "thalweg/particles/droplets/ground_tiles.hpp"
#include "thalweg/particles/droplets/pigment_trace.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace thalweg {

/// What droplets came to.
struct DropletTally {
    std::int64_t moves = 0;
    std::int64_t water_evaporated = 0;  // units on a cell, as all that follow
    std::int64_t water_left = 0;
    std::int64_t sediment_entered = 0;
    std::int64_t sediment_left = 0;
    std::int64_t soil_left = 0;
    std::int64_t soil_taken = 0;

    DropletTally& operator+=(const DropletTally& other);
};

/// Water that a droplet leaves in a cell at its end.
struct WaterAtRest {
    std::int64_t cell = 0;
    std::int64_t water = 0;  // units on a cell
};

/// Sediment that is laid down in a cell.
struct LaidDown {
    std::int64_t cell = 0;
    std::int64_t amount = 0;  // units
};

/// The paths of droplets, which their loads have no part in.
struct DropletPaths {
    DropletLanes lanes = {};
    int lane_count = 0;  // of each row
    std::int64_t rows = 0;
    std::vector<std::unique_ptr<float[]>> blocks = {};  // of kRowsPerPoll rows each
    std::vector<DropletEnd> ends = {};                  // of its droplets
    std::vector<CarriedTrace> heavy = {};  // room for what those leave in some rows that are heavy

    static constexpr std::int64_t kRowsPerPoll = 256;

    /// kRowMembers for each lane.
    [[nodiscard]] const float* at_row(std::int64_t row) const {
        return blocks[at(row / kRowsPerPoll)].get() + row % kRowsPerPoll * kRowMembers * lane_count;
    }
};

/// What droplets of one thread leave behind.
struct DropletTraces {
    std::vector<CellTrace> cells = {};
    std::vector<std::int64_t> soil = {};      // per cell, units exchanged that are soil, where there is some
    std::vector<PigmentTrace> pigments = {};  // per cell, where any is washed
    CellMarks is_touched = {};                // of a batch
    std::vector<CarriedTrace> carried = {};   // water of a batch that `cells` has not
    std::vector<LaidDown> laid_down = {};     // of a batch, that `cells` has no room for
    DropletTally tally = {};
    std::vector<WaterAtRest> at_rest = {};  // of a batch
    DropletPaths paths = {};                // likewise

    /// None on ground of so many cells.
    static DropletTraces on(const GroundTiles& tiles, std::int64_t cells, bool is_washed,
                            bool has_soil = false);
};

/// Droplets of a batch, which threads take one after the other: those that are done first take more.
struct DropletQueue {
    std::span<const DropletStart> starts;
    std::int32_t begun = 0;
};

/// Finds the paths of droplets, as long as the queue has some, and leaves their water there. O(moves); polls
/// cancelling now and then.
void run_droplets(const DropletLaw& law, const DropletGround& ground, const GroundTiles& tiles,
                  DropletQueue& droplets, DropletTraces& traces);

/// Lets the same droplets take and lay down sediment along their paths, once the visits of all are known
/// (ParticleGround::count_visits), and gives back the rows of these. O(moves); polls likewise.
void move_sediment(const DropletLaw& law, const DropletGround& ground, std::span<const DropletStart> starts,
                   DropletTraces& traces);

}  // namespace thalweg
