// Points as a layer of a vector file.
#pragma once

#include "thalweg/io/point_table.hpp"

namespace thalweg {

class VectorFile;

/// Adds the points to a vector file, as a layer of the table's name.
void add_points(VectorFile& file, const PointTable& table);

}  // namespace thalweg
