#include "thalweg/erosion/transfer/jittered_upsampling.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/transfer/jitter_rows.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

namespace thalweg {
namespace {

void jitter(const JitterRow& row, float* result) {
    in_lanes([&](auto lanes) { jitter_in_lanes<lanes()>(row, result); });
}

/// Fills rows of the fine field, one after another.
class JitteredRows {
  public:
    JitteredRows(const Field<float>& coarse, double reach, std::uint64_t draw_key)
        : coarse_(coarse), reach_(static_cast<float>(reach)), draw_key_(draw_key) {
        const std::int64_t vectors = (coarse.columns() + kWidestVector - 1) / kWidestVector;
        const std::size_t whole = at(vectors * kWidestVector);
        for (std::vector<float>* const row : {&own_, &beside_}) row->resize(whole + 2);
        for (std::vector<float>& child : children_) child.resize(whole);
    }

    void fill(int row, Field<float>& fine) {
        const int row_side = side_of(row), parent = row / 2;
        read(parent, own_);
        read(std::clamp(parent + row_side, 0, coarse_.rows() - 1), beside_);
        for (const int odd : {0, 1})
            jitter({.own = own_.data() + 1,
                    .beside = beside_.data() + 1,
                    .count = coarse_.columns(),
                    .column_side = side_of(odd),
                    .row_side = row_side,
                    .reach = reach_,
                    .draw_key = draw_key_,
                    .first_cell = static_cast<std::uint32_t>(fine.grid().index(odd, row))},
                   children_[at(odd)].data());
        write(fine.data() + fine.grid().index(0, row), fine.columns());
    }

  private:
    /// On which side of its parent's centre a fine row or column lies.
    static int side_of(int fine) { return fine % 2 == 0 ? -1 : 1; }

    /// A coarse row, its ends repeated.
    void read(int row, std::vector<float>& values) const {
        const float* const cells = coarse_.data() + coarse_.grid().index(0, row);
        values.front() = cells[0];
        std::copy_n(cells, coarse_.columns(), values.begin() + 1);
        values[at(coarse_.columns() + 1)] = cells[coarse_.columns() - 1];
    }

    /// Western and eastern children in turns.
    void write(float* row, int columns) const {
        const float* const west = children_[0].data();
        const float* const east = children_[1].data();
        for (std::int64_t pair = 0; pair < columns / 2; ++pair) {
            row[2 * pair] = west[pair];
            row[2 * pair + 1] = east[pair];
        }
        if (columns % 2 != 0) row[columns - 1] = west[columns / 2];
    }

    const Field<float>& coarse_;
    float reach_;  // coarse cells
    std::uint64_t draw_key_;
    std::vector<float> own_;     // the parents' row
    std::vector<float> beside_;  // the coarse row nearest next
    std::array<std::vector<float>, 2> children_;
};

}  // namespace

Field<float> upsample_jittered(const Field<float>& coarse, const Grid& fine, double jitter,
                               std::uint64_t seed, Progress& progress) {
    assert(jitter >= 0.0 && jitter <= 0.25);
    assert(coarse.columns() == fine.coarser().columns && coarse.rows() == fine.coarser().rows);
    const std::uint64_t size =
        static_cast<std::uint64_t>(fine.columns) << 32 | static_cast<std::uint64_t>(fine.rows);
    const std::uint64_t draw_key = random_bits(seed, Stream::UpsampleJitter, size);
    Field<float> result(fine);
    const std::int64_t rows_per_task = std::max<std::int64_t>(1, kCellsPerPiece / fine.columns);
    parallel_for(0, fine.rows, rows_per_task, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        JitteredRows rows(coarse, jitter, draw_key);
        for (std::int64_t row = first; row < last; ++row) rows.fill(static_cast<int>(row), result);
    });
    return result;
}

}  // namespace thalweg
