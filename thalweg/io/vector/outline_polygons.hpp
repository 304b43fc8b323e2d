// Outlines as the vector library's polygons.
#pragma once

#include "thalweg/flow/cell_outlines.hpp"

#include <vector>

#include <ogrsf_frmts.h>

namespace thalweg {

/// One polygon for each part.
OGRMultiPolygon polygons_of(const std::vector<OutlinePart>& parts);

}  // namespace thalweg
