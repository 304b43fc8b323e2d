// Valley floors: flat ground along rivers, cut into a landscape that has none.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/erosion_law.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// How wide floors are, and what limits them.
struct ValleyFloorParameters {
    double floor_width = 150.0;    // w0, m, of a river that drains 1 km^2 and does not cut down
    double width_exponent = 0.35;  // b, 1
    double floor_area = 1e6;       // A_v, m^2: valleys that drain less are V-shaped
    double wall_height = 100.0;    // H_0, m: a wall so high makes half the way into it
    double incision_rate = 0.0;    // I, m/yr; 0: what the stream power law says
    double erodibility = 2e-5;     // k, m^(1-2m)/yr, of that law; its other numbers are ErosionLaw's
    double rock_strength = 1.0;    // 1: widths are divided by it

    static void declare(Declaration<ValleyFloorParameters>& declaration);
};

/// What floors are cut into. Layers lie on one grid.
struct ValleyFloorInputs {
    const Field<float>& elevation;    // m, which never rises along the tree
    const FlowTree& tree;             // to any of 8 neighbours, ordered
    Field<float> incision_rate = {};  // m/yr; empty: the parameters' number
    Field<float> erodibility = {};    // m^(1-2m)/yr; empty: the parameters' number
    Field<float> rock_strength = {};  // 1; empty: the parameters' number
};

/// What was cut.
struct ValleyFloorReport {
    std::int64_t river_cells = 0;  // whose beds were looked at
    std::int64_t cut_cells = 0;    // that were lowered
    double removed_volume = 0.0;   // m^3
};

struct ValleyFloors {
    Field<float> elevation;  // m
    Field<float> floor;      // how much of the cell is floor, 0 to 1
    ValleyFloorReport report;
};

/// The terrain with floors along its rivers: the lower of itself and a surface E that rises from them.
///
///   W = w0 (A / 1 km^2)^b max(0, 1 - A_v / A) / (1 + I / I_0) / strength - 10 W_p
///   |grad d| = 1 + H / H_0, and d = -W / 2 on the river: the floor is where d is below 0
///   E = bed + bank + (0.01 + S / 2) x on the floor
///   |grad E| = max(0.4, |grad z| + 0.12) beyond it
///
/// I_0 = 0.5 mm/yr; A: drainage area; H: height of the ground above the river from which the front d comes,
/// and x the way from it; S: the river's slope over 500 m; z: elevation; W_p: width of the floor that is
/// there already, the mean along about 2 km (ground that rises by less than 0.15 to 0.3 from the river, 20 m
/// at most). Banks are the bankfull depth of Bieger et al. 2015 (Journal of the American Water Resources
/// Association 51), or 0.6 of the drop to the receiver. Beds keep their elevation, but for tributaries whose
/// mouths were cut: these cross the floor of the wider river nearly level, and are cut back twice as steep as
/// they were, by 0.12 at most, until they meet their old bed.
///
/// The law of widths is a closure by eye; that floors narrow with uplift is after Turowski, Bufe and Tofelde
/// 2024 (Earth Surface Dynamics 12). d is found by fast marching (Sethian 1996), first order, and so are
/// walls, in the order of Dial 1969. See docs/theory/floors.md.
///
/// Beds that drain A_v / 50 and more still fall along the tree, and water keeps to them; a cell that had a
/// lower neighbour has one; no cell is raised. Roots and cells at the edge of the grid that are not beds keep
/// their elevation. Cells without data are walls. O(cells + cut cells log), 25 bytes a cell; serial, the same
/// bits on any number of threads; polls `progress`.
///
/// Example:
///     const FlowResult flow = route(elevation, {}, progress);
///     const ValleyFloorInputs inputs = {.elevation = flow.elevation, .tree = flow.tree};
///     const ValleyFloors floors = valley_floors(inputs, {.floor_width = 200.0}, progress);
ValleyFloors valley_floors(const ValleyFloorInputs& inputs, const ValleyFloorParameters& parameters,
                           Progress& progress);

}  // namespace thalweg
