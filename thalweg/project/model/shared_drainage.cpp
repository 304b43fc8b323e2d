#include "thalweg/project/model/shared_drainage.hpp"

#include "thalweg/core/index.hpp"

#include <cstring>

namespace thalweg {
namespace {

/// Compares bits, for "no data" differs from itself.
bool have_same_bits(const Field<float>& a, const Field<float>& b) {
    return a.grid() == b.grid() && std::memcmp(a.data(), b.data(), sizeof(float) * at(a.size())) == 0;
}

template <class Values>
std::int64_t bytes_of_values(const Values& values) {
    return static_cast<std::int64_t>(values.size()) * static_cast<std::int64_t>(sizeof(*values.data()));
}

}  // namespace

bool is_of(const Drainage& drainage, const Dataset& elevation, const FlowBoundary& boundary,
           const FlowParameters& parameters) {
    const FlowParameters& own = drainage.parameters;
    return own.routing.routing == Routing::D8 && parameters.routing.routing == Routing::D8 &&
           own.conditioning == parameters.conditioning && drainage.boundary == boundary &&
           (drainage.elevation.shares_with(elevation) ||
            have_same_bits(drainage.elevation.as<Layer>()->values, elevation.as<Layer>()->values));
}

std::int64_t bytes_of(const Drainage& drainage) {
    const FlowResult& flow = *drainage.flow;
    return bytes_of_values(flow.tree.direction) + bytes_of_values(flow.tree.order) +
           bytes_of_values(flow.tree.upstream_cells) + bytes_of_values(flow.elevation) +
           bytes_of_values(flow.drainage_area) + bytes_of_values(drainage.boundary.roots) +
           bytes_of_values(drainage.boundary.water.runoff_of_cell);
}

}  // namespace thalweg
