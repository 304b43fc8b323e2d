#include "thalweg/flow/slope_area.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace thalweg {
namespace {

constexpr double kBinsPerDecade = 10.0;
constexpr std::size_t kFewestBins = 3;     // of a fit
constexpr std::int64_t kFewestCells = 10;  // of a bin in the fit (empirical)
constexpr int kLongestPath = 100;          // cells over which a slope is taken (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 14;

/// Slope beside the number of cells that drain to where it was taken.
struct Sample {
    float slope = std::numeric_limits<float>::quiet_NaN();  // m/m; NaN: the cell has no way down
    double upstream_cells = 0.0;                            // with those that would hold the area of sources
};

/// Takes the slope of one cell after the other.
class SlopeTaker {
  public:
    SlopeTaker(const Field<float>& elevation, const FlowTree& tree, const Lattice& lattice, double drop)
        : elevation_(elevation), tree_(tree), lattice_(lattice), drop_(drop) {
        if (tree.sources.empty()) return;
        source_area_ = Field<double>(tree.grid, 0.0);
        add_source_areas(tree, source_area_);
    }

    [[nodiscard]] Sample at_cell(std::int32_t cell) const {
        double length = 0.0, fall = 0.0;
        int steps = 0;
        for (std::int32_t here = cell, below = 0; steps < kLongestPath; here = below) {
            below = tree_.receiver(here);
            if (below < 0) break;
            length += lattice_.distance(here, tree_.direction[at(here)]);
            fall = static_cast<double>(elevation_[cell]) - static_cast<double>(elevation_[below]);
            ++steps;
            if (fall >= drop_) break;
        }
        if (steps == 0) return {};
        std::int32_t middle = cell;
        for (int step = 0; step < steps / 2; ++step) middle = tree_.receiver(middle);
        return {static_cast<float>(fall / length), upstream_cells(middle)};
    }

  private:
    [[nodiscard]] double upstream_cells(std::int32_t cell) const {
        const double cells = tree_.upstream_cells[at(cell)];
        return source_area_.empty() ? cells : cells + source_area_[cell] / tree_.grid.cell_area();
    }

    const Field<float>& elevation_;
    const FlowTree& tree_;
    const Lattice& lattice_;
    double drop_;                // m
    Field<double> source_area_;  // m^2; empty without sources
};

std::vector<Sample> samples_of(const SlopeTaker& taker, std::int64_t cells, Progress& progress) {
    std::vector<Sample> samples(at(cells));
    parallel_for(0, cells, kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            samples[at(cell)] = taker.at_cell(static_cast<std::int32_t>(cell));
    });
    progress.poll();
    return samples;
}

/// The value at `share` of the sorted order, between neighbours by their logarithms. Reorders `values`.
template <class T>
double quantile(std::span<T> values, double share) {
    poll_cancelled();
    const double rank = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), values.begin() + below, values.end());
    const auto lower = static_cast<double>(values[at(below)]);
    const double part = rank - static_cast<double>(below);
    if (part == 0.0) return lower;
    const auto upper = static_cast<double>(*std::min_element(values.begin() + below + 1, values.end()));
    return lower > 0.0 ? lower * portable_power(upper / lower, part) : 0.0;
}

SlopeAreaBin bin_of(std::vector<float>& slopes, std::vector<double>& counts, double cell_area) {
    return {.area = quantile(std::span(counts), 0.5) * cell_area,
            .cells = std::ssize(slopes),
            .lower_quartile = quantile(std::span(slopes), 0.25),
            .median = quantile(std::span(slopes), 0.5),
            .upper_quartile = quantile(std::span(slopes), 0.75)};
}

std::vector<SlopeAreaBin> bins_of(const std::vector<Sample>& samples, double cell_area) {
    constexpr auto kBins = static_cast<std::size_t>(30 * kBinsPerDecade);  // no source is so large
    const auto bin_number = [](const Sample& sample) {
        constexpr double kRounding = 1e-12;  // powers of ten begin a bin
        const double decades = portable_log(sample.upstream_cells) / std::numbers::ln10;
        return static_cast<std::size_t>(kBinsPerDecade * decades + kRounding);
    };
    std::vector<std::vector<float>> slopes(kBins);
    std::vector<std::vector<double>> counts(kBins);
    for_each_polled(samples, [&](const Sample& sample) {
        if (std::isnan(sample.slope)) return;
        // Conditioned ground may lie level, but water never climbs; rounding must not make it.
        slopes[bin_number(sample)].push_back(std::max(0.0F, sample.slope));
        counts[bin_number(sample)].push_back(sample.upstream_cells);
    });
    std::vector<SlopeAreaBin> bins;
    for (std::size_t bin = 0; bin < kBins; ++bin)
        if (!slopes[bin].empty()) bins.push_back(bin_of(slopes[bin], counts[bin], cell_area));
    return bins;
}

std::optional<SlopeAreaFit> fit_of(const std::vector<SlopeAreaBin>& bins, double least_area) {
    std::vector<double> log_area, log_slope;
    for (const SlopeAreaBin& bin : bins)
        if (bin.area >= least_area && bin.cells >= kFewestCells && bin.median > 0.0) {
            log_area.push_back(portable_log(bin.area));
            log_slope.push_back(portable_log(bin.median));
        }
    if (log_area.size() < kFewestBins) return std::nullopt;
    const std::optional<LineFit> line = fit_line(log_area, log_slope);
    if (!line) return std::nullopt;
    return SlopeAreaFit{.concavity = -line->slope,
                        .steepness = portable_exp(line->intercept),
                        .least_area = portable_exp(log_area.front()),
                        .greatest_area = portable_exp(log_area.back()),
                        .r_squared = line->r_squared,
                        .bins = line->points,
                        .concavity_error = line->slope_error};
}

}  // namespace

SlopeArea slope_area(const Field<float>& elevation, const FlowTree& tree, const Lattice& lattice,
                     const SlopeAreaParameters& parameters, Progress& progress) {
    const SlopeTaker taker(elevation, tree, lattice, parameters.drop);
    SlopeArea result{.parameters = parameters, .bins = {}, .fit = {}};
    result.bins = bins_of(samples_of(taker, elevation.size(), progress), tree.grid.cell_area());
    result.fit = fit_of(result.bins, parameters.least_area);
    return result;
}

}  // namespace thalweg
