// Edges of the data that age with the ground behind them, where no river leaves.
#pragma once

#include "thalweg/erosion/levels/erosion_level.hpp"
#include "thalweg/erosion/levels/sediment.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/river_courses.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// The edge cells of `elevation` [m] by which rivers leave, 1: those that drain at least a fiftieth of the
/// cells with data by the steepest of 8 neighbours, every edge cell being an outlet; those to which a source
/// of as much area drains; those at which `courses` end; on land without such, its lowest cell. O(cells), the
/// same bits on any number of threads.
Field<std::uint8_t> river_outlets(const Field<float>& elevation, std::span<const NodeSource> sources,
                                  const RiverCourses& courses, Progress& progress);

/// The edge cells of `elevation` that are no outlets, ascending.
std::vector<std::int32_t> open_edges_of(const Field<float>& elevation, const Field<std::uint8_t>& outlets);

/// The roots of `terrain` [m]: those of `level`, and its open edge cells whose steepest descent leads over
/// the edge. Beyond it the ground is the one opposite continued in a straight line (a boundary of fixed
/// gradient): z(beyond) = 2 z - z(opposite neighbour).
Field<std::uint8_t> draining_roots(const ErosionLevel& level, const Field<float>& terrain);

/// Sets network.root_fall, m/yr: how fast each root falls in the next `years`. An open edge cell erodes as
/// its inner neighbours do, at the mean over those that are no edge cells of the gross erosion of `rates`
/// less what `sediment` lays down, and rises by u; but not below the lowest of the level's roots. Empty where
/// the level has no open edges: then roots keep their elevation, or fall as the law's base slope says.
void set_root_fall(const ErosionLevel& level, const ErosionRates& rates, const Field<float>& terrain,
                   double years, Sediment& sediment, ErosionNetwork& network, const Progress& progress);

}  // namespace thalweg
