#include "thalweg/meander/channel/line_columns.hpp"

#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

/// Sums and maxima are taken in so many parts at any width of vectors: they have the same bits then.
constexpr std::int64_t kParts = 16;

/// Compilers take columns for apart only where they are parameters.
void bend(const double* __restrict x, const double* __restrict y, const double* __restrict h,
          double* __restrict kappa, double* __restrict right_x, double* __restrict right_y,
          std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
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

}  // namespace

template <>
double segments_in_lanes<kLanes>(const LineColumns& line, std::int64_t points) {
    const double* __restrict const x = line.x;
    const double* __restrict const y = line.y;
    double* __restrict const h = line.segment;
    double sums[kParts] = {};
    std::int64_t i = 0;
    for (; i + kParts < points; i += kParts)
        for (std::int64_t j = 0; j < kParts; ++j) {
            const double dx = x[i + j + 1] - x[i + j];
            const double dy = y[i + j + 1] - y[i + j];
            h[i + j] = __builtin_sqrt(dx * dx + dy * dy);
            sums[j] += h[i + j];
        }
    double length = 0.0;
    for (const double sum : sums) length += sum;
    for (; i < points - 1; ++i) {
        const double dx = x[i + 1] - x[i];
        const double dy = y[i + 1] - y[i];
        h[i] = __builtin_sqrt(dx * dx + dy * dy);
        length += h[i];
    }
    return length;
}

template <>
void curvature_in_lanes<kLanes>(const LineColumns& line, std::int64_t first, std::int64_t end) {
    bend(line.x, line.y, line.segment, line.curvature, line.normal_x, line.normal_y, first, end);
}

template <>
void turns_in_lanes<kLanes>(const double* x_column, const double* y_column, double* turn_column,
                            std::int64_t points) {
    constexpr double kPi = 3.14159265358979323846;
    const double* __restrict const x = x_column;
    const double* __restrict const y = y_column;
    double* __restrict const turn = turn_column;
    for (std::int64_t i = 1; i < points - 1; ++i) {
        const double ax = x[i] - x[i - 1];
        const double ay = y[i] - y[i - 1];
        const double bx = x[i + 1] - x[i];
        const double by = y[i + 1] - y[i];
        const double dot = ax * bx + ay * by;
        const double tangent = __builtin_fabs(ax * by - ay * bx) / dot;
        const double forward = tangent < 0.5 * kPi ? tangent : 0.5 * kPi;
        turn[i] = dot > 0.0 ? forward : kPi;
    }
}

template <>
void filter_in_lanes<kLanes>(const FilterColumns& line, std::int64_t first, std::int64_t end) {
    const double* __restrict const h = line.segment;
    const double* __restrict const kappa = line.curvature;
    const float* __restrict const width = line.width;
    const float* __restrict const scale = line.scale;
    double* __restrict const local = line.local_rate;
    double* __restrict const decay = line.decay;
    double* __restrict const source = line.source;
    const double k = line.rate;
    const double doubled = line.doubled;
    for (std::int64_t i = first; i < end; ++i) local[i] = k * static_cast<double>(width[i]) * kappa[i];
    for (std::int64_t i = first > 0 ? first : 1; i < end; ++i) {
        const double a =
            doubled * h[i - 1] / (static_cast<double>(scale[i - 1]) + static_cast<double>(scale[i]));
        const double share = (1.0 + a * a * (1.0 / 60.0)) / (1.0 + a * (0.5 + a * (0.1 + a * (1.0 / 120.0))));
        const double here = 1.0 - share;
        decay[i] = 1.0 - a * share;
        source[i] = (a * share - here) * local[i - 1] + here * local[i];
    }
}

template <>
void moves_in_lanes<kLanes>(const MoveColumns& line, double kept, double factor, const double* displacement,
                            std::int64_t points) {
    const double* __restrict const d = displacement;
    const double* __restrict const right_x = line.normal_x;
    const double* __restrict const right_y = line.normal_y;
    double* __restrict const move_x = line.move_x;
    double* __restrict const move_y = line.move_y;
    for (std::int64_t i = 0; i < points; ++i) {
        const double along = factor * d[i];
        move_x[i] = kept * move_x[i] + along * right_x[i];
        move_y[i] = kept * move_y[i] + along * right_y[i];
    }
}

template <>
double greatest_move_in_lanes<kLanes>(const MoveColumns& line, const float* width_column,
                                      std::int64_t points) {
    const float* __restrict const width = width_column;
    const double* __restrict const move_x = line.move_x;
    const double* __restrict const move_y = line.move_y;
    const auto squared = [&](std::int64_t i) {
        const auto w = static_cast<double>(width[i]);
        return (move_x[i] * move_x[i] + move_y[i] * move_y[i]) / (w * w);
    };
    double most[kParts] = {};
    std::int64_t i = 0;
    for (; i + kParts <= points; i += kParts)
        for (std::int64_t j = 0; j < kParts; ++j) {
            const double value = squared(i + j);
            most[j] = value > most[j] ? value : most[j];
        }
    double greatest = 0.0;
    for (; i < points; ++i) greatest = squared(i) > greatest ? squared(i) : greatest;
    for (const double value : most) greatest = value > greatest ? value : greatest;
    return greatest;
}

}  // namespace thalweg
