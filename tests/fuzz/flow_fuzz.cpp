// On any small terrain, with any choice of depressions and routing, all water leaves and none runs up.
#include "thalweg/core/index.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/flow/fill.hpp"
#include "thalweg/flow/route.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace {

using namespace thalweg;

/// The bytes one after the other, and then zeros.
class Bytes {
  public:
    Bytes(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

    std::uint8_t next() {
        if (left_.empty()) return 0;
        const std::uint8_t byte = left_.front();
        left_ = left_.subspan(1);
        return byte;
    }

  private:
    std::span<const std::uint8_t> left_;
};

/// Elevations of few levels make flats, and equal saddles; 255 is no data.
Field<float> terrain_of(Bytes& bytes) {
    const int columns = 1 + bytes.next() % 24;
    const int rows = 1 + bytes.next() % 24;
    const float step = std::ldexp(1.0F, bytes.next() % 40 - 20);  // m, from next to nothing to a thousand km
    Field<float> elevation(Grid{.columns = columns, .rows = rows, .cell_size = 10.0, .north = 10.0 * rows});
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell) {
        const std::uint8_t level = bytes.next();
        elevation[cell] = level == 255 ? kNoData : static_cast<float>(level) * step;
    }
    return elevation;
}

FlowParameters parameters_of(Bytes& bytes, LakeWater& water) {
    FlowParameters parameters;
    ConditioningParameters& conditioning = parameters.conditioning;
    conditioning.depressions = static_cast<Depressions>(bytes.next() % 4);
    conditioning.fill_gradient = bytes.next() % 2 == 1;
    if (const std::uint8_t depth = bytes.next(); depth % 2 == 1) conditioning.breach_depth = depth;
    if (const std::uint8_t length = bytes.next(); length % 2 == 1) conditioning.breach_length = length;
    if (const std::uint8_t runoff = bytes.next(); runoff % 2 == 1) water.runoff = runoff / 16.0;
    parameters.routing.routing = static_cast<Routing>(bytes.next() % 4);
    return parameters;
}

void require(bool holds) {
    if (!holds) std::abort();
}

void check(const Field<float>& elevation, const FlowParameters& parameters, const LakeWater& water,
           const FlowResult& flow) {
    const double cell_area = elevation.grid().cell_area();
    double leaving = 0.0, inside = 0.0;  // m^2
    for (std::int64_t i = 0; i < elevation.size(); ++i) {
        const std::uint8_t direction = flow.tree.direction[at(i)];
        require(direction != kPit);
        require((direction == kOutside) == is_no_data(elevation[i]));
        if (direction == kOutside) continue;
        inside += cell_area;
        if (direction == kRoot) leaving += flow.drainage_area[i];
        const std::int32_t receiver = flow.tree.receiver(static_cast<std::int32_t>(i));
        require(receiver < 0 || flow.elevation[receiver] <= flow.elevation[i]);
        require(flow.drainage_area[i] >= cell_area * (1.0 - 1e-9));
    }
    const bool parts =
        parameters.routing.routing == Routing::Freeman || parameters.routing.routing == Routing::Dinf;
    require(std::abs(leaving - inside) <= (parts ? 1e-9 * inside : 0.0));
    if (flow.lakes && std::isfinite(water.runoff)) require(flow.lakes->volume_error < 1e-9);
}

void check_least_fill(const Field<float>& elevation, const FlowResult& flow, Progress& progress) {
    const Filled least = fill_depressions(elevation, edge_roots(elevation), FilledSurface::Level, progress);
    for (std::int64_t i = 0; i < elevation.size(); ++i)
        require(is_no_data(elevation[i]) || flow.elevation[i] == least.elevation[i]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    LakeWater water;
    const FlowParameters parameters = parameters_of(bytes, water);
    const Field<float> elevation = terrain_of(bytes);
    QuietProgress progress;
    const FlowResult flow =
        route(elevation, eight_neighbours(elevation.grid()),
              {.roots = edge_roots(elevation), .sources = {}, .water = water}, parameters, progress);
    check(elevation, parameters, water, flow);
    const ConditioningParameters& conditioning = parameters.conditioning;
    if (conditioning.depressions == Depressions::Fill && !conditioning.fill_gradient)
        check_least_fill(elevation, flow, progress);
    return 0;
}
