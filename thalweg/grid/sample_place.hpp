// Samples at places that are already found along each axis, for many samples on the same rows and columns.
// Private to grid.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/grid/sampling.hpp"

namespace thalweg {

/// Where a sample lies along one axis: between cell `lower` and the next, `fraction` of the way.
struct SamplePlace {
    int lower = 0;
    double fraction = 0.0;  // [0, 1]
};

/// The place of fractional column or row `at` among `cells`, kept between the first and the last.
SamplePlace place_along(double at, int cells);

/// sample_bilinear and sample_bicubic (sampling.hpp) at a place.
float bilinear_at(const Field<float>& field, const SamplePlace& along_columns, const SamplePlace& along_rows);
float bicubic_at(const Field<float>& field, const SamplePlace& along_columns, const SamplePlace& along_rows);

}  // namespace thalweg
