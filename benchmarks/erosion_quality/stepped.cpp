#include "benchmarks/erosion_quality/stepped.hpp"

#include "thalweg/grid/resampling.hpp"

#include <cassert>
#include <utility>

#include "benchmarks/erosion_quality/problems.hpp"

namespace thalweg {
namespace {

constexpr int kCoarsestStepping = 32;     // cells
constexpr double kYearsPerLevel = 2.3e6;  // yr

}  // namespace

ErosionInputs begun_with(Field<float> start, ErosionInputs problem) {
    problem.elevation = [start = std::move(start), own = problem.elevation, boundary = problem.boundary](
                            const Grid& grid, Progress& part) {
        assert(boundary.empty() || boundary.size() == grid.cells());
        Field<float> elevation = resample(start, grid, Interpolation::Bicubic);
        const Field<float> kept = own(grid, part);
        for (std::int64_t cell = 0; cell < elevation.size(); ++cell) {
            const bool stays = boundary.empty() ? grid.on_edge(grid.column_of(cell), grid.row_of(cell))
                                                : boundary[cell] != 0;
            if (stays) elevation[cell] = kept[cell];
        }
        return elevation;
    };
    return problem;
}

ErosionResult stepped(const ErosionInputs& inputs, double years, std::uint64_t seed, bool diagnostics) {
    const ErosionParameters steps{
        .time = years, .method = ErosionMethod::Stepping, .diagnostics = diagnostics};
    return erode(inputs, steps, seed, progress);
}

ErosionResult stepped_by_levels(const ProblemOfSize& problem, int cells, std::uint64_t seed) {
    int level = cells;
    while (level / 2 >= kCoarsestStepping && level % 2 == 0) level /= 2;
    ErosionResult result = stepped(problem(level), kYearsPerLevel, seed, level == cells);
    for (level *= 2; level <= cells; level *= 2)
        result = stepped(begun_with(std::move(result.elevation), problem(level)), kYearsPerLevel, seed,
                         level == cells);
    return result;
}

}  // namespace thalweg
