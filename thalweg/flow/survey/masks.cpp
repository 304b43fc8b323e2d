#include "thalweg/flow/survey/masks.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

/// The greatest value up to `reach` columns away, with rows and columns exchanged.
Field<float> greatest_along_rows(const Field<float>& values, int reach) {
    Grid exchanged = values.grid();
    std::swap(exchanged.columns, exchanged.rows);
    Field<float> greatest(exchanged);
    const std::size_t width = 2 * at(reach) + 1;
    for_each_row(values.grid(), [&](int row) {
        std::vector<float> window(at(values.columns()) + width - 1, -std::numeric_limits<float>::infinity());
        for (int column = 0; column < values.columns(); ++column)
            window[at(reach + column)] = std::max(window[at(reach + column)], values(column, row));
        // The greatest of 2, 4, 8, ... from each place on; two of the longest such pieces make a window.
        std::size_t span = 1;
        for (; 2 * span <= width; span *= 2)
            for (std::size_t i = 0; i + span < window.size(); ++i)
                window[i] = std::max(window[i], window[i + span]);
        for (int column = 0; column < values.columns(); ++column)
            greatest(row, column) = std::max(window[at(column)], window[at(column) + width - span]);
    });
    return greatest;
}

Field<float> greatest_about(const Field<float>& values, int reach) {
    return greatest_along_rows(greatest_along_rows(values, reach), reach);
}

}  // namespace

Field<std::uint8_t> beyond(int reach, const Field<std::uint8_t>& set, OffTheGrid off_the_grid) {
    const int far = reach + 1;  // and more
    const int outside = off_the_grid == OffTheGrid::Counts ? 0 : far;
    Field<std::int32_t> distance(set.grid());
    const auto known = [&](int column, int row) {
        return set.grid().contains(column, row) ? distance(column, row) : outside;
    };
    for (int row = 0; row < set.rows(); ++row) {
        poll_cancelled();
        for (int column = 0; column < set.columns(); ++column)
            distance(column, row) =
                set(column, row) != 0
                    ? 0
                    : std::min({far, known(column - 1, row) + 1, known(column, row - 1) + 1});
    }
    Field<std::uint8_t> is_beyond(set.grid());
    for (int row = set.rows() - 1; row >= 0; --row) {
        poll_cancelled();
        for (int column = set.columns() - 1; column >= 0; --column) {
            std::int32_t& here = distance(column, row);
            here = std::min({here, known(column + 1, row) + 1, known(column, row + 1) + 1});
            is_beyond(column, row) = here == far ? 1 : 0;
        }
    }
    return is_beyond;
}

Field<std::uint8_t> inverse(const Field<std::uint8_t>& mask) {
    Field<std::uint8_t> result(mask.grid());
    for_each_polled(0, mask.size(), [&](std::int64_t cell) { result[cell] = mask[cell] == 0 ? 1 : 0; });
    return result;
}

Field<float> local_relief(const Field<float>& elevation, int reach) {
    Field<float> relief = elevation;
    for_each_row(relief.grid(), [&](int row) {
        for (int column = 0; column < relief.columns(); ++column) relief(column, row) = -relief(column, row);
    });
    relief = greatest_about(relief, reach);
    const Field<float> greatest = greatest_about(elevation, reach);
    for_each_row(relief.grid(), [&](int row) {
        for (int column = 0; column < relief.columns(); ++column)
            relief(column, row) =
                is_no_data(elevation(column, row)) ? kNoData : relief(column, row) + greatest(column, row);
    });
    return relief;
}

}  // namespace thalweg
