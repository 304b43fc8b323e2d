#include "thalweg/flow/survey/survey.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/flow/survey/masks.hpp"

namespace thalweg {
namespace {

constexpr double kLeastRelief = 150.0;       // m, within kReliefWindow: of mountains (empirical)
constexpr double kReliefWindow = 1000.0;     // m, side of a square
constexpr double kLeastHalfWidth = 2.0;      // steps, of mountains
constexpr double kLeastMountainShare = 0.1;  // of a terrain that is described by its mountains alone
constexpr double kEdgeWidth = 8.0;           // steps

std::int64_t count_of(const Field<std::uint8_t>& mask) {
    std::int64_t count = 0;
    for_each_polled(mask, [&](std::uint8_t value) { count += value; });
    return count;
}

/// Without what is narrower than 2 `reach` cells: what is left once its rim has been taken off, and that rim
/// about it again.
Field<std::uint8_t> opened(const Field<std::uint8_t>& mask, int reach) {
    const Field<std::uint8_t> core = beyond(reach, inverse(mask), OffTheGrid::Counts);
    return inverse(beyond(reach, core, OffTheGrid::DoesNotCount));
}

Field<std::uint8_t> mountains(const Field<float>& elevation, const StepScale& scale) {
    const int window = static_cast<int>(std::lround(kReliefWindow / scale.cell_size)) | 1;
    const Field<float> relief = local_relief(elevation, window / 2);
    Field<std::uint8_t> steep(elevation.grid());
    for_each_polled(0, steep.size(), [&](std::int64_t cell) {
        steep[cell] = relief[cell] > static_cast<float>(kLeastRelief) ? 1 : 0;  // not where it is NaN
    });
    return opened(steep, scale.whole_cells(kLeastHalfWidth));
}

}  // namespace

Survey survey_terrain(const Field<float>& elevation, double step, Progress& progress) {
    const Grid& grid = elevation.grid();
    Survey survey{.elevation = elevation,
                  .scale = {.cell_size = grid.cell_size, .step = step},
                  .lattice = eight_neighbours(grid),
                  .flow = route(elevation, {}, progress),
                  .ground = {},
                  .inner = {}};
    Field<std::uint8_t> gaps(grid);
    for_each_polled(0, gaps.size(), [&](std::int64_t cell) { gaps[cell] = is_no_data(elevation[cell]); });
    survey.inner = beyond(survey.scale.whole_cells(kEdgeWidth), gaps, OffTheGrid::Counts);
    survey.cells_with_data = grid.cells() - count_of(gaps);
    const auto cells = static_cast<double>(survey.cells_with_data);
    survey.ground = mountains(elevation, survey.scale);
    survey.described_share = static_cast<double>(count_of(survey.ground)) / cells;
    survey.is_mountainous = survey.described_share >= kLeastMountainShare;
    if (!survey.is_mountainous) {
        survey.ground = inverse(gaps);
        survey.described_share = 1.0;
    }
    return survey;
}

}  // namespace thalweg
