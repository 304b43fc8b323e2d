#include "thalweg/flow/terrain_statistics.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/flow/statistics/families.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kFineStep = 30.0;         // m, cells of most surveys that nature's ranges are of
constexpr double kCoarseStep = 90.0;       // m, of the others
constexpr double kLargestFineCell = 65.0;  // m

void check_terrain(const Field<float>& elevation) {
    if (std::min(elevation.columns(), elevation.rows()) < kLeastDescribedCells)
        throw Error::input(
            fmt::format("{} x {} cells are not allowed: a terrain that is described has at "
                        "least {} x {}",
                        elevation.columns(), elevation.rows(), kLeastDescribedCells, kLeastDescribedCells));
    if (std::ranges::all_of(elevation, is_no_data))
        throw Error::input("a terrain without data cannot be described");
}

}  // namespace

double reference_length(double cell_size) {
    return std::max(cell_size, cell_size < kLargestFineCell ? kFineStep : kCoarseStep);
}

TerrainDescription describe_terrain(const Field<float>& elevation, Progress& progress) {
    check_terrain(elevation);
    progress.report(0.0, "routing water");
    ProgressPart surveying(progress, 0.0, 0.4);
    const Survey survey = survey_terrain(elevation, reference_length(elevation.grid().cell_size), surveying);
    TerrainDescription description{.grid = elevation.grid(),
                                   .reference_length = survey.scale.step,
                                   .described_share = survey.described_share,
                                   .is_mountainous = survey.is_mountainous,
                                   .statistics = {},
                                   .curves = {}};
    progress.report(0.4, "measuring rivers");
    const RiverPieces rivers = river_pieces(survey, progress);
    describe_junctions(survey, rivers, description);
    describe_planform(survey, rivers, description);
    describe_tributaries(survey, rivers, description);
    describe_profiles(survey, rivers, description);
    progress.report(0.5, "measuring basins");
    describe_basins(survey, rivers, description);
    describe_pits(survey, progress, description);
    progress.report(0.6, "measuring slopes");
    describe_slopes(survey, description);
    describe_slope_area(survey, description);
    describe_curvature(survey, description);
    progress.report(0.8, "measuring spectra");
    describe_spectra(survey, progress, description);
    progress.report(0.95, "measuring valley floors");
    describe_valley_floors(survey, description);
    progress.report(1.0, "measuring valley floors");
    return description;
}

}  // namespace thalweg
