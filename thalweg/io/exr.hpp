// One float layer as an OpenEXR file.
#pragma once

#include "thalweg/grid/field.hpp"

#include <cstddef>
#include <vector>

namespace thalweg {

/// The bytes of an OpenEXR file with one float channel "Y" in the layer's unit, ZIP compressed; no-data stays
/// NaN. O(cells), on the calling thread alone, so that equal values give equal bytes. `name` is for the
/// sentence of Error::failure.
std::vector<std::byte> encode_exr(const Field<float>& field, const std::string& name);

}  // namespace thalweg
