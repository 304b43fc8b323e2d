// Loops over the points of a line that vectors speed up.
#pragma once

#include <cstdint>

namespace thalweg {

/// Points that are dealt with together, so that what is found of them stays in the nearest cache (empirical).
inline constexpr std::int64_t kPointsInBlock = 256;

/// Points of a line, and what is measured of them (channel_geometry.hpp). Differences of positions are taken
/// in double; what follows from them needs no more than float.
struct LineColumns {
    const double* x;   // m
    const double* y;   // m
    float* segment;    // m
    float* curvature;  // 1/m
    float* normal_x;
    float* normal_y;
};

/// Segments alone, all but the last; returns their sum, m.
template <int lanes>
double segments_in_lanes(const LineColumns& line, std::int64_t points);

/// The same sum alone.
template <int lanes>
double length_in_lanes(const double* x, const double* y, std::int64_t points);

/// Tangents (1) in x or y at points that are no ends of their line, of the parabolas through them and their
/// neighbours: means of the slopes of both segments, each weighed by the other's length (m).
template <int lanes>
void tangents_in_lanes(const double* v, const float* segment, double* tangent, std::int64_t points);

/// A line whose points are to be spaced evenly: what it has at points, and of the segments that follow them.
struct OldPoints {
    const double* x;          // m
    const double* y;          // m
    const double* z;          // m
    const float* width;       // m
    const float* depth;       // m
    const float* discharge;   // m^3/s
    const float* segment;     // m
    const double* tangent_x;  // 1
    const double* tangent_y;  // 1
};
struct EvenPoints {
    double* x;         // m
    double* y;         // m
    double* z;         // m
    float* width;      // m
    float* depth;      // m
    float* discharge;  // m^3/s
};

/// Points on Hermite's cubics, each in an old segment and `offset` (m) from its start; linear in what the
/// line carries.
template <int lanes>
void even_points_in_lanes(const OldPoints& line, const std::int32_t* segment, const double* offset,
                          const EvenPoints& even, std::int64_t points);

/// Whether all segments are from `shortest` to `longest`, m.
template <int lanes>
bool are_between_in_lanes(const double* x, const double* y, std::int64_t points, double shortest,
                          double longest);

/// The greatest of values that are at least 0.
template <int lanes>
float greatest_in_lanes(const float* values, std::int64_t points);

/// Curvature and normals of points `first` to `end`, none of which is an end of the line, and the segments
/// before them.
template <int lanes>
void curvature_in_lanes(const LineColumns& line, std::int64_t first, std::int64_t end);

/// Whether a line turns at some point from `first` to `end`, none of which is an end of it, by an angle of
/// this tangent or more.
template <int lanes>
bool turns_sharply_in_lanes(const double* x, const double* y, std::int64_t first, std::int64_t end,
                            double tangent);

/// Points of a line that are looked at for others beside them together: boxes.
inline constexpr int kPointsInBox = 8;  // (empirical)

/// What points of a line count as near.
struct NearLimits {
    std::int64_t between;  // so far apart along the line, at least
    double reach;          // m, so near to each other, at most
};

/// For each box of a line: 1 where a point of it is near one of the next box, else 0.
template <int lanes>
void near_neighbours_in_lanes(const double* x, const double* y, std::int64_t points, const NearLimits& limits,
                              std::uint8_t* are_near);

/// lambda = unit width mobility scaling at points. Returns whether all are `known`, and their mobility is
/// that of the first.
template <int lanes>
bool lambdas_in_lanes(const float* width, const float* mobility, const float* scaling, float unit,
                      float known, float* lambda, std::int64_t points);

/// Of the recursive filter for J' = alpha (R0 - J), alpha = `doubled` / (scale_i + scale_(i+1)).
struct FilterColumns {
    const float* segment;    // m
    const float* curvature;  // 1/m
    const float* width;      // m
    const float* scale;      // m, of the memory's length: depth or width
    float rate;              // k, m/yr
    float doubled;           // twice alpha times scale, 1
    float* local_rate;       // R0, m/yr
    float* decay;            // of J from the point before, 1
    float* source;           // what R0 adds to J since the point before, m/yr
};

/// R0 at points, and decay and source there, which are not written at the first where that is the head of
/// its line; else columns go on before the first, and R0 is known there. Exact for R0 that is linear between
/// points:
///   J_(i+1) = e J_i + (1 - e - c) R0_i + c R0_(i+1),   a = alpha h,  e = exp(-a),  c = 1 - (1 - e) / a
/// with e by its Pade approximant of order 3.
template <int lanes>
void filter_in_lanes(const FilterColumns& line, bool is_head, std::int64_t points);

/// value_i = decay_i value_(i-1) + source_i at `points` points, at most kPointsInBlock, from the `value`
/// before the first; returns the last. `value` may be `source`. Steps are taken eight at a time: of two that
/// follow each other the one is put into the other, and so on with those of two and of four.
template <int lanes>
float recur_in_lanes(const float* decay, const float* source, float* value, std::int64_t points,
                     float before);

/// The same from the last point to the first: value_i = decay_i value_(i+1) + source_i; returns the first.
template <int lanes>
float recur_back_in_lanes(const float* decay, const float* source, float* value, std::int64_t points,
                          float behind);

/// Steps that are alike.
struct EvenSteps {
    float decay;
    float gain;  // of what each adds
};

/// recur_in_lanes with steps that are alike, value_i = decay value_(i-1) + gain source_i: the same bits, with
/// fewer columns.
template <int lanes>
float recur_evenly_in_lanes(const EvenSteps& steps, const float* source, float* value, std::int64_t points,
                            float before);

/// The same from the last point to the first.
template <int lanes>
float recur_evenly_back_in_lanes(const EvenSteps& steps, const float* source, float* value,
                                 std::int64_t points, float behind);

/// What R is made of.
struct RateColumns {
    const float* upstream;       // J, m/yr
    const float* local_rate;     // R0, m/yr
    const float* scaling;        // sigma^(-2/3) of J, 1
    const float* local_scaling;  // the same of R0, 1
    float upstream_weight;       // gamma, 1
    float local_weight;          // omega, 1
    float* rate;                 // R, m/yr
};

template <int lanes>
void rates_in_lanes(const RateColumns& line, std::int64_t points);

/// product = a b
template <int lanes>
void multiply_in_lanes(const float* a, const float* b, float* product, std::int64_t points);

/// What the first half of a step finds at points.
struct HalfStepColumns {
    const float* normal_x;
    const float* normal_y;
    const float* half;   // m, the move of half a step along the normals
    const float* whole;  // m, that of the whole step
};

/// Length (m) of the line through points x, y (m) after half a step.
template <int lanes>
double half_way_length_in_lanes(const double* x, const double* y, const HalfStepColumns& step,
                                std::int64_t points);

/// Points after half a step.
template <int lanes>
void place_half_way_in_lanes(const double* x, const double* y, const HalfStepColumns& step, double* placed_x,
                             double* placed_y, std::int64_t points);

/// Twice the half step less the whole one: what moves begin with, m.
template <int lanes>
void first_moves_in_lanes(const HalfStepColumns& step, float* move_x, float* move_y, std::int64_t points);

/// Moves of points along normals.
struct MoveColumns {
    const float* normal_x;
    const float* normal_y;
    const float* width;  // m
    float* move_x;       // m
    float* move_y;       // m
};

/// Adds `factor` of `displacement` (m) along the normals to moves. Returns the greatest square of a move over
/// the square of the width there, 1.
template <int lanes>
float moves_in_lanes(const MoveColumns& line, float factor, const float* displacement, std::int64_t points);

/// Shortens moves that are longer than `limit` widths.
template <int lanes>
void limit_moves_in_lanes(const MoveColumns& line, double limit, std::int64_t points);

/// Adds moves to points.
template <int lanes>
void add_moves_in_lanes(const float* move_x, const float* move_y, double* x, double* y, std::int64_t points);

}  // namespace thalweg
