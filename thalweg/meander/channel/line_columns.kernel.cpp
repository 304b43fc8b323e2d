#include "thalweg/meander/channel/line_columns.hpp"

#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

/// Sums and maxima are taken in so many parts at any width of vectors: they have the same bits then.
constexpr std::int64_t kParts = 16;

/// One value from a place, or those of points that follow each other.
template <class Reals, class Value>
[[gnu::always_inline]] inline Reals load_as(const Value* from) {
    Reals v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

/// What has been the greatest of values that are at least 0.
struct Greatest {
    Floats parts[kParts / kLanes] = {};

    /// Looks at values of kParts points from `first` on, or at that of one point.
    template <class Measure>
    [[gnu::always_inline]] void look_at_parts(std::int64_t first, const Measure& measure) {
        for (std::int64_t k = 0; k < kParts / kLanes; ++k) {
            const Floats values = measure(first + k * kLanes, Floats{});
            parts[k] = choose(values > parts[k], values, parts[k]);
        }
    }
    [[gnu::always_inline]] void look_at(float value) {
        parts[0][0] = value > parts[0][0] ? value : parts[0][0];
    }
    [[nodiscard]] float of_all() const {
        float greatest = 0.0F;
        for (const Floats& part : parts)
            for (std::int64_t j = 0; j < kLanes; ++j) greatest = part[j] > greatest ? part[j] : greatest;
        return greatest;
    }
};

/// The greatest of measure(i, kind), or 0 where none is greater: that of point i where `kind` is a float,
/// those of a vector of points where it is that.
template <class Measure>
[[gnu::always_inline]] inline float greatest_at(std::int64_t points, const Measure& measure) {
    Greatest greatest;
    std::int64_t i = 0;
    for (; i + kParts <= points; i += kParts) greatest.look_at_parts(i, measure);
    for (; i < points; ++i) greatest.look_at(measure(i, 0.0F));
    return greatest.of_all();
}

/// The sum of measure(i), the length of the segment from point i, in double of the sums of a block in float.
template <class Measure>
[[gnu::always_inline]] inline double sum_of_lengths(std::int64_t points, const Measure& measure) {
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

/// Of segments, which are kept or not.
template <bool are_kept>
double lengths(const double* __restrict x, const double* __restrict y, float* __restrict h,
               std::int64_t points) {
    return sum_of_lengths(points, [&](std::int64_t i) {
        const auto dx = static_cast<float>(x[i + 1] - x[i]);
        const auto dy = static_cast<float>(y[i + 1] - y[i]);
        const float length = __builtin_sqrtf(dx * dx + dy * dy);
        if constexpr (are_kept) h[i] = length;
        return length;
    });
}

/// Compilers take columns for apart only where they are parameters.
void bend(const double* __restrict x, const double* __restrict y, float* __restrict h,
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
        const auto bx = static_cast<float>(behind_x);
        const auto by = static_cast<float>(behind_y);
        const float chord_x = ax + bx;
        const float chord_y = ay + by;
        const float chord = __builtin_sqrtf(chord_x * chord_x + chord_y * chord_y);
        const float before = ax * ax + ay * ay;
        const float sides = __builtin_sqrtf(before * (bx * bx + by * by));
        const float inverse = 1.0F / (chord * sides);  // one division for both
        const float per_chord = inverse * sides;
        h[i - 1] = __builtin_sqrtf(before);
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

constexpr std::int64_t kBox = kPointsInBox;

/// Doubles of one vector, and as many whole numbers and floats.
constexpr int kDoubles = kLanes / 2;
using Doubles = double __attribute__((vector_size(kDoubles * sizeof(double))));
using LongInts = std::int64_t __attribute__((vector_size(kDoubles * sizeof(std::int64_t))));
using HalfFloats = float __attribute__((vector_size(kDoubles * sizeof(float))));

[[gnu::always_inline]] inline float to_float(double value) {
    return static_cast<float>(value);
}
[[gnu::always_inline]] inline HalfFloats to_float(const Doubles& values) {
    return __builtin_convertvector(values, HalfFloats);
}
[[gnu::always_inline]] inline double to_double(float value) {
    return static_cast<double>(value);
}
[[gnu::always_inline]] inline Doubles to_double(const HalfFloats& values) {
    return __builtin_convertvector(values, Doubles);
}

/// From one point to the next, with the last one's bits at its end.
template <class Reals, class Value>
[[gnu::always_inline]] inline void write_linear(const Value* from, const Reals& share, Value* to) {
    const Reals v0 = load_as<Reals>(from);
    const Reals v1 = load_as<Reals>(from + 1);
    const Reals v = share == Value{1} ? v1 : v0 + share * (v1 - v0);
    __builtin_memcpy(to, &v, sizeof v);
}

/// Hermite's cubic.
template <class Reals>
[[gnu::always_inline]] inline void write_cubic(const double* from, const double* tangent, const Reals& length,
                                               const Reals& u, double* to) {
    const Reals rest = 1.0 - u;
    const Reals v = load_as<Reals>(from) * rest * rest * (1.0 + 2.0 * u) +
                    load_as<Reals>(from + 1) * u * u * (3.0 - 2.0 * u) +
                    length * u * rest * (rest * load_as<Reals>(tangent) - u * load_as<Reals>(tangent + 1));
    __builtin_memcpy(to, &v, sizeof v);
}

/// Even point i, or a vector of points from there on, in the old segment `at` and those that follow it.
template <class Reals, class Shares>
[[gnu::always_inline]] inline void write_even(const OldPoints& line, std::int64_t at, const double* offset,
                                              const EvenPoints& even, std::int64_t i) {
    const Reals length = to_double(load_as<Shares>(line.segment + at));
    const Reals one = Reals{} + 1.0;
    const Reals along = load_as<Reals>(offset + i) / length;
    const Reals share = along < 0.0 ? Reals{} : along > 1.0 ? one : along;
    write_cubic(line.x + at, line.tangent_x + at, length, share, even.x + i);
    write_cubic(line.y + at, line.tangent_y + at, length, share, even.y + i);
    write_linear(line.z + at, share, even.z + i);
    const Shares of_values = to_float(share);
    write_linear(line.width + at, of_values, even.width + i);
    write_linear(line.depth + at, of_values, even.depth + i);
    write_linear(line.discharge + at, of_values, even.discharge + i);
}

/// Whether the segments of a vector of points follow each other.
[[gnu::always_inline]] inline bool are_in_turn(const std::int32_t* segment) {
    std::int32_t others = 0;
    for (std::int32_t j = 1; j < kDoubles; ++j) others |= segment[j] ^ (segment[0] + j);
    return others == 0;
}

/// Whether one of the first eight points is as near to one of the next eight as the root of `most`. At least
/// eight more follow.
[[gnu::always_inline]] inline bool is_near_next_box(const double* x, const double* y, std::int64_t between,
                                                    double most) {
    constexpr double kFirst = kBox;  // of the next box; in double, for SSE2 compares no long numbers
    constexpr double kEnd = 2 * kBox;
    Doubles number;
    for (int j = 0; j < kDoubles; ++j) number[j] = j;
    LongInts near = {};
    for (std::int64_t i = 0; i < kBox; i += kDoubles) {
        const Doubles here_x = load_as<Doubles>(x + i);
        const Doubles here_y = load_as<Doubles>(y + i);
        // Apart by so much that one of these has its partner in the next box.
        const std::int64_t least = kBox - i - kDoubles + 1;
        for (std::int64_t apart = between > least ? between : least; i + apart < 2 * kBox; ++apart) {
            const Doubles dx = load_as<Doubles>(x + i + apart) - here_x;
            const Doubles dy = load_as<Doubles>(y + i + apart) - here_y;
            const Doubles other = number + static_cast<double>(i + apart);
            near |= (dx * dx + dy * dy <= most) & (other >= kFirst) & (other < kEnd);
        }
    }
    std::int64_t any = 0;
    for (int j = 0; j < kDoubles; ++j) any |= near[j];
    return any != 0;
}

/// The same where a line ends: `points` are left of it.
bool is_near_last_box(const double* x, const double* y, std::int64_t points, std::int64_t between,
                      double most) {
    const std::int64_t end = points < 2 * kBox ? points : 2 * kBox;
    for (std::int64_t i = 0; i < kBox; ++i)
        for (std::int64_t j = i + between < kBox ? kBox : i + between; j < end; ++j) {
            const double dx = x[j] - x[i];
            const double dy = y[j] - y[i];
            if (dx * dx + dy * dy <= most) return true;
        }
    return false;
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
void tangents_in_lanes<kLanes>(const double* v_column, const float* segment_column, double* tangent_column,
                               std::int64_t points) {
    const double* __restrict const v = v_column;
    const float* __restrict const segment = segment_column;
    double* __restrict const tangent = tangent_column;
    for (std::int64_t i = 0; i < points; ++i) {
        const double before = (v[i] - v[i - 1]) / static_cast<double>(segment[i - 1]);
        const double behind = (v[i + 1] - v[i]) / static_cast<double>(segment[i]);
        const auto share = static_cast<double>(segment[i] / (segment[i - 1] + segment[i]));
        tangent[i] = behind + share * (before - behind);
    }
}

template <>
void even_points_in_lanes<kLanes>(const OldPoints& line, const std::int32_t* segment, const double* offset,
                                  const EvenPoints& even, std::int64_t points) {
    std::int64_t i = 0;
    while (i < points) {
        if (i + kDoubles <= points && are_in_turn(segment + i)) {
            write_even<Doubles, HalfFloats>(line, segment[i], offset, even, i);
            i += kDoubles;
        } else {
            write_even<double, float>(line, segment[i], offset, even, i);
            ++i;
        }
    }
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
    return greatest_at(points,
                       [&]<class Reals>(std::int64_t i, Reals) { return load_as<Reals>(values + i); });
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
void near_neighbours_in_lanes<kLanes>(const double* x, const double* y, std::int64_t points,
                                      const NearLimits& limits, std::uint8_t* are_near) {
    const double most = limits.reach * limits.reach;
    for (std::int64_t box = 0; box * kBox < points; ++box) {
        const std::int64_t first = box * kBox;
        const bool is_inside = first + 3 * kBox <= points;
        are_near[box] =
            (is_inside ? is_near_next_box(x + first, y + first, limits.between, most)
                       : is_near_last_box(x + first, y + first, points - first, limits.between, most))
                ? 1
                : 0;
    }
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
double half_way_length_in_lanes<kLanes>(const double* x, const double* y, const HalfStepColumns& step,
                                        std::int64_t points) {
    const float* __restrict const half = step.half;
    const float* __restrict const right_x = step.normal_x;
    const float* __restrict const right_y = step.normal_y;
    return sum_of_lengths(points, [&](std::int64_t i) {
        const float half_x = half[i + 1] * right_x[i + 1] - half[i] * right_x[i];
        const float half_y = half[i + 1] * right_y[i + 1] - half[i] * right_y[i];
        const auto dx = static_cast<float>(x[i + 1] - x[i]) + half_x;
        const auto dy = static_cast<float>(y[i + 1] - y[i]) + half_y;
        return __builtin_sqrtf(dx * dx + dy * dy);
    });
}

template <>
void place_half_way_in_lanes<kLanes>(const double* x_column, const double* y_column,
                                     const HalfStepColumns& step, double* placed_x_column,
                                     double* placed_y_column, std::int64_t points) {
    const double* __restrict const x = x_column;
    const double* __restrict const y = y_column;
    const float* __restrict const half = step.half;
    const float* __restrict const right_x = step.normal_x;
    const float* __restrict const right_y = step.normal_y;
    double* __restrict const placed_x = placed_x_column;
    double* __restrict const placed_y = placed_y_column;
    for (std::int64_t i = 0; i < points; ++i) {
        placed_x[i] = x[i] + static_cast<double>(half[i] * right_x[i]);
        placed_y[i] = y[i] + static_cast<double>(half[i] * right_y[i]);
    }
}

template <>
void first_moves_in_lanes<kLanes>(const HalfStepColumns& step, float* move_x_column, float* move_y_column,
                                  std::int64_t points) {
    const float* __restrict const half = step.half;
    const float* __restrict const whole = step.whole;
    const float* __restrict const right_x = step.normal_x;
    const float* __restrict const right_y = step.normal_y;
    float* __restrict const move_x = move_x_column;
    float* __restrict const move_y = move_y_column;
    for (std::int64_t i = 0; i < points; ++i) {
        const float rest = 2.0F * half[i] - whole[i];
        move_x[i] = rest * right_x[i];
        move_y[i] = rest * right_y[i];
    }
}

template <>
float moves_in_lanes<kLanes>(const MoveColumns& line, float factor, const float* displacement,
                             std::int64_t points) {
    const MoveColumns own = line;  // a copy, which no move that is written can be taken to change
    const float width = own.width[0];
    const float most = greatest_at(points, [&]<class Reals>(std::int64_t i, Reals) {
        const Reals along = factor * load_as<Reals>(displacement + i);
        const Reals dx = load_as<Reals>(own.move_x + i) + along * load_as<Reals>(own.normal_x + i);
        const Reals dy = load_as<Reals>(own.move_y + i) + along * load_as<Reals>(own.normal_y + i);
        __builtin_memcpy(own.move_x + i, &dx, sizeof dx);
        __builtin_memcpy(own.move_y + i, &dy, sizeof dy);
        return dx * dx + dy * dy;
    });
    std::int32_t others = 0;  // of other widths
    for (std::int64_t i = 0; i < points; ++i) others |= own.width[i] != width ? 1 : 0;
    // What is greatest before a division by one number is so after it.
    if (others == 0) return most / (width * width);
    return greatest_at(points, [&]<class Reals>(std::int64_t i, Reals) {
        const Reals dx = load_as<Reals>(own.move_x + i);
        const Reals dy = load_as<Reals>(own.move_y + i);
        const Reals w = load_as<Reals>(own.width + i);
        return (dx * dx + dy * dy) / (w * w);
    });
}

template <>
void limit_moves_in_lanes<kLanes>(const MoveColumns& line, double limit, std::int64_t points) {
    float* __restrict const move_x = line.move_x;
    float* __restrict const move_y = line.move_y;
    const float* __restrict const width = line.width;
    const auto is_too_long = [&](std::int64_t i) {
        const double most = limit * static_cast<double>(width[i]);
        return static_cast<double>(move_x[i] * move_x[i] + move_y[i] * move_y[i]) > most * most ? 1 : 0;
    };
    for (std::int64_t first = 0; first < points; first += kParts) {
        const std::int64_t end = first + kParts < points ? first + kParts : points;
        std::int32_t too_long = 0;
        for (std::int64_t i = first; i < end; ++i) too_long |= is_too_long(i);
        if (too_long == 0) continue;
        for (std::int64_t i = first; i < end; ++i) {
            if (is_too_long(i) == 0) continue;
            const double squared = static_cast<double>(move_x[i] * move_x[i] + move_y[i] * move_y[i]);
            const double most = limit * static_cast<double>(width[i]);
            const auto share = static_cast<float>(most / __builtin_sqrt(squared));
            move_x[i] *= share;
            move_y[i] *= share;
        }
    }
}

template <>
void add_moves_in_lanes<kLanes>(const float* move_x_column, const float* move_y_column, double* x_column,
                                double* y_column, std::int64_t points) {
    const float* __restrict const move_x = move_x_column;
    const float* __restrict const move_y = move_y_column;
    double* __restrict const x = x_column;
    double* __restrict const y = y_column;
    for (std::int64_t i = 0; i < points; ++i) {
        x[i] += static_cast<double>(move_x[i]);
        y[i] += static_cast<double>(move_y[i]);
    }
}

}  // namespace thalweg
