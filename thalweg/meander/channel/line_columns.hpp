// Loops over the points of a line that vectors speed up.
#pragma once

#include <cstdint>

namespace thalweg {

/// Points of a line, and what is measured of them (channel_geometry.hpp).
struct LineColumns {
    const double* x;    // m
    const double* y;    // m
    double* segment;    // m
    double* curvature;  // 1/m
    double* normal_x;
    double* normal_y;
};

/// Segments alone, all but the last.
template <int lanes>
void segments_in_lanes(const LineColumns& line, std::int64_t points);

/// Curvature and normals of all points but the ends, from the segments.
template <int lanes>
void curvature_in_lanes(const LineColumns& line, std::int64_t points);

/// Of the recursive filter for J' = alpha (R0 - J), alpha = `doubled` / (scale_i + scale_(i+1)).
struct FilterColumns {
    const double* segment;    // m
    const double* curvature;  // 1/m
    const float* width;       // m
    const float* scale;       // m, of the memory's length: depth or width
    double rate;              // k, m/yr
    double doubled;           // twice alpha times scale, 1
    double* local_rate;       // R0, m/yr
    double* decay;            // of J from the point before, 1
    double* source;           // what R0 adds to J since the point before, m/yr
};

/// R0, decay and source at each point; decay and source of the first are not written. Exact for R0 that is
/// linear between points:
///   J_(i+1) = e J_i + (1 - e - c) R0_i + c R0_(i+1),   a = alpha h,  e = exp(-a),  c = 1 - (1 - e) / a
/// with (1 - e) / a = (1 + a^2 / 60) / (1 + a / 2 + a^2 / 10 + a^3 / 120), the Pade approximant of order 3.
template <int lanes>
void filter_in_lanes(const FilterColumns& line, std::int64_t points);

}  // namespace thalweg
