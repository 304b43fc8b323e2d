// Networks of rivers on gentle plains, as wandering rivers begin with.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/noise/noise.hpp"
#include "thalweg/river/extract.hpp"

#include <cmath>
#include <cstdint>

namespace thalweg {

/// A plain that falls to the south by `slope` m/m, with a metre of relief.
inline Field<float> plain(std::uint64_t seed, double side, int cells, double slope) {
    Field<float> elevation(make_grid(side, side, cells));
    const Grid& grid = elevation.grid();
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const double y = grid.y(grid.row_of(cell));
        const double noise = unit_double(random_bits(seed, Stream::Noise, static_cast<std::uint64_t>(cell)));
        elevation[cell] = static_cast<float>(slope * y + noise);
    }
    return elevation;
}

/// Its rivers from basins of `min_area` (m^2) on, with widths that are `widening` times those of their
/// basins.
inline RiverNetwork plain_network(const Field<float>& elevation, double min_area, double widening) {
    QuietProgress progress;
    const FlowResult flow = route(elevation, {}, progress);
    RiverNetwork network =
        extract_network(flow.tree, flow.drainage_area, flow.elevation, {.min_area = min_area}, progress);
    for (Reach& reach : network.reaches) {
        for (float& width : reach.values.width) width = static_cast<float>(width * widening);
        for (float& depth : reach.values.depth)
            depth = static_cast<float>(depth * std::pow(widening, 1.0 / 1.41));
    }
    return network;
}

}  // namespace thalweg
