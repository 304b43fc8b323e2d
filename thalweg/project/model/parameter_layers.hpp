// Layers and rasters that stand for a parameter, checked as its number would be.
#pragma once

#include "thalweg/project/model/layer_inputs.hpp"

namespace thalweg {

/// The number everywhere, the layer, or the raster that gives `parameter` cell by cell. Looked at are all
/// cells, of the raster itself and of the landscape, that lie over terrain: where layer `elevation` has data,
/// or everywhere while there is none. Throws Error::input that names the layer or file when one of them
/// - is outside the parameter's declared range (with the value, its cell, the range and its unit),
/// - has no value, being no-data or NaN (with the count), or
/// - lies beyond the raster's edge by more than one cell, of the raster or the landscape, whichever is
///   larger. Nearer ones take the value of the edge, and a note says how many.
LayerSource parameter_source(const NumberOrLayer& input, const Parameter& parameter, StageContext& context);

/// Its values on the landscape's grid; empty where `input` is one number.
Field<float> parameter_field(const NumberOrLayer& input, const Parameter& parameter, StageContext& context);

}  // namespace thalweg
