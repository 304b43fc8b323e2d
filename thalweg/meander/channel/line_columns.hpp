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

/// Segments alone, all but the last; returns their sum, m.
template <int lanes>
double segments_in_lanes(const LineColumns& line, std::int64_t points);

/// Curvature and normals of points `first` to `end`, none of which is an end of the line, from the segments.
template <int lanes>
void curvature_in_lanes(const LineColumns& line, std::int64_t first, std::int64_t end);

/// By how much a line turns at each point but its ends, or more: the tangent of the angle up to a right one,
/// at most half of pi, and pi above.
template <int lanes>
void turns_in_lanes(const double* x, const double* y, double* turn, std::int64_t points);

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

/// R0 at points `first` to `end`, and decay and source there; those of the line's first point are not
/// written. R0 of the point before `first` is known. Exact for R0 that is linear between points:
///   J_(i+1) = e J_i + (1 - e - c) R0_i + c R0_(i+1),   a = alpha h,  e = exp(-a),  c = 1 - (1 - e) / a
/// with (1 - e) / a = (1 + a^2 / 60) / (1 + a / 2 + a^2 / 10 + a^3 / 120), the Pade approximant of order 3.
template <int lanes>
void filter_in_lanes(const FilterColumns& line, std::int64_t first, std::int64_t end);

/// Moves of points along normals, and of what they add up to.
struct MoveColumns {
    const double* normal_x;
    const double* normal_y;
    double* move_x;  // m
    double* move_y;  // m
};

/// Moves of all points become `kept` of what they were and `factor` of `displacement` (m) along the normals.
template <int lanes>
void moves_in_lanes(const MoveColumns& line, double kept, double factor, const double* displacement,
                    std::int64_t points);

/// The greatest square of a move over the square of the width (m) there, 1.
template <int lanes>
double greatest_move_in_lanes(const MoveColumns& line, const float* width, std::int64_t points);

}  // namespace thalweg
