// A stage that is a simulation: its run, and its run at many times.
#pragma once

#include "thalweg/project/simulation.hpp"
#include "thalweg/project/stage.hpp"

#include <memory>

namespace thalweg {

/// Of a stage that leaves the dataset `history`: the parameter that gives the time between its snapshots, 0
/// for none, in the unit of the stage's time.
inline constexpr const char* kHistoryEvery = "history_every";

/// Gives a stage that has `simulate` its `run` and `at_times`. Times in rising order are one simulation that
/// goes forward, and an earlier one begins anew. The history, where it is wanted, has snapshots of all else
/// that the stage writes at 0 and every `history_every` from there on.
Stage simulated(Stage stage);

/// Declares a stage on parameter struct P that `begin` begins.
template <class P>
Stage make_simulated_stage(Stage stage, std::unique_ptr<Simulation> (*begin)(const P&, StageContext&)) {
    give_parameters<P>(stage);
    stage.simulate = [begin](const void* p, StageContext& context) {
        return begin(*static_cast<const P*>(p), context);
    };
    return simulated(std::move(stage));
}

}  // namespace thalweg
