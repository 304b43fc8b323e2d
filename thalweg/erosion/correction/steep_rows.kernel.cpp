#include "thalweg/erosion/correction/steep_rows.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/erosion/law/vector_thermal.hpp"
#include "thalweg/flow/directions.hpp"

namespace thalweg {
namespace {

/// The steepest rise, m per cell, that is left.
[[gnu::always_inline]] inline Floats limit_at(const SteepRow& row, std::int64_t i) {
    const SteepLaw& law = row.law;
    const Floats least = Floats{} + law.least_slope;
    if (law.celerity == nullptr) return row.cell_size * least;
    const Floats celerity = load(law.celerity + i);
    const Floats steady =
        steady_slope_of(load(law.uplift + i), celerity, law.thermal_rate, law.critical_slope);
    const Ints allowed = (celerity >= law.least_celerity) & (steady > law.least_slope);
    return row.cell_size * choose(allowed, steady, least);
}

/// How far a neighbour lies from each node, squared, cells^2.
template <bool Displaced>
[[gnu::always_inline]] inline Floats square_distance(const SteepRow& row, std::int64_t i, int d) {
    const auto columns = static_cast<float>(kColumnStep[d]), rows = static_cast<float>(kRowStep[d]);
    if constexpr (!Displaced) return Floats{} + (columns * columns + rows * rows);
    const std::int64_t other = i + kRowStep[d] * row.stride + kColumnStep[d];
    const Floats x = columns + (load(row.offset_x + other) - load(row.offset_x + i));
    const Floats y = rows + (load(row.offset_y + other) - load(row.offset_y + i));
    return x * x + y * y;
}

template <bool Displaced>
[[gnu::always_inline]] inline void steep_block(const SteepRow& row, std::int64_t i, std::uint8_t* steep) {
    const Floats own = load(row.elevation + i);
    const Ints links = row.links == nullptr ? Ints{} + row.common_links : load_bytes(row.links + i);
    const Floats limit = limit_at(row, i);
    const Floats square_limit = limit * limit;
    Ints any{};
    for (int d = 0; d < 8; ++d) {
        const std::int64_t other = i + kRowStep[d] * row.stride + kColumnStep[d];
        const Floats drop = own - load(row.elevation + other);
        const Ints exceeds =
            (drop > 0.0F) & (drop * drop > square_limit * square_distance<Displaced>(row, i, d));
        any |= exceeds & ((links >> d & 1) != 0);
    }
    store_bytes(steep + i, any & 1);
}

template <bool Displaced>
void steep_blocks(const SteepRow& row, std::uint8_t* steep) {
    std::int64_t i = 0;
    for (; i + kLanes <= row.count; i += kLanes) steep_block<Displaced>(row, i, steep);
    // The last block overlaps the one before: both write the same.
    if (i < row.count) steep_block<Displaced>(row, row.count - kLanes, steep);
}

}  // namespace

template <>
void steep_in_lanes<kLanes>(const SteepRow& row, std::uint8_t* steep) {
    if (row.offset_x == nullptr)
        steep_blocks<false>(row, steep);
    else
        steep_blocks<true>(row, steep);
}

}  // namespace thalweg
