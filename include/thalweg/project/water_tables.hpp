// Primitives of water, and what drifts on it, as tables of points.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/io/point_table.hpp"
#include "thalweg/riverscape/flowing_water.hpp"

#include <filesystem>
#include <string>

namespace thalweg {

/// A tree of built-in kinds as layer `water_primitive`: a point a node, at the centre of leaves, with
///
///   node, parent, place   as in WaterTreeTable; the parent of the root is -1
///   operation             0 leaf, 1 merge, 2 replacement (WaterOperation)
///   kind                  of leaves: 0 calm, 1 ripple, 2 turbulent, 3 wave, 4 cascade, 5 vortex, 6 bank echo
///   radius ... seed       of leaves: the members of WaterPrimitive, in their units
///   loop_period           s, of the root, whose place is the setting's origin and whose elevation is the
///   base level next_node             of the root
PointTable primitive_table(const WaterTreeTable& tree, const std::string& crs);

/// Reads back a .csv of primitive_table that write_points wrote: the same to the bit. Throws Error::input as
/// read_points, and for a file of no root or with an operation or kind that is not there;
/// BlendFlowTree::from_table checks the rest.
///
/// Example:
///     const BlendFlowTree water =
///     BlendFlowTree::from_table(read_water_primitives("river_water_primitives.csv"));
WaterTreeTable read_water_primitives(const std::filesystem::path& path);

/// What drifts, as layer `drift`: points at the level of the water, with entry (its number), age_s,
/// velocity_ms and heading_deg (clockwise from north), and, where foam is among it, kind (0 leaf, 1 foam) and
/// left, the share of it that has not faded.
PointTable drift_table(const std::vector<Drifter>& drifters, const Field<float>& water_elevation);

}  // namespace thalweg
