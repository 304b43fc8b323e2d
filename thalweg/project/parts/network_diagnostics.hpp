// What stages tell of the river network that they drew.
#pragma once

#include "thalweg/project/stage.hpp"
#include "thalweg/river/file_units.hpp"
#include "thalweg/river/network_summary.hpp"

namespace thalweg {

/// Tells of the network's size, order and longest flow path. Its Hack exponent is left to the stage, which
/// may fit it to all drainage.
inline void describe_network(const RiverNetwork& network, const NetworkSummary& summary,
                             Diagnostics& diagnostics) {
    auto& values = diagnostics.values;
    values.emplace_back("reaches", static_cast<std::int64_t>(network.reaches.size()));
    values.emplace_back("nodes", static_cast<std::int64_t>(network.nodes.size()));
    values.emplace_back("length_km", summary.length / kKilometre);
    values.emplace_back("max_strahler", std::int64_t{summary.max_strahler});
    values.emplace_back("trunk_length_m", summary.trunk_length);
}

}  // namespace thalweg
