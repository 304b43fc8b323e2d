#include "thalweg/erosion/floors/floor_front.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/erosion/floors/march.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

constexpr float kSoftEdge = 0.15F;  // of half a floor, over which it passes into the wall (by eye)
constexpr int kPopsPerPoll = 1 << 14;

class FrontMarch {
  public:
    FrontMarch(const ValleyFloorInputs& inputs, const FloorRivers& rivers,
               const ValleyFloorParameters& parameters)
        : elevation_(inputs.elevation),
          grid_(inputs.elevation.grid()),
          rivers_(rivers),
          wall_height_(static_cast<float>(parameters.wall_height)),
          cell_size_(static_cast<float>(grid_.cell_size)),
          steps_(grid_),
          is_final_(closed_cells(elevation_)) {
        front_.beyond.assign(at(grid_.cells()), kNotReached);
        front_.river.assign(at(grid_.cells()), -1);
    }

    FloorFront march(Progress& progress) {
        for (std::size_t i = 0; i < rivers_.rivers.size(); ++i) start(static_cast<std::int32_t>(i));
        for (int pops = 0; !queue_.empty(); ++pops) {
            if (pops % kPopsPerPoll == 0) progress.poll();
            const std::int32_t cell = queue_.pop().cell;
            if (is_final_[at(cell)] != 0) continue;
            is_final_[at(cell)] = 1;
            front_.order.push_back(cell);
            const FloorRiver& from = rivers_.rivers[at(front_.river[at(cell)])];
            if (front_.beyond[at(cell)] > kSoftEdge * from.half_width) continue;
            spread_from(cell);
        }
        return std::move(front_);
    }

  private:
    void start(std::int32_t number) {
        const FloorRiver& river = rivers_.rivers[at(number)];
        if (!(river.half_width > 0.0F) || is_final_[at(river.cell)] != 0) return;
        front_.beyond[at(river.cell)] = -river.half_width;
        front_.river[at(river.cell)] = number;
        queue_.push(-river.half_width, river.cell);
    }

    void spread_from(std::int32_t cell) {
        steps_.for_each(cell, [&](std::int32_t next) {
            if (is_final_[at(next)] == 0) reach(next);
        });
    }

    [[nodiscard]] float beyond(std::int32_t cell) const { return front_.beyond[at(cell)]; }

    /// The one of two neighbours that the front comes from.
    [[nodiscard]] std::int32_t nearer(std::int32_t a, std::int32_t b) const {
        return final_beyond(b) < final_beyond(a) ? b : a;
    }
    [[nodiscard]] float final_beyond(std::int32_t cell) const {
        return is_final_[at(cell)] != 0 ? beyond(cell) : kNotReached;
    }

    void reach(std::int32_t cell) {
        const std::int32_t a = nearer(cell - 1, cell + 1), b = nearer(cell - steps_.row, cell + steps_.row);
        const std::int32_t from = nearer(a, b);
        const float there = upwind(final_beyond(a), final_beyond(b), cell_size_ * cost(cell, from));
        if (!(there < beyond(cell))) return;
        front_.beyond[at(cell)] = there;
        front_.river[at(cell)] = front_.river[at(from)];
        queue_.push(there, cell);
    }

    /// 1 + H / H_0, H that of the middle of the step to the cell.
    [[nodiscard]] float cost(std::int32_t cell, std::int32_t from) const {
        const std::int32_t river = rivers_.rivers[at(front_.river[at(from)])].cell;
        const float height = 0.5F * (elevation_[cell] + elevation_[from]) - elevation_[river];
        return 1.0F + std::max(0.0F, height) / wall_height_;
    }

    const Field<float>& elevation_;
    const Grid& grid_;
    const FloorRivers& rivers_;
    const float wall_height_;
    const float cell_size_;
    const AxisSteps steps_;
    FloorFront front_;
    std::vector<std::uint8_t> is_final_;
    MarchQueue queue_;
};

/// How much of a piece of the front's way is floor: `length` long, m of d, the middle `beyond` the edge.
float share_of_way(float beyond, float length, const FloorRiver& river) {
    const float edge = std::max(length, 2.0F * kSoftEdge * river.half_width);
    return std::clamp(0.5F - beyond / edge, 0.0F, 1.0F);
}

}  // namespace

float floor_share_of_step(const FloorFront& front, const FloorRivers& rivers, std::int64_t cell, float step) {
    const std::int32_t river = front.river[at(cell)];
    return river < 0 ? 0.0F
                     : share_of_way(front.beyond[at(cell)] - 0.5F * step, step, rivers.rivers[at(river)]);
}

float floor_share_of_cell(const FloorFront& front, const FloorRivers& rivers, std::int64_t cell,
                          float cell_size) {
    const std::int32_t river = front.river[at(cell)];
    return river < 0 ? 0.0F : share_of_way(front.beyond[at(cell)], cell_size, rivers.rivers[at(river)]);
}

FloorFront floor_front(const ValleyFloorInputs& inputs, const FloorRivers& rivers,
                       const ValleyFloorParameters& parameters, Progress& progress) {
    progress.report(0.2, "widening floors");
    return FrontMarch(inputs, rivers, parameters).march(progress);
}

}  // namespace thalweg
