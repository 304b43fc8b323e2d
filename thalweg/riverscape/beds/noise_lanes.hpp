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

/// A place among sixteen numbers for each lane.
class SixteenPlaces {
  public:
#if defined(__x86_64__) && THALWEG_LANES == 16
    [[gnu::always_inline]] explicit SixteenPlaces(Ints places) : places_(reinterpret_cast<__m512i>(places)) {}
    [[gnu::always_inline]] inline Floats of(const float* numbers) const {
        return reinterpret_cast<Floats>(_mm512_permutexvar_ps(places_, _mm512_loadu_ps(numbers)));
    }

  private:
    __m512i places_;
#elif defined(__x86_64__) && THALWEG_LANES == 8
    [[gnu::always_inline]] explicit SixteenPlaces(Ints places)
        : places_(reinterpret_cast<__m256i>(places)), is_high_(places > 7) {}
    [[gnu::always_inline]] inline Floats of(const float* numbers) const {
        const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(numbers), places_);
        const __m256 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(numbers + 8), places_);
        return is_high_ ? reinterpret_cast<Floats>(high) : reinterpret_cast<Floats>(low);
    }

  private:
    __m256i places_;
    Ints is_high_;
#else
    [[gnu::always_inline]] explicit SixteenPlaces(Ints places) : places_(places) {}
    [[gnu::always_inline]] inline Floats of(const float* numbers) const {
        return read_floats(numbers, places_);
    }

  private:
    LaneCells places_;
#endif
};

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
        NoiseBlock& block = cells_.blocks[octave];
        Corners corners;
        if (holds(block, column, row) || move_to(octave, column, row)) {
            pick_corners(block, column, row, corners);
        } else {
            make_corners(octave, at, corners);
        }
        return in_cell(corners, at.x, at.y);
    }

  private:
    /// The gradients at the corners of each lane's cell: south-west, south-east, north-west, north-east.
    struct Corners {
        Floats x[4];
        Floats y[4];
    };

    [[gnu::always_inline]] static bool holds(const NoiseBlock& block, Ints column, Ints row) {
        constexpr std::uint32_t kLast = kCellsOfBlock - 1;
        // As words: a block that holds nothing yet lies further away than whole numbers reach.
        const auto beyond = [](Ints cells, std::int32_t first) {
            return reinterpret_cast<Words>(cells) - static_cast<std::uint32_t>(first) > kLast;
        };
        return !any_of(beyond(column, block.column) | beyond(row, block.row));
    }

    /// The first of as many columns or rows as a block has, with those of all lanes in their middle; false
    /// where these are more.
    [[gnu::always_inline]] static bool set_first(Ints cells, std::int32_t& first) {
        const Ints off =
            reinterpret_cast<Ints>(reinterpret_cast<Words>(cells) - static_cast<std::uint32_t>(cells[0]));
        if (any_of((off < 1 - kCellsOfBlock) | (off > kCellsOfBlock - 1))) return false;
        const auto has = [](Ints mask) { return any_of(mask) ? 1 : 0; };
        const int before = has(off < 0) + has(off < -1);
        const int behind = has(off > 0) + has(off > 1);
        const int others = kCellsOfBlock - 1 - before - behind;
        first = cells[0] - before - others / 2;
        return others >= 0;
    }

    /// Remembers a block that holds the cells of all lanes, if one does.
    bool move_to(int octave, Ints column, Ints row) {
        std::int32_t first_column = 0;
        std::int32_t first_row = 0;
        if (!set_first(column, first_column) || !set_first(row, first_row)) return false;
        NoiseBlock& block = cells_.blocks[octave];
        block.column = first_column;
        block.row = first_row;
        // A vector holds whole rows of nodes, or a part of one.
        constexpr int kVectorsOfRow = kDoubles < kNodesOfBlock ? kNodesOfBlock / kDoubles : 1;
        Bits of_columns[kVectorsOfRow];
        HalfInts row_in_vector{};
        for (int vector = 0; vector < kVectorsOfRow; ++vector) {
            HalfInts columns{};
            for (int lane = 0; lane < kDoubles; ++lane) {
                columns[lane] = first_column + (vector * kDoubles + lane) % kNodesOfBlock;
                row_in_vector[lane] = lane / kNodesOfBlock;
            }
            of_columns[vector] = mixed_bits(cells_.keys[octave] ^ as_bits(columns));
        }
        for (int node = 0; node < kNodesOfBlock * kNodesOfBlock; node += kDoubles) {
            const HalfInts rows = row_in_vector + (first_row + node / kNodesOfBlock);
            const HalfGradients gradients =
                unit_vectors(mixed_bits(of_columns[node / kDoubles % kVectorsOfRow] ^ as_bits(rows)));
            std::memcpy(block.x + node, &gradients.x, sizeof gradients.x);
            std::memcpy(block.y + node, &gradients.y, sizeof gradients.y);
        }
        return true;
    }

    [[gnu::always_inline]] static void pick_corners(const NoiseBlock& block, Ints column, Ints row,
                                                    Corners& corners) {
        const Ints south_west = (column - block.column) + kNodesOfBlock * (row - block.row);
        const auto step = [](int corner) { return corner % 2 + kNodesOfBlock * (corner / 2); };
        // Narrow vectors have no way to pick, and mostly lie in one cell.
        if (kLanes == 4 && !any_of(south_west != south_west[0])) {
            for (int corner = 0; corner < 4; ++corner) {
                corners.x[corner] = Floats{} + block.x[south_west[0] + step(corner)];
                corners.y[corner] = Floats{} + block.y[south_west[0] + step(corner)];
            }
            return;
        }
        for (int corner = 0; corner < 4; ++corner) {
            const SixteenPlaces places(south_west + step(corner));
            corners.x[corner] = places.of(block.x);
            corners.y[corner] = places.of(block.y);
        }
    }

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

    [[gnu::always_inline]] void make_corners(int octave, const LatticePlaces& at, Corners& corners) const {
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

    /// At (x, y) of cells.
    [[gnu::always_inline]] static Floats in_cell(const Corners& corners, Floats x, Floats y) {
        constexpr float kScale = 1.41421356F;
        const auto blended = [](Floats a, Floats b, Floats t) { return a + t * (b - a); };
        const Floats x1 = x - 1.0F;
        const Floats y1 = y - 1.0F;
        const Floats blend = quintic(x);
        const auto along = [&](int corner, Floats off_x, Floats off_y) {
            return corners.x[corner] * off_x + corners.y[corner] * off_y;
        };
        const Floats south = blended(along(0, x, y), along(1, x1, y), blend);
        const Floats other = blended(along(2, x, y1), along(3, x1, y1), blend);
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
