#include "thalweg/erosion/plane_fit.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/erosion/power.hpp"
#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr std::int64_t kRowsPerTask = 8;
constexpr double kReach = 1.99;  // cells, how far from the target nodes are looked for

std::size_t at(std::int64_t cell) {
    return static_cast<std::size_t>(cell);
}

/// Weighted least squares for z = z0 + p x + q y around the origin; gives z0.
class PlaneFit {
  public:
    void add(float weight, float x, float y, float z) {
        w_ += weight;
        x_ += weight * x;
        y_ += weight * y;
        xx_ += weight * x * x;
        xy_ += weight * x * y;
        yy_ += weight * y * y;
        z_ += weight * z;
        xz_ += weight * x * z;
        yz_ += weight * y * z;
    }

    [[nodiscard]] bool empty() const { return !(w_ > 0.0F); }

    /// Height of the plane at the origin; the weighted mean where the nodes lie (nearly) on one line.
    [[nodiscard]] float at_origin() const {
        const float mean_x = x_ / w_, mean_y = y_ / w_, mean_z = z_ / w_;
        const float cxx = xx_ / w_ - mean_x * mean_x, cyy = yy_ / w_ - mean_y * mean_y;
        const float cxy = xy_ / w_ - mean_x * mean_y;
        const float cxz = xz_ / w_ - mean_x * mean_z, cyz = yz_ / w_ - mean_y * mean_z;
        const float determinant = cxx * cyy - cxy * cxy;
        constexpr float kSmall = 1e-4F;  // of the spread squared: below it a plane is not determined
        if (determinant <= kSmall * (cxx + cyy) * (cxx + cyy)) return mean_z;
        const float p = (cxz * cyy - cyz * cxy) / determinant;
        const float q = (cyz * cxx - cxz * cxy) / determinant;
        return mean_z - p * mean_x - q * mean_y;
    }

  private:
    float w_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0, yy_ = 0, z_ = 0, xz_ = 0, yz_ = 0;
};

/// The plane at (column, row) of `lattice`, in fractional cells, from the nodes within reach. Heights are
/// taken relative to the nearest cell's, which keeps the sums precise.
float plane_at(const Field<float>& values, const Lattice& lattice, double column, double row, float width) {
    const Grid& grid = lattice.grid;
    const int first_column = std::max(0, static_cast<int>(std::ceil(column - kReach)));
    const int last_column = std::min(grid.columns - 1, static_cast<int>(std::floor(column + kReach)));
    const int first_row = std::max(0, static_cast<int>(std::ceil(row - kReach)));
    const int last_row = std::min(grid.rows - 1, static_cast<int>(std::floor(row + kReach)));
    const float sharpness = -1.442695041F / (2.0F * width * width);  // of the Gaussian, to base 2
    PlaneFit fit;
    float reference = kNoData;
    for (int r = first_row; r <= last_row; ++r) {
        for (int c = first_column; c <= last_column; ++c) {
            const std::int64_t cell = grid.index(c, r);
            const float value = values[cell];
            if (is_no_data(value)) continue;
            if (is_no_data(reference)) reference = value;
            float x = static_cast<float>(c - column);
            float y = static_cast<float>(r - row);
            if (lattice.displaced()) {
                x += lattice.offset_x[at(cell)];
                y += lattice.offset_y[at(cell)];
            }
            fit.add(fast_exp2(sharpness * (x * x + y * y)), x, y, value - reference);
        }
    }
    return fit.empty() ? kNoData : reference + fit.at_origin();
}

template <class Body>
void for_each_cell(const Grid& grid, const Body& body) {
    parallel_for(0, grid.rows, kRowsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (int row = static_cast<int>(first); row < last; ++row)
            for (int column = 0; column < grid.columns; ++column) body(column, row, grid.index(column, row));
    });
}

/// The plane through the neighbours of a node, without the node itself, and their mean squared distance in
/// cells.
float ring_plane(const Field<float>& elevation, const Lattice& lattice, int column, int row,
                 float& mean_square) {
    const std::int64_t cell = lattice.grid.index(column, row);
    PlaneFit fit;
    float squares = 0.0F;
    int count = 0;
    for (std::size_t d = 0; d < 8; ++d) {
        const int c = column + kColumnStep[d];
        const int r = row + kRowStep[d];
        if (!lattice.grid.contains(c, r) || is_no_data(elevation(c, r))) continue;
        const std::int64_t other = lattice.grid.index(c, r);
        float x = static_cast<float>(kColumnStep[d]);
        float y = static_cast<float>(kRowStep[d]);
        if (lattice.displaced()) {
            x += lattice.offset_x[at(other)] - lattice.offset_x[at(cell)];
            y += lattice.offset_y[at(other)] - lattice.offset_y[at(cell)];
        }
        fit.add(1.0F, x, y, elevation[other] - elevation[cell]);
        squares += x * x + y * y;
        ++count;
    }
    mean_square = count > 0 ? squares / static_cast<float>(count) : 0.0F;
    return count > 0 ? elevation[cell] + fit.at_origin() : elevation[cell];
}

}  // namespace

Field<float> upsample_nodes(const Field<float>& values, const Lattice& coarse, const Lattice& fine,
                            double width) {
    Field<float> result(fine.grid);
    for_each_cell(fine.grid, [&](int column, int row, std::int64_t cell) {
        double x = column;
        double y = row;
        if (fine.displaced()) {
            x += static_cast<double>(fine.offset_x[at(cell)]);
            y += static_cast<double>(fine.offset_y[at(cell)]);
        }
        // Fine cell x lies at x / 2 - 0.25 coarse cells.
        result[cell] = plane_at(values, coarse, x * 0.5 - 0.25, y * 0.5 - 0.25, static_cast<float>(width));
    });
    return result;
}

Field<float> resample_to_centres(const Field<float>& values, const Lattice& lattice, double width) {
    if (!lattice.displaced()) return values;
    Field<float> result(lattice.grid, kNoData);
    for_each_cell(lattice.grid, [&](int column, int row, std::int64_t cell) {
        if (is_no_data(values[cell])) return;
        result[cell] = plane_at(values, lattice, column, row, static_cast<float>(width));
    });
    return result;
}

Field<float> sample_at_nodes(const Field<float>& values, const Lattice& lattice) {
    if (!lattice.displaced()) return values;
    const Grid& grid = lattice.grid;
    Field<float> result(grid, kNoData);
    for_each_cell(grid, [&](int column, int row, std::int64_t cell) {
        if (is_no_data(values[cell])) return;
        const double c = column + static_cast<double>(lattice.offset_x[at(cell)]);
        const double r = row + static_cast<double>(lattice.offset_y[at(cell)]);
        result[cell] = sample_bilinear(values, {grid.x(c), grid.y(r)});
    });
    return result;
}

Field<float> upsample_jittered(const Field<float>& coarse, const Grid& fine, double jitter,
                               std::uint64_t seed) {
    Field<float> result(fine);
    const std::uint64_t size =
        static_cast<std::uint64_t>(fine.columns) << 32 | static_cast<std::uint64_t>(fine.rows);
    const double reach = 2.0 * jitter * coarse.grid().cell_size;
    for_each_cell(fine, [&](int column, int row, std::int64_t cell) {
        const std::uint64_t bits =
            random_bits(seed, Stream::UpsampleJitter, size, static_cast<std::uint64_t>(cell));
        const double x = fine.x(column) + reach * (unit_double(bits) - 0.5);
        const double y = fine.y(row) + reach * (unit_double(mix64(bits)) - 0.5);
        result[cell] = sample_bilinear(coarse, {x, y});
    });
    return result;
}

void diffuse_hillslopes(Field<float>& elevation, const Lattice& lattice,
                        const std::vector<std::uint8_t>& where, std::span<const float> uplift,
                        double hillslope_diffusivity, int sweeps) {
    const float scale = static_cast<float>(lattice.grid.cell_area() / (4.0 * hillslope_diffusivity));
    Field<float> next = elevation;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for_each_cell(lattice.grid, [&](int column, int row, std::int64_t cell) {
            if (where[at(cell)] == 0) return;
            float mean_square = 0.0F;
            const float plane = ring_plane(elevation, lattice, column, row, mean_square);
            next[cell] = plane + uplift[at(cell)] * mean_square * scale;
        });
        elevation = next;
    }
}

}  // namespace thalweg
