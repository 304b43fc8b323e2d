#include "thalweg/erosion/erosion_history.hpp"

#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

namespace thalweg {
namespace {

/// How often the rock is looked up at steady state.
constexpr int kSteadyLooks = 2;

/// Of the progress, until the ground at the start is known.
constexpr double kShareOfStart = 0.2;

LayerSource even(double value) {
    return constant_source(static_cast<float>(value));
}

/// Erodibility on any grid, where the ground is `ground`.
LayerSource erodibility_at(const ErodibilityOfRock& rock, LayerSource ground) {
    return [rock, ground = std::move(ground)](const Grid& grid, Progress& progress) {
        return rock(ground(grid, progress), progress);
    };
}

LayerSource product(LayerSource source, double factor) {
    return [source = std::move(source), factor](const Grid& grid, Progress& progress) {
        Field<float> values = source(grid, progress);
        for (float& value : values) value = static_cast<float>(factor * value);
        return values;
    };
}

void raise(Field<float>& risen, const Field<float>& rate, double years) {
    for_each_row(risen.grid(), [&](int row) {
        for (int column = 0; column < risen.columns(); ++column)
            risen(column, row) += static_cast<float>(years * rate(column, row));
    });
}

/// The height that the rock at the ground had before it rose.
Field<float> rock_height(const Field<float>& elevation, const Field<float>& risen) {
    Field<float> z(elevation.grid());
    for_each_row(z.grid(), [&](int row) {
        for (int column = 0; column < z.columns(); ++column)
            z(column, row) = elevation(column, row) - risen(column, row);
    });
    return z;
}

double greatest_rate(const LayerSource& uplift, const Grid& grid, Progress& progress) {
    const Field<float> rate = uplift(grid, progress);
    float greatest = 0.0F;
    for (const float value : rate) greatest = std::max(greatest, std::abs(value));
    return greatest;
}

}  // namespace

ErosionHistory::ErosionHistory(ErosionInputs inputs, HistoryParameters history,
                               const ErosionParameters& erosion, ErodibilityOfRock rock, std::uint64_t seed)
    : inputs_(std::move(inputs)),
      history_(std::move(history)),
      erosion_(erosion),
      rock_(std::move(rock)),
      seed_(seed) {
    check_episodes(history_.episodes);
}

double ErosionHistory::duration() const {
    double years = 0.0;
    for (const UpliftEpisode& episode : history_.episodes) years += episode.duration;
    return years;
}

/// Finds the ground at the start, and cuts the episodes into increments.
void ErosionHistory::begin(Progress& progress) {
    double begin = 0.0;
    increments_.clear();
    for (std::size_t i = 0; i < history_.episodes.size(); ++i) {
        const UpliftEpisode& episode = history_.episodes[i];
        const LayerSource uplift = uplift_source(episode, i, inputs_.grid, seed_, inputs_.uplift);
        // By the rate on a grid of one size, so that every size has the same increments.
        const Grid coarse = make_grid(inputs_.grid.width(), inputs_.grid.height(), 64);
        Grid placed = coarse;
        placed.west = inputs_.grid.west;
        placed.north = inputs_.grid.north;
        const double rise = greatest_rate(uplift, placed, progress) * episode.duration;
        const auto parts = static_cast<int>(std::max(1.0, std::ceil(rise / kGreatestRise)));
        for (int part = 0; part < parts; ++part)
            increments_.push_back(
                {i, begin + episode.duration * part / parts, begin + episode.duration * (part + 1) / parts});
        begin += episode.duration;
    }
    ErosionInputs inputs = inputs_;
    Field<float> elevation = inputs.elevation(inputs.grid, progress);
    if (history_.start == HistoryStart::Steady) {
        ErosionParameters steady = erosion_;
        steady.time = std::numeric_limits<double>::infinity();
        inputs.uplift = even(history_.start_uplift);
        const int looks = rock_ ? kSteadyLooks : 1;
        for (int look = 0; look < looks; ++look) {
            if (rock_)
                inputs.erodibility =
                    erodibility_at(rock_, look == 0 ? inputs_.elevation : field_source(elevation));
            ProgressPart part(progress, static_cast<double>(look) / looks, (look + 1.0) / looks);
            elevation = erode(inputs, steady, seed_, part).elevation;
        }
    }
    stride_ = increments_.size() / kKeptStates + 1;
    Field<float> risen = history_.risen.empty() ? Field<float>(inputs.grid) : history_.risen;
    kept_[0] = {std::move(elevation), std::move(risen)};
}

void ErosionHistory::keep(std::size_t increments, State state) {
    kept_[increments] = std::move(state);
    std::erase_if(kept_, [&](const auto& each) {
        return each.first % stride_ != 0 && each.first != increments;  // was kept as the last
    });
}

ErosionInputs ErosionHistory::inputs_at(const State& state, std::size_t episode) const {
    ErosionInputs inputs = inputs_;
    inputs.elevation = field_source(state.elevation);
    inputs.uplift = uplift_source(history_.episodes[episode], episode, inputs_.grid, seed_, inputs_.uplift);
    if (rock_)
        inputs.erodibility = erodibility_at(rock_, field_source(rock_height(state.elevation, state.risen)));
    const double rain = history_.episodes[episode].precipitation_factor;
    if (rain != 1.0)
        inputs.precipitation_factor =
            inputs.precipitation_factor ? product(std::move(inputs.precipitation_factor), rain) : even(rain);
    return inputs;
}

ErosionResult ErosionHistory::age(State& state, const Increment& increment, Progress& progress) const {
    ErosionParameters parameters = erosion_;
    parameters.time = increment.end - increment.begin;
    parameters.time_definition = TimeDefinition::FullResolution;
    parameters.lattice = ErosionLattice::EightNeighbours;
    const ErosionInputs inputs = inputs_at(state, increment.episode);
    ErosionResult result = erode(inputs, parameters, seed_, progress);
    state.elevation = result.elevation;
    raise(state.risen, inputs.uplift(inputs.grid, progress), parameters.time);
    return result;
}

ErosionResult ErosionHistory::at(double time, Progress& progress) {
    if (kept_.empty()) {
        ProgressPart part(progress, 0.0, kShareOfStart);
        begin(part);
    }
    const auto is_past = [&](const Increment& increment) { return increment.end <= time; };
    const auto wanted = static_cast<std::size_t>(std::ranges::count_if(increments_, is_past));
    const auto& [first, kept] = *std::prev(kept_.upper_bound(wanted));  // the last state before
    State state = kept;
    ErosionResult result;
    result.elevation = state.elevation;
    const auto all = static_cast<double>(wanted - first + 1);
    const auto share_of = [&, first = first](std::size_t increment) {
        return kShareOfStart + (1.0 - kShareOfStart) * static_cast<double>(increment - first) / all;
    };
    for (std::size_t done = first; done < wanted; ++done) {
        ProgressPart increment(progress, share_of(done), share_of(done + 1));
        result = age(state, increments_[done], increment);
        keep(done + 1, state);
    }
    if (wanted < increments_.size() && time > increments_[wanted].begin) {
        ProgressPart last(progress, share_of(wanted), 1.0);
        result = age(state, {increments_[wanted].episode, increments_[wanted].begin, time}, last);
    }
    risen_ = std::move(state.risen);
    return result;
}

}  // namespace thalweg
