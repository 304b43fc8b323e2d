#include "thalweg/core/cancelling.hpp"
#include "thalweg/flow/analysis/line_fit.hpp"
#include "thalweg/flow/statistics/families.hpp"
#include "thalweg/flow/survey/samples.hpp"
#include "thalweg/flow/wetness.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

/// Half-decades of drainage area, m^2, from its least on; the last is open.
struct FloorClass {
    double least;
    double middle;
};
constexpr std::array<FloorClass, 5> kClasses = {
    {{1e7, 1.7320508e7}, {3e7, 5.4772256e7}, {1e8, 1.7320508e8}, {3e8, 5.4772256e8}, {1e9, 2e9}}};
constexpr std::size_t kMeanClasses = 4;       // of the means and of the exponent
constexpr float kLowGround = 5.0F;            // m above rivers: of floor_share
constexpr float kFloor = 10.0F;               // m: of floor_width
constexpr float kHighGround = 30.0F;          // m: of floor_width_ratio
constexpr double kLeastRiverLength = 3000.0;  // m, of a class
constexpr std::uint8_t kNoClass = 255;

/// Ground along the rivers of one class.
struct FloorGround {
    double river = 0.0;       // m
    double floor_area = 0.0;  // m^2, up to kFloor above them
    double high_area = 0.0;   // m^2, up to kHighGround above them
};

/// The class of the river that each cell's water reaches first; kNoClass where there is none.
Field<std::uint8_t> classes_of_rivers(const Survey& survey, Field<std::uint8_t>& is_river) {
    const FlowTree& tree = survey.flow.tree;
    Field<std::uint8_t> classes(tree.grid, kNoClass);
    for_each_polled(tree.order, [&](std::int32_t cell) {
        const double area = survey.flow.drained_area(cell);
        const auto above = std::ranges::upper_bound(kClasses, area, {}, &FloorClass::least);
        is_river[cell] = above != kClasses.begin() ? 1 : 0;
        if (is_river[cell] != 0) {
            classes[cell] = static_cast<std::uint8_t>(above - kClasses.begin() - 1);
        } else if (const std::int32_t receiver = tree.receiver(cell); receiver >= 0) {
            classes[cell] = classes[receiver];
        }
    });
    return classes;
}

using Floors = std::array<FloorGround, kClasses.size()>;

/// And the share of all ground that lies low.
struct MeasuredFloors {
    Floors floors;
    double low_share = kNoStatistic;
};

MeasuredFloors measure_floors(const Survey& survey) {
    Field<std::uint8_t> is_river(survey.elevation.grid());
    const Field<std::uint8_t> classes = classes_of_rivers(survey, is_river);
    const Field<float> above_drainage =
        height_above_drainage(survey.flow.tree, survey.flow.elevation, is_river);
    const double cell_area = survey.elevation.grid().cell_area();
    MeasuredFloors measured;
    std::int64_t low_cells = 0;
    for_each_polled(survey.flow.tree.order, [&](std::int32_t cell) {
        if (classes[cell] == kNoClass) return;
        FloorGround& ground = measured.floors[classes[cell]];
        if (is_river[cell] != 0) ground.river += survey.way(cell);
        // Of the ground as it is above the river as it is carved.
        const float height = above_drainage[cell] + survey.elevation[cell] - survey.flow.elevation[cell];
        if (height <= kFloor) ground.floor_area += cell_area;
        if (height <= kHighGround) ground.high_area += cell_area;
        if (height <= kLowGround) ++low_cells;
    });
    measured.low_share = static_cast<double>(low_cells) / static_cast<double>(survey.cells_with_data);
    return measured;
}

}  // namespace

void describe_valley_floors(const Survey& survey, TerrainDescription& description) {
    const MeasuredFloors measured = measure_floors(survey);
    TerrainStatistics& statistics = description.statistics;
    statistics.floor_share = measured.low_share;
    FloorGround mean;
    std::vector<double> log_area, log_width;
    for (std::size_t i = 0; i < kClasses.size(); ++i) {
        const FloorGround& ground = measured.floors[i];
        if (ground.river <= kLeastRiverLength) continue;
        const double width = ground.floor_area / ground.river;
        description.curves.floor_widths.push_back({.x = kClasses[i].middle, .y = width});
        if (i >= kMeanClasses) continue;
        mean.river += ground.river;
        mean.floor_area += ground.floor_area;
        mean.high_area += ground.high_area;
        log_area.push_back(decades_of(kClasses[i].middle));
        log_width.push_back(decades_of(width));
    }
    if (log_area.empty()) return;
    statistics.floor_width = mean.floor_area / mean.river;
    statistics.floor_width_ratio = mean.high_area / mean.floor_area;
    if (const std::optional<LineFit> law = fit_line(log_area, log_width))
        statistics.floor_width_exponent = law->slope;
}

}  // namespace thalweg
