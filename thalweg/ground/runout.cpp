#include "thalweg/ground/runout.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/ground/blend.hpp"

#include <array>
#include <bit>

namespace thalweg {
namespace {

constexpr std::size_t kPollEvery = 65536;  // cells
constexpr float kLeastLoad = 1e-3F;        // m: less stays where it comes

/// Which of the 8 neighbours are lower, and how many are higher.
struct Around {
    std::uint8_t lower = 0;
    std::uint8_t higher = 0;
};

/// Of a cell inside the grid. Comparisons with no data are false.
Around around(const float* z, const std::array<std::int32_t, 8>& steps) {
    unsigned lower = 0, higher = 0;
    for (std::size_t d = 0; d < 8; ++d) {
        lower |= static_cast<unsigned>(z[steps[d]] < *z) << d;
        higher += static_cast<unsigned>(z[steps[d]] > *z);
    }
    return {static_cast<std::uint8_t>(lower), static_cast<std::uint8_t>(higher)};
}

Around around_at_edge(const Field<float>& elevation, int column, int row) {
    unsigned lower = 0, higher = 0;
    for (int d = 0; d < 8; ++d) {
        const int i = column + kColumnStep[d];
        const int j = row + kRowStep[d];
        if (!elevation.grid().contains(i, j)) continue;
        lower |= static_cast<unsigned>(elevation(i, j) < elevation(column, row)) << d;
        higher += static_cast<unsigned>(elevation(i, j) > elevation(column, row));
    }
    return {static_cast<std::uint8_t>(lower), static_cast<std::uint8_t>(higher)};
}

/// The lowest bit that is set.
std::size_t first_of(unsigned bits) {
    return static_cast<std::size_t>(std::countr_zero(bits));
}

}  // namespace

Runout::Runout(const Field<float>& elevation, Progress& progress)
    : elevation_(elevation), lower_(elevation.grid()) {
    const Grid& grid = elevation.grid();
    const std::array<std::int32_t, 8> steps = index_steps(grid.columns);
    Field<std::uint8_t> waiting(grid);  // how many higher neighbours are still to come
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            const std::int64_t cell = grid.index(column, row);
            const Around found = grid.on_edge(column, row) ? around_at_edge(elevation, column, row)
                                                           : around(elevation.data() + cell, steps);
            lower_[cell] = found.lower;
            waiting[cell] = found.higher;
        }
    });
    order_.reserve(at(grid.cells()));
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
        if (waiting[cell] == 0 && !is_no_data(elevation[cell]))
            order_.push_back(static_cast<std::int32_t>(cell));
    for (std::size_t next = 0; next < order_.size(); ++next) {
        if (next % kPollEvery == 0) progress.poll();
        const std::int32_t cell = order_[next];
        for (unsigned left = lower_[cell]; left != 0; left &= left - 1) {
            const std::int32_t below = cell + steps[first_of(left)];
            if (--waiting[below] == 0) order_.push_back(below);
        }
    }
}

bool Runout::is_at_edge(std::int32_t cell) const {
    const Grid& grid = elevation_.grid();
    for (int d = 0; d < 8; ++d) {
        const int i = grid.column_of(cell) + kColumnStep[d];
        const int j = grid.row_of(cell) + kRowStep[d];
        if (!grid.contains(i, j) || is_no_data(elevation_(i, j))) return true;
    }
    return false;
}

void Runout::take_down(Field<float>& load, const Field<float>& slope, const RestingSlopes& rest,
                       Progress& progress) const {
    const Grid& grid = elevation_.grid();
    const std::array<std::int32_t, 8> steps = index_steps(grid.columns);
    const float way = static_cast<float>(grid.cell_size) / rest.length;
    for (std::size_t next = 0; next < order_.size(); ++next) {
        if (next % kPollEvery == 0) progress.poll();
        const std::int32_t cell = order_[next];
        const float coming = load[cell];
        if (!(coming > kLeastLoad)) continue;
        const unsigned lower = lower_[cell];
        if (lower == 0 && !is_at_edge(cell)) continue;
        load[cell] = coming * (1.0F - decay(way * (1.0F - step_up(rest.gentle, rest.steep, slope[cell]))));
        const float* const z = elevation_.data() + cell;
        const auto drop = [&](std::size_t d) {
            return (*z - z[steps[d]]) * (d % 2 == 0 ? 1.0F : kInverseDiagonal);
        };
        float sum = 0.0F;
        for (unsigned left = lower; left != 0; left &= left - 1) sum += drop(first_of(left));
        const float share = (coming - load[cell]) / sum;
        for (unsigned left = lower; left != 0; left &= left - 1)
            load[cell + steps[first_of(left)]] += share * drop(first_of(left));
    }
}

}  // namespace thalweg
