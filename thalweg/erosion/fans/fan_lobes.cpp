#include "thalweg/erosion/fans/fan_lobes.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/erosion/fans/fan_apexes.hpp"
#include "thalweg/erosion/fans/lobe_shape.hpp"
#include "thalweg/erosion/floors/march.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

namespace thalweg {
namespace {

constexpr int kPopsPerPoll = 1 << 12;
constexpr int kMostMarches = 40;
constexpr int kMostSteps = 60;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kVolumeError = 1e-6;  // of the volume
constexpr double kEnough = 1.5;  // of the volume, at which a march has shown that its surface is too high
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
          cost_(at(grid_.cells()), 0.0F),
          is_final_(at(grid_.cells()), 0) {}

    void lay(const FanApex& apex, const LobeShape& shape, double volume, Field<float>& elevation,
             Progress& progress) {
        const double demanded = volume / grid_.cell_area();  // m, summed over cells
        const double top = find_top(apex, shape, demanded, elevation, progress);
        for (const Covered& covered : covered_) {
            const double thickness = thickness_at(shape, covered, top);
            if (thickness > 0.0) elevation[covered.cell] = static_cast<float>(covered.ground + thickness);
        }
    }

  private:
    struct Covered {
        std::int32_t cell;
        double below_top;  // D + c, m
        double ground;     // m
    };

    /// H, m, between one too low for the volume and one high enough. Where ground that comes in at once takes
    /// more than is missing, the lobe lies on that ground with the surface that its volume gives there.
    double find_top(const FanApex& apex, const LobeShape& shape, double demanded,
                    const Field<float>& elevation, Progress& progress) {
        const double ground = static_cast<double>(elevation[apex.cell]);
        double low = ground, high = kInfinite;
        double& height =
            heights_.try_emplace(apex.cell, std::cbrt(demanded * grid_.cell_area() * apex.slope * apex.slope))
                .first->second;
        double top =
            std::max(ground + kSpareHeight, static_cast<double>(inputs_.elevation[apex.cell]) + height);
        double enough = kEnough * demanded;
        for (int i = 0; i < kMostMarches; ++i) {
            const bool is_whole = march(apex, shape, top, enough, elevation, progress);
            double next = 0.0;
            if (const auto [volume, gain] = volume_below(shape, top); volume < demanded) {
                low = top;
                next = top + std::clamp(1.3 * (demanded - volume) / std::max(1.0, gain), 0.5 * kSpareHeight,
                                        std::max(kSpareHeight, 0.5 * (top - ground)));
            } else {
                const double found = solve(shape, demanded, top);
                const bool is_near = top - std::max(low, found) < kSpareHeight;
                if (is_near && is_whole) {
                    height = found - static_cast<double>(inputs_.elevation[apex.cell]);
                    return found;
                }
                if (is_near) enough = kInfinite;
                high = top;
                next = is_near ? top : found + 0.5 * kSpareHeight;
            }
            top = next > low && next <= high ? next : 0.5 * (low + high);
        }
        return top;
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

    /// Covers ground from the apex on, the nearest first, until the volume is `enough`, m: whether it never
    /// was.
    bool march(const FanApex& apex, const LobeShape& shape, double top, double enough,
               const Field<float>& elevation, Progress& progress) {
        clear();
        start(apex);
        double volume = 0.0;
        for (int pops = 0; !queue_.empty() && volume < enough; ++pops) {
            if (pops % kPopsPerPoll == 0) progress.poll();
            const std::int32_t cell = queue_.pop().cell;
            if (is_final_[at(cell)] != 0) continue;
            is_final_[at(cell)] = 1;
            const Position place = grid_.centre(grid_.column_of(cell), grid_.row_of(cell));
            const double below_top = shape.drop(static_cast<double>(way_[at(cell)])) + shape.channels(place);
            const auto ground = static_cast<double>(elevation[cell]);
            const double thickness = shape.surface(top - below_top) - ground;
            if (!(thickness > 0.0)) continue;
            volume += thickness;
            covered_.push_back({cell, below_top, ground});
            steps_.for_each(cell, [&](std::int32_t next) {
                if (is_final_[at(next)] == 0 && is_closed_[at(next)] == 0) reach(next, shape);
            });
        }
        return volume < enough;
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
        if (way_[at(cell)] == kNotReached) {
            const Position place = grid_.centre(grid_.column_of(cell), grid_.row_of(cell));
            cost_[at(cell)] = static_cast<float>(grid_.cell_size * shape.cost(place));
        }
        const float way = upwind(a, b, cost_[at(cell)]);
        if (way < way_[at(cell)]) touch(cell, way);
    }

    void clear() {
        for (const std::int32_t cell : touched_) {
            way_[at(cell)] = kNotReached;
            is_final_[at(cell)] = 0;
        }
        touched_.clear();
        covered_.clear();
        queue_ = {};
    }

    const FanInputs& inputs_;
    const Grid& grid_;
    const AxisSteps steps_;
    std::vector<std::int32_t> main_donor_;
    std::vector<std::uint8_t> is_closed_;
    std::vector<float> way_;   // d, m
    std::vector<float> cost_;  // m of d across a cell that was touched
    std::vector<std::uint8_t> is_final_;
    std::vector<std::int32_t> touched_;
    std::vector<Covered> covered_;
    std::map<std::int32_t, double> heights_;  // m, of the last lobe of each apex above the ground that was
    MarchQueue queue_;
};

LobeLayer::LobeLayer(const FanInputs& inputs) : inputs_(inputs), march_(std::make_unique<March>(inputs)) {
}
LobeLayer::~LobeLayer() = default;

void LobeLayer::lay(const FanApex& apex, int number, double volume, Field<float>& elevation,
                    Progress& progress) {
    march_->lay(apex, LobeShape(inputs_, apex, number), volume, elevation, progress);
}

}  // namespace thalweg
