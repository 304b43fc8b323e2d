// Parameter values, grids and encodings as JSON, for reports and manifests.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/grid/grid.hpp"
#include "thalweg/io/raster.hpp"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace thalweg {

/// A number, flag, text, list or list of objects. Infinities are the texts "inf" and "-inf", NaN is null:
/// JSON has no numbers for them.
nlohmann::ordered_json json_of(const Value& value);
nlohmann::ordered_json json_of(const ValueTable& table);

/// Cells, their size and place, and the reference system, null for none.
nlohmann::ordered_json json_of(const Grid& grid);

/// Unit, range and encoding of a layer's file.
nlohmann::ordered_json json_of_encoding(const std::string& layer, const RasterEncoding& encoding);

}  // namespace thalweg
