// Water that enters lakes at places, as from springs or rivers from beyond the edge.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// A volume of water that enters at a position in the world. A volume, for lakes at rest know no time: a
/// river of Q m^3/s that flows for t s brings Q t.
struct LakeSource {
    double x = 0.0;       // m
    double y = 0.0;       // m
    double volume = 1e6;  // m^3

    static void declare(Declaration<LakeSource>& declaration);
    friend bool operator==(const LakeSource&, const LakeSource&) = default;
};

/// The cells that the sources lie in, in their order. Throws Error::input for a source outside the grid of
/// `elevation` (m), on a cell without data, or with a volume that is not positive and at most 1e18 m^3.
/// O(sources).
///
/// Example:
///     const double volume = 12.0 * 86400.0;  // m^3, of 12 m^3/s in a day
///     const std::vector<LakeSource> river = {{.x = 4000.0, .y = 2500.0, .volume = volume}};
///     const std::vector<std::int64_t> cells = cells_of_sources(river, elevation);
std::vector<std::int64_t> cells_of_sources(std::span<const LakeSource> sources,
                                           const Field<float>& elevation);

}  // namespace thalweg
