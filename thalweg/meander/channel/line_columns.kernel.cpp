#include "thalweg/meander/channel/line_columns.hpp"

#include "thalweg/core/vectors.hpp"

namespace thalweg {

template <>
void segments_in_lanes<kLanes>(const LineColumns& line, std::int64_t points) {
    const double* __restrict const x = line.x;
    const double* __restrict const y = line.y;
    double* __restrict const h = line.segment;
    for (std::int64_t i = 0; i < points - 1; ++i) {
        const double dx = x[i + 1] - x[i];
        const double dy = y[i + 1] - y[i];
        h[i] = __builtin_sqrt(dx * dx + dy * dy);
    }
}

template <>
void curvature_in_lanes<kLanes>(const LineColumns& line, std::int64_t points) {
    const double* __restrict const x = line.x;
    const double* __restrict const y = line.y;
    const double* __restrict const h = line.segment;
    double* __restrict const kappa = line.curvature;
    double* __restrict const right_x = line.normal_x;
    double* __restrict const right_y = line.normal_y;
    for (std::int64_t i = 1; i < points - 1; ++i) {
        const double ax = x[i] - x[i - 1];
        const double ay = y[i] - y[i - 1];
        const double chord_x = x[i + 1] - x[i - 1];
        const double chord_y = y[i + 1] - y[i - 1];
        const double chord = __builtin_sqrt(chord_x * chord_x + chord_y * chord_y);
        const double sides = h[i - 1] * h[i];
        const double inverse = 1.0 / (chord * sides);  // one division for both
        const double per_chord = inverse * sides;
        kappa[i] = 2.0 * (ax * chord_y - ay * chord_x) * inverse;
        right_x[i] = chord_y * per_chord;
        right_y[i] = -chord_x * per_chord;
    }
}

template <>
void filter_in_lanes<kLanes>(const FilterColumns& line, std::int64_t points) {
    const double* __restrict const h = line.segment;
    const double* __restrict const kappa = line.curvature;
    const float* __restrict const width = line.width;
    const float* __restrict const scale = line.scale;
    double* __restrict const local = line.local_rate;
    double* __restrict const decay = line.decay;
    double* __restrict const source = line.source;
    const double k = line.rate;
    const double doubled = line.doubled;
    for (std::int64_t i = 0; i < points; ++i) local[i] = k * static_cast<double>(width[i]) * kappa[i];
    for (std::int64_t i = 0; i < points - 1; ++i) {
        const double a = doubled * h[i] / (static_cast<double>(scale[i]) + static_cast<double>(scale[i + 1]));
        const double share = (1.0 + a * a * (1.0 / 60.0)) / (1.0 + a * (0.5 + a * (0.1 + a * (1.0 / 120.0))));
        const double here = 1.0 - share;
        decay[i + 1] = 1.0 - a * share;
        source[i + 1] = (a * share - here) * local[i] + here * local[i + 1];
    }
}

}  // namespace thalweg
