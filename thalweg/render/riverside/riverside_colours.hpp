// Colours and fine relief of a river's bed and banks. Private to render.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/river_view.hpp"

namespace thalweg {

inline constexpr double kWetReach = 25.0;  // m around water in which ground knows how high it lies above it

/// The water level beside and over each cell, m: that of the nearest water, as far as `reach` metres from it;
/// no data farther away. Breadth-first from the shore over eight neighbours; ties to the lowest level.
/// O(cells).
Field<float> level_around(const Field<float>& water_level, double reach);

/// 1 on cells of rock, else 0.
Field<float> rock_cover(const RiverGround& ground);

/// Height that stones, sand and turf add to cells, m, within the grid's resolution. Empirical.
Field<float> fine_relief(const RiverGround& ground, const Field<float>& turf);

/// Share of turf on each cell: on soil, above the water, less on steep banks.
Field<float> turf_cover(const RiverGround& ground, const Field<float>& level);

/// How densely stones lie on each cell, over gravel: by cover, and on soil along the water, where it is
/// washed out.
Field<float> stone_density(const RiverGround& ground, const Field<float>& level, const Field<float>& turf);

/// Linear colour of each cell: its cover, turf or `land` on soil above the water, dark where it is wet.
/// `land`: linear colours of what covers the land; empty: turf.
Field<Colour> riverside_albedo(const RiverGround& ground, const Field<float>& level, const Field<float>& turf,
                               const Field<Colour>& land = {});

/// What grows on soil, where layers tell.
struct LandGrowth {
    Field<Colour> colours;  // linear, of the land without its trees
    Field<float> grown;     // share of the ground that has grass
    Field<float> straw;     // share of that grass which is dry
};
/// On the cells of `elevation` [m]; all empty where no layer tells. O(cells).
LandGrowth land_growth(const LandLayers& land, const Field<float>& elevation, const Progress& progress);

}  // namespace thalweg
