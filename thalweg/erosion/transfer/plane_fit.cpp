#include "thalweg/erosion/transfer/plane_fit.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/power.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/transfer/creep_rows.hpp"
#include "thalweg/erosion/transfer/plane_rows.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kRowsPerTask = 8;
constexpr float kBinaryGaussian = -0.721347520F;  // -1 / (2 ln 2): exp(-d^2 / 2) = 2^(this d^2)

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
        lowest_ = std::min(lowest_, z);
        highest_ = std::max(highest_, z);
        xz_ += weight * x * z;
        yz_ += weight * y * z;
    }

    [[nodiscard]] bool empty() const { return !(w_ > 0.0F); }

    /// Height of the plane at the origin, within the range of its nodes.
    [[nodiscard]] float within_nodes() const { return std::clamp(at_origin(), lowest_, highest_); }

    /// Height of the plane at the origin; the weighted mean where the nodes lie (nearly) on one line.
    [[nodiscard]] float at_origin() const {
        const float mean_x = x_ / w_, mean_y = y_ / w_, mean_z = z_ / w_;
        const float cxx = xx_ / w_ - mean_x * mean_x, cyy = yy_ / w_ - mean_y * mean_y;
        const float cxy = xy_ / w_ - mean_x * mean_y;
        const float cxz = xz_ / w_ - mean_x * mean_z, cyz = yz_ / w_ - mean_y * mean_z;
        const float determinant = cxx * cyy - cxy * cxy;
        constexpr float kSmall =
            1e-4F;  // of the spread squared: below it a plane is not determined (empirical)
        if (determinant <= kSmall * (cxx + cyy) * (cxx + cyy)) return mean_z;
        const float p = (cxz * cyy - cyz * cxy) / determinant;
        const float q = (cyz * cxx - cxz * cxy) / determinant;
        return mean_z - p * mean_x - q * mean_y;
    }

  private:
    float w_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0, yy_ = 0, z_ = 0, xz_ = 0, yz_ = 0;
    float lowest_ = std::numeric_limits<float>::max(), highest_ = std::numeric_limits<float>::lowest();
};

/// The plane at (column, row) of `lattice`, in fractional cells, from the nodes within reach. Heights are
/// taken relative to the first cell's with data, which keeps the sums precise.
float plane_at(const Field<float>& values, const Lattice& lattice, double column, double row, float width) {
    const Grid& grid = lattice.grid;
    const int nearest_column = static_cast<int>(std::lround(column));
    const int nearest_row = static_cast<int>(std::lround(row));
    const int first_column = std::max(0, nearest_column - kPlaneReach);
    const int last_column = std::min(grid.columns - 1, nearest_column + kPlaneReach);
    const int first_row = std::max(0, nearest_row - kPlaneReach);
    const int last_row = std::min(grid.rows - 1, nearest_row + kPlaneReach);
    const float sharpness = kBinaryGaussian / (width * width);
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
    return fit.empty() ? kNoData : reference + fit.within_nodes();
}

template <class Body>
void for_each_cell(const Grid& grid, Progress& progress, const Body& body) {
    for_each_row(grid, [&](int row) {
        progress.poll();
        for (int column = 0; column < grid.columns; ++column) body(column, row, grid.index(column, row));
    });
}

void planes(const PlaneRun& run, float* const* results) {
    in_lanes([&](auto lanes) { planes_in_lanes<lanes()>(run, results); });
}

void creep(const CreepRow& row, float* result) {
    in_lanes([&](auto lanes) { creep_in_lanes<lanes()>(row, result); });
}

/// A run that begins beside `cell`; window and count are left to the caller.
PlaneRun run_beside(std::span<const Field<float>* const> fields, const Lattice& lattice, std::int64_t cell,
                    float width, const std::vector<float>& target_x, const std::vector<float>& target_y) {
    PlaneRun run{};
    for (std::size_t i = 0; i < fields.size(); ++i) run.values[i] = fields[i]->data() + cell;
    run.fields = fields.size();
    run.offset_x = lattice.offset_x.data() + cell;
    run.offset_y = lattice.offset_y.data() + cell;
    run.stride = lattice.grid.columns;
    run.target_x = target_x.data();
    run.target_y = target_y.data();
    run.sharpness = kBinaryGaussian / (width * width);
    return run;
}

/// A node's place in fractional columns and rows.
Position node_position(const Lattice& lattice, int column, int row) {
    if (!lattice.displaced()) return {static_cast<double>(column), static_cast<double>(row)};
    const std::size_t cell = at(lattice.grid.index(column, row));
    return {column + static_cast<double>(lattice.offset_x[cell]),
            row + static_cast<double>(lattice.offset_y[cell])};
}

/// Columns [begin, end) of a row.
struct ColumnRange {
    int begin;
    int end;
};

/// Fills rows of upsampled fields in vectors, but for the cells near the edges. A fine cell of even column
/// or row lies a quarter of a coarse cell before its parent's centre, of odd ones behind: its window is the 3
/// nearest columns or rows.
class UpsampledRow {
  public:
    UpsampledRow(std::span<const Field<float>* const> fields, const Lattice& coarse, const Lattice& fine,
                 float width)
        : fields_(fields), coarse_(coarse), fine_(fine), width_(width) {
        const std::size_t parents = at(coarse.grid.columns);
        target_x_.resize(parents);
        target_y_.resize(parents);
        for (auto& of_parity : results_)
            for (std::vector<float>& result : of_parity) result.resize(parents);
    }

    /// The columns of fine row `row` that were filled.
    ColumnRange fill(int row, std::span<Field<float>> results) {
        const int parents = coarse_.grid.columns - 4;  // those at least 2 columns from either edge
        if (parents < kWidestVector || !coarse_.displaced() || !fine_.displaced()) return {0, 0};
        for (const int odd_column : {0, 1}) fit_parity(row, parents, odd_column);
        for (std::size_t i = 0; i < results.size(); ++i) {
            float* const both = results[i].data() + fine_.grid.index(4, row);
            in_lanes([&](auto lanes) {
                alternate_in_lanes<lanes()>(results_[0][i].data(), results_[1][i].data(), parents, both);
            });
        }
        return {4, 4 + 2 * parents};
    }

  private:
    void fit_parity(int row, int parents, int odd_column) {
        const std::int64_t first = fine_.grid.index(4 + odd_column, row);
        const auto place = [&](const std::vector<float>& offset, int odd, std::vector<float>& target) {
            const float centre = odd != 0 ? 0.25F : -0.25F;
            in_lanes([&](auto lanes) {
                child_places_in_lanes<lanes()>(offset.data() + first, centre, parents, target.data());
            });
        };
        place(fine_.offset_x, odd_column, target_x_);
        place(fine_.offset_y, row % 2, target_y_);
        PlaneRun run =
            run_beside(fields_, coarse_, coarse_.grid.index(2, row / 2), width_, target_x_, target_y_);
        run.first_row = std::max(-kPlaneReach, -row / 2);
        run.last_row = std::min(kPlaneReach, coarse_.grid.rows - 1 - row / 2);
        run.count = parents;
        std::array<std::vector<float>, kMostFields>& results = results_[at(odd_column)];
        planes(run, std::array{results[0].data(), results[1].data()}.data());
    }

    std::span<const Field<float>* const> fields_;
    const Lattice& coarse_;
    const Lattice& fine_;
    float width_;
    std::vector<float> target_x_;
    std::vector<float> target_y_;
    std::array<std::array<std::vector<float>, kMostFields>, 2> results_;  // of even and of odd columns
};

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
        const Link way = lattice.link(cell, other, d);
        fit.add(1.0F, way.x, way.y, elevation[other] - elevation[cell]);
        squares += way.x * way.x + way.y * way.y;
        ++count;
    }
    mean_square = count > 0 ? squares / static_cast<float>(count) : 0.0F;
    return count > 0 ? elevation[cell] + fit.at_origin() : elevation[cell];
}

template <std::size_t Count>
std::array<Field<float>, Count> upsample(const std::array<const Field<float>*, Count>& fields,
                                         const Lattice& coarse, const Lattice& fine, double width,
                                         Progress& progress) {
    std::array<Field<float>, Count> results;
    for (Field<float>& result : results) result = Field<float>(fine.grid);
    const float gaussian = static_cast<float>(width);
    const auto single = [&](int column, int row) {
        // Fine cell x lies at x / 2 - 0.25 coarse cells.
        const Position node = node_position(fine, column, row);
        for (std::size_t i = 0; i < Count; ++i)
            results[i](column, row) =
                plane_at(*fields[i], coarse, node.x * 0.5 - 0.25, node.y * 0.5 - 0.25, gaussian);
    };
    parallel_for(0, fine.grid.rows, kRowsPerTask, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        UpsampledRow vectors(fields, coarse, fine, gaussian);
        for (int row = static_cast<int>(first); row < last; ++row) {
            const ColumnRange done = vectors.fill(row, results);
            for (int column = 0; column < done.begin; ++column) single(column, row);
            for (int column = done.end; column < fine.grid.columns; ++column) single(column, row);
        }
    });
    return results;
}

}  // namespace

Field<float> upsample_nodes(const Field<float>& values, const Lattice& coarse, const Lattice& fine,
                            double width, Progress& progress) {
    return std::move(upsample<1>({&values}, coarse, fine, width, progress)[0]);
}

std::array<Field<float>, 2> upsample_both(const Field<float>& one, const Field<float>& other,
                                          const Lattice& coarse, const Lattice& fine, double width,
                                          Progress& progress) {
    return upsample<2>({&one, &other}, coarse, fine, width, progress);
}

Field<float> resample_to_centres(const Field<float>& values, const Lattice& lattice, double width,
                                 Progress& progress) {
    if (!lattice.displaced()) return values;
    const Grid& grid = lattice.grid;
    const float gaussian = static_cast<float>(width);
    Field<float> result(grid, kNoData);
    const std::vector<float> centre(at(grid.columns), 0.0F);
    parallel_for(0, grid.rows, kRowsPerTask, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        for (int row = static_cast<int>(first); row < last; ++row) {
            const bool inner = row > 0 && row + 1 < grid.rows && grid.columns - 2 >= kWidestVector;
            if (inner) {
                PlaneRun run =
                    run_beside(std::array{&values}, lattice, grid.index(1, row), gaussian, centre, centre);
                run.first_row = -kPlaneReach;
                run.last_row = kPlaneReach;
                run.count = grid.columns - 2;
                planes(run, std::array{result.data() + grid.index(1, row)}.data());
            }
            for (int column = 0; column < grid.columns; column += inner ? grid.columns - 1 : 1)
                result(column, row) = plane_at(values, lattice, column, row, gaussian);
            const float* const before = values.data() + grid.index(0, row);
            float* const after = result.data() + grid.index(0, row);
            for (int column = 0; column < grid.columns; ++column)
                after[column] = is_no_data(before[column]) ? kNoData : after[column];
        }
    });
    return result;
}

Field<float> sample_at_nodes(const Field<float>& values, const Lattice& lattice, Progress& progress) {
    if (!lattice.displaced()) return values;
    const Grid& grid = lattice.grid;
    Field<float> result(grid, kNoData);
    for_each_cell(grid, progress, [&](int column, int row, std::int64_t cell) {
        if (is_no_data(values[cell])) return;
        const double c = column + static_cast<double>(lattice.offset_x[at(cell)]);
        const double r = row + static_cast<double>(lattice.offset_y[at(cell)]);
        result[cell] = sample_bilinear(values, {grid.x(c), grid.y(r)});
    });
    return result;
}

void diffuse_hillslopes(Field<float>& elevation, const Lattice& lattice,
                        const std::vector<std::uint8_t>& where, std::span<const float> uplift,
                        double hillslope_diffusivity, int sweeps, Progress& progress) {
    const Grid& grid = lattice.grid;
    const float scale = static_cast<float>(grid.cell_area() / (4.0 * hillslope_diffusivity));
    Field<float> next(grid);
    const auto single = [&](int column, int row) {
        const std::int64_t cell = grid.index(column, row);
        next[cell] = elevation[cell];
        if (where[at(cell)] == 0) return;
        float mean_square = 0.0F;
        const float plane = ring_plane(elevation, lattice, column, row, mean_square);
        next[cell] = plane + uplift[at(cell)] * mean_square * scale;
    };
    const bool in_vectors = vector_lanes() > 1 && grid.columns - 2 >= kWidestVector;
    const std::vector<float> none(lattice.displaced() ? 0 : 3 * at(grid.columns), 0.0F);  // of three rows
    const auto offsets_from = [&](const std::vector<float>& offsets, std::int64_t first) {
        return lattice.displaced() ? offsets.data() + first : none.data() + grid.columns + 1;
    };
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for_each_row(grid, [&](int row) {
            progress.poll();
            const bool inner = in_vectors && row > 0 && row + 1 < grid.rows;
            if (inner) {
                const std::int64_t first = grid.index(1, row);
                creep({.elevation = elevation.data() + first,
                       .offset_x = offsets_from(lattice.offset_x, first),
                       .offset_y = offsets_from(lattice.offset_y, first),
                       .where = where.data() + first,
                       .uplift = uplift.data() + first,
                       .stride = grid.columns,
                       .count = grid.columns - 2,
                       .scale = scale},
                      next.data() + first);
            }
            for (int column = 0; column < grid.columns; column += inner ? grid.columns - 1 : 1)
                single(column, row);
        });
        std::swap(elevation, next);
    }
}

}  // namespace thalweg
