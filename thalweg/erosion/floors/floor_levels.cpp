#include "thalweg/erosion/floors/floor_levels.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/erosion/floors/march.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

constexpr float kCrossing = 0.005F;      // m/m, at most, of beds that cross another river's floor (by eye)
constexpr float kSteepening = 0.12F;     // m/m, by which walls are steeper than the ground was (by eye)
constexpr float kLeastWall = 0.4F;       // m/m, slope of walls in flat ground (by eye)
constexpr float kCutBack = 2.0F;         // how much steeper a tributary is cut than it was (by eye)
constexpr float kWider = 1.3F;           // how much wider the floor is that takes in a bed (empirical)

/// Whether a bed lies on the floor of a wider river.
bool crosses_floor(const FloorRivers& rivers, const FloorFront& front, const FloorRiver& river) {
    const std::int32_t from = front.river[at(river.cell)];
    if (from < 0 || rivers.rivers[at(from)].cell == river.cell) return false;
    const bool is_on_floor = front.beyond[at(river.cell)] < -river.half_width;
    return is_on_floor && rivers.rivers[at(from)].half_width > kWider * river.half_width;
}

/// E from the neighbours along whose axes the front came.
class Levels {
  public:
    Levels(const ValleyFloorInputs& inputs, const FloorRivers& rivers, const FloorFront& front)
        : elevation_(inputs.elevation), rivers_(rivers), front_(front),
          cell_size_(static_cast<float>(elevation_.grid().cell_size)),
          level_(at(elevation_.size()), kNotReached) {}

    std::vector<float> of_front(const std::vector<float>& beds) {
        for (std::size_t i = 0; i < beds.size(); ++i)
            level_[at(rivers_.rivers[i].cell)] = beds[i] + rivers_.rivers[i].bank;
        for (const std::int32_t cell : front_.order)
            if (!rivers_.has(cell)) level_[at(cell)] = level_of(cell);
        return std::move(level_);
    }

  private:
    /// The neighbour along an axis from which the front came, or -1.
    [[nodiscard]] std::int32_t origin(std::int32_t cell, int axis) const {
        const Grid& grid = elevation_.grid();
        const int column = grid.column_of(cell), row = grid.row_of(cell);
        std::int32_t best = -1;
        float least = front_.beyond[at(cell)];
        for (const int d : {axis, opposite(axis)}) {
            if (!grid.contains(column + kColumnStep[d], row + kRowStep[d])) continue;
            const auto next = static_cast<std::int32_t>(
                grid.index(column + kColumnStep[d], row + kRowStep[d]));
            if (!(front_.beyond[at(next)] < least) || !std::isfinite(level_[at(next)])) continue;
            least = front_.beyond[at(next)];
            best = next;
        }
        return best;
    }

    [[nodiscard]] float level_of(std::int32_t cell) const {
        const float here = front_.beyond[at(cell)];
        float sum = 0.0F, weights = 0.0F, squares = 0.0F;
        for (const int axis : {0, 2}) {
            const std::int32_t from = origin(cell, axis);
            if (from < 0) continue;
            const float weight = here - front_.beyond[at(from)];
            sum += weight * level_[at(from)];
            weights += weight;
            squares += weight * weight;
        }
        if (!(weights > 0.0F)) return kNotReached;
        // Along the front's way a cell is sqrt(squares) of d, of which weights are between the origins.
        const float step = cell_size_ * std::sqrt(squares) / weights;
        return sum / weights + step * slope_at(cell);
    }

    [[nodiscard]] float slope_at(std::int32_t cell) const {
        const float share = floor_share(front_, rivers_, cell, cell_size_);
        if (share == 0.0F) return wall_slope(elevation_, cell);
        const float floor = rivers_.rivers[at(front_.river[at(cell)])].cross_slope;
        return share == 1.0F ? floor : share * floor + (1.0F - share) * wall_slope(elevation_, cell);
    }

    const Field<float>& elevation_;
    const FloorRivers& rivers_;
    const FloorFront& front_;
    const float cell_size_;
    std::vector<float> level_;
};

}  // namespace

std::vector<float> floor_beds(const ValleyFloorInputs& inputs, const FloorRivers& rivers,
                              const FloorFront& front) {
    std::vector<float> beds(rivers.rivers.size());
    for (std::size_t i = 0; i < beds.size(); ++i) {
        const FloorRiver& river = rivers.rivers[i];
        const float old = inputs.elevation[river.cell];
        beds[i] = old;
        if (river.receiver < 0) continue;
        const float below = beds[at(rivers.number[at(river.receiver)])];
        const float drop = old - inputs.elevation[river.receiver];
        float most = std::min(kCutBack * drop, drop + kSteepening * river.length);
        if (crosses_floor(rivers, front, river)) most = std::min(most, kCrossing * river.length);
        beds[i] = std::min(old, std::max(below + most, std::nextafter(below, kNotReached)));
    }
    return beds;
}

std::vector<float> floor_levels(const ValleyFloorInputs& inputs, const FloorRivers& rivers,
                                const FloorFront& front, const std::vector<float>& beds) {
    return Levels(inputs, rivers, front).of_front(beds);
}

float wall_slope(const Field<float>& elevation, std::int64_t cell) {
    const Grid& grid = elevation.grid();
    const int column = grid.column_of(cell), row = grid.row_of(cell);
    std::array<float, 2> drop = {0.0F, 0.0F};
    for (int d = 0; d < 8; d += 2) {
        if (!grid.contains(column + kColumnStep[d], row + kRowStep[d])) continue;
        const float next = elevation(column + kColumnStep[d], row + kRowStep[d]);
        if (is_no_data(next)) continue;
        float& along = drop[at(d / 2 % 2)];
        along = std::max(along, elevation[cell] - next);
    }
    const auto cell_size = static_cast<float>(grid.cell_size);
    const float ground = std::sqrt(drop[0] * drop[0] + drop[1] * drop[1]) / cell_size;
    return std::max(kLeastWall, ground + kSteepening);
}

}  // namespace thalweg
