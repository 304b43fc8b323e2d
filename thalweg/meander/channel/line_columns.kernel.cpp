#include "thalweg/meander/channel/line_columns.hpp"

#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

/// Sums and maxima are taken in so many parts at any width of vectors: they have the same bits then.
constexpr std::int64_t kParts = 16;

float greatest_of(const float (&parts)[kParts]) {
    float greatest = 0.0F;
    for (const float part : parts) greatest = part > greatest ? part : greatest;
    return greatest;
}

/// The sum of segments, which are kept or not, in double of the sums of a block in float.
template <bool are_kept>
double lengths(const double* __restrict x, const double* __restrict y, float* __restrict h,
               std::int64_t points) {
    const auto measure = [&](std::int64_t i) {
        const auto dx = static_cast<float>(x[i + 1] - x[i]);
        const auto dy = static_cast<float>(y[i + 1] - y[i]);
        const float length = __builtin_sqrtf(dx * dx + dy * dy);
        if constexpr (are_kept) h[i] = length;
        return length;
    };
    double length = 0.0;
    std::int64_t i = 0;
    while (i + kParts < points) {
        float sums[kParts] = {};
        for (const std::int64_t end = i + kPointsInBlock; i + kParts < points && i < end; i += kParts)
            for (std::int64_t j = 0; j < kParts; ++j) sums[j] += measure(i + j);
        for (const float sum : sums) length += static_cast<double>(sum);
    }
    for (; i < points - 1; ++i) length += static_cast<double>(measure(i));
    return length;
}

/// Compilers take columns for apart only where they are parameters.
void bend(const double* __restrict x, const double* __restrict y, const float* __restrict h,
          float* __restrict kappa, float* __restrict right_x, float* __restrict right_y, std::int64_t first,
          std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
        const double before_x = x[i] - x[i - 1];
        const double before_y = y[i] - y[i - 1];
        const double behind_x = x[i + 1] - x[i];
        const double behind_y = y[i + 1] - y[i];
        // What the segments differ by is small: taken in double, its bits are all there.
        const auto turn_x = static_cast<float>(behind_x - before_x);
        const auto turn_y = static_cast<float>(behind_y - before_y);
        const auto ax = static_cast<float>(before_x);
        const auto ay = static_cast<float>(before_y);
        const float chord_x = ax + static_cast<float>(behind_x);
        const float chord_y = ay + static_cast<float>(behind_y);
        const float chord = __builtin_sqrtf(chord_x * chord_x + chord_y * chord_y);
        const float sides = h[i - 1] * h[i];
        const float inverse = 1.0F / (chord * sides);  // one division for both
        const float per_chord = inverse * sides;
        kappa[i] = 2.0F * (ax * turn_y - ay * turn_x) * inverse;
        right_x[i] = chord_y * per_chord;
        right_y[i] = -chord_x * per_chord;
    }
}

void local_rates(const float* __restrict kappa, const float* __restrict width, float k,
                 float* __restrict local, std::int64_t points) {
    for (std::int64_t i = 0; i < points; ++i) local[i] = k * width[i] * kappa[i];
}

void filter(const float* __restrict h, const float* __restrict scale, float doubled,
            const float* __restrict local, float* __restrict decay, float* __restrict source,
            std::int64_t first, std::int64_t points) {
    for (std::int64_t i = first; i < points; ++i) {
        const float a = doubled * h[i - 1] / (scale[i - 1] + scale[i]);
        const float even = 1.0F + 0.1F * a * a;
        const float half = 0.5F + (1.0F / 120.0F) * a * a;
        const float lean = (1.0F / 12.0F) * a;
        const float inverse = 1.0F / (even + a * half);
        decay[i] = (even - a * half) * inverse;
        source[i] = a * inverse * ((half - lean) * local[i - 1] + (half + lean) * local[i]);
    }
}

/// Eight points at any width of vectors.
constexpr std::int64_t kTogether = 8;
using Together = float __attribute__((vector_size(kTogether * sizeof(float))));

[[gnu::always_inline]] inline Together load_together(const float* from) {
    Together v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

/// Each step with that before it, or behind it where `along` is -1: what two steps make of a value, or of
/// four where they are of two each, as `apart` says.
template <int along, int apart>
[[gnu::always_inline]] inline void join_steps(const float* __restrict decay, const float* __restrict source,
                                              float* __restrict joined_decay, float* __restrict joined_source,
                                              std::int64_t points) {
    constexpr std::int64_t kBefore = std::int64_t{-along} * apart;
    for (std::int64_t i = 0; i < points; ++i) {
        joined_source[i] = source[i] + decay[i] * source[i + kBefore];
        joined_decay[i] = decay[i] * decay[i + kBefore];
    }
}

/// Columns with no step on both sides of a block.
struct Steps {
    float decay[kPointsInBlock + 2 * kTogether];
    float source[kPointsInBlock + 2 * kTogether];
};

/// No step before the first and behind the last of `points`.
[[gnu::always_inline]] inline void pad(Steps& steps, std::int64_t points) {
    for (std::int64_t i = 0; i < kTogether; ++i) {
        steps.decay[i] = steps.source[i] = 0.0F;
        steps.decay[kTogether + points + i] = steps.source[kTogether + points + i] = 0.0F;
    }
}

/// One more join, of eight steps, and from value to value eight points on.
template <int along>
[[gnu::always_inline]] inline void go_along(const float* decay, const float* source, float* value,
                                            std::int64_t points) {
    constexpr std::int64_t kBefore = -along * kTogether / 2;
    Together known = {};
    const std::int64_t whole = points / kTogether * kTogether;
    for (std::int64_t at = 0; at < whole; at += kTogether) {
        const std::int64_t i = along > 0 ? at : points - kTogether - at;
        const Together a = load_together(decay + i);
        known = load_together(source + i) + a * load_together(source + i + kBefore) +
                a * load_together(decay + i + kBefore) * known;
        __builtin_memcpy(value + i, &known, sizeof known);
    }
    for (std::int64_t at = whole; at < points; ++at) {
        const std::int64_t i = along > 0 ? at : points - 1 - at;
        const std::int64_t lane = along > 0 ? at - whole : kTogether - 1 - (at - whole);
        value[i] = source[i] + decay[i] * source[i + kBefore] + decay[i] * decay[i + kBefore] * known[lane];
    }
}

template <int along>
[[gnu::always_inline]] inline float recur(const float* decay, const float* source, float* value,
                                          std::int64_t points, float known) {
    Steps one;
    Steps two;
    Steps four;
    pad(one, points);
    pad(two, points);
    pad(four, points);
    for (std::int64_t i = 0; i < points; ++i) {
        one.decay[kTogether + i] = decay[i];
        one.source[kTogether + i] = source[i];
    }
    // The first step comes from the value that is known: it needs none before it.
    const std::int64_t first = kTogether + (along > 0 ? 0 : points - 1);
    one.source[first] += one.decay[first] * known;
    one.decay[first] = 0.0F;
    join_steps<along, 1>(one.decay + kTogether, one.source + kTogether, two.decay + kTogether,
                         two.source + kTogether, points);
    join_steps<along, 2>(two.decay + kTogether, two.source + kTogether, four.decay + kTogether,
                         four.source + kTogether, points);
    go_along<along>(four.decay + kTogether, four.source + kTogether, value, points);
    return value[along > 0 ? points - 1 : 0];
}

/// One column with nothing on both sides of a block.
struct Column {
    float values[kPointsInBlock + 2 * kTogether];

    [[gnu::always_inline]] inline float* pad(std::int64_t points) {
        for (std::int64_t i = 0; i < kTogether; ++i) values[i] = values[kTogether + points + i] = 0.0F;
        return values + kTogether;
    }
};

/// What each step and that `apart` before it, or behind it where `along` is -1, add.
template <int along, int apart>
[[gnu::always_inline]] inline void join_evenly(float decay, const float* __restrict source,
                                               float* __restrict joined, std::int64_t points) {
    constexpr std::int64_t kBefore = std::int64_t{-along} * apart;
    for (std::int64_t i = 0; i < points; ++i) joined[i] = source[i] + decay * source[i + kBefore];
}

template <int along>
[[gnu::always_inline]] inline float recur_evenly(const EvenSteps& steps, const float* source, float* value,
                                                 std::int64_t points, float before) {
    Column columns[4];
    float* const one = columns[0].pad(points);
    float* const two = columns[1].pad(points);
    float* const four = columns[2].pad(points);
    float* const eight = columns[3].pad(points);
    for (std::int64_t i = 0; i < points; ++i) one[i] = steps.gain * source[i];
    one[along > 0 ? 0 : points - 1] += steps.decay * before;
    const float of_two = steps.decay * steps.decay;
    const float of_four = of_two * of_two;
    const float of_eight = of_four * of_four;
    join_evenly<along, 1>(steps.decay, one, two, points);
    join_evenly<along, 2>(of_two, two, four, points);
    join_evenly<along, 4>(of_four, four, eight, points);
    Together known = {};
    for (std::int64_t at = 0; at < points; at += kTogether) {
        const std::int64_t i = along > 0 ? at : points - kTogether - at;
        known = load_together(eight + i) + of_eight * known;
        __builtin_memcpy(eight + i, &known, sizeof known);
    }
    for (std::int64_t i = 0; i < points; ++i) value[i] = eight[i];
    return value[along > 0 ? points - 1 : 0];
}

}  // namespace

template <>
double segments_in_lanes<kLanes>(const LineColumns& line, std::int64_t points) {
    return lengths<true>(line.x, line.y, line.segment, points);
}

template <>
double length_in_lanes<kLanes>(const double* x, const double* y, std::int64_t points) {
    return lengths<false>(x, y, nullptr, points);
}

template <>
bool are_between_in_lanes<kLanes>(const double* x_column, const double* y_column, std::int64_t points,
                                  double shortest, double longest) {
    const double* __restrict const x = x_column;
    const double* __restrict const y = y_column;
    const double least = shortest * shortest;
    const double most = longest * longest;
    std::int64_t others = 0;
    for (std::int64_t i = 0; i + 1 < points; ++i) {
        const double dx = x[i + 1] - x[i];
        const double dy = y[i + 1] - y[i];
        const double squared = dx * dx + dy * dy;
        others |= squared >= least && squared <= most ? 0 : 1;
    }
    return others == 0;
}

template <>
float greatest_in_lanes<kLanes>(const float* values, std::int64_t points) {
    float most[kParts] = {};
    std::int64_t i = 0;
    for (; i + kParts <= points; i += kParts)
        for (std::int64_t j = 0; j < kParts; ++j) most[j] = values[i + j] > most[j] ? values[i + j] : most[j];
    for (; i < points; ++i) most[0] = values[i] > most[0] ? values[i] : most[0];
    return greatest_of(most);
}

template <>
void curvature_in_lanes<kLanes>(const LineColumns& line, std::int64_t first, std::int64_t end) {
    bend(line.x, line.y, line.segment, line.curvature, line.normal_x, line.normal_y, first, end);
}

template <>
bool turns_sharply_in_lanes<kLanes>(const double* x_column, const double* y_column, std::int64_t first,
                                    std::int64_t end, double tangent) {
    const double* __restrict const x = x_column;
    const double* __restrict const y = y_column;
    std::int64_t sharp = 0;
    for (std::int64_t i = first; i < end; ++i) {
        const double ax = x[i] - x[i - 1];
        const double ay = y[i] - y[i - 1];
        const double bx = x[i + 1] - x[i];
        const double by = y[i + 1] - y[i];
        sharp |= __builtin_fabs(ax * by - ay * bx) < tangent * (ax * bx + ay * by) ? 0 : 1;
    }
    return sharp != 0;
}

template <>
bool lambdas_in_lanes<kLanes>(const float* width_column, const float* mobility_column,
                              const float* scaling_column, float unit, float known, float* lambda_column,
                              std::int64_t points) {
    const float* __restrict const width = width_column;
    const float* __restrict const mobility = mobility_column;
    const float* __restrict const scaling = scaling_column;
    float* __restrict const lambda = lambda_column;
    const float first = mobility[0];
    std::int32_t others = 0;
    for (std::int64_t i = 0; i < points; ++i) {
        lambda[i] = unit * width[i] * mobility[i] * scaling[i];
        others |= (lambda[i] != known ? 1 : 0) | (mobility[i] != first ? 1 : 0);
    }
    return others == 0;
}

template <>
void filter_in_lanes<kLanes>(const FilterColumns& line, bool is_head, std::int64_t points) {
    local_rates(line.curvature, line.width, line.rate, line.local_rate, points);
    filter(line.segment, line.scale, line.doubled, line.local_rate, line.decay, line.source, is_head ? 1 : 0,
           points);
}

template <>
float recur_in_lanes<kLanes>(const float* decay, const float* source, float* value, std::int64_t points,
                             float before) {
    return recur<1>(decay, source, value, points, before);
}

template <>
float recur_back_in_lanes<kLanes>(const float* decay, const float* source, float* value, std::int64_t points,
                                  float behind) {
    return recur<-1>(decay, source, value, points, behind);
}

template <>
float recur_evenly_in_lanes<kLanes>(const EvenSteps& steps, const float* source, float* value,
                                    std::int64_t points, float before) {
    return recur_evenly<1>(steps, source, value, points, before);
}

template <>
float recur_evenly_back_in_lanes<kLanes>(const EvenSteps& steps, const float* source, float* value,
                                         std::int64_t points, float behind) {
    return recur_evenly<-1>(steps, source, value, points, behind);
}

template <>
void rates_in_lanes<kLanes>(const RateColumns& line, std::int64_t points) {
    const float* __restrict const upstream = line.upstream;
    const float* __restrict const local = line.local_rate;
    const float* __restrict const scaling = line.scaling;
    const float* __restrict const local_scaling = line.local_scaling;
    float* __restrict const rate = line.rate;
    const float gamma = line.upstream_weight;
    const float omega = line.local_weight;
    for (std::int64_t i = 0; i < points; ++i)
        rate[i] = scaling[i] * gamma * upstream[i] + local_scaling[i] * omega * local[i];
}

template <>
void multiply_in_lanes<kLanes>(const float* a_column, const float* b_column, float* product_column,
                               std::int64_t points) {
    const float* __restrict const a = a_column;
    const float* __restrict const b = b_column;
    float* __restrict const product = product_column;
    for (std::int64_t i = 0; i < points; ++i) product[i] = a[i] * b[i];
}

template <>
void half_moves_in_lanes<kLanes>(const MoveColumns& line, const float* half_column, const float* whole_column,
                                 std::int64_t points) {
    const float* __restrict const half = half_column;
    const float* __restrict const whole = whole_column;
    const float* __restrict const right_x = line.normal_x;
    const float* __restrict const right_y = line.normal_y;
    const double* __restrict const x = line.x;
    const double* __restrict const y = line.y;
    float* __restrict const move_x = line.move_x;
    float* __restrict const move_y = line.move_y;
    double* __restrict const moved_x = line.moved_x;
    double* __restrict const moved_y = line.moved_y;
    for (std::int64_t i = 0; i < points; ++i) {
        moved_x[i] = x[i] + static_cast<double>(half[i] * right_x[i]);
        moved_y[i] = y[i] + static_cast<double>(half[i] * right_y[i]);
        const float rest = 2.0F * half[i] - whole[i];
        move_x[i] = rest * right_x[i];
        move_y[i] = rest * right_y[i];
    }
}

template <>
float moves_in_lanes<kLanes>(const MoveColumns& line, float factor, const float* displacement,
                             const float* width_column, std::int64_t points) {
    const float* __restrict const d = displacement;
    const float* __restrict const width = width_column;
    const float* __restrict const right_x = line.normal_x;
    const float* __restrict const right_y = line.normal_y;
    float* __restrict const move_x = line.move_x;
    float* __restrict const move_y = line.move_y;
    const auto add = [&](std::int64_t i) {
        const float along = factor * d[i];
        const float dx = move_x[i] + along * right_x[i];
        const float dy = move_y[i] + along * right_y[i];
        move_x[i] = dx;
        move_y[i] = dy;
        return (dx * dx + dy * dy) / (width[i] * width[i]);
    };
    float most[kParts] = {};
    std::int64_t i = 0;
    for (; i + kParts <= points; i += kParts)
        for (std::int64_t j = 0; j < kParts; ++j) {
            const float squared = add(i + j);
            most[j] = squared > most[j] ? squared : most[j];
        }
    for (; i < points; ++i) {
        const float squared = add(i);
        most[0] = squared > most[0] ? squared : most[0];
    }
    return greatest_of(most);
}

template <>
void add_moves_in_lanes<kLanes>(const MoveColumns& line, std::int64_t points) {
    const float* __restrict const move_x = line.move_x;
    const float* __restrict const move_y = line.move_y;
    double* __restrict const x = line.moved_x;
    double* __restrict const y = line.moved_y;
    for (std::int64_t i = 0; i < points; ++i) {
        x[i] += static_cast<double>(move_x[i]);
        y[i] += static_cast<double>(move_y[i]);
    }
}

}  // namespace thalweg
