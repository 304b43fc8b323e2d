#include "thalweg/flow/depressions/shore.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/graph/changed_rows.hpp"

#include <algorithm>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastCells = 1 << 17;  // that one task looks at (empirical)

/// Marks the dry cells of a row that drain into water.
void mark_shore(const ChangedRows& is_wet, std::int64_t row, const std::uint8_t* direction,
                std::int64_t columns, RowMarks& shore) {
    shore.clear();
    std::uint8_t* const is_shore = shore.data();
    for (std::uint8_t d = 0; d < 8; ++d) {
        const std::uint8_t* const receiver_is_wet = is_wet.row(row + kRowStep[d]) + kColumnStep[d];
        for (std::int64_t c = 0; c < columns; ++c)
            is_shore[c] =
                static_cast<std::uint8_t>(is_shore[c] | ((direction[c] == d ? 1 : 0) & receiver_is_wet[c]));
    }
    const std::uint8_t* const own = is_wet.row(row);
    for (std::int64_t c = 0; c < columns; ++c) is_shore[c] = static_cast<std::uint8_t>(is_shore[c] & ~own[c]);
}

}  // namespace

void direct_on_shores(const Lattice& lattice, const Field<float>& bed, const Field<float>& surface,
                      std::vector<std::uint8_t>& direction) {
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    const std::int64_t columns = bed.columns();
    const std::int64_t rows_per_task =
        std::max<std::int64_t>(1, kLeastCells / std::max<std::int64_t>(1, columns));
    parallel_for(0, bed.rows(), rows_per_task, [&](std::int64_t first, std::int64_t last) {
        ChangedRows is_wet(bed, surface, first);
        RowMarks shore(columns);
        for (std::int64_t row = first; row < last; ++row) {
            is_wet.go_to(row);
            mark_shore(is_wet, row, direction.data() + row * columns, columns, shore);
            shore.for_marked([&](std::int64_t column) {
                std::uint8_t& own = direction[at(row * columns + column)];
                own = direction_beside_water(row * columns + column, own, lattice, steps, bed, surface);
            });
        }
    });
}

}  // namespace thalweg
