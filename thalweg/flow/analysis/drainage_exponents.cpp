#include "thalweg/flow/drainage_exponents.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/portable_power.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

namespace thalweg {
namespace {

constexpr std::uint32_t kSmallestArea = 8;  // cells
constexpr double kLargestShare = 0.002;     // of the tree's cells
constexpr std::int64_t kFewestCells = 8;    // in an octave
constexpr std::size_t kFewestOctaves = 3;
constexpr std::size_t kCellsPerPoll = 1 << 20;

/// The cells of one octave of drainage area.
struct Octave {
    std::int64_t cells = 0;
    double log_areas = 0.0;    // sum
    double log_lengths = 0.0;  // sum
};

/// Slope of the least squares line, NaN for too few points.
double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
    const std::optional<LineFit> line = x.size() < kFewestOctaves ? std::nullopt : fit_line(x, y);
    return line ? line->slope : std::numeric_limits<double>::quiet_NaN();
}

/// The longest flow path upstream of each cell, in cells.
std::vector<double> longest_paths(const FlowTree& tree, Progress& progress) {
    std::vector<double> length(tree.direction.size(), 0.0);
    for (std::size_t i = tree.order.size(); i-- > 0;) {
        if (i % kCellsPerPoll == 0) progress.poll();
        const std::int32_t cell = tree.order[i];
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver < 0) continue;
        const bool is_diagonal = (tree.direction[at(cell)] & 1) != 0;
        const double way = length[at(cell)] + (is_diagonal ? std::numbers::sqrt2 : 1.0);
        if (way > length[at(receiver)]) length[at(receiver)] = way;
    }
    return length;
}

}  // namespace

DrainageExponents drainage_exponents(const FlowTree& tree, Progress& progress) {
    const std::vector<double> length = longest_paths(tree, progress);
    std::vector<Octave> octaves(32);
    for (const std::int32_t cell : tree.order) {
        const std::uint32_t area = tree.upstream_cells[at(cell)];
        Octave& octave = octaves[at(std::bit_width(area) - 1)];
        ++octave.cells;
        octave.log_areas += portable_log(static_cast<double>(area));
        if (area > 1) octave.log_lengths += portable_log(length[at(cell)]);
    }
    // From the largest area down, so that the cells above each one are known.
    std::vector<std::int64_t> at_least(octaves.size() + 1, 0);
    for (std::size_t i = octaves.size(); i-- > 0;) at_least[i] = at_least[i + 1] + octaves[i].cells;
    const auto all = static_cast<double>(tree.order.size());
    std::vector<double> log_area;
    std::vector<double> log_share;
    std::vector<double> mean_log_area;
    std::vector<double> mean_log_length;
    for (std::size_t i = at(std::bit_width(kSmallestArea) - 1); i < octaves.size(); ++i) {
        const double area = std::exp2(static_cast<double>(i));
        if (area > kLargestShare * all || octaves[i].cells < kFewestCells) break;
        const auto cells = static_cast<double>(octaves[i].cells);
        log_area.push_back(portable_log(area));
        log_share.push_back(portable_log(static_cast<double>(at_least[i]) / all));
        mean_log_area.push_back(octaves[i].log_areas / cells);
        mean_log_length.push_back(octaves[i].log_lengths / cells);
    }
    return {.area = -slope_of(log_area, log_share), .hack = slope_of(mean_log_area, mean_log_length)};
}

}  // namespace thalweg
