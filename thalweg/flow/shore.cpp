#include "thalweg/flow/shore.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cstring>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastCells = 1 << 17;  // that one task looks at (empirical)

/// Finds the dry cells that drain into water, row by row from the north.
class ShoreRows {
  public:
    ShoreRows(const Field<float>& bed, const Field<float>& surface,
              const std::vector<std::uint8_t>& direction, int first_row)
        : bed_(bed), surface_(surface), direction_(direction), is_shore_(at(bed.columns()) + kRoom) {
        for (std::vector<std::uint8_t>& row : is_wet_) row.assign(at(bed.columns()) + 2, 0);
        look_at_water(first_row - 1);
        look_at_water(first_row);
    }

    /// Calls body(cell) for those of `row`, which comes behind the one before.
    template <class Body>
    void for_shore_of(int row, const Body& body) {
        look_at_water(row + 1);
        mark(row);
        const std::int64_t first = bed_.grid().index(0, row);
        for (std::int64_t column = 0; column < bed_.columns(); column += kRoom) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, is_shore_.data() + column, sizeof eight);
            if (eight == 0) continue;
            for (std::int64_t c = column; c < column + kRoom; ++c)
                if (is_shore_[at(c)] != 0) body(first + c);
        }
    }

  private:
    static constexpr int kRoom = 8;  // cells that are skipped at once, if none of them is marked

    std::uint8_t* wet_row(int row) { return is_wet_[at((row + 3) % 3)].data() + 1; }

    void look_at_water(int row) {
        const int columns = bed_.columns();
        std::uint8_t* const is_wet = wet_row(row);
        std::fill_n(is_wet, columns, std::uint8_t{0});
        if (row < 0 || row >= bed_.rows()) return;
        const float* const bed = bed_.data() + bed_.grid().index(0, row);
        const float* const surface = surface_.data() + bed_.grid().index(0, row);
        for (int c = 0; c < columns; ++c) is_wet[c] = surface[c] != bed[c] ? 1 : 0;
    }

    void mark(int row) {
        const int columns = bed_.columns();
        const std::uint8_t* const direction = direction_.data() + bed_.grid().index(0, row);
        std::uint8_t* const is_shore = is_shore_.data();
        std::fill_n(is_shore, columns, std::uint8_t{0});
        for (std::uint8_t d = 0; d < 8; ++d) {
            const std::uint8_t* const is_wet = wet_row(row + kRowStep[d]) + kColumnStep[d];
            for (int c = 0; c < columns; ++c)
                is_shore[c] =
                    static_cast<std::uint8_t>(is_shore[c] | ((direction[c] == d ? 1 : 0) & is_wet[c]));
        }
        const std::uint8_t* const is_wet = wet_row(row);
        for (int c = 0; c < columns; ++c) is_shore[c] = static_cast<std::uint8_t>(is_shore[c] & ~is_wet[c]);
    }

    const Field<float>& bed_;
    const Field<float>& surface_;
    const std::vector<std::uint8_t>& direction_;
    std::array<std::vector<std::uint8_t>, 3> is_wet_;  // by row, with a dry cell at both ends
    std::vector<std::uint8_t> is_shore_;               // of one row
};

}  // namespace

void direct_on_shores(const Lattice& lattice, const Field<float>& bed, const Field<float>& surface,
                      std::vector<std::uint8_t>& direction) {
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    const std::int64_t rows_per_task = std::max<std::int64_t>(1, kLeastCells / std::max(1, bed.columns()));
    parallel_for(0, bed.rows(), rows_per_task, [&](std::int64_t first, std::int64_t last) {
        ShoreRows shore(bed, surface, direction, static_cast<int>(first));
        for (std::int64_t row = first; row < last; ++row)
            shore.for_shore_of(static_cast<int>(row), [&](std::int64_t cell) {
                direction[at(cell)] =
                    direction_beside_water(cell, direction[at(cell)], lattice, steps, bed, surface);
            });
    });
}

}  // namespace thalweg
