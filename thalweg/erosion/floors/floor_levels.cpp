#include "thalweg/erosion/floors/floor_levels.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/erosion/floors/march.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr float kCrossing = 0.005F;   // m/m, at most, of beds that cross another river's floor (by eye)
constexpr float kSteepening = 0.12F;  // m/m, by which walls are steeper than the ground was (by eye)
constexpr float kCutBack = 2.0F;      // how much steeper a tributary is cut than it was (by eye)
constexpr float kWider = 1.3F;        // how much wider the floor is that takes in a bed (empirical)

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
        : elevation_(inputs.elevation),
          rivers_(rivers),
          front_(front),
          cell_size_(static_cast<float>(elevation_.grid().cell_size)),
          steps_(elevation_.grid()),
          level_(at(elevation_.size()), kNotReached) {}

    std::vector<float> of_front(const std::vector<float>& beds) {
        for (std::size_t i = 0; i < beds.size(); ++i)
            level_[at(rivers_.rivers[i].cell)] = beds[i] + rivers_.rivers[i].bank;
        for_each_polled(front_.order, [&](std::int32_t cell) {
            if (!rivers_.has(cell)) level_[at(cell)] = level_of(cell);
        });
        return std::move(level_);
    }

  private:
    /// Of two neighbours, the one from which the front came, or -1.
    [[nodiscard]] std::int32_t origin(std::int32_t cell, std::int32_t a, std::int32_t b) const {
        std::int32_t best = -1;
        float least = front_.beyond[at(cell)];
        for (const std::int32_t next : {a, b}) {
            if (!(front_.beyond[at(next)] < least) || level_[at(next)] == kNotReached) continue;
            least = front_.beyond[at(next)];
            best = next;
        }
        return best;
    }

    [[nodiscard]] float level_of(std::int32_t cell) const {
        const float here = front_.beyond[at(cell)];
        float sum = 0.0F, weights = 0.0F, squares = 0.0F;
        for (const std::int32_t step : {1, steps_.row}) {
            const std::int32_t from = origin(cell, cell - step, cell + step);
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
        const float share = floor_share_of_step(front_, rivers_, cell, cell_size_);
        if (share == 0.0F) return wall_slope(elevation_, cell);
        const float floor = rivers_.rivers[at(front_.river[at(cell)])].cross_slope;
        return share == 1.0F ? floor : share * floor + (1.0F - share) * wall_slope(elevation_, cell);
    }

    const Field<float>& elevation_;
    const FloorRivers& rivers_;
    const FloorFront& front_;
    const float cell_size_;
    const AxisSteps steps_;
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
    const std::int64_t row = elevation.columns();
    const float here = elevation[cell];
    // A neighbour without data, NaN, is no drop.
    const auto drop = [&](std::int64_t step) {
        return std::max(std::max(0.0F, here - elevation[cell - step]), here - elevation[cell + step]);
    };
    const float x = drop(1), y = drop(row);
    const float ground = std::sqrt(x * x + y * y) / static_cast<float>(elevation.grid().cell_size);
    return std::max(kLeastWall, ground + kSteepening);
}

}  // namespace thalweg
