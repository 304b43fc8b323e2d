#include "thalweg/erosion/erosion_series.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/erosion/analytical/checkpointed_erosion.hpp"
#include "thalweg/erosion/levels/erosion_checks.hpp"
#include "thalweg/erosion/levels/resolved_parameters.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace thalweg {

struct ErosionSeries::State {
    ErosionInputs inputs;
    ErosionParameters parameters;  // its time is that of the last call that knew no keys
    std::uint64_t seed;
    ErosionParameters checkpointed_parameters;  // the same at a finite time
    std::optional<CheckpointedErosion> keyed;
    std::optional<ErosionResult> steady;
    bool sources_checked = false;
};

ErosionSeries::ErosionSeries(ErosionInputs inputs, const ErosionParameters& parameters, std::uint64_t seed,
                             std::int64_t checkpoint_bytes)
    : state_(std::make_unique<State>()) {
    if (checkpoint_bytes < 0)
        throw Error::input(fmt::format(
            "{} bytes for terrain at checkpoint times are not allowed: give 0 or more", checkpoint_bytes));
    state_->inputs = std::move(inputs);
    state_->seed = seed;
    state_->parameters = state_->checkpointed_parameters = parameters;
    state_->parameters.time = std::numeric_limits<double>::infinity();
    state_->checkpointed_parameters.time = 0.0;
    check_timeless_parameters(state_->parameters);
    check_erosion_inputs(state_->inputs);
    state_->checkpointed_parameters = resolved_parameters(state_->checkpointed_parameters, state_->inputs);
    if (has_checkpoints(state_->checkpointed_parameters))
        state_->keyed.emplace(ErosionProblem{state_->inputs, state_->checkpointed_parameters, seed},
                              checkpoint_bytes);
}

ErosionSeries::ErosionSeries(ErosionSeries&&) noexcept = default;
ErosionSeries& ErosionSeries::operator=(ErosionSeries&&) noexcept = default;
ErosionSeries::~ErosionSeries() = default;

ErosionResult ErosionSeries::at(double time, Progress& progress) {
    State& state = *state_;
    state.parameters.time = time;
    check_erosion_parameters(state.parameters);
    if (!state.sources_checked) check_drainage_sources(state.inputs, progress);
    state.sources_checked = true;
    if (state.keyed && !std::isinf(time)) return state.keyed->at(time, progress);
    if (std::isinf(time) && state.steady) return *state.steady;
    ErosionResult result = erode(state.inputs, state.parameters, state.seed, progress);
    if (std::isinf(time)) {
        state.steady = result;
        state.steady->report.phases_ms.clear();  // nothing is left to be done when it is asked for again
    }
    return result;
}

std::int64_t ErosionSeries::networks_found() const {
    return state_->keyed ? state_->keyed->networks_found() : 0;
}

std::int64_t ErosionSeries::kept_terrain_bytes() const {
    return state_->keyed ? state_->keyed->kept_terrain_bytes() : 0;
}

}  // namespace thalweg
