// LayerSource: a layer that can be evaluated on any grid of the same place.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace thalweg {

/// Evaluates a quantity on any grid. Engines that work from coarse to fine ask it for every level, so that a
/// coarse level does not depend on how fine the final grid is. Must be a pure function of the grid; polls the
/// progress, and reports nothing to it.
///
/// Example:
///     const LayerSource uplift = [](const Grid& grid, Progress&) {
///         Field<float> rate(grid);  // m/yr, growing to the east
///         for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
///             rate[cell] = static_cast<float>(1e-8 * grid.x(grid.column_of(cell)));
///         return rate;
///     };
class LayerSource {
  public:
    using Evaluate = std::function<Field<float>(const Grid&, Progress&)>;

    LayerSource() = default;

    /// is_stored: whether it holds a raster, whose detail is known at one size alone.
    template <std::invocable<const Grid&, Progress&> Function>
        requires(!std::same_as<std::remove_cvref_t<Function>, LayerSource>)
    LayerSource(Function&& evaluate,  // NOLINT(google-explicit-constructor): a function is a source
                bool is_stored = false)
        : evaluate_(std::forward<Function>(evaluate)), is_stored_(is_stored) {}

    Field<float> operator()(const Grid& grid, Progress& progress) const { return evaluate_(grid, progress); }

    explicit operator bool() const { return static_cast<bool>(evaluate_); }
    [[nodiscard]] bool is_stored() const { return is_stored_; }

  private:
    Evaluate evaluate_;
    bool is_stored_ = false;
};

/// The same value everywhere. O(cells) where it is asked.
LayerSource constant_source(float value);

/// A stored field: its own values on its own grid, box averages on coarser ones (no-data cells do not
/// count), and bilinear samples on finer or shifted ones. Keeps a copy. Asked, it costs what resample
/// (resampling.hpp) does.
LayerSource field_source(Field<float> field);

}  // namespace thalweg
