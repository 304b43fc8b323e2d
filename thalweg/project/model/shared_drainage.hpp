// Where water goes, as one stage leaves it to others that would route it again.
#pragma once

#include "thalweg/flow/route.hpp"
#include "thalweg/project/landscape.hpp"

#include <cstdint>
#include <memory>

namespace thalweg {

/// The result of routing by D8, and all that decides its bits. Dataset kDrainage.
struct Drainage {
    std::shared_ptr<const FlowResult> flow;  // ordered, with drainage areas; lakes without their layers
    Dataset elevation;                       // a Layer: what was routed
    FlowBoundary boundary;
    FlowParameters parameters;
};

/// Whether routing `elevation`, a Layer, within `boundary` as `parameters` say would give the same bits: all
/// values are the same. O(cells), or O(1) for the layer itself.
bool is_of(const Drainage& drainage, const Dataset& elevation, const FlowBoundary& boundary,
           const FlowParameters& parameters);

/// About what it holds in memory, bytes; the elevation is not its own.
std::int64_t bytes_of(const Drainage& drainage);

}  // namespace thalweg
