// Hypsometry: how much ground lies how high.
#pragma once

#include "thalweg/flow/largest_basins.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace thalweg {

inline constexpr int kHypsometricSteps = 100;

/// The hypsometric curve of a piece of ground.
struct HypsometricCurve {
    double area = 0.0;                   // m^2
    double least = 0.0;                  // m, of elevation
    double greatest = 0.0;               // m
    std::optional<double> integral;      // 1; absent on level ground
    std::vector<double> area_at_height;  // share at or above least + (greatest - least) i / 100, i from 0 to
                                         // 100; empty on level ground
};

/// The curve of one basin.
struct BasinHypsometry {
    std::int32_t outlet = 0;  // cell
    HypsometricCurve curve;
};

/// The curves of a terrain and of its basins.
struct Hypsometry {
    HypsometricCurve whole;               // of all cells with data
    std::vector<BasinHypsometry> basins;  // in the order of `basins`
};

/// Area above each relative height h = (z - least) / (greatest - least), as a share, of the whole terrain and
/// of each basin; the integral below the curve is (mean - least) / (greatest - least). Sources: Strahler 1952
/// (Geological Society of America Bulletin 63, 1117-1142); Pike and Wilson 1971. elevation: m, on the grid of
/// the basins. O(cells), serial.
///
/// Example:
///     const Hypsometry curves = hypsometry(elevation, largest_basins(flow.tree, 5, 1e6));
Hypsometry hypsometry(const Field<float>& elevation, const LargestBasins& basins);

}  // namespace thalweg
