#include "thalweg/flow/hypsometry.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

/// Counts the cells of one piece of ground: first their range, then how many reach each height.
class HeightCounts {
  public:
    void see(double height) {
        ++cells_;
        sum_ += height;
        least_ = std::min(least_, height);
        greatest_ = std::max(greatest_, height);
    }

    void count(double height) {
        if (greatest_ > least_) ++reached_[at(steps_reached(height))];
    }

    [[nodiscard]] HypsometricCurve curve(double cell_area) const {
        HypsometricCurve curve;
        if (cells_ == 0) return curve;
        const auto cells = static_cast<double>(cells_);
        curve.area = cells * cell_area;
        curve.least = least_;
        curve.greatest = greatest_;
        if (!(greatest_ > least_)) return curve;
        curve.integral = (sum_ / cells - least_) / (greatest_ - least_);
        curve.area_at_height.resize(reached_.size());
        std::int64_t above = 0;
        for (std::size_t step = reached_.size(); step-- > 0;) {
            above += reached_[step];
            curve.area_at_height[step] = static_cast<double>(above) / cells;
        }
        return curve;
    }

  private:
    [[nodiscard]] double level(int step) const {
        return least_ + (greatest_ - least_) * step / kHypsometricSteps;
    }

    /// The last step whose level the height reaches.
    [[nodiscard]] int steps_reached(double height) const {
        int step = std::clamp(static_cast<int>(kHypsometricSteps * (height - least_) / (greatest_ - least_)),
                              0, kHypsometricSteps);
        // Rounding may have missed it by one.
        while (step < kHypsometricSteps && level(step + 1) <= height) ++step;
        while (step > 0 && level(step) > height) --step;
        return step;
    }

    std::int64_t cells_ = 0;
    double sum_ = 0.0;                                            // m
    double least_ = std::numeric_limits<double>::infinity();      // m
    double greatest_ = -std::numeric_limits<double>::infinity();  // m
    std::vector<std::int64_t> reached_ = std::vector<std::int64_t>(kHypsometricSteps + 1, 0);
};

}  // namespace

Hypsometry hypsometry(const Field<float>& elevation, const LargestBasins& basins) {
    std::vector<HeightCounts> counts(basins.outlets.size() + 1);  // the whole last
    const auto for_each_height = [&](const auto& visit) {
        for_each_polled(0, elevation.size(), [&](std::int64_t cell) {
            if (is_no_data(elevation[cell])) return;
            const auto height = static_cast<double>(elevation[cell]);
            visit(counts.back(), height);
            if (basins.basin[at(cell)] >= 0) visit(counts[at(basins.basin[at(cell)])], height);
        });
    };
    for_each_height([](HeightCounts& piece, double height) { piece.see(height); });
    for_each_height([](HeightCounts& piece, double height) { piece.count(height); });
    const double cell_area = elevation.grid().cell_area();
    Hypsometry result{.whole = counts.back().curve(cell_area), .basins = {}};
    for (std::size_t basin = 0; basin < basins.outlets.size(); ++basin)
        result.basins.push_back({basins.outlets[basin], counts[basin].curve(cell_area)});
    return result;
}

}  // namespace thalweg
