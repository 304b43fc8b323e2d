// How the branches of a braid wander.
#pragma once

#include "thalweg/meander/channel/channel_migration.hpp"
#include "thalweg/meander/meander_state.hpp"

#include <cstddef>

namespace thalweg {

/// Moves the branches of the braid at a place by a step, and spaces their points evenly.
void migrate_branches(MeanderState& state, std::size_t place, ChannelMigration& migration);

}  // namespace thalweg
