// LayerSource: a layer that can be evaluated on any grid of the same place.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <functional>

namespace thalweg {

/// Evaluates a quantity on any grid. Engines that work from coarse to fine ask it for every level, so that a
/// coarse level does not depend on how fine the final grid is. Must be a pure function of the grid; polls the
/// progress, and reports nothing to it.
using LayerSource = std::function<Field<float>(const Grid&, Progress&)>;

/// The same value everywhere.
LayerSource constant_source(float value);

/// A stored field: its own values on its own grid, box averages on coarser ones (no-data cells do not count),
/// and bilinear samples on finer or shifted ones. Keeps a copy.
LayerSource field_source(Field<float> field);

}  // namespace thalweg
