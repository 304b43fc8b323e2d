#include "thalweg/riverscape/beds/bed_points.hpp"
#include "thalweg/riverscape/beds/noise_lanes.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace thalweg {
namespace {

/// SamplePlace (grid/sample_place.hpp), a vector of them.
struct TerrainPlaces {
    HalfInts lower;
    Doubles fraction;
};

[[gnu::always_inline]] inline TerrainPlaces places_along(Doubles at, std::int32_t cells) {
    constexpr double kOnCentre = 1e-9;
    const Doubles last = Doubles{} + static_cast<double>(cells - 1);
    const Doubles within = at < 0.0 ? Doubles{} : last < at ? last : at;
    const HalfInts whole = __builtin_convertvector(within, HalfInts);
    const HalfInts most = HalfInts{} + (cells < 2 ? 0 : cells - 2);
    TerrainPlaces places;
    places.lower = whole < most ? whole : most;
    const Doubles fraction = within - __builtin_convertvector(places.lower, Doubles);
    const Doubles above = fraction < kOnCentre ? Doubles{} : fraction;
    places.fraction = above > 1.0 - kOnCentre ? Doubles{} + 1.0 : above;
    return places;
}

/// The weights of the cells at -1, 0, 1, 2 for samples at `t` in [0, 1].
struct CubicWeights {
    Doubles of[4];

    [[gnu::always_inline]] explicit CubicWeights(Doubles t) {
        const Doubles t2 = t * t;
        const Doubles t3 = t2 * t;
        of[0] = 0.5 * (-t3 + 2.0 * t2 - t);
        of[1] = 0.5 * (3.0 * t3 - 5.0 * t2 + 2.0);
        of[2] = 0.5 * (-3.0 * t3 + 4.0 * t2 + t);
        of[3] = 0.5 * (t3 - t2);
    }
};

/// The sixteen cells around the place that was asked for last.
class CellsAround {
  public:
    explicit CellsAround(const TerrainGrid& terrain) : terrain_(terrain) {}

    void move_to(std::int32_t column, std::int32_t row) {
        if (is_set_ && column == column_ && row == row_) return;
        is_set_ = true;
        column_ = column;
        row_ = row;
        const auto cell = [&](std::int64_t along, std::int64_t down) {
            return terrain_.elevation + down * terrain_.columns + along;
        };
        if (column > 0 && column + 2 < terrain_.columns && row > 0 && row + 2 < terrain_.rows) {
            for (int j = 0; j < 4; ++j) {
                FourFloats four;
                std::memcpy(&four, cell(column - 1, std::int64_t{row} + j - 1), sizeof four);
                const FourDoubles wide = __builtin_convertvector(four, FourDoubles);
                std::memcpy(values_ + std::ptrdiff_t{4} * j, &wide, sizeof wide);
            }
            return;
        }
        const auto kept = [](std::int64_t at, std::int64_t cells) {
            return at < 0 ? 0 : at < cells ? at : cells - 1;
        };
        for (int k = 0; k < 16; ++k)
            values_[k] = *cell(kept(std::int64_t{column} + k % 4 - 1, terrain_.columns),
                               kept(std::int64_t{row} + k / 4 - 1, terrain_.rows));
    }

    [[nodiscard, gnu::always_inline]] inline Doubles weighed(const CubicWeights& columns,
                                                             const CubicWeights& rows) const {
        Doubles sum{};
        for (int j = 0; j < 4; ++j) {
            Doubles along_row{};
            for (int k = 0; k < 4; ++k) along_row += columns.of[k] * values_[4 * j + k];
            sum += rows.of[j] * along_row;
        }
        return sum;
    }

  private:
    using FourFloats = float __attribute__((vector_size(16)));
    using FourDoubles = double __attribute__((vector_size(32)));

    const TerrainGrid& terrain_;
    bool is_set_ = false;
    std::int32_t column_ = 0;
    std::int32_t row_ = 0;
    double values_[16] = {};  // m
};

}  // namespace

template <>
bool terrain_in_lanes<kLanes>(const TerrainGrid& terrain, const double* x, const double* y,
                              std::int64_t count, float* elevation) {
    constexpr unsigned kAll = (1U << kDoubles) - 1U;
    CellsAround cells(terrain);
    HalfInts is_missing{};
    for (std::int64_t i = 0; i < count; i += kDoubles) {
        Doubles east;
        Doubles north;
        std::memcpy(&east, x + i, sizeof east);
        std::memcpy(&north, y + i, sizeof north);
        const TerrainPlaces columns =
            places_along((east - terrain.west) / terrain.cell_size - 0.5, terrain.columns);
        const TerrainPlaces rows =
            places_along((terrain.north - north) / terrain.cell_size - 0.5, terrain.rows);
        const CubicWeights of_columns(columns.fraction);
        const CubicWeights of_rows(rows.fraction);
        // Cell by cell, of those that points lie in: mostly one.
        Doubles sum{};
        for (unsigned left = kAll; left != 0;) {
            const int lane = __builtin_ctz(left);
            const std::int32_t column = columns.lower[lane];
            const std::int32_t row = rows.lower[lane];
            cells.move_to(column, row);
            const HalfInts is_there = (columns.lower == column) & (rows.lower == row);
            sum = __builtin_convertvector(is_there, LongInts) ? cells.weighed(of_columns, of_rows) : sum;
            left &= ~bits_of(joined(is_there, HalfInts{}));
        }
        const HalfFloats found = __builtin_convertvector(sum, HalfFloats);
        std::memcpy(elevation + i, &found, sizeof found);
        is_missing |= found != found;
    }
    return !any_of(joined(is_missing, HalfInts{}));
}

}  // namespace thalweg
