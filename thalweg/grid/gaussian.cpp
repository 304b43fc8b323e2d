#include "thalweg/grid/gaussian.hpp"

#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>

namespace thalweg {
namespace {

/// Reach of the kernel in standard deviations: what lies beyond weighs less than 1e-4.
constexpr double kKernelReach = 4.0;

/// A weighted sum of values, and of their weights.
struct WeightedSum {
    double sum = 0.0;
    double weight = 0.0;

    void add(double factor, const WeightedSum& other) {
        sum += factor * other.sum;
        weight += factor * other.weight;
    }
};

/// Share of a gaussian that falls on the cells at 0, 1, 2, ... from its centre.
std::vector<double> gaussian_kernel(double width, double cell_size) {
    const auto share_below = [&](double cells) {
        return 0.5 * std::erf(cells * cell_size / (width * std::sqrt(2.0)));
    };
    const int reach = static_cast<int>(std::ceil(kKernelReach * width / cell_size));
    std::vector<double> kernel;
    for (int k = 0; k <= reach; ++k) kernel.push_back(share_below(k + 0.5) - share_below(k - 0.5));
    return kernel;
}

/// Kernel-weighted sums along the rows of `field`, for each cell of `range`.
Field<WeightedSum> sums_along_rows(const Field<float>& field, const std::vector<double>& kernel,
                                   const CellRange& range) {
    const int reach = static_cast<int>(kernel.size()) - 1;
    Field<WeightedSum> sums(part_of(field.grid(), range));
    for_each_row(sums.grid(), [&](int row) {
        std::vector<WeightedSum> values(field.columns());
        for (int column = 0; column < field.columns(); ++column)
            if (const float value = field(column, range.first_row + row); !is_no_data(value))
                values[column] = {value, 1.0};
        // Cell by cell within each step of the kernel, for vectors.
        for (int step = -reach; step <= reach; ++step) {
            const int shift = range.first_column + step;
            const int last = std::min(sums.columns(), field.columns() - shift);
            for (int column = std::max(0, -shift); column < last; ++column)
                sums(column, row).add(kernel[std::abs(step)], values[column + shift]);
        }
    });
    return sums;
}

/// The mean of `sums` along their columns, for the rows of `range`.
Field<float> means_along_columns(const Field<WeightedSum>& sums, int first_row_of_sums,
                                 const std::vector<double>& kernel, const Grid& grid,
                                 const CellRange& range) {
    const int reach = static_cast<int>(kernel.size()) - 1;
    Field<float> means(part_of(grid, range));
    for_each_row(means.grid(), [&](int row) {
        const int centre = range.first_row + row - first_row_of_sums;
        const int last = std::min(sums.rows() - 1, centre + reach);
        std::vector<WeightedSum> totals(means.columns());
        for (int j = std::max(0, centre - reach); j <= last; ++j)
            for (int column = 0; column < means.columns(); ++column)
                totals[column].add(kernel[std::abs(j - centre)], sums(column, j));
        for (int column = 0; column < means.columns(); ++column) {
            const WeightedSum& total = totals[column];
            means(column, row) = total.weight > 0.0 ? static_cast<float>(total.sum / total.weight) : kNoData;
        }
    });
    return means;
}

}  // namespace

Field<float> gaussian_mean(const Field<float>& field, double width, const CellRange& range) {
    assert(width > 0.0);
    const std::vector<double> kernel = gaussian_kernel(width, field.grid().cell_size);
    const int reach = static_cast<int>(kernel.size()) - 1;
    CellRange source = range;
    source.first_row = std::max(0, range.first_row - reach);
    source.end_row = std::min(field.rows(), range.end_row + reach);
    return means_along_columns(sums_along_rows(field, kernel, source), source.first_row, kernel, field.grid(),
                               range);
}

}  // namespace thalweg
