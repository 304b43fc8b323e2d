#include "thalweg/erosion/levels/unresolved_relief.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/law/slope_law.hpp"
#include "thalweg/erosion/law/thermal_law.hpp"
#include "thalweg/erosion/transfer/relief_rows.hpp"

#include <algorithm>
#include <vector>

namespace thalweg {
namespace {

constexpr float kRiverCells = 8.0F;  // drainage area from which less is added (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 15;

/// An area, m^2, below which the law's own least area counts: A*, or a cell's without hillslopes.
float least_area(const ErosionLevel& level, const ErosionLaw& law) {
    const float area =
        law.hillslope_area(1.0) > 0.0 ? 0.0F : static_cast<float>(level.lattice.grid.cell_area());
    return std::max(area, 1e-6F);
}

/// a(A*) of every cell, m/yr, or one for all.
std::vector<float> least_celerities(const ErosionLevel& level, const ErosionLaw& law) {
    const std::size_t count = std::max<std::size_t>(1, level.erodibility.size());
    const std::vector<float> areas(count, least_area(level, law));
    std::vector<float> celerity(count);
    celerities(law, areas, level.erodibility, celerity);
    return celerity;
}

/// The cells of `whole` from number `first` on.
ReliefRow run_from(const ReliefRow& whole, std::int64_t first) {
    ReliefRow run = whole;
    run.uplift += first;
    if (run.celerity != nullptr) run.celerity += first;
    run.area += first;
    run.roots += first;
    return run;
}

std::int64_t add_relief(const ReliefRow& row, std::int64_t count, float* elevation) {
    return in_lanes([&](auto lanes) { return add_relief_in_lanes<lanes()>(row, count, elevation); });
}

/// s of every cell, m/m, for any slope exponent.
std::vector<float> steepest_slopes(const ErosionLevel& level, const HillslopeReliefLaw& law) {
    const std::vector<float> areas(level.uplift.size(), least_area(level, law.law));
    std::vector<float> slopes(level.uplift.size());
    steady_slopes({law.law, law.slope_exponent, level.erodibility}, areas, level.uplift, slopes);
    return slopes;
}

}  // namespace

void add_unresolved_relief(const ErosionLevel& level, const HillslopeReliefLaw& law,
                           std::span<const float> area, Field<float>& elevation) {
    const std::vector<float> slopes =
        law.slope_exponent == 1.0 ? std::vector<float>() : steepest_slopes(level, law);
    const std::vector<float> celerity = least_celerities(level, law.law);
    const ThermalLaw thermal(law.law);
    const auto height = static_cast<float>(law.relief * level.lattice.grid.cell_size);
    const float river = kRiverCells * static_cast<float>(level.lattice.grid.cell_area());
    const bool even = celerity.size() == 1;
    const auto raise = [&](std::int64_t cell, float hillslope) {
        elevation[cell] += level.roots[cell] != 0 ? 0.0F : hillslope * std::min(1.0F, river / area[at(cell)]);
    };
    const ReliefRow whole{.uplift = level.uplift.data(),
                          .celerity = even ? nullptr : celerity.data(),
                          .area = area.data(),
                          .roots = level.roots.data(),
                          .common_celerity = celerity.front(),
                          .thermal_rate = thermal.rate(),
                          .critical_slope = thermal.critical_slope(),
                          .height = height,
                          .river_area = river};
    parallel_for(0, elevation.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        if (!slopes.empty()) {
            for (std::int64_t cell = first; cell < last; ++cell) raise(cell, height * slopes[at(cell)]);
            return;
        }
        const std::int64_t done = add_relief(run_from(whole, first), last - first, elevation.data() + first);
        for (std::int64_t cell = first + done; cell < last; ++cell) {
            const LocalLaw local = thermal.at_steady_state(std::max(level.uplift[at(cell)], 0.0F),
                                                           celerity[even ? 0 : at(cell)]);
            raise(cell, height * local.uplift / local.celerity);
        }
    });
}

}  // namespace thalweg
