// Terrain to be described, and descriptions beside each other.
#pragma once

#include "thalweg/flow/terrain_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace thalweg::tests {

/// A square terrain of 30 m, z(x, y) with x to the east and y to the north of its middle, m.
template <class Height>
Field<float> ground_of(int cells, const Height& z, double cell_size = 30.0) {
    Field<float> ground(Grid{.columns = cells, .rows = cells, .cell_size = cell_size});
    const double middle = 0.5 * (cells - 1);
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column)
            ground(column, row) =
                static_cast<float>(z((column - middle) * cell_size, (middle - row) * cell_size));
    return ground;
}

inline TerrainDescription described(const Field<float>& elevation) {
    QuietProgress progress;
    return describe_terrain(elevation, progress);
}

inline TerrainStatistics statistics_of(const Field<float>& elevation) {
    return described(elevation).statistics;
}

/// All statistics are the same within `tolerance` of their values, or absent from both.
inline void expect_near(const TerrainStatistics& found, const TerrainStatistics& wanted, double tolerance) {
    for (const TerrainStatistic& one : terrain_statistics()) {
        const double a = found.*one.value, b = wanted.*one.value;
        EXPECT_EQ(std::isnan(a), std::isnan(b)) << one.name << ": " << a << ", " << b;
        if (std::isnan(b)) continue;
        EXPECT_NEAR(a, b, tolerance * std::max(0.01, std::abs(b))) << one.name;
    }
}

}  // namespace thalweg::tests
