// Many droplets at once, one in each lane of a vector: in rows, each of which holds a step of every lane.
#pragma once

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/particles/droplets/droplet.hpp"
#include "thalweg/particles/droplets/pigment_trace.hpp"

#include <cstdint>
#include <limits>

namespace thalweg {

/// Where a droplet ended.
struct DropletEnd {
    std::int64_t first_row = 0;
    std::int64_t row = 0;                // behind its last one
    std::int32_t droplet = 0;            // its number among the starts
    std::int32_t lane = -1;              // -1: it has left where it began
    std::int32_t next = -1;              // droplet that has its lane from `row` on; -1: none
    std::int32_t cell = 0;               // in which it ended
    float volume = 0.0F;                 // of a mean droplet
    float pigments[kMostPigments] = {};  // 1, of its load, as the next two once sediment has moved
    std::int32_t load = 0;               // units on a cell
    std::int32_t soil = 0;               // of these
    std::int32_t has_left = 0;           // or stays
};

/// Members of a row, for each lane in turn: cell and its kind (kStepCell, kStepKind), length of the step [m]
/// (0 where the droplet did not move), fall of the surface along it [m], and 1 + K E of the cell or the depth
/// of still water there [m] that sediment may fill.
inline constexpr int kRowMembers = 4;

/// Where they begin in a row, and its end.
template <std::int64_t Lanes>
struct RowOf {
    static constexpr std::int64_t kLength = Lanes;
    static constexpr std::int64_t kDrop = 2 * Lanes;
    static constexpr std::int64_t kWater = 3 * Lanes;
    static constexpr std::int64_t kEnd = kRowMembers * Lanes;
};
inline constexpr std::int32_t kStepCell = (1 << 28) - 1;
inline constexpr int kStepKind = 28;  // shift
inline constexpr std::int32_t kStepBack =
    std::numeric_limits<std::int32_t>::min();  // set where the droplet goes back from a bank

/// Volume of a droplet, in mean droplets, from which on its water is not added to traces but carried.
inline constexpr float kHeaviestDroplet = 16.0F;

/// What droplets run on, and where they leave their traces.
struct DropletRun {
    const DropletLaw* law = nullptr;
    const DropletGround* ground = nullptr;
    const DropletStart* starts = nullptr;
    std::int32_t count = 0;
    std::int32_t* begun = nullptr;  // droplets, by threads that share them
    std::int32_t tile_columns = 0;  // GroundTiles::word_of
    CellTrace* cells = nullptr;
    std::uint32_t* is_touched = nullptr;  // CellMarks
    std::int64_t* soil = nullptr;         // per cell, units exchanged that are soil, where there is some
    PigmentTrace* pigments = nullptr;     // per cell, where any is washed
    CarriedTrace* carried = nullptr;      // of droplets that are heavy: one for each lane and row at most
    DropletEnd* ends = nullptr;           // in their order
};

/// Droplets under way.
struct DropletLanes {
    alignas(64) float x[kWidestVector] = {};  // columns and rows, as Droplet
    float y[kWidestVector] = {};
    float east[kWidestVector] = {};  // direction
    float south[kWidestVector] = {};
    float volume[kWidestVector] = {};             // of a mean droplet
    float lowest[kWidestVector] = {};             // m, so far
    float release[kWidestVector] = {};            // m, below which it falls no more
    float distance_in_water[kWidestVector] = {};  // m, since it came to still water
    float length[kWidestVector] = {};             // m, of the last step
    std::int32_t steps[kWidestVector] = {};
    std::int32_t stops[kWidestVector] = {};    // where nothing was lower, since it came to the lowest place
    std::int32_t descent[kWidestVector] = {};  // direction down, once looked for; -1: not yet
    std::int32_t droplet[kWidestVector] = {};
    std::int32_t is_active[kWidestVector] = {};    // as masks, 0 or -1
    std::int32_t is_falling[kWidestVector] = {};   // since it has climbed too far, or left a lake
    std::int32_t has_climbed[kWidestVector] = {};  // more than it may
    std::int32_t goes_back[kWidestVector] = {};    // from where it has climbed to
    std::int32_t is_ashore[kWidestVector] = {};    // before it, in still water
    std::int32_t arrives[kWidestVector] = {};      // where it begins
    std::int32_t first[kWidestVector] = {};        // droplet of each lane at first; -1: none
    std::int64_t first_row[kWidestVector] = {};    // of the droplet at hand
    std::int32_t ended = 0;                        // droplets
    std::int32_t carried = 0;
    std::int32_t all_visits = 0;  // bits that are set in any trace
    std::int64_t moves = 0;
};

/// Sediment under way in the same lanes.
struct SedimentLanes {
    alignas(64) std::int32_t load[kWidestVector] = {};  // units on a cell
    float volume[kWidestVector] = {};                   // of a mean droplet
    float feed[kWidestVector] = {};                     // DropletStart::feed
    float above[kWidestVector] = {};                    // m, by which it has come down to the cell
    float pigments[kMostPigments][kWidestVector] = {};  // 1, of the load
    std::int32_t soil[kWidestVector] = {};              // units of the load
    std::int32_t end = 0;                               // that comes next
    std::int64_t entered = 0;                           // units on a cell, with fed springs
    std::int64_t soil_taken = 0;                        // units on a cell
};

/// Gives droplets to all lanes, which have none.
template <int Lanes>
void begin_in_lanes(const DropletRun& run, DropletLanes& lanes);

/// Lets droplets go on for the rows from `first` to `last`, which `rows` has; each that ends gives its lane
/// to the next one. Returns the row behind the last that was written: fewer where all have ended. The same
/// steps of each droplet for vectors of 4, 8 or 16.
template <int Lanes>
std::int64_t run_in_lanes(const DropletRun& run, DropletLanes& lanes, float* rows, std::int64_t first,
                          std::int64_t last);

/// Lets droplets take and lay down sediment in these rows, once visits are known; `ended` of them in all.
template <int Lanes>
void move_in_lanes(const DropletRun& run, SedimentLanes& lanes, std::int32_t ended, const float* rows,
                   std::int64_t first, std::int64_t last);

}  // namespace thalweg
