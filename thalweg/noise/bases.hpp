// The noises of one wavelength that terrain is summed from. Each is a pure function of its key and a position
// on a lattice of unit cells; an object only remembers the lattice cell that it was last asked about.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/core/unit_vector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace thalweg {

/// Random bits of lattice point (column, row).
inline std::uint64_t lattice_bits(std::uint64_t key, std::int64_t column, std::int64_t row) {
    return mix64(mix64(key ^ static_cast<std::uint64_t>(column)) ^ static_cast<std::uint64_t>(row));
}

/// A coordinate's lattice cell, and where in the cell it lies.
struct LatticePlace {
    std::int64_t cell = 0;
    float fraction = 0.0F;  // [0, 1]
};

inline LatticePlace lattice_place(double coordinate) {
    auto cell = static_cast<std::int64_t>(coordinate);
    if (coordinate < static_cast<double>(cell)) --cell;
    return {cell, static_cast<float>(coordinate - static_cast<double>(cell))};
}

/// Random gradients at the four corners of a lattice cell.
class CornerGradients {
  public:
    explicit CornerGradients(std::uint64_t key) : key_(key) {}

    void move_to(std::int64_t column, std::int64_t row) {
        if (column == column_ && row == row_) return;
        column_ = column;
        row_ = row;
        for (int corner = 0; corner < 4; ++corner) {
            const UnitVector gradient =
                unit_vector(lattice_bits(key_, column + corner % 2, row + corner / 2));
            x_[corner] = static_cast<float>(gradient.x);
            y_[corner] = static_cast<float>(gradient.y);
        }
    }

    /// Gradient at corner (i, j) of the cell, times the offset (x, y) from it.
    template <class Value>
    [[nodiscard]] Value dot(int i, int j, Value x, Value y) const {
        return x_[2 * j + i] * x + y_[2 * j + i] * y;
    }

  private:
    std::uint64_t key_;
    std::int64_t column_ = INT64_MIN;
    std::int64_t row_ = INT64_MIN;
    float x_[4] = {};
    float y_[4] = {};
};

/// Gradient noise: random gradients at the lattice points, blended by the quintic 6t^5 - 15t^4 + 10t^3
/// (Perlin 2002; differs in: gradients point everywhere on the circle). Mean 0, range [-1, 1], two continuous
/// derivatives, 0 at the lattice points.
class GradientBasis {
  public:
    explicit GradientBasis(std::uint64_t key) : gradients_(key) {}

    float operator()(double u, double v) {
        const LatticePlace along_u = lattice_place(u);
        const LatticePlace along_v = lattice_place(v);
        return in_cell(along_u.cell, along_v.cell, along_u.fraction, along_v.fraction);
    }

    /// At (x, y), [0, 1], of a lattice cell: one place, or a vector of them.
    template <class Value>
    Value in_cell(std::int64_t column, std::int64_t row, Value x, Value y) {
        gradients_.move_to(column, row);
        const Value blend_x = quintic(x);
        const Value south = mixed(gradients_.dot(0, 0, x, y), gradients_.dot(1, 0, x - 1.0F, y), blend_x);
        const Value north =
            mixed(gradients_.dot(0, 1, x, y - 1.0F), gradients_.dot(1, 1, x - 1.0F, y - 1.0F), blend_x);
        return kScale * mixed(south, north, quintic(y));
    }

    template <class Value>
    static constexpr Value quintic(Value t) {
        return t * t * t * (t * (t * 6.0F - 15.0F) + 10.0F);
    }

  private:
    /// 1 / the greatest blend, which is at a cell's middle with all gradients towards it: sqrt(1/2).
    static constexpr float kScale = 1.41421356F;

    template <class Value>
    static Value mixed(Value a, Value b, Value t) {
        return a + t * (b - a);
    }

    CornerGradients gradients_;
};

/// Simplex noise: random gradients at the corners of equilateral triangles, each faded by (1/2 - r^2)^4
/// (Perlin 2001, Gustavson 2005; differs in: gradients point everywhere on the circle). Mean 0, range [-1,
/// 1], three continuous derivatives, 0 at the corners, which lie sqrt(2/3) apart.
class SimplexBasis {
  public:
    explicit SimplexBasis(std::uint64_t key) : gradients_(key) {}

    float operator()(double u, double v) {
        // Skew the triangles into halves of unit cells.
        const double skew = (u + v) * kSkew;
        const LatticePlace along_u = lattice_place(u + skew);
        const LatticePlace along_v = lattice_place(v + skew);
        gradients_.move_to(along_u.cell, along_v.cell);
        const float back = (along_u.fraction + along_v.fraction) * kUnskew;
        const float x = along_u.fraction - back;
        const float y = along_v.fraction - back;
        // Add the cell's two far corners and the one on this side of its diagonal.
        const int i = x > y ? 1 : 0;
        const int j = 1 - i;
        const float side_x = x - static_cast<float>(i) + kUnskew;
        const float side_y = y - static_cast<float>(j) + kUnskew;
        return kScale * (corner(0, 0, x, y) + corner(i, j, side_x, side_y) +
                         corner(1, 1, x - 1.0F + 2.0F * kUnskew, y - 1.0F + 2.0F * kUnskew));
    }

  private:
    static constexpr double kSkew = 0.366025403784438647;  // (sqrt(3) - 1) / 2
    static constexpr float kUnskew = 0.211324865F;         // (3 - sqrt(3)) / 6
    /// 1 / the greatest sum over a triangle, with all gradients towards the point; found by search.
    static constexpr float kScale = 99.2043346F;

    [[nodiscard]] float corner(int i, int j, float x, float y) const {
        const float reach = std::max(0.0F, 0.5F - x * x - y * y);
        return reach * reach * reach * reach * gradients_.dot(i, j, x, y);
    }

    CornerGradients gradients_;
};

/// Distances from a position to the nearest of random points, one in each lattice cell (Worley 1996), exact.
class NearestPoints {
  public:
    /// In cells: the nearest is at most sqrt(2) away, the second nearest at most sqrt(1.5^2 + 1).
    struct Distances {
        float first = 0.0F;
        float second = 0.0F;
    };
    static constexpr float kGreatestFirst = 1.41421356F;
    static constexpr float kGreatestSecond = 1.80277564F;

    explicit NearestPoints(std::uint64_t key) : key_(key) {}

    Distances at(double u, double v) {
        const LatticePlace along_u = lattice_place(u);
        const LatticePlace along_v = lattice_place(v);
        move_to(along_u.cell, along_v.cell);
        const float x = along_u.fraction;
        const float y = along_v.fraction;
        Squares nearest;
        for (int i = 0; i < kInner; ++i) nearest.take(x, y, points_[i]);
        // Look at the outer ring only when one of its points can be nearer.
        const float to_neighbourhood = 1.0F + std::min(std::min(x, 1.0F - x), std::min(y, 1.0F - y));
        if (nearest.second > to_neighbourhood * to_neighbourhood)
            for (int i = kInner; i < kAll; ++i) nearest.take(x, y, points_[i]);
        return {std::sqrt(nearest.first), std::sqrt(nearest.second)};
    }

  private:
    static constexpr int kInner = 9;  // cells of the 3 x 3 block, which come first
    static constexpr int kAll = 25;   // cells of the 5 x 5 block

    struct Point {
        float x = 0.0F;
        float y = 0.0F;
    };

    /// The two smallest squared distances so far.
    struct Squares {
        float first = 16.0F;
        float second = 16.0F;

        void take(float x, float y, Point point) {
            const float square = (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y);
            second = std::min(second, std::max(first, square));
            first = std::min(first, square);
        }
    };

    void move_to(std::int64_t column, std::int64_t row) {
        if (column == column_ && row == row_) return;
        column_ = column;
        row_ = row;
        int inner = 0;
        int outer = kInner;
        for (int j = -2; j <= 2; ++j) {
            for (int i = -2; i <= 2; ++i) {
                const bool is_inner = std::max(std::abs(i), std::abs(j)) < 2;
                const std::uint64_t bits = lattice_bits(key_, column + i, row + j);
                points_[is_inner ? inner++ : outer++] = {static_cast<float>(i) + unit_float(bits),
                                                         static_cast<float>(j) + unit_float(mix64(bits))};
            }
        }
    }

    std::uint64_t key_;
    std::int64_t column_ = INT64_MIN;
    std::int64_t row_ = INT64_MIN;
    std::array<Point, kAll> points_;
};

/// Cellular noise F1: the distance to the nearest random point as a share of its greatest value. Range [0,
/// 1], continuous, creased half way between points.
class CellularBasis {
  public:
    explicit CellularBasis(std::uint64_t key) : points_(key) {}
    float operator()(double u, double v) { return points_.at(u, v).first / NearestPoints::kGreatestFirst; }

  private:
    NearestPoints points_;
};

/// Cellular noise F2 - F1: 0 on the borders between cells, greatest at the points. Range [0, 1], continuous.
class CellularEdgesBasis {
  public:
    explicit CellularEdgesBasis(std::uint64_t key) : points_(key) {}
    float operator()(double u, double v) {
        const NearestPoints::Distances distances = points_.at(u, v);
        return (distances.second - distances.first) / NearestPoints::kGreatestSecond;
    }

  private:
    NearestPoints points_;
};

}  // namespace thalweg
