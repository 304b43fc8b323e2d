// Ground that wandering channels have shaped: beds, scars, levelled belts, deposits.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/river/network.hpp"

#include <cstdint>

namespace thalweg {

/// How channels are cut into the ground.
struct MeanderGroundParameters {
    double bank_slope = 0.5;  // S_b, m/m, of the banks of channels
    double bend_scour = 2.9;  // A, 1: how much shallower than its outer side the inner side of a bend is

    static void declare(Declaration<MeanderGroundParameters>& declaration);
};

/// What channels are and have left (meander_maps.hpp), on one grid.
struct MeanderGroundInputs {
    const Field<float>& elevation;    // m
    const RiverNetwork& network;      // as it is now; reaches have width and depth
    const MeanderHistory& history;    // up to now
    const Field<float>& channel_age;  // yr (channel_age)
    const Field<float>& deposit;      // m (meander_deposit)
    const Field<float>& oxbow_depth;  // m (oxbow_lakes)
    double bar_height = 0.0;          // m, of the bars in `deposit`; 0: it has none
};

/// What has been changed.
struct MeanderGroundReport {
    std::int64_t channel_cells = 0;  // of current channels
    std::int64_t changed_cells = 0;
    double cut_volume = 0.0;     // m^3
    double filled_volume = 0.0;  // m^3
    double deepest_cut = 0.0;    // m
    double highest_fill = 0.0;   // m
};

struct ShapedGround {
    Field<float> elevation;  // m
    MeanderGroundReport report;
};

/// The ground with what wandering channels make of it, in this order:
///
///   B = bank                        beside channels of now and of old, between them a smooth surface
///   E = l (B + max(s - h, -D/2)) + (1 - l) (z + f s)      belt and deposit
///   E = min(E, max(E, B) - o)                             scars of abandoned courses
///   E = bank - min(D clamp(1 - A kappa n', 0.15, 1), S_b (w/2 - |n|))     within w/2 of channels of now,
///                                                     where they are no higher than the ground behind them
///
/// z: elevation; s: deposit; h: bar_height where a channel has been, else 0; o: oxbow_depth; w, D, kappa:
/// width, depth and curvature (left is positive) of the nearest channel, n the distance to the left of its
/// middle, n' that from the cells of the middle, 0.7 cells less; l: 1 within half a width of where channels
/// have been, from there a smooth step to 0 at a whole width; f: 1 below the banks, a smooth step to 0 at a
/// depth above them, twice the bankfull depth, which is how high floods reach (Rosgen 1994).
///
/// Banks lie at the network's bed and depth, or at the lower ground beside the channel where that is lower
/// than this and higher than the bed (the mean over ten widths along the channel): a network that was made
/// of the terrain has the terrain for its bed. Beds lie a depth below banks and never rise downstream.
///
/// The cells through which the middle of a channel passes are a path of neighbours, however narrow the
/// channel is: each has the bed there, or a lower one upstream; so none rises downstream, across junctions
/// neither, and a line that runs to the rim has no depression. Ground beside channel cells is raised as far
/// as it takes that each of these falls most steeply to another one, and a quarter of the depth more, so that
/// water keeps to channels. Where two limbs of a bend share a cell the bend between them lies level.
///
/// Source: Paris et al. 2023, sections 5.2 and 7, who say that beds are carved but not how, and name the
/// profile that falls all the way as one that would be needed (8.5); cross-slope of beds in bends: Ikeda,
/// Parker and Sawai 1981 (Journal of Fluid Mechanics 112), with A = 2.89. Differs in: the outer side of bends
/// is as deep as the channel between them, and the inner one shallower, where theirs is deeper by the same: a
/// pool would hold water.
///
/// Ground that no channel has come within a width of, nor sediment, nor the cells beside a current channel,
/// keeps its bits; no data stays that. A network without reaches and a history without courses change
/// nothing. O(cells + points + cells within strips), about 40 bytes a cell; the same bits on any number of
/// threads; polls `progress`. Throws Error::input where grids differ or a reach has no width or depth.
///
/// Example:
///     const Field<float> age = channel_age(history, grid, progress);
///     const Field<float> deposit = meander_deposit(history, grid, {}, progress);
///     const OxbowLakes lakes = oxbow_lakes(history, grid, {}, progress);
///     const ShapedGround shaped = shaped_ground({.elevation = elevation, .network = network,
///         .history = history, .channel_age = age, .deposit = deposit, .oxbow_depth = lakes.depth,
///         .bar_height = MeanderMapParameters().bar_height}, {}, progress);
ShapedGround shaped_ground(const MeanderGroundInputs& inputs, const MeanderGroundParameters& parameters,
                           Progress& progress);

}  // namespace thalweg
