// Parameter values and encodings as JSON, for reports and manifests.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/io/raster.hpp"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace thalweg {

/// A number, flag, text, list or list of objects. Infinities are the texts "inf" and "-inf", NaN is null:
/// JSON has no numbers for them.
nlohmann::ordered_json json_of(const Value& value);
nlohmann::ordered_json json_of(const ValueTable& table);

/// Unit, range and encoding of a layer's file.
nlohmann::ordered_json json_of_encoding(const std::string& layer, const RasterEncoding& encoding);

}  // namespace thalweg
