// Conditioning: a terrain and directions by which all its water leaves.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/fill_spill_merge.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace thalweg {

/// How water leaves a depression: through a breach carved over its lowest saddle, over its rim once it is
/// filled, or not at all: then its pit is an outlet of its own. Lakes: over its rim if there is water enough.
/// LeastCost: through the breach that takes the least digging.
enum class Depressions { Breach, Fill, None, Lakes, LeastCost };

/// How depressions are dealt with.
struct ConditioningParameters {
    Depressions depressions = Depressions::Breach;
    double breach_depth = std::numeric_limits<double>::infinity();   // m, deeper breaches are not carved
    double breach_length = std::numeric_limits<double>::infinity();  // m, nor longer ones
    bool fill_gradient = false;  // whether filled ground rises away from its outlet by the least step

    static void declare(Declaration<ConditioningParameters>& declaration);
    friend bool operator==(const ConditioningParameters&, const ConditioningParameters&) = default;
};

/// Where water leaves a terrain, and what comes to it from elsewhere.
struct FlowBoundary {
    Field<std::uint8_t> roots;  // 1 where water leaves whatever the elevation, on the terrain's grid
    std::vector<NodeSource> sources = {};  // of drainage area, at cells with data
    LakeWater water = {};                  // that lakes fill with

    friend bool operator==(const FlowBoundary&, const FlowBoundary&) = default;
};

/// A terrain without depressions that hold water back, and what that took.
struct Conditioned {
    Field<float> elevation;               // m, never rises along the directions
    std::vector<std::uint8_t> direction;  // per cell (directions.hpp), without pits and cycles
    std::int64_t pits = 0;                // without a lower or draining neighbour, before
    std::int64_t closed_components = 0;   // connected parts without a root; the lowest pit became one
    std::int64_t changed_cells = 0;       // carved or raised
    double removed_volume = 0.0;          // m^3, carved
    double added_volume = 0.0;            // m^3, filled
    std::optional<Lakes> lakes;           // where there shall be lakes
};

/// Finds directions of steepest descent over `elevation` (m, NaN is no data) along `lattice`, over flats
/// towards lower and away from higher ground (docs/theory/flow.md), and lets depressions drain:
///
///   Breach     cells on the path from the pit over the lowest saddle (spill_tree.hpp) are turned round and
///              cut down to the pit; on and beside them water takes the steepest way over the carved ground.
///              Where that would cut deeper than `breach_depth` or run further than `breach_length`, until
///              lower ground is met, the depression is filled instead.
///   Fill       every depression is raised to its lowest saddle, the least surface that drains. Flooded
///              cells drain along their beds, turned as above; all others down the new surface. With
///              `fill_gradient` the surface is fill.hpp's Draining one.
///   LeastCost  breaches within `breach_depth` and `breach_length` are cut (least_cost_breach.hpp); what
///              they leave is filled.
///   None       pits become roots.
///   Lakes      `boundary.water` stands in lakes (fill_spill_merge.hpp). The elevation is that of their
///   surfaces.
///              Water leaves full lakes as it leaves filled depressions; it ends in the others and in dry
///              depressions, whose lowest pits become roots. With infinite runoff the same as Fill.
///
/// boundary: on the same grid; its sources are not looked at. Near O(cells), about 24 bytes a cell; same
/// bits on any number of threads; polls `progress`. Throws as fill_spill_merge does for Lakes.
///
/// Example:
///     const ConditioningParameters shallow = {.depressions = Depressions::Breach, .breach_depth = 20.0};
///     const Conditioned drained = condition(elevation, lattice, {edge_roots(elevation)}, shallow, progress);
Conditioned condition(const Field<float>& elevation, const Lattice& lattice, const FlowBoundary& boundary,
                      const ConditioningParameters& parameters, Progress& progress);

}  // namespace thalweg
