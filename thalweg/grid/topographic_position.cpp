// Based on: Gallant and Wilson 2000; De Reu et al. 2013 (deviation from mean elevation, ridges and valleys).
#include "thalweg/grid/topographic_position.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/summary.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace thalweg {
namespace {

constexpr double kLeastRelief =
    0.01;  // m/m, standard deviation over radius that counts as half of ground's (empirical)
constexpr float kUpperSlope = 0.5F;  // deviation where upper slopes begin: De Reu et al. 2013, table 2

/// Sums along rows from the west, one more than cells in each: the sum of any stretch is a difference of two.
struct RowSums {
    std::int64_t stride;
    double origin = 0.0;         // m, that heights are taken from, so that squares lose no digits
    std::vector<float> count;    // of cells with data
    std::vector<double> height;  // m
    std::vector<double> square;  // m^2

    explicit RowSums(const Grid& grid)
        : stride(grid.columns + 1),
          count(at(stride * grid.rows)),
          height(count.size()),
          square(count.size()) {}
};

RowSums sums_of(const Field<float>& elevation, const Progress& progress) {
    RowSums sums(elevation.grid());
    sums.origin = summary_of(elevation).mean;
    for_each_row(elevation.grid(), [&](int row) {
        progress.poll();
        std::int64_t place = row * sums.stride;
        for (int column = 0; column < elevation.columns(); ++column, ++place) {
            const float z = elevation(column, row);
            const double height = is_no_data(z) ? 0.0 : static_cast<double>(z) - sums.origin;
            sums.count[at(place + 1)] = sums.count[at(place)] + (is_no_data(z) ? 0.0F : 1.0F);
            sums.height[at(place + 1)] = sums.height[at(place)] + height;
            sums.square[at(place + 1)] = sums.square[at(place)] + height * height;
        }
    });
    return sums;
}

/// Sums over the discs around the cells of one row.
struct DiscSums {
    std::vector<double> count;
    std::vector<double> height;  // m
    std::vector<double> square;  // m^2

    explicit DiscSums(int columns) : count(at(columns)), height(count.size()), square(count.size()) {}

    void clear() {
        for (std::vector<double>* sums : {&count, &height, &square})
            std::fill(sums->begin(), sums->end(), 0.0);
    }
};

/// What lies within a distance of the middle of a cell, along its row. Ends within cells take their share.
struct Stretch {
    std::int64_t first = 0;  // cells in which it begins and ends
    std::int64_t last = 0;
    double before = 0.0;  // shares of those cells that lie before its beginning and its end
    double after = 0.0;

    Stretch(int column, int columns, double half_width) {
        const double middle = column + 0.5;
        const double reach = std::min({half_width, middle, columns - middle});
        first = static_cast<std::int64_t>(middle - reach);
        last = std::min<std::int64_t>(static_cast<std::int64_t>(middle + reach), columns - 1);
        before = middle - reach - static_cast<double>(first);
        after = middle + reach - static_cast<double>(last);
    }

    template <class T>
    [[nodiscard]] double sum(const T* sums) const {
        const auto until = [&](std::int64_t cell, double share) {
            return (1.0 - share) * static_cast<double>(sums[cell]) +
                   share * static_cast<double>(sums[cell + 1]);
        };
        return until(last, after) - until(first, before);
    }
};

/// Adds what lies within `half_width` cells of each cell along a row to `totals`.
template <class T>
void add_stretches(const T* sums, int columns, double half_width, std::vector<double>& totals) {
    const int margin = std::min(static_cast<int>(std::ceil(half_width)), (columns + 1) / 2);
    const auto add_one_by_one = [&](int first, int end) {
        for (int column = first; column < end; ++column)
            totals[at(column)] += Stretch(column, columns, half_width).sum(sums);
    };
    add_one_by_one(0, margin);
    add_one_by_one(std::max(margin, columns - margin), columns);
    const int inner = columns - 2 * margin;
    if (inner <= 0) return;
    // Away from the edges all stretches are the same one, shifted: a plain loop, for vectors.
    const Stretch shifted(margin, columns, half_width);
    const T* const begin = sums + shifted.first;
    const T* const end = sums + shifted.last;
    double* const total = totals.data() + margin;
    for (int i = 0; i < inner; ++i)
        total[i] += (1.0 - shifted.after) * static_cast<double>(end[i]) +
                    shifted.after * static_cast<double>(end[i + 1]) -
                    (1.0 - shifted.before) * static_cast<double>(begin[i]) -
                    shifted.before * static_cast<double>(begin[i + 1]);
}

void add_row(const RowSums& sums, std::int64_t row, double half_width, DiscSums& discs) {
    const std::int64_t start = row * sums.stride;
    const int columns = static_cast<int>(sums.stride) - 1;
    add_stretches(sums.count.data() + start, columns, half_width, discs.count);
    add_stretches(sums.height.data() + start, columns, half_width, discs.height);
    add_stretches(sums.square.data() + start, columns, half_width, discs.square);
}

/// Half the width of a disc's rows, cells, from the middle outward.
std::vector<double> half_widths(double radius) {
    std::vector<double> widths;
    for (int row = 0; row < radius; ++row) widths.push_back(std::sqrt(radius * radius - row * row));
    return widths;
}

struct Reference {
    double origin;  // m, that sums are taken from
    double least;   // m, standard deviation that is added to all
};

void set_deviations(const Field<float>& elevation, int row, const DiscSums& discs, const Reference& reference,
                    Field<float>& result) {
    for (int column = 0; column < elevation.columns(); ++column) {
        const float z = elevation(column, row);
        if (is_no_data(z)) continue;
        const double count = discs.count[at(column)];
        const double mean = discs.height[at(column)] / count;
        const double variance = std::max(0.0, discs.square[at(column)] / count - mean * mean);
        const double above = static_cast<double>(z) - reference.origin - mean;
        result(column, row) =
            static_cast<float>(above / std::sqrt(variance + reference.least * reference.least));
    }
}

void make_share(Field<float>& deviation, float sign) {
    for_each_row(deviation.grid(), [&](int row) {
        for (int column = 0; column < deviation.columns(); ++column) {
            float& value = deviation(column, row);
            if (!is_no_data(value)) value = std::clamp(sign * value - kUpperSlope, 0.0F, 1.0F);
        }
    });
}

}  // namespace

Field<float> deviation_from_mean(const Field<float>& elevation, double radius, const Progress& progress) {
    assert(radius > 0.0);
    const Grid& grid = elevation.grid();
    const double cells = std::max(radius / grid.cell_size, kLeastWindow);
    const std::vector<double> widths = half_widths(cells);
    const double least = kLeastRelief * cells * grid.cell_size;
    const RowSums sums = sums_of(elevation, progress);
    Field<float> result(grid, kNoData);
    constexpr std::int64_t kRowsPerPiece = 8;
    parallel_for(0, grid.rows, kRowsPerPiece, [&](std::int64_t first, std::int64_t end) {
        DiscSums discs(grid.columns);
        for (std::int64_t row = first; row < end; ++row) {
            discs.clear();
            const std::int64_t rows =
                std::min({static_cast<std::int64_t>(widths.size()) - 1, row, grid.rows - 1 - row});
            for (std::int64_t away = 0; away <= rows; ++away) {
                progress.poll();
                add_row(sums, row - away, widths[at(away)], discs);
                if (away > 0) add_row(sums, row + away, widths[at(away)], discs);
            }
            set_deviations(elevation, static_cast<int>(row), discs, {sums.origin, least}, result);
        }
    });
    return result;
}

void ridge_share(Field<float>& deviation) {
    make_share(deviation, 1.0F);
}

void valley_share(Field<float>& deviation) {
    make_share(deviation, -1.0F);
}

}  // namespace thalweg
