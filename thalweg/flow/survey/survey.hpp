// What all statistics are taken from: a terrain, where its water goes, and which ground counts.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/grid/field.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace thalweg {

/// Lengths of statistics are told in steps of one reference length, so that they do not change with the size
/// of cells.
struct StepScale {
    double cell_size = 0.0;  // m
    double step = 0.0;       // m

    [[nodiscard]] double cells_of(double steps) const { return steps * step / cell_size; }
    [[nodiscard]] int whole_cells(double steps) const {
        return std::max(1, static_cast<int>(std::lround(cells_of(steps))));
    }
    [[nodiscard]] double square_steps(double cells) const {
        return cells * cell_size * cell_size / (step * step);
    }
};

/// Rivers begin where so much drains through a cell, square steps: 0.27 km^2 at 30 m.
inline constexpr double kHeadArea = 300.0;

struct Survey {
    const Field<float>& elevation;  // m
    StepScale scale;
    Lattice lattice;             // 8 neighbours
    FlowResult flow;             // depressions breached
    Field<std::uint8_t> ground;  // 1 on what is described: mountains, or all cells with data
    Field<std::uint8_t> inner;   // 1 where edges and gaps are 8 steps away
    std::int64_t cells_with_data = 0;
    double described_share = 0.0;  // of them, that `ground` holds
    bool is_mountainous = false;   // whether `ground` is mountains alone

    /// What drains through a cell, square steps.
    [[nodiscard]] double upstream(std::int64_t cell) const {
        return scale.square_steps(flow.tree.upstream_cells[at(cell)]);
    }

    /// On the ground that is described, with whole surroundings.
    [[nodiscard]] bool is_inner_ground(std::int64_t cell) const {
        return ground[cell] != 0 && inner[cell] != 0;
    }

    /// Length of the way to a cell's receiver, m; 0 at roots.
    [[nodiscard]] double way(std::int32_t cell) const {
        const std::uint8_t direction = flow.tree.direction[at(cell)];
        return direction < kRoot ? lattice.distance(cell, direction) : 0.0;
    }
};

/// Routes water over `elevation`, of which some cells have data, and finds its mountains. The survey refers
/// to it. step: m, of its scale. About 60 bytes a cell while it runs, 24 then.
Survey survey_terrain(const Field<float>& elevation, double step, Progress& progress);

}  // namespace thalweg
