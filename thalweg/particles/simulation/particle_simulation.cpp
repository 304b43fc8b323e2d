#include "thalweg/particles/particle_simulation.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/particles/droplets/droplet_batch.hpp"
#include "thalweg/particles/ground/ground_materials.hpp"
#include "thalweg/particles/ground/ground_plants.hpp"
#include "thalweg/particles/ground/particle_ground.hpp"
#include "thalweg/particles/simulation/cycle_backup.hpp"
#include "thalweg/particles/simulation/droplet_starts.hpp"
#include "thalweg/particles/simulation/first_state.hpp"
#include "thalweg/particles/simulation/main_stream.hpp"
#include "thalweg/particles/simulation/standing_water.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 14;

DropletLaw law_of(const ParticleState& state, double mean_volume) {
    const ParticleParameters& p = state.parameters;
    const Grid& grid = state.elevation.grid();
    constexpr double kLeastSteps = 16.0;
    constexpr double kMostSteps = 1 << 20;
    const double range = p.range > 0.0 ? p.range : 4.0 * (grid.width() + grid.height());
    return {.cell_size = static_cast<float>(grid.cell_size),
            .gravity = static_cast<float>(p.gravity),
            .capacity = static_cast<float>(p.capacity * mean_volume / grid.cell_area() / kElevationUnit),
            .exchange_length = static_cast<float>(p.exchange_length),
            .evaporation_length = static_cast<float>(p.evaporation_length),
            .settling_length = static_cast<float>(p.settling_length),
            .climb_limit = static_cast<float>(p.climb_limit),
            .steps = static_cast<int>(std::clamp(range / grid.cell_size, kLeastSteps, kMostSteps)),
            .is_fourth_order = p.gradient_order == GradientOrder::Fourth,
            .soil_erodibility = static_cast<float>(p.soil_erodibility),
            .soil_settling_length = static_cast<float>(p.soil_settling_length > 0.0 ? p.soil_settling_length
                                                                                    : p.settling_length)};
}

StreamLaw stream_law_of(const ParticleState& state) {
    const ParticleParameters& p = state.parameters;
    constexpr double kWidth = 10.0;  // m, across which streams carry entrainment_discharge
    const double full = p.entrainment_discharge * state.elevation.grid().cell_size / kWidth;
    return {.cell_size = static_cast<float>(state.elevation.grid().cell_size),
            .momentum_transfer = static_cast<float>(p.momentum_transfer),
            .momentum_discharge = static_cast<float>(p.momentum_discharge),
            .entrainment = static_cast<float>(p.entrainment),
            .entrainment_rate = static_cast<float>(0.4 / full)};
}

/// m above the datum.
float sea_level_of(const ParticleState& state) {
    const double level = state.parameters.sea_level;
    return level > kNoSea ? static_cast<float>(level - state.datum) : -std::numeric_limits<float>::infinity();
}

/// Droplets that run together stay near each other, so that they read and write the same memory.
std::vector<DropletStart> by_tiles(const std::vector<DropletStart>& starts, const GroundTiles& tiles) {
    std::vector<std::pair<std::int64_t, std::size_t>> order;  // tiles, and numbers of droplets
    order.reserve(starts.size());
    for (const DropletStart& start : starts)
        order.emplace_back(
            tiles.tile_of(static_cast<int>(start.droplet.place.x), static_cast<int>(start.droplet.place.y)),
            order.size());
    std::ranges::sort(order);
    std::vector<DropletStart> sorted;
    sorted.reserve(starts.size());
    for (const auto& [tile, number] : order) sorted.push_back(starts[number]);
    return sorted;
}

}  // namespace

/// What cycles work with: the ground as droplets see it, and their traces, one for each thread.
struct ParticleSimulation::Scratch {
    ParticleGround ground;
    BedrockOfCells bedrock;
    std::vector<float> roots;
    std::vector<float> held_slopes;
    std::vector<DropletTraces> traces;

    explicit Scratch(const ParticleState& state)
        : ground(state.elevation, state.parameters.springs),
          bedrock(bedrock_of(state)),
          roots(roots_of(state)),
          held_slopes(held_slopes_of(state)) {
        ground.set_owed(state.debt);
        ground.release_memory();
    }

    [[nodiscard]] GroundDrainage drain(const ParticleState& state, Progress& progress) const {
        return drain_ground(metres_of(state.elevation), ground.outlets(state.elevation, sea_level_of(state)),
                            progress);
    }

    void level_lakes(ParticleState& state, const GroundDrainage& drainage, Progress& progress) const;
    void look_at(ParticleState& state, Progress& progress);

    void make_traces(const ParticleState& state);
    [[nodiscard]] DropletGround seen_by_droplets(const ParticleState& state) const;
    void run_batch(ParticleState& state, const DropletLaw& law, const DropletStarts& of_cycle, int batch);
    StreamAverages averages_of(ParticleState& state, double mean_volume);
};

/// Lets all water at rest come to level.
void ParticleSimulation::Scratch::level_lakes(ParticleState& state, const GroundDrainage& drainage,
                                              Progress& progress) const {
    const ParticleParameters& parameters = state.parameters;
    const double dried = parameters.lake_evaporation * parameters.time_step * parameters.lakes_every;  // m
    const std::int64_t most = std::llround(dried / kElevationUnit);
    for (std::int64_t cell = 0; most > 0 && cell < state.lake.size(); ++cell) {
        if (cell % kCellsPerTask == 0) progress.poll();
        if (state.lake[cell] == 0) continue;
        const std::int64_t amount = std::min(most, state.water_at_rest[cell]);
        state.water_at_rest.add(cell, -amount);
        state.water.evaporated += amount;
    }
    const bool is_full = state.cycles == 0 && parameters.are_lakes_full_at_first;
    LevelledWater levelled =
        level_water(drainage, std::move(state.water_at_rest), std::move(state.lake), is_full, progress);
    state.water_at_rest = std::move(levelled.water);
    state.lake = std::move(levelled.lake);
    state.lakes = std::move(levelled.lakes);
    if (is_full) state.water.initial = sum_of(state.water_at_rest);
    state.water.left += levelled.outflow;
}

/// Lets droplets see the ground as it is, its lakes, and where water runs.
void ParticleSimulation::Scratch::look_at(ParticleState& state, Progress& progress) {
    GroundDrainage drainage = drain(state, progress);
    const int every = state.parameters.lakes_every;
    if (every > 0 && state.cycles % every == 0) level_lakes(state, drainage, progress);
    // What droplets read is asked for once the drainage has been given back.
    const std::vector<std::uint8_t> directions = directions_over_filled(std::move(drainage));
    ground.set_water(state.elevation, state.lake, sea_level_of(state));
    ground.set_directions(directions, state.lake, state.lakes);
    ground.set_streams(stream_law_of(state), {state.discharge, state.momentum_east, state.momentum_south},
                       state.lake, state.lakes, sea_level_of(state));
}

/// Lets each thread have traces of its own.
void ParticleSimulation::Scratch::make_traces(const ParticleState& state) {
    const std::int64_t made = std::ssize(traces);
    const auto wanted = static_cast<std::int64_t>(thread_count());
    if (made >= wanted) return;
    traces.resize(at(wanted));
    parallel_blocks(wanted - made, [&](std::int64_t i) {
        traces[at(made + i)] = DropletTraces::on(ground.tiles(), state.elevation.size(),
                                                 !state.pigments.empty(), !state.soil.empty());
    });
}

DropletGround ParticleSimulation::Scratch::seen_by_droplets(const ParticleState& state) const {
    const auto data_of = [](const std::vector<float>& values) {
        return values.empty() ? nullptr : values.data();
    };
    DropletGround seen = ground.for_droplets(state.elevation);
    seen.loose = state.loose.data();
    seen.soil = state.soil.empty() ? nullptr : state.soil.data();
    seen.erodibility = data_of(bedrock.erodibility);
    seen.roots = data_of(roots);
    for (std::size_t p = 0; p < state.pigments.size(); ++p) seen.pigments[p] = state.pigments[p].data();
    return seen;
}

/// Lets droplets of one batch run on the ground as it is, and changes it by what they leave.
void ParticleSimulation::Scratch::run_batch(ParticleState& state, const DropletLaw& law,
                                            const DropletStarts& of_cycle, int batch) {
    const GroundTiles& tiles = ground.tiles();
    const std::vector<DropletStart> starts = by_tiles(of_cycle.of_batch(batch), tiles);
    make_traces(state);
    const DropletGround seen = seen_by_droplets(state);
    // Whole numbers: sums are the same, whichever thread takes a droplet.
    const auto parts = static_cast<std::int64_t>(thread_count());
    DropletQueue droplets = {.starts = starts};
    parallel_blocks(parts,
                    [&](std::int64_t part) { run_droplets(law, seen, tiles, droplets, traces[at(part)]); });
    ground.count_visits(state.debt, traces);
    parallel_blocks(parts, [&](std::int64_t part) { move_sediment(law, seen, starts, traces[at(part)]); });
    for (const DropletStart& start : starts) state.water.fallen += start.water;
    state.droplets += std::ssize(starts);
    for (DropletTraces& trace : traces) {
        const DropletTally tally = std::exchange(trace.tally, {});
        state.moves += tally.moves;
        state.water.evaporated += tally.water_evaporated;
        state.water.left += tally.water_left;
        state.sediment.entered += tally.sediment_entered;
        state.sediment.left += tally.sediment_left;
        state.soil_budget.left += tally.soil_left;
        state.soil_budget.taken += tally.soil_taken;
        for (const WaterAtRest& rest : std::exchange(trace.at_rest, {})) {
            if (state.parameters.lakes_every > 0)
                state.water_at_rest.add(rest.cell, rest.water);
            else
                state.water.evaporated += rest.water;
        }
    }
    GroundLayers layers = {.elevation = state.elevation, .loose = state.loose};
    if (!state.soil.empty()) {
        layers.soil = &state.soil;
        layers.soil_debt = &state.soil_debt;
    }
    ground.exchange(layers, state.debt, traces);
    const GroundPigments pigments = {.surface = state.pigments,
                                     .bedrock = state.bedrock_pigments,
                                     .depth = state.parameters.pigment_depth / kElevationUnit};
    const bool is_washed = !state.pigments.empty();
    if (is_washed) ground.wash(pigments, state.loose, traces);
    const SlidOut slid =
        ground.avalanche(layers,
                         {.law = slides_of(state, bedrock),
                          .bedrock_rise = bedrock.rise.empty() ? nullptr : bedrock.rise.data(),
                          .held = held_slopes.empty() ? nullptr : held_slopes.data()},
                         is_washed ? &pigments : nullptr);
    state.sediment.left += slid.all;
    state.soil_budget.left += slid.soil;
}

/// The averages of streams, with discharge and momentum of the cycle, once all of its droplets have run.
StreamAverages ParticleSimulation::Scratch::averages_of(ParticleState& state, double mean_volume) {
    ++state.averaged;
    ground.release_memory();
    StreamAverages averages(state.elevation.grid());
    const double rate =
        std::max(state.parameters.time_step / (state.parameters.averaging_time + state.parameters.time_step),
                 1.0 / static_cast<double>(state.averaged));
    const auto weight = static_cast<float>(rate);
    const auto scale =
        static_cast<float>(mean_volume / state.parameters.time_step / static_cast<double>(kTraceOfDroplet));
    ground.take_water(traces, [&](std::int64_t first, std::int64_t count, const TraceSums& sums) {
        const StreamRow<const float> before = {.discharge = state.discharge.data() + first,
                                               .momentum_east = state.momentum_east.data() + first,
                                               .momentum_south = state.momentum_south.data() + first};
        const StreamRow<float> row = {.discharge = averages.discharge.data() + first,
                                      .momentum_east = averages.momentum_east.data() + first,
                                      .momentum_south = averages.momentum_south.data() + first};
        in_lanes([&](auto lanes) { average_streams<lanes()>(sums, weight, scale, count, before, row); });
    });
    return averages;
}

ParticleSimulation::ParticleSimulation(const Field<float>& elevation, const ParticleParameters& parameters,
                                       std::uint64_t seed, ParticleMaps maps)
    : ParticleSimulation(first_state(elevation, parameters, seed, std::move(maps))) {
}

ParticleSimulation::ParticleSimulation(ParticleState state) : state_(std::move(state)) {
    check_pigments(state_, state_.pigments);
    check_pigments(state_, state_.bedrock_pigments);
    if (state_.pigments.size() != state_.bedrock_pigments.size())
        throw Error::input(fmt::format("{} pigments of bedrock for {} of the surface: give as many",
                                       state_.bedrock_pigments.size(), state_.pigments.size()));
}
ParticleSimulation::ParticleSimulation(ParticleSimulation&&) noexcept = default;
ParticleSimulation& ParticleSimulation::operator=(ParticleSimulation&&) noexcept = default;
ParticleSimulation::~ParticleSimulation() = default;

void ParticleSimulation::set_bedrock(Field<float> erodibility, Field<float> repose_slope,
                                     std::vector<Field<float>> pigments) {
    check_pigments(state_, pigments);
    state_.bedrock_erodibility = std::move(erodibility);
    state_.bedrock_repose_slope = std::move(repose_slope);
    if (scratch_) {
        scratch_->bedrock = bedrock_of(state_);
        scratch_->ground.unsettle();
    }
    if (pigments.empty()) return;
    if (state_.pigments.size() != pigments.size()) {
        state_.pigments.assign(pigments.size(), Field<float>(state_.elevation.grid()));
        scratch_.reset();
    }
    for (std::size_t p = 0; p < pigments.size(); ++p)
        for (std::int64_t cell = 0; cell < pigments[p].size(); ++cell)
            if (state_.cycles == 0 || state_.loose[cell] == 0) state_.pigments[p][cell] = pigments[p][cell];
    state_.bedrock_pigments = std::move(pigments);
}

void ParticleSimulation::step(Progress& progress) {
    progress.poll();
    if (!scratch_) scratch_ = std::make_unique<Scratch>(state_);
    // A cycle that is cancelled leaves nothing behind.
    CycleBackup before(state_);
    try {
        scratch_->look_at(state_, progress);
        const DropletStarts starts(state_);
        const DropletLaw law = law_of(state_, starts.mean_volume());
        for (int batch = 0; batch < starts.batches(); ++batch) {
            progress.poll();
            scratch_->run_batch(state_, law, starts, batch);
        }
        before.change_averages(state_, scratch_->averages_of(state_, starts.mean_volume()));
        grow_plants(state_, before.elevation());
        form_soil(state_);
        scratch_->roots = roots_of(state_);
        scratch_->held_slopes = held_slopes_of(state_);
        if (state_.parameters.soil_time > 0.0 || !scratch_->held_slopes.empty()) scratch_->ground.unsettle();
        ++state_.cycles;
    } catch (...) {
        before.restore(state_);
        scratch_.reset();
        throw;
    }
}

Field<float> ParticleSimulation::sediment() const {
    Field<float> metres(state_.elevation.grid(), kNoData);
    for (std::int64_t cell = 0; cell < metres.size(); ++cell) {
        if (state_.elevation[cell] == kNoGround) continue;
        const std::int32_t units = state_.loose[cell] - (state_.soil.empty() ? 0 : state_.soil[cell]);
        metres[cell] = static_cast<float>(static_cast<double>(units) * kElevationUnit);
    }
    return metres;
}

Field<float> ParticleSimulation::soil() const {
    Field<float> metres(state_.elevation.grid(), kNoData);
    for (std::int64_t cell = 0; cell < metres.size(); ++cell)
        if (state_.elevation[cell] != kNoGround)
            metres[cell] = state_.soil.empty()
                               ? 0.0F
                               : static_cast<float>(static_cast<double>(state_.soil[cell]) * kElevationUnit);
    return metres;
}

Field<float> ParticleSimulation::elevation() const {
    Field<float> metres(state_.elevation.grid());
    for (std::int64_t cell = 0; cell < metres.size(); ++cell) metres[cell] = height_of(state_, cell);
    return metres;
}

ParticleReport ParticleSimulation::report() const {
    const SedimentBudget& sediment = state_.sediment;
    const SoilBudget& soil = state_.soil_budget;
    const WaterBudget& water = state_.water;
    const double unit = kElevationUnit * state_.elevation.grid().cell_area();  // m^3
    const std::int64_t at_rest = sum_of(state_.water_at_rest);
    return {
        .cycles = state_.cycles,
        .droplets = state_.droplets,
        .moves = state_.moves,
        .sediment_error = sum_of(state_.elevation) + sum_of(state_.debt) + sediment.left - sediment.entered -
                          sediment.initial,
        .water_error = water.initial + water.fallen - water.evaporated - water.left - at_rest,
        .sediment_in = static_cast<double>(sediment.entered) * unit,
        .sediment_out = static_cast<double>(sediment.left) * unit,
        .bedrock_eroded =
            static_cast<double>(sediment.bedrock + sum_of(state_.loose) - sum_of(state_.elevation)) * unit,
        .soil_error =
            sum_of(state_.soil) + sum_of(state_.soil_debt) + soil.left - soil.entered - soil.initial,
        .soil_eroded = static_cast<double>(soil.taken) * unit,
        .soil_out = static_cast<double>(soil.left) * unit,
        .water_fallen = static_cast<double>(water.fallen) * unit,
        .sinuosity = sinuosity_of(main_stream(
            {.discharge = state_.discharge, .east = state_.momentum_east, .south = state_.momentum_south})),
        .lake_volume = static_cast<double>(at_rest) * unit,
        .drained_share = drained_share()};
}

double ParticleSimulation::drained_share() const {
    // Let it rain for as long as droplets are averaged, so that hollows over which they jump count for
    // nothing.
    const ParticleParameters& parameters = state_.parameters;
    const double years = parameters.averaging_time + parameters.time_step;
    constexpr double kMost = 0x1p30;  // units: 8 km
    UnitField water = state_.water_at_rest;
    for (std::int64_t cell = 0; cell < water.size(); ++cell) {
        const double rain =
            state_.rain.empty() ? parameters.rainfall : static_cast<double>(state_.rain[cell]);  // m/yr
        if (rain > 0.0) water.add(cell, std::llround(std::min(rain * years / kElevationUnit, kMost)));
    }
    const Scratch now(state_);
    SilentProgress progress;
    const LevelledWater levelled =
        level_water(now.drain(state_, progress), std::move(water), state_.lake, false, progress);
    return static_cast<double>(levelled.drained_cells) / static_cast<double>(levelled.cells);
}

}  // namespace thalweg
