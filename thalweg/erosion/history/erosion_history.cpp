#include "thalweg/erosion/erosion_history.hpp"

#include "thalweg/erosion/analytical/checkpoint_walk.hpp"
#include "thalweg/erosion/levels/erosion_checks.hpp"
#include "thalweg/erosion/levels/level_pyramid.hpp"
#include "thalweg/erosion/transfer/plane_fit.hpp"
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

/// Of the progress, until the ground at the start is known.
constexpr double kShareOfStart = 0.2;
/// Of that, until the rock at steady state is known.
constexpr double kShareOfFirstLook = 0.2;
/// Of the progress of increments, until those of the parent are done.
constexpr double kShareOfParent = 0.3;

/// Of the progress, until the ground has come to the raster's cells.
constexpr double kShareOfWalk = 0.9;

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

int longer_side(const Grid& grid) {
    return std::max(grid.columns, grid.rows);
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
      seed_(seed),
      home_(inputs_.grid) {
    check_episodes(history_.episodes);
}

double ErosionHistory::duration() const {
    double years = 0.0;
    for (const UpliftEpisode& episode : history_.episodes) years += episode.duration;
    return years;
}

void ErosionHistory::begin(Progress& progress) {
    cut_increments(progress);
    if (has_parent()) {
        ProgressPart part(progress, 0.0, kShareOfFirstLook);
        begin_parent(part);
    }
    mesh_ = eight_neighbours(inputs_.grid);
    start_ = inputs_.elevation(inputs_.grid, progress);
    Field<float> nodes = history_.start == HistoryStart::Steady ? find_steady_state(progress) : start_;
    stride_ = increments_.size() / kKeptStates + 1;
    kept_[0] = {std::move(nodes), history_.risen.empty() ? Field<float>(inputs_.grid) : history_.risen};
}

/// Without rock, each size goes through all of the history by itself.
bool ErosionHistory::has_parent() const {
    return rock_ && history_.start == HistoryStart::Steady && longer_side(inputs_.grid) > kThoroughSide;
}

/// Sets the same history on kThoroughSide cells at most.
void ErosionHistory::begin_parent(Progress& progress) {
    ErosionInputs inputs = inputs_;
    while (longer_side(inputs.grid) > kThoroughSide) {
        inputs.grid = inputs.grid.coarser();
        inputs.boundary = coarsen_boundary(inputs.boundary);
    }
    HistoryParameters history = history_;
    if (!history.risen.empty()) history.risen = resample(history.risen, inputs.grid);
    auto parent =
        std::make_unique<ErosionHistory>(std::move(inputs), std::move(history), erosion_, rock_, seed_);
    parent->home_ = home_;
    parent->begin(progress);
    parent_ = std::move(parent);
}

void ErosionHistory::cut_increments(Progress& progress) {
    double begin = 0.0;
    increments_.clear();
    for (std::size_t i = 0; i < history_.episodes.size(); ++i) {
        const UpliftEpisode& episode = history_.episodes[i];
        const LayerSource uplift = uplift_source(episode, i, home_, seed_, inputs_.uplift);
        // By the rate on a grid of one size, so that every size has the same increments.
        Grid placed = make_grid(home_.width(), home_.height(), 64);
        placed.west = home_.west;
        placed.north = home_.north;
        const double rise = greatest_rate(uplift, placed, progress) * episode.duration;
        const auto parts = static_cast<int>(std::max(1.0, std::ceil(rise / kGreatestRise)));
        for (int part = 0; part < parts; ++part)
            increments_.push_back(
                {i, begin + episode.duration * part / parts, begin + episode.duration * (part + 1) / parts});
        begin += episode.duration;
    }
}

/// The rock that even uplift lays open is that of a steady state of kThoroughSide cells at most, whose rivers
/// are those of every finer grid: looked up at each size's own ground, hard beds move the rivers of each
/// elsewhere.
Field<float> ErosionHistory::ground_of_first_look(const ErosionInputs& inputs,
                                                  const ErosionParameters& steady, Progress& progress) const {
    if (parent_) return parent_->first_look_;
    ErosionInputs first = inputs;
    first.erodibility = erodibility_at(rock_, inputs_.elevation);
    return erode(first, steady, seed_, progress).elevation;
}

/// Sets the mesh and the ground on the raster; returns that at the nodes of the mesh, which led there.
Field<float> ErosionHistory::find_steady_state(Progress& progress) {
    ErosionInputs inputs = inputs_;
    inputs.uplift = even(history_.start_uplift);
    ErosionParameters steady = erosion_;
    steady.time = std::numeric_limits<double>::infinity();
    steady.method = ErosionMethod::Analytical;
    steady.lattice = ErosionLattice::Mesh;
    if (rock_) {
        ProgressPart part(progress, 0.0, kShareOfFirstLook);
        first_look_ = ground_of_first_look(inputs, steady, part);
        inputs.erodibility = erodibility_at(rock_, field_source(first_look_));
    }
    Field<float> nodes;
    const LevelObserver keep_nodes = [&](const Grid& grid, const Field<float>& terrain) {
        // The raster comes after the mesh of its size.
        if (grid == inputs_.grid && nodes.empty()) nodes = terrain;
    };
    ProgressPart part(progress, rock_ ? kShareOfFirstLook : 0.0, 1.0);
    start_ = erode(inputs, steady, seed_, part, keep_nodes).elevation;
    mesh_ = jittered_mesh(inputs_.grid, seed_, erosion_.jitter, progress);
    return nodes;
}

void ErosionHistory::keep(std::size_t increments, State state) {
    kept_[increments] = std::move(state);
    std::erase_if(kept_, [&](const auto& each) {
        return each.first % stride_ != 0 && each.first != increments;  // was kept as the last
    });
}

/// What an episode makes of `ground`, m on the raster.
ErosionInputs ErosionHistory::inputs_at(const Field<float>& ground, const Field<float>& risen,
                                        std::size_t episode) const {
    ErosionInputs inputs = inputs_;
    inputs.elevation = field_source(ground);
    inputs.uplift = uplift_source(history_.episodes[episode], episode, home_, seed_, inputs_.uplift);
    if (rock_) inputs.erodibility = erodibility_at(rock_, field_source(rock_height(ground, risen)));
    const double rain = history_.episodes[episode].precipitation_factor;
    if (rain != 1.0)
        inputs.precipitation_factor =
            inputs.precipitation_factor ? product(std::move(inputs.precipitation_factor), rain) : even(rain);
    return inputs;
}

/// The raster of node elevations, m. Cells where water leaves lie as far below the start as their nodes.
Field<float> ErosionHistory::ground_of(const Field<float>& nodes, Progress& progress) const {
    if (!mesh_.displaced()) return nodes;
    Field<float> ground = resample_to_centres(nodes, mesh_, kResampleWidth, progress);
    const Field<float>& start_nodes = kept_.at(0).elevation;
    const Field<std::uint8_t> roots = root_cells(start_, inputs_.boundary);
    for (std::int64_t cell = 0; cell < ground.size(); ++cell)
        if (roots[cell] != 0) ground[cell] = start_[cell] - (start_nodes[cell] - nodes[cell]);
    return ground;
}

/// Solves an increment on the mesh, or on the raster whose cells `state` lies on then.
void ErosionHistory::age(State& state, const Increment& increment, ErosionLattice lattice,
                         Progress& progress) const {
    const bool on_mesh = lattice == ErosionLattice::Mesh;
    const ErosionInputs inputs = inputs_at(on_mesh ? ground_of(state.elevation, progress) : state.elevation,
                                           state.risen, increment.episode);
    ErosionParameters parameters = erosion_;
    parameters.time = increment.end - increment.begin;
    parameters.time_definition = TimeDefinition::FullResolution;
    parameters.lattice = lattice;
    parameters.edges = inputs.boundary.empty() && parameters.law.base_slope == 0.0 ? EdgeRule::RiverOutlets
                                                                                   : EdgeRule::Fixed;
    check_erosion_parameters(parameters);
    check_erosion_inputs(inputs);
    check_drainage_sources(inputs, progress);
    ErosionLevel level =
        make_erosion_level(inputs, inputs.grid, inputs.boundary, parameters, seed_, progress);
    level.initial = std::move(state.elevation);  // no samples of samples
    PhaseTimes phases;
    CheckpointWalk walk(std::make_shared<const ErosionLevel>(std::move(level)), {inputs, parameters, seed_},
                        {});
    state.elevation = walk.terrain_at(parameters.time, {progress, phases});
    raise(state.risen, inputs.uplift(inputs.grid, progress), parameters.time);
}

/// m, at `time`, on the raster.
Field<float> ErosionHistory::risen_at(double time, Progress& progress) const {
    Field<float> risen = kept_.at(0).risen;
    double begin = 0.0;
    for (std::size_t i = 0; i < history_.episodes.size() && begin < time; ++i) {
        const UpliftEpisode& episode = history_.episodes[i];
        const LayerSource uplift = uplift_source(episode, i, home_, seed_, inputs_.uplift);
        raise(risen, uplift(inputs_.grid, progress), std::min(episode.duration, time - begin));
        begin += episode.duration;
    }
    return risen;
}

/// Values at the parent's nodes at those of the mesh.
Field<float> ErosionHistory::carried(const Field<float>& of_parent, Progress& progress) const {
    std::vector<Grid> between;  // sizes between this one and the parent's, finest first
    for (Grid grid = inputs_.grid.coarser(); longer_side(grid) > kThoroughSide; grid = grid.coarser())
        between.push_back(grid);
    Field<float> nodes = of_parent;
    Lattice coarse = parent_->mesh_;
    for (auto grid = between.rbegin(); grid != between.rend(); ++grid) {
        Lattice fine = jittered_mesh(*grid, seed_, erosion_.jitter, progress);
        nodes = upsample_nodes(nodes, coarse, fine, kUpsampleWidth, progress);
        coarse = std::move(fine);
    }
    return upsample_nodes(nodes, coarse, mesh_, kUpsampleWidth, progress);
}

/// The parent's state at `time`, yr, at the nodes of the mesh, with what the start has beyond the parent's in
/// the first kRefinedTime. Nodes where water leaves lie as far below the start as the parent's there.
ErosionHistory::State ErosionHistory::parent_state_at_nodes(double time, Progress& progress) {
    const State of_parent = parent_->state_at(time, progress);
    Field<float> nodes = carried(of_parent.elevation, progress);
    const Field<float>& start = kept_.at(0).elevation;
    const Field<float>& parent_start = parent_->kept_.at(0).elevation;
    if (time < kRefinedTime) {
        const auto share = static_cast<float>(1.0 - time / kRefinedTime);
        const Field<float> smooth_start = carried(parent_start, progress);
        for (std::int64_t cell = 0; cell < nodes.size(); ++cell)
            nodes[cell] += share * (start[cell] - smooth_start[cell]);
    }
    int halvings = 0;
    for (Grid grid = inputs_.grid; longer_side(grid) > kThoroughSide; grid = grid.coarser()) ++halvings;
    const Grid& grid = inputs_.grid;
    const Field<std::uint8_t> roots = root_cells(start_, inputs_.boundary);
    for (std::int64_t cell = 0; cell < nodes.size(); ++cell) {
        if (is_no_data(start[cell])) nodes[cell] = start[cell];
        if (roots[cell] == 0) continue;
        const std::int64_t ancestor =
            parent_start.grid().index(grid.column_of(cell) >> halvings, grid.row_of(cell) >> halvings);
        nodes[cell] = start[cell] - (parent_start[ancestor] - of_parent.elevation[ancestor]);
    }
    return {std::move(nodes), risen_at(time, progress)};
}

/// At the nodes; keeps the states on the way.
ErosionHistory::State ErosionHistory::state_at(double time, Progress& progress) {
    const auto is_past = [&](const Increment& increment) { return increment.end <= time; };
    const auto wanted = static_cast<std::size_t>(std::ranges::count_if(increments_, is_past));
    const auto& [first, kept] = *std::prev(kept_.upper_bound(wanted));  // the last state before
    State state = kept;
    const auto lattice = mesh_.displaced() ? ErosionLattice::Mesh : ErosionLattice::EightNeighbours;
    const auto all = static_cast<double>(wanted - first + 1);
    const auto share_of = [&, first = first](std::size_t increment) {
        return static_cast<double>(increment - first) / all;
    };
    for (std::size_t done = first; done < wanted; ++done) {
        ProgressPart increment(progress, share_of(done), share_of(done + 1));
        age(state, increments_[done], lattice, increment);
        keep(done + 1, state);
    }
    if (wanted < increments_.size() && time > increments_[wanted].begin) {
        ProgressPart last(progress, share_of(wanted), 1.0);
        age(state, {increments_[wanted].episode, increments_[wanted].begin, time}, lattice, last);
    }
    return state;
}

/// A state at `from` yr in the increments up to `to` yr.
void ErosionHistory::age(State& state, double from, double to, ErosionLattice lattice,
                         Progress& progress) const {
    for (const Increment& increment : increments_) {
        const Increment part{increment.episode, std::max(from, increment.begin), std::min(to, increment.end)};
        if (part.begin >= part.end) continue;
        ProgressPart share(progress, (part.begin - from) / (to - from), (part.end - from) / (to - from));
        age(state, part, lattice, share);
    }
}

/// At the nodes, from where the parent was at `from`, yr; keeps the state at the last end of an increment.
ErosionHistory::State ErosionHistory::refined_from(double from, double time, Progress& progress) {
    double end = from;  // of the last increment that is over, yr
    for (const Increment& increment : increments_)
        if (increment.end <= time) end = std::max(end, increment.end);
    auto kept = refined_.find(from);
    if (kept == refined_.end() || kept->second.time > end) {
        ProgressPart part(progress, 0.0, kShareOfParent);
        State start = from > 0.0 ? parent_state_at_nodes(from, part) : kept_.at(0);
        std::erase_if(refined_, [&](const auto& each) { return std::abs(each.first - from) > kRefinedTime; });
        kept = refined_.insert_or_assign(from, RefinedState{from, std::move(start)}).first;
    }
    const double begin = kept->second.time;  // yr
    const double share = kShareOfParent + (1.0 - kShareOfParent) * (end - begin) / (time - begin);
    State state = kept->second.state;
    {
        ProgressPart part(progress, kShareOfParent, share);
        age(state, begin, end, ErosionLattice::Mesh, part);
    }
    if (end > begin) kept->second = {end, state};
    ProgressPart part(progress, share, 1.0);
    age(state, end, time, ErosionLattice::Mesh, part);
    return state;
}

/// At the nodes. The parent is left whole kRefinedTimes before the end, half a one before `time` at least:
/// times that leave it together continue one another. From those that left it before, the ground fades.
ErosionHistory::State ErosionHistory::refined_state_at(double time, Progress& progress) {
    const double end = duration() - kSettlingTime;  // yr
    const double from = end - kRefinedTime * std::ceil((end - time) / kRefinedTime + 0.5);
    if (from <= 0.0) return refined_from(0.0, time, progress);
    const double share = (time - from - 0.5 * kRefinedTime) / kFadeTime;
    if (share >= 1.0) return refined_from(from, time, progress);
    ProgressPart first(progress, 0.0, 0.5);
    State state = refined_from(from, time, first);
    ProgressPart second(progress, 0.5, 1.0);
    const State before = refined_from(std::max(0.0, from - kRefinedTime), time, second);
    for (std::int64_t node = 0; node < state.elevation.size(); ++node)
        state.elevation[node] =
            std::lerp(before.elevation[node], state.elevation[node], static_cast<float>(share));
    return state;
}

Field<float> ErosionHistory::at(double time, Progress& progress) {
    if (kept_.empty()) {
        ProgressPart part(progress, 0.0, kShareOfStart);
        begin(part);
    }
    time = std::min(time, duration());
    if (time == 0.0) {
        risen_ = kept_.at(0).risen;
        return start_;
    }
    const double on_nodes = mesh_.displaced() ? std::max(0.0, time - kSettlingTime) : time;
    ProgressPart walk(progress, kShareOfStart, kShareOfWalk);
    State state = parent_ ? refined_state_at(on_nodes, walk) : state_at(on_nodes, walk);
    if (mesh_.displaced()) {
        ProgressPart last(progress, kShareOfWalk, 1.0);
        state.elevation = ground_of(state.elevation, last);
        age(state, on_nodes, time, ErosionLattice::EightNeighbours, last);
    }
    risen_ = std::move(state.risen);
    return std::move(state.elevation);
}

}  // namespace thalweg
