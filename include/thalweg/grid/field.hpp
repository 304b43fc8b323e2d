// Field: one value for every cell of a Grid.
#pragma once

#include "thalweg/grid/grid.hpp"

#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace thalweg {

/// Values on a grid, row-major from the north-west. A float field marks "no data" by NaN.
///
/// Example:
///     Field<float> elevation(make_grid(1000.0, 500.0, 100), 20.0F);  // m
///     elevation(3, 2) = kNoData;
///     const double mean_of_two = 0.5 * (elevation(0, 0) + elevation(1, 0));
template <class T>
class Field {
  public:
    Field() = default;
    explicit Field(Grid grid, T value = T{})
        : grid_(std::move(grid)), values_(static_cast<std::size_t>(grid_.cells()), value) {}
    /// As many values as the grid has cells.
    Field(Grid grid, std::vector<T> values) : grid_(std::move(grid)), values_(std::move(values)) {
        assert(size() == grid_.cells());
    }

    [[nodiscard]] const Grid& grid() const { return grid_; }
    [[nodiscard]] int columns() const { return grid_.columns; }
    [[nodiscard]] int rows() const { return grid_.rows; }
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(values_.size()); }
    [[nodiscard]] bool empty() const { return values_.empty(); }

    T& operator[](std::int64_t cell) { return values_[static_cast<std::size_t>(cell)]; }
    const T& operator[](std::int64_t cell) const { return values_[static_cast<std::size_t>(cell)]; }
    T& operator()(int column, int row) { return (*this)[grid_.index(column, row)]; }
    const T& operator()(int column, int row) const { return (*this)[grid_.index(column, row)]; }

    T* data() { return values_.data(); }
    const T* data() const { return values_.data(); }
    auto begin() { return values_.begin(); }
    auto end() { return values_.end(); }
    auto begin() const { return values_.begin(); }
    auto end() const { return values_.end(); }
    [[nodiscard]] const std::vector<T>& values() const& { return values_; }
    [[nodiscard]] std::vector<T> values() && { return std::move(values_); }

    /// Places the same values at another spot of the world; the counts of cells must agree.
    void move_to(Grid grid) { grid_ = std::move(grid); }

    friend bool operator==(const Field&, const Field&) = default;

  private:
    Grid grid_;
    std::vector<T> values_;
};

/// "No data" in a float field.
inline constexpr float kNoData = std::numeric_limits<float>::quiet_NaN();

/// Whether a value of a float field is "no data".
inline bool is_no_data(float value) {
    return std::isnan(value);
}

}  // namespace thalweg
