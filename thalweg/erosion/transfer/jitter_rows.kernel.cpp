#include "thalweg/erosion/transfer/jitter_rows.hpp"

#include "thalweg/core/cell_bits.hpp"
#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

/// `share` of the path from `a` to `b`; all the way to the one that has data where the other has none.
[[gnu::always_inline]] inline Floats between(Floats a, Floats b, Floats share) {
    const Floats from = choose(a == a, a, b), to = choose(b == b, b, a);
    return from + share * (to - from);
}

/// 16 bits as a displacement within +-reach cells.
[[gnu::always_inline]] inline Floats displacement(Words bits16, float reach) {
    const Floats draw = (__builtin_convertvector(reinterpret_cast<Ints>(bits16), Floats) + 0.5F) * 0x1p-16F;
    return 2.0F * reach * (draw - 0.5F);
}

}  // namespace

template <>
void jitter_in_lanes<kLanes>(const JitterRow& given, float* result) {
    const JitterRow row = given;
    const Words numbers = lane_numbers() * 2 + row.first_cell;
    const float column_side = static_cast<float>(row.column_side),
                row_side = static_cast<float>(row.row_side);
    for (std::int64_t i = 0; i < row.count; i += kLanes) {
        const Words bits = cell_bits(row.draw_key, numbers + 2 * static_cast<std::uint32_t>(i));
        // Towards the next column and the next row, coarse cells: 0 to 0.5.
        const Floats along_row = 0.25F + column_side * displacement(bits >> 16, row.reach);
        const Floats along_column = 0.25F + row_side * displacement(bits & 0xffffU, row.reach);
        const std::int64_t next = i + row.column_side;
        const Floats own = between(load(row.own + i), load(row.own + next), along_row);
        const Floats beside = between(load(row.beside + i), load(row.beside + next), along_row);
        store(result + i, between(own, beside, along_column));
    }
}

}  // namespace thalweg
