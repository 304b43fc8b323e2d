// Extraction of rivers: from cells that collect enough water to a network of connected lines.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/river_profile.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/river/headwaters.hpp"
#include "thalweg/river/hydraulics.hpp"
#include "thalweg/river/network.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Where rivers begin, how their lines are drawn, and the numbers behind what they carry.
struct NetworkParameters {
    double min_area = 1e6;             // m^2, drainage area from which a cell belongs to a river
    double smoothing = 2.0;            // cells, standard deviation of the smoothing along a river's line
    double spacing = 0.0;              // m, between the points of a line; 0: as cells lie
    double slope_length = 1000.0;      // m, least length of river over which its slope is measured for depth
    ChiParameters chi = {};            // concavity of k_sn; reference_area is not used
    double steepness_length = 1000.0;  // m, least length of river over which k_sn is measured
    HydraulicParameters hydraulics = {};
    Headwaters headwaters = Headwaters::Area;  // where rivers begin (headwaters.hpp)
    double slope_area_threshold = 1e4;         // C, m^2
    double slope_area_exponent = 2.0;          // k, 1
    std::vector<Spring> springs = {};          // for Headwaters::Springs
    std::vector<std::int32_t> drawn = {};      // cells of drawn rivers, which are rivers anyway; ascending

    static void declare(Declaration<NetworkParameters>& declaration);
};

/// The rivers of a flow tree. Where `headwaters` says that a river begins (headwaters.hpp), on the cells
/// `drawn`, and all the way down from there, are river cells. A node lies where a river begins (source),
/// where rivers meet (confluence) and where the tree ends (outlet); one reach joins each node to the next one
/// down. So every outlet has one connected tree without cycles, and a lone river cell that is both source and
/// outlet gives nothing.
///
/// Lines start from cell centres. Each river is smoothed from its source to where it joins a larger one, by
/// repeated averaging with both neighbours along the line, which gives a Gaussian of `smoothing` cells;
/// sources and outlets keep their places, confluences move along with the larger river and so stay joined. No
/// point moves further than half of `smoothing` from its cell's centre. With a `spacing`, lines are cubics
/// through these points (centreline.hpp) and have others, that far apart; nodes stay, and the larger river
/// runs through a confluence without a bend. The bed (z) is `elevation` at the cells, cut down to the lowest
/// bed upstream, so that it never rises downstream, also across reaches.
///
/// Of a reach, upland area, both discharges and order are those right above its lower node; order is
/// Strahler's over the network. Length and slope are measured along the smoothed line, seen from above, and
/// stream power is the mean along it of sqrt(A) S over its cells (the paper's P). k_sn is that of the
/// reach's cells and as much more (flow/channel_steepness.hpp), at least `steepness_length`. A node's id is
/// its cell's row-major index, a reach's id is that of its upper node.
///
/// Width, depth and velocity follow from bankfull discharge and slope (hydraulics.hpp); the slope behind
/// them is taken over at least `slope_length` of river, up the main branch and down from a shorter reach,
/// because short reaches on a carved or rounded elevation are often level. Values at its points
/// (PointValues) follow in the same way, with that one slope, from the drainage area of the point's cell, at
/// the lower node of the reach's own water alone: they never fall downstream, and end with those of the
/// reach.
///
/// On a tree that wraps, a river that leaves at the west or east edge comes in again on the other side: its
/// reach is cut at the edge into two that follow each other, between two nodes of kind Seam.
///
/// drainage_area in m^2 and elevation in m lie on the tree's grid. O(cells), serial but for the values at
/// points, with the same bits on any number of threads; about 5 bytes per cell and 90 per river cell; polls
/// `progress`. Throws as check_springs does, and Error::input for a spacing other than 0 below a hundredth of
/// a cell. Source: Peytavie et al. 2019, sec. 4.
///
/// Example:
///     const RiverNetwork rivers =
///         extract_network(flow.tree, flow.drainage_area, flow.elevation, {.min_area = 5e5}, progress);
RiverNetwork extract_network(const FlowTree& tree, const Field<double>& drainage_area,
                             const Field<float>& elevation, const NetworkParameters& parameters,
                             Progress& progress);

}  // namespace thalweg
