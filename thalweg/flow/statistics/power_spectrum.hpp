// How strong the waves of a piece of ground are.
#pragma once

#include "thalweg/grid/cell_range.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Mean square of the modes of a square window, m^2. The modes whose wavenumber to the east is negative are
/// left out: they are as strong as their opposites.
struct PowerSpectrum {
    std::int64_t side = 0;      // cells
    std::vector<double> power;  // of k cycles to the east and l to the south, k from 0 to side / 2:
                                // power[k side + l], l - side for l from side / 2 on
};

/// Of what is left of elevation once the plane of least squares has been taken off, tapered to the edges by
/// Hann's window; divided by the mean square of that, so that the modes add up to the variance (Perron,
/// Kirchner and Dietrich 2008, Journal of Geophysical Research 113, F04003, eqs. 1 to 4). `window`: square, a
/// power of two of cells, which all have data. O(cells log cells), 8 bytes a cell; the same bits on any
/// number of threads.
PowerSpectrum power_spectrum(const Field<float>& elevation, const CellRange& window);

}  // namespace thalweg
