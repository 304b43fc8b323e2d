// Fill-spill-merge: the lakes that a given amount of water leaves on a terrain.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/depression_hierarchy.hpp"
#include "thalweg/flow/lake_sources.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace thalweg {

/// The most runoff that is not infinite: no sum of it overflows.
inline constexpr double kMostRunoff = 1e9;  // m

/// What lakes fill with.
struct LakeWater {
    double runoff = std::numeric_limits<double>::infinity();  // m, of every cell
    Field<float> runoff_of_cell = {};      // m, on the terrain's grid, instead of `runoff` unless empty
    std::vector<LakeSource> sources = {};  // besides

    friend bool operator==(const LakeWater&, const LakeWater&) = default;
};

/// One lake. Lakes that meet at a sill of just their level count as one.
struct Lake {
    std::int32_t id = 0;          // number of the basin (basins.hpp) of its lowest cell, whatever the runoff
    std::int32_t depression = 0;  // that it stands in
    std::int32_t pit = -1;        // its lowest cell
    std::int32_t outlet = -1;     // cell of the sill that it spills over; -1: it is not full
    double level = 0.0;           // m
    double area = 0.0;            // m^2
    double depth = 0.0;           // m, greatest
    double volume = 0.0;          // m^3
    double inflow = 0.0;          // m^3, from its slopes, sources and lakes that spill into it
};

/// Water at rest on a terrain.
struct Lakes {
    Field<float> water_elevation;  // m, of the surface; NaN outside lakes
    Field<float> water_depth;      // m; 0 outside lakes, NaN where there is no data
    Field<std::int32_t> lake;      // id; 0 outside lakes
    std::vector<Lake> lakes;       // by id
    double runoff = 0.0;           // m^3, all water, that of sources too
    double outflow = 0.0;          // m^3, left the domain
    double volume = 0.0;           // m^3, in lakes, summed over their cells
    double volume_error = 0.0;     // |runoff - outflow - volume| / runoff: rounding

    // Which depression's water each basin lies under, kNoDepression where it is dry, and whether it spills.
    std::vector<std::int32_t> standing_over;  // per basin
    std::vector<std::uint8_t> is_full;        // per depression
};

/// Lets the water of every cell and source run down to its basin's pit. Depressions fill; a full one spills
/// over its saddle into the basin beyond; where that is full too, both become one that fills on. What spills
/// out of the domain has left. Nothing seeps or dries up, so the lakes do not depend on the order in which
/// water comes.
///
/// A full depression's level is its saddle. In others the level h solves
///
///   V = a sum max(0, h - z_i)     V: their water [m^3], a: area of a cell [m^2], z_i: their cells [m]
///
/// over their cells in ascending order, exact but for rounding.
///
/// runoff: at least 0; infinite: all depressions are full, inflow and outflow infinite, the lowest pits of
/// closed parts are outlets (as in fill.hpp), and volume_error compares with the depressions' volumes.
/// Source: Barnes, Callaghan and Wickert 2021 (Earth Surface Dynamics 9, 105-121). Differs in: basins pour in
/// any order into what union-find says takes their water now.
///
/// elevation, basins, hierarchy: of one terrain. O(cells), and O(n log n) of those cells whose depression is
/// partly filled; same bits on any number of threads; polls `progress`. Throws Error::input for a runoff that
/// is negative, NaN, or above kMostRunoff but finite, for one of a cell with elevation that is infinite too,
/// and as cells_of_sources does.
///
/// Example:
///     const Lakes lakes = fill_spill_merge(elevation, basins, hierarchy, {.runoff = 0.5}, progress);
Lakes fill_spill_merge(const Field<float>& elevation, const Basins& basins,
                       const DepressionHierarchy& hierarchy, const LakeWater& water, Progress& progress);

/// The same lakes without their cells, whose fields stay empty. arriving: m^3 of water that runs down to each
/// basin, and to kDrained, at least 0; all of it finite, or infinite.
Lakes fill_basins(const Field<float>& elevation, const Basins& basins, const DepressionHierarchy& hierarchy,
                  const std::vector<double>& arriving, Progress& progress);

/// Per basin: which of `lakes` stands over it, where its ground is lower than the level; -1: none.
std::vector<std::int32_t> lakes_over_basins(const Lakes& lakes);

}  // namespace thalweg
