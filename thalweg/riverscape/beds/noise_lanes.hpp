// Noise on beds and banks at vectors of points. Only for kernels, as core/vectors.hpp.
#pragma once

#include "thalweg/core/lane_reads.hpp"
#include "thalweg/riverscape/beds/bed_points.hpp"

#include <cstdint>
#include <cstring>

namespace thalweg {
namespace {

/// Doubles of one vector, and as many whole numbers and floats.
constexpr int kDoubles = kLanes / 2;
using Doubles = double __attribute__((vector_size(kDoubles * sizeof(double))));
using Bits = std::uint64_t __attribute__((vector_size(kDoubles * sizeof(std::uint64_t))));
using LongInts = std::int64_t __attribute__((vector_size(kDoubles * sizeof(std::int64_t))));
using HalfFloats = float __attribute__((vector_size(kDoubles * sizeof(float))));
using HalfInts = std::int32_t __attribute__((vector_size(kDoubles * sizeof(std::int32_t))));

#if THALWEG_LANES == 16
#define THALWEG_FIRST 0, 1, 2, 3, 4, 5, 6, 7
#define THALWEG_LAST 8, 9, 10, 11, 12, 13, 14, 15
#elif THALWEG_LANES == 8
#define THALWEG_FIRST 0, 1, 2, 3
#define THALWEG_LAST 4, 5, 6, 7
#else
#define THALWEG_FIRST 0, 1
#define THALWEG_LAST 2, 3
#endif

template <int half>
[[gnu::always_inline]] inline HalfFloats half_of(Floats v) {
    return half == 0 ? __builtin_shufflevector(v, v, THALWEG_FIRST)
                     : __builtin_shufflevector(v, v, THALWEG_LAST);
}
[[gnu::always_inline]] inline Floats joined(HalfFloats first, HalfFloats last) {
    return __builtin_shufflevector(first, last, THALWEG_FIRST, THALWEG_LAST);
}
[[gnu::always_inline]] inline Ints joined(HalfInts first, HalfInts last) {
    return __builtin_shufflevector(first, last, THALWEG_FIRST, THALWEG_LAST);
}

#undef THALWEG_FIRST
#undef THALWEG_LAST

[[gnu::always_inline]] inline Doubles square_root(Doubles v) {
    Doubles root;
    for (int lane = 0; lane < kDoubles; ++lane) root[lane] = __builtin_sqrt(v[lane]);
    return root;
}

[[gnu::always_inline]] inline bool any_of(Ints mask) {
    return bits_of(mask) != 0;
}

/// sqrt(x^2 + y^2), rounded once.
[[gnu::always_inline]] inline Floats length_of(Floats x, Floats y) {
    const auto of_half = [](HalfFloats half_x, HalfFloats half_y) {
        const Doubles east = __builtin_convertvector(half_x, Doubles);
        const Doubles north = __builtin_convertvector(half_y, Doubles);
        return __builtin_convertvector(square_root(east * east + north * north), HalfFloats);
    };
    return joined(of_half(half_of<0>(x), half_of<0>(y)), of_half(half_of<1>(x), half_of<1>(y)));
}

template <class Value>
[[gnu::always_inline]] inline Value quintic(Value t) {
    return t * t * t * (t * (t * 6.0F - 15.0F) + 10.0F);
}

[[gnu::always_inline]] inline Floats clamped(Floats v, float low, float high) {
    const Floats lowest = Floats{} + low;
    const Floats highest = Floats{} + high;
    return v < lowest ? lowest : highest < v ? highest : v;
}

/// mix64 (core/random.hpp).
[[gnu::always_inline]] inline Bits mixed_bits(Bits x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// unit_double (core/random.hpp): 53 bits in two parts, each exact.
[[gnu::always_inline]] inline Doubles unit_doubles(Bits bits) {
    const Bits whole = bits >> 11;
    const auto low = reinterpret_cast<Doubles>((whole & 0xffffffffULL) | 0x4330000000000000ULL);
    const auto high = reinterpret_cast<Doubles>((whole >> 32) | 0x4530000000000000ULL);
    return ((high - 0x1p84) + (low - 0x1p52)) * 0x1p-53;
}

struct HalfGradients {
    HalfFloats x;
    HalfFloats y;
};

/// unit_vector (core/unit_vector.hpp), in floats.
[[gnu::always_inline]] inline HalfGradients unit_vectors(Bits bits) {
    constexpr double kQuarterTurn = 1.57079632679489662;
    const Doubles a = (unit_doubles(bits << 2) - 0.5) * kQuarterTurn;
    const Doubles a2 = a * a;
    const Doubles sine =
        a * (1.0 + a2 * (-1.0 / 6.0 + a2 * (1.0 / 120.0 + a2 * (-1.0 / 5040.0 + a2 * (1.0 / 362880.0)))));
    const Doubles cosine =
        1.0 + a2 * (-0.5 +
                    a2 * (1.0 / 24.0 + a2 * (-1.0 / 720.0 + a2 * (1.0 / 40320.0 + a2 * (-1.0 / 3628800.0)))));
    // Turn by the quarters that the first two bits give: their sine and cosine are 0, 1 or -1.
    const Doubles one = Doubles{} + 1.0;
    const auto one_with_sign =
        reinterpret_cast<Doubles>(reinterpret_cast<Bits>(one) | (bits & 0x8000000000000000ULL));
    const LongInts is_odd = (bits & 0x4000000000000000ULL) != 0;
    const Doubles turn_sine = is_odd ? one_with_sign : Doubles{};
    const Doubles turn_cosine = is_odd ? Doubles{} : one_with_sign;
    return {__builtin_convertvector(cosine * turn_cosine - sine * turn_sine, HalfFloats),
            __builtin_convertvector(sine * turn_cosine + cosine * turn_sine, HalfFloats)};
}

[[gnu::always_inline]] inline Bits as_bits(HalfInts v) {
    return reinterpret_cast<Bits>(__builtin_convertvector(v, LongInts));
}

/// Lattice cells of points, and where in them these lie.
struct LatticePlaces {
    HalfInts first_column, last_column;
    HalfInts first_row, last_row;
    Floats x, y;  // [0, 1]
};

/// GradientBasis (noise/bases.hpp) of all octaves, at one vector of points after another.
class CornerLanes {
  public:
    explicit CornerLanes(NoiseCells& cells) : cells_(cells) {}

    /// A whole octave at points, m from the origin.
    Floats whole(Floats x, Floats y, int octave) {
        const LatticePlaces at = places(x, y, octave);
        const Ints column = joined(at.first_column, at.last_column);
        const Ints row = joined(at.first_row, at.last_row);
        Cells cells(column, row);
        if (cells.count == 1) {
            const NoiseCell& cell = cell_at(octave, cells.column.of[0], cells.row.of[0]);
            return in_cell(cell.x, cell.y, at.x, at.y);
        }
        Corners corners;
        if (cells.count > kFewCells) {
            set_corners(octave, at, corners);
            return in_cell(corners.x, corners.y, at.x, at.y);
        }
        for (int k = 0; k < cells.count; ++k) {
            const int lane = cells.lane[k];
            const NoiseCell& cell = cell_at(octave, cells.column.of[lane], cells.row.of[lane]);
            for (int corner = 0; corner < 4; ++corner) {
                corners.x[corner] = cells.same[k] ? Floats{} + cell.x[corner] : corners.x[corner];
                corners.y[corner] = cells.same[k] ? Floats{} + cell.y[corner] : corners.y[corner];
            }
        }
        return in_cell(corners.x, corners.y, at.x, at.y);
    }

  private:
    /// So many cells are looked up one by one; the gradients of more are made lane by lane (empirical).
    static constexpr int kFewCells = kLanes == 16 ? 6 : 3;

    struct Corners {
        Floats x[4] = {};
        Floats y[4] = {};
    };

    /// The cells that lanes lie in, each with its lanes: one more than few at most.
    struct Cells {
        [[gnu::always_inline]] Cells(Ints columns, Ints rows) : column(columns), row(rows) {
            for (unsigned left = kAllLanes; left != 0 && count <= kFewCells; ++count) {
                lane[count] = __builtin_ctz(left);
                same[count] = (columns == column.of[lane[count]]) & (rows == row.of[lane[count]]);
                left &= ~bits_of(same[count]);
            }
        }

        static constexpr unsigned kAllLanes = (1U << kLanes) - 1U;
        LaneCells column;
        LaneCells row;
        int count = 0;
        int lane[kFewCells + 1];
        Ints same[kFewCells + 1];
    };

    [[gnu::always_inline]] static LatticePlaces places(Floats x, Floats y, int octave) {
        // Each lattice is turned by another angle, so that none shows.
        constexpr double kPerMetre[kWaveOctaves] = {
            8.0, 2.0, 0.5, 0.125, 0.03125, 0.0078125, 0.001953125, 0.00048828125, 0.0001220703125};
        constexpr double kTurns[3][2] = {{0.8, 0.6}, {0.28, 0.96}, {0.6, -0.8}};
        const double scale = kPerMetre[octave];
        const double cosine = kTurns[octave % 3][0];
        const double sine = kTurns[octave % 3][1];
        const auto place = [](Doubles coordinate, HalfInts& cell) {
            const HalfInts whole = __builtin_convertvector(coordinate, HalfInts);
            const Doubles back = __builtin_convertvector(whole, Doubles);
            const Doubles below = coordinate < back ? back - 1.0 : back;
            cell = __builtin_convertvector(below, HalfInts);
            return __builtin_convertvector(coordinate - below, HalfFloats);
        };
        LatticePlaces at;
        const auto of_half = [&](HalfFloats half_x, HalfFloats half_y, HalfInts& column, HalfInts& row,
                                 HalfFloats& in_x, HalfFloats& in_y) {
            const Doubles east = __builtin_convertvector(half_x, Doubles);
            const Doubles north = __builtin_convertvector(half_y, Doubles);
            in_x = place(scale * (cosine * east - sine * north), column);
            in_y = place(scale * (sine * east + cosine * north), row);
        };
        HalfFloats first_x, first_y, last_x, last_y;
        of_half(half_of<0>(x), half_of<0>(y), at.first_column, at.first_row, first_x, first_y);
        of_half(half_of<1>(x), half_of<1>(y), at.last_column, at.last_row, last_x, last_y);
        at.x = joined(first_x, last_x);
        at.y = joined(first_y, last_y);
        return at;
    }

    /// The remembered cell, if none of the same place in its square was asked for since.
    NoiseCell& cell_at(int octave, std::int32_t column, std::int32_t row) {
        NoiseCell& cell = cells_.cells[octave][(column & 3) + 4 * (row & 3)];
        if (cell.column == column && cell.row == row) return cell;
        cell.column = column;
        cell.row = row;
        for (int corner = 0; corner < 4; corner += kDoubles) {
            HalfInts columns{};
            HalfInts rows{};
            for (int lane = 0; lane < kDoubles; ++lane) {
                columns[lane] = column + (corner + lane) % 2;
                rows[lane] = row + (corner + lane) / 2 % 2;
            }
            const HalfGradients gradients =
                unit_vectors(mixed_bits(mixed_bits(cells_.keys[octave] ^ as_bits(columns)) ^ as_bits(rows)));
            for (int lane = 0; lane < kDoubles && lane < 4; ++lane) {
                cell.x[corner + lane] = gradients.x[lane];
                cell.y[corner + lane] = gradients.y[lane];
            }
        }
        return cell;
    }

    [[gnu::always_inline]] void set_corners(int octave, const LatticePlaces& at, Corners& corners) const {
        const std::uint64_t key = cells_.keys[octave];
        const auto columns_of = [&](HalfInts column) { return mixed_bits(key ^ as_bits(column)); };
        const Bits first[2] = {columns_of(at.first_column), columns_of(at.first_column + 1)};
        const Bits last[2] = {columns_of(at.last_column), columns_of(at.last_column + 1)};
        for (int corner = 0; corner < 4; ++corner) {
            const int east = corner % 2;
            const int north = corner / 2;
            const HalfGradients of_first =
                unit_vectors(mixed_bits(first[east] ^ as_bits(at.first_row + north)));
            const HalfGradients of_last = unit_vectors(mixed_bits(last[east] ^ as_bits(at.last_row + north)));
            corners.x[corner] = joined(of_first.x, of_last.x);
            corners.y[corner] = joined(of_first.y, of_last.y);
        }
    }

    /// At (x, y) of cells with gradients that are the same for all, or one for each.
    template <class Gradients>
    [[gnu::always_inline]] static Floats in_cell(const Gradients& east, const Gradients& north, Floats x,
                                                 Floats y) {
        constexpr float kScale = 1.41421356F;
        const auto blended = [](Floats a, Floats b, Floats t) { return a + t * (b - a); };
        const Floats x1 = x - 1.0F;
        const Floats y1 = y - 1.0F;
        const Floats blend = quintic(x);
        const Floats south = blended(east[0] * x + north[0] * y, east[1] * x1 + north[1] * y, blend);
        const Floats other = blended(east[2] * x + north[2] * y1, east[3] * x1 + north[3] * y1, blend);
        return kScale * blended(south, other, quintic(y));
    }

    NoiseCells& cells_;
};

/// Noise in [-1, 1] at a vector of points, m from the origin, which remembers their octaves: much of a bed is
/// made of the same ones.
class PointNoise {
  public:
    PointNoise(CornerLanes& corners, Floats x, Floats y) : corners_(corners), x_(x), y_(y) {}

    /// Of an octave between whole ones: both, by their nearness. For the lanes of a mask.
    Floats at(Floats octave, Ints where) {
        const Floats within = clamped(octave, 0.0F, static_cast<float>(kWaveOctaves - 1));
        const Ints whole = __builtin_convertvector(within, Ints);
        const Ints last = Ints{} + (kWaveOctaves - 2);
        const Ints below = last < whole ? last : whole;
        const Floats share = within - floats_of(below);
        Floats value{};
        for (unsigned left = bits_of(where); left != 0;) {
            const std::int32_t octave_below = below[__builtin_ctz(left)];
            const Ints same = below == octave_below;
            const Floats of_octave = (1.0F - share) * known(octave_below) + share * known(octave_below + 1);
            value = same ? of_octave : value;
            left &= ~bits_of(same);
        }
        return value;
    }

  private:
    Floats known(int octave) {
        const std::uint32_t bit = 1U << static_cast<unsigned>(octave);
        if ((known_ & bit) == 0) values_[octave] = corners_.whole(x_, y_, octave);
        known_ |= bit;
        return values_[octave];
    }

    CornerLanes& corners_;
    Floats x_;
    Floats y_;
    std::uint32_t known_ = 0;  // a bit for each octave that is known
    Floats values_[kWaveOctaves];
};

}  // namespace
}  // namespace thalweg
