#include "thalweg/erosion/solvers/transient.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/law/travel_time.hpp"

#include <cstdint>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 14;
constexpr double kFarShare = 0.3;  // of the links, passed whole: from there on paths are faster (empirical)

/// How many links a signal passes whole in the time.
std::int64_t passed_links(const TransientProblem& problem) {
    const std::uint8_t* const direction = problem.tree.direction.data();
    const float* const length = problem.inputs.length.data();
    const float* const celerity = problem.inputs.celerity.data();
    const float time = float_years(problem.time);
    const auto count = [&](std::int64_t first, std::int64_t last) {
        std::int32_t passed = 0;
        for (std::int64_t cell = first; cell < last; ++cell)
            passed += (direction[cell] < kRoot) & (length[cell] < celerity[cell] * time) ? 1 : 0;
        return std::int64_t{passed};
    };
    const auto add = [](std::int64_t a, std::int64_t b) { return a + b; };
    return parallel_reduce(0, problem.tree.grid.cells(), kCellsPerTask, std::int64_t{0}, count, add);
}

}  // namespace

void TransientSolver::solve(const TransientProblem& problem, Field<float>& elevation, Progress& progress) {
    const double cells = static_cast<double>(problem.tree.order.size());
    if (static_cast<double>(passed_links(problem)) > kFarShare * cells) {
        near_ = {};
        far_.solve(problem, elevation, progress);
    } else {
        far_ = {};
        near_.solve(problem, elevation, progress);
    }
}

}  // namespace thalweg
