// All that a simulation of wandering rivers holds.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/meander/channel_line.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/meander/meander_parameters.hpp"
#include "thalweg/meander/occupied_ground.hpp"
#include "thalweg/meander/river_branches.hpp"
#include "thalweg/river/network.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace thalweg {

/// A reach under way.
struct MeanderChannel {
    std::int64_t reach = 0;  // id
    ChannelLine line = {};
    std::vector<float> mobility = {};  // of each point: in [0, 1] times rate_factor
    std::vector<float> pull_x = {};    // of each point, 1: where to strokes draw it (control_strokes.hpp),
    std::vector<float> pull_y = {};    // as a multiple of |R|; both empty where none does
    double rate_factor = 1.0;          // of migration
    double width = 0.0;                // m, mean
    double inflow = 0.0;               // J at the head, m/yr (migration.hpp)
    double outflow = 0.0;              // J at the end, m/yr
    double head_rest = 0.0;            // m, along the line from its head, within which it migrates less
    double end_rest = 0.0;             // m, from its end
    bool has_moved = false;            // since points were last spaced evenly
    RiverBranches braid = {};          // from its head to its end; its line is then their axis, and stays
    RiverBranches delta = {};          // from its end on
    double delta_load = 0.0;           // m^3, that has come and is not yet laid down

    bool operator==(const MeanderChannel&) const = default;
};

/// State of a MeanderSimulation: what begins with an equal one goes on with equal bits.
///
/// Example:
///     MeanderState state = MeanderSimulation(network, {}, std::nullopt, 1).state();
///     state.parameters.migration.rate = 20.0;  // m/yr
///     MeanderSimulation slower(std::move(state));
struct MeanderState {
    MeanderParameters parameters;
    std::uint64_t seed = 0;
    std::optional<Field<float>> elevation;              // m
    std::optional<Field<float>> rock_erodibility = {};  // of valley walls, over that of wall_erodibility, 1
    RiverNetwork network;                  // lines and values of reaches are those of their last edit
    std::vector<MeanderChannel> channels;  // in the order of the network's reaches
    std::int64_t steps = 0;
    std::int64_t steps_at_update = 0;  // when points were last spaced evenly and looked at
    double displacement = 0.0;         // widths, since then: the sum of the furthest of each step
    MeanderHistory history;
    OccupiedGround occupied = {};                    // where plants hold banks
    std::optional<Field<float>> delta_deposit = {};  // m, that deltas have laid down, where there is ground

    [[nodiscard]] double year() const { return static_cast<double>(steps) * parameters.migration.time_step; }
};

}  // namespace thalweg
