#include "thalweg/flow/lower_rows.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/flow/directions.hpp"

namespace thalweg {
namespace {

[[gnu::always_inline]] inline void lower_in_block(const float* here, std::int64_t stride,
                                                  std::uint8_t* bits) {
    const Floats own = load(here);
    Ints lower{};
    for (int d = 0; d < 8; ++d)
        lower |= (load(here + kRowStep[d] * stride + kColumnStep[d]) < own) & (std::int32_t{1} << d);
    store_bytes(bits, lower);
}

}  // namespace

template <>
void lower_in_lanes<kLanes>(const float* elevation, std::int64_t stride, std::int64_t count,
                            std::uint8_t* bits) {
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) lower_in_block(elevation + i, stride, bits + i);
    // The last block overlaps the one before: both write the same.
    if (i < count) lower_in_block(elevation + count - kLanes, stride, bits + count - kLanes);
}

}  // namespace thalweg
