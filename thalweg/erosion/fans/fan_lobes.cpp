#include "thalweg/erosion/fans/fan_lobes.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/erosion/fans/fan_apexes.hpp"
#include "thalweg/erosion/fans/lobe_shape.hpp"
#include "thalweg/erosion/floors/march.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr int kPopsPerPoll = 1 << 12;
constexpr int kMostMarches = 40;
constexpr int kMostSteps = 60;
constexpr double kVolumeError = 1e-6;  // of the volume
constexpr double kSpareHeight = 0.25;  // m, by which the ground that is looked at may lie above the surface
constexpr double kBackfill = 0.5;      // of L, up the river, at most

}  // namespace

/// Ground that a lobe covers, by fast marching from the apex, and the height of the lobe on it.
class LobeLayer::March {
  public:
    explicit March(const FanInputs& inputs)
        : inputs_(inputs),
          grid_(inputs.elevation.grid()),
          steps_(grid_),
          main_donor_(main_donors(inputs.tree)),
          is_closed_(closed_cells(inputs.elevation)),
          way_(at(grid_.cells()), kNotReached),
          is_final_(at(grid_.cells()), 0) {}

    double lay(const FanApex& apex, const LobeShape& shape, double volume, std::int32_t mark,
               Field<float>& elevation, Field<std::int32_t>& marks, Progress& progress) {
        const double demanded = volume / grid_.cell_area();  // m, summed over cells
        const double top = find_top(apex, shape, demanded, elevation, progress);
        double laid = 0.0;
        for (const Covered& covered : covered_) {
            const double thickness = thickness_at(shape, covered, top);
            if (!(thickness > 0.0)) continue;
            const float before = elevation[covered.cell];
            elevation[covered.cell] = static_cast<float>(covered.ground + thickness);
            marks[covered.cell] = mark;
            laid += static_cast<double>(elevation[covered.cell]) - static_cast<double>(before);
        }
        return laid * grid_.cell_area();
    }

  private:
    struct Covered {
        std::int32_t cell;
        double below_top;  // D + c, m
        double ground;     // m
    };

    /// H, m: raised until the ground below it takes the volume, then lowered to what that needs.
    double find_top(const FanApex& apex, const LobeShape& shape, double demanded,
                    const Field<float>& elevation, Progress& progress) {
        const double ground = static_cast<double>(elevation[apex.cell]);
        double rise = 0.5 * std::cbrt(demanded * grid_.cell_area() * apex.slope * apex.slope);
        double top = ground + rise;
        for (int i = 0; i < kMostMarches; ++i) {
            march(apex, shape, top, elevation, progress);
            if (!(volume_below(shape, top).first < demanded)) {
                const double found = solve(shape, demanded, top);
                if (top - found < kSpareHeight || i + 1 == kMostMarches) return found;
                top = found + 0.5 * kSpareHeight;
            } else {
                rise = std::max(kSpareHeight, 0.5 * (top - ground));
                top += std::min(rise, 1.2 * shortfall(shape, demanded, top));
            }
        }
        return top;
    }

    /// By how much the surface must rise on the ground that it covers now, m, at most.
    [[nodiscard]] double shortfall(const LobeShape& shape, double demanded, double top) const {
        const auto [volume, area] = volume_below(shape, top);
        return std::max(0.1 * kSpareHeight, (demanded - volume) / std::max(1.0, area));
    }

    [[nodiscard]] static double thickness_at(const LobeShape& shape, const Covered& covered, double top) {
        return shape.surface(top - covered.below_top) - covered.ground;
    }

    /// The sum of thicknesses, m, and what it gains by a metre of H, 1.
    [[nodiscard]] std::pair<double, double> volume_below(const LobeShape& shape, double top) const {
        double volume = 0.0, gain = 0.0;
        for (const Covered& covered : covered_) {
            const double thickness = thickness_at(shape, covered, top);
            if (!(thickness > 0.0)) continue;
            volume += thickness;
            gain += shape.steepness(top - covered.below_top);
        }
        return {volume, gain};
    }

    /// Newton's steps within a bracket, on the ground that was covered.
    [[nodiscard]] double solve(const LobeShape& shape, double demanded, double high) const {
        double low = high;
        for (const Covered& covered : covered_)
            low = std::min(low, shape.height_of_surface(covered.ground) + covered.below_top);
        double top = high;
        for (int i = 0; i < kMostSteps; ++i) {
            const auto [volume, gain] = volume_below(shape, top);
            if (std::abs(volume - demanded) <= kVolumeError * demanded) break;
            (volume > demanded ? high : low) = top;
            const double next = gain > 0.0 ? top - (volume - demanded) / gain : low;
            top = next > low && next < high ? next : 0.5 * (low + high);
        }
        return top;
    }

    void march(const FanApex& apex, const LobeShape& shape, double top, const Field<float>& elevation,
               Progress& progress) {
        clear();
        start(apex);
        for (int pops = 0; !queue_.empty(); ++pops) {
            if (pops % kPopsPerPoll == 0) progress.poll();
            const std::int32_t cell = queue_.pop().cell;
            if (is_final_[at(cell)] != 0) continue;
            is_final_[at(cell)] = 1;
            const Position place = grid_.centre(grid_.column_of(cell), grid_.row_of(cell));
            const double below_top = shape.drop(static_cast<double>(way_[at(cell)])) + shape.channels(place);
            const auto ground = static_cast<double>(elevation[cell]);
            if (!(shape.surface(top - below_top) > ground)) continue;
            covered_.push_back({cell, below_top, ground});
            steps_.for_each(cell, [&](std::int32_t next) {
                if (is_final_[at(next)] == 0 && is_closed_[at(next)] == 0) reach(next, shape);
            });
        }
    }

    /// From the apex at 0, and up the river from below 0.
    void start(const FanApex& apex) {
        double way = 0.0;
        const double reach = kBackfill * 4.0 * std::sqrt(apex.area);
        for (std::int32_t cell = apex.cell; cell >= 0 && way < reach; cell = main_donor_[at(cell)]) {
            if (is_closed_[at(cell)] != 0) break;
            touch(cell, static_cast<float>(-way));
            const std::int32_t up = main_donor_[at(cell)];
            if (up < 0) break;
            way += grid_.cell_size * (inputs_.tree.direction[at(up)] % 2 == 0 ? 1.0 : std::numbers::sqrt2);
        }
    }

    void touch(std::int32_t cell, float way) {
        if (way_[at(cell)] == kNotReached) touched_.push_back(cell);
        way_[at(cell)] = way;
        queue_.push(way, cell);
    }

    [[nodiscard]] float final_way(std::int32_t cell) const {
        return is_final_[at(cell)] != 0 ? way_[at(cell)] : kNotReached;
    }

    void reach(std::int32_t cell, const LobeShape& shape) {
        const float a = std::min(final_way(cell - 1), final_way(cell + 1));
        const float b = std::min(final_way(cell - steps_.row), final_way(cell + steps_.row));
        const Position place = grid_.centre(grid_.column_of(cell), grid_.row_of(cell));
        const float way = upwind(a, b, static_cast<float>(grid_.cell_size * shape.cost(place)));
        if (way < way_[at(cell)]) touch(cell, way);
    }

    void clear() {
        for (const std::int32_t cell : touched_) {
            way_[at(cell)] = kNotReached;
            is_final_[at(cell)] = 0;
        }
        touched_.clear();
        covered_.clear();
    }

    const FanInputs& inputs_;
    const Grid& grid_;
    const AxisSteps steps_;
    std::vector<std::int32_t> main_donor_;
    std::vector<std::uint8_t> is_closed_;
    std::vector<float> way_;  // d, m
    std::vector<std::uint8_t> is_final_;
    std::vector<std::int32_t> touched_;
    std::vector<Covered> covered_;
    MarchQueue queue_;
};

LobeLayer::LobeLayer(const FanInputs& inputs) : inputs_(inputs), march_(std::make_unique<March>(inputs)) {
}
LobeLayer::~LobeLayer() = default;

double LobeLayer::lay(const FanApex& apex, int number, double volume, std::int32_t mark,
                      Field<float>& elevation, Field<std::int32_t>& marks, Progress& progress) {
    return march_->lay(apex, LobeShape(inputs_, apex, number), volume, mark, elevation, marks, progress);
}

}  // namespace thalweg
