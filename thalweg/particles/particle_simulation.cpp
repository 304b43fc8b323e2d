#include "thalweg/particles/particle_simulation.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/place.hpp"
#include "thalweg/grid/summary.hpp"
#include "thalweg/particles/droplet_batch.hpp"
#include "thalweg/particles/droplet_starts.hpp"
#include "thalweg/particles/ground/ground_materials.hpp"
#include "thalweg/particles/ground/ground_plants.hpp"
#include "thalweg/particles/ground/particle_ground.hpp"
#include "thalweg/particles/main_stream.hpp"
#include "thalweg/particles/standing_water.hpp"

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

/// Elevation in whole units above `datum`, m.
Field<std::int32_t> counted(const Field<float>& elevation, double datum) {
    Field<std::int32_t> units(elevation.grid(), kNoGround);
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        if (!is_no_data(elevation[cell]))
            units[cell] = static_cast<std::int32_t>(
                std::llround((static_cast<double>(elevation[cell]) - datum) / kElevationUnit));
    return units;
}

/// Of all cells with data.
template <class T>
std::int64_t sum_of(const Field<T>& units) {
    return parallel_reduce(
        0, units.size(), kCellsPerTask, std::int64_t{0},
        [&](std::int64_t first, std::int64_t last) {
            std::int64_t sum = 0;
            for (std::int64_t cell = first; cell < last; ++cell)
                if (units[cell] != T{kNoGround}) sum += units[cell];
            return sum;
        },
        std::plus<>{});
}

/// The elevation that units are counted from, m. Throws Error::input for terrain that units can't hold.
double datum_of(const Field<float>& elevation) {
    constexpr double kMostRelief = 16000.0;                     // m: differences fit into 31 bits
    constexpr std::int64_t kMostCells = std::int64_t{1} << 28;  // sums of them fit into 63
    if (elevation.size() > kMostCells)
        throw Error::input(
            fmt::format("the terrain has {} cells: particles take up to {}", elevation.size(), kMostCells));
    const FieldSummary summary = summary_of(elevation);
    if (summary.cells_with_data == 0) throw Error::input("the terrain has no data: no particle can fall");
    if (!(summary.maximum - summary.minimum <= kMostRelief))
        throw Error::input(
            fmt::format("elevation goes from {} to {} m: particles take up to {} m between "
                        "the lowest and the highest",
                        summary.minimum, summary.maximum, kMostRelief));
    return std::round(0.5 * (summary.minimum + summary.maximum));
}

/// Elevation of a cell, m; no data where there is none.
float height_of(const ParticleState& state, std::int64_t cell) {
    const std::int32_t units = state.elevation[cell];
    if (units == kNoGround) return kNoData;
    return static_cast<float>(state.datum + static_cast<double>(units) * kElevationUnit);
}

void check_on(const ParticleParameters& parameters, const Field<float>& elevation) {
    check_particles(parameters);
    for (const ParticleSpring& spring : parameters.springs)
        cell_with_data_at(spring.x, spring.y, elevation, "spring");
}

/// Throws Error::input for more water than can be counted for ten thousand cycles.
void check_water(const ParticleState& state) {
    constexpr double kMostUnits = 0x1p49;
    const double most = kMostUnits * kElevationUnit * state.elevation.grid().cell_area();  // m^3
    const double volume = DropletStarts(state).volume();
    if (!(volume <= most))
        throw Error::input(
            fmt::format("{:.3g} m^3 of water in a cycle are too many: up to {:.3g} m^3", volume, most));
}

bool has_soil(const ParticleParameters& parameters) {
    return parameters.soil_depth > 0.0 || (parameters.soil_time > 0.0 && parameters.plant_time > 0.0);
}

void make_soil(ParticleState& state) {
    state.soil = Field<std::int32_t>(state.elevation.grid());
    state.soil_debt = Field<std::int64_t>(state.elevation.grid());
}

/// Lets loose sediment be the upper part of the ground, and soil what lies on it, as deep as maps say, m, or
/// parameters.
void lay_loose(ParticleState& state, const Field<float>& sediment, const Field<float>& soil) {
    constexpr double kMost = 0x1p30;  // units
    state.sediment.bedrock = state.sediment.initial;
    const auto units_of = [&](const Field<float>& depth, double everywhere, std::int64_t cell) {
        const double metres = depth.empty() ? everywhere : static_cast<double>(depth[cell]);
        return metres > 0.0 ? std::min(std::round(metres / kElevationUnit), kMost) : 0.0;
    };
    for (std::int64_t cell = 0; cell < state.loose.size(); ++cell) {
        if (state.elevation[cell] == kNoGround) continue;
        double units = units_of(sediment, state.parameters.sediment_depth, cell);
        if (!state.soil.empty()) {
            const double of_soil = units_of(soil, state.parameters.soil_depth, cell);
            units += of_soil;
            state.soil[cell] = static_cast<std::int32_t>(of_soil);
            state.soil_budget.initial += state.soil[cell];
        }
        state.loose[cell] = static_cast<std::int32_t>(std::min(units, kMost));
        state.sediment.bedrock -= state.loose[cell];
    }
}

ParticleState first_state(const Field<float>& elevation, const ParticleParameters& parameters,
                          std::uint64_t seed, ParticleMaps maps) {
    check_on(parameters, elevation);
    const Grid& grid = elevation.grid();
    const double datum = datum_of(elevation);
    ParticleState state{.parameters = parameters,
                        .seed = seed,
                        .datum = datum,
                        .elevation = counted(elevation, datum),
                        .debt = Field<std::int64_t>(grid),
                        .loose = Field<std::int32_t>(grid),
                        .rain = std::move(maps.rain),
                        .bedrock_erodibility = std::move(maps.bedrock_erodibility),
                        .bedrock_repose_slope = std::move(maps.bedrock_repose_slope),
                        .discharge = Field<float>(grid),
                        .momentum_east = Field<float>(grid),
                        .momentum_south = Field<float>(grid),
                        .water_at_rest = Field<std::int64_t>(grid),
                        .lake = Field<std::int32_t>(grid)};
    state.sediment.initial = sum_of(state.elevation);
    if (has_soil(parameters) || !maps.soil_depth.empty()) make_soil(state);
    lay_loose(state, maps.sediment_depth, maps.soil_depth);
    if (parameters.pigment > 0.0) state.pigment = Field<float>(grid, static_cast<float>(parameters.pigment));
    if (!maps.pigment.empty()) state.pigment = std::move(maps.pigment);
    state.bedrock_pigment = state.pigment;
    if (parameters.plant_time > 0.0)
        state.plant_cover = maps.plant_cover.empty()
                                ? Field<float>(grid, static_cast<float>(parameters.plant_cover))
                                : std::move(maps.plant_cover);
    check_water(state);
    return state;
}

DropletLaw law_of(const ParticleState& state, double mean_volume) {
    const ParticleParameters& p = state.parameters;
    const Grid& grid = state.elevation.grid();
    constexpr double kLeastSteps = 16.0;
    constexpr double kMostSteps = 1 << 20;
    const double range = p.range > 0.0 ? p.range : 4.0 * (grid.width() + grid.height());
    return {.cell_size = static_cast<float>(grid.cell_size),
            .gravity = static_cast<float>(p.gravity),
            .momentum_transfer = static_cast<float>(p.momentum_transfer),
            .momentum_discharge = static_cast<float>(p.momentum_discharge),
            .entrainment = static_cast<float>(p.entrainment),
            .entrainment_rate = static_cast<float>(0.4 / p.entrainment_discharge),
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

/// m above the datum.
float sea_level_of(const ParticleState& state) {
    const double level = state.parameters.sea_level;
    return level > kNoSea ? static_cast<float>(level - state.datum) : -std::numeric_limits<float>::infinity();
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
        std::vector<StreamCell>& streams = ground.streams();
        for (std::int64_t cell = 0; cell < state.elevation.size(); ++cell) {
            streams[at(cell)].discharge = state.discharge[cell];
            streams[at(cell)].momentum_east = state.momentum_east[cell];
            streams[at(cell)].momentum_south = state.momentum_south[cell];
        }
        ground.set_owed(state.debt);
    }

    void set_water(const ParticleState& state) {
        ground.set_water(state.elevation, state.lake, state.lakes, sea_level_of(state));
    }
    [[nodiscard]] GroundDrainage drain(const ParticleState& state, Progress& progress) const {
        return drain_ground(metres_of(state.elevation), ground.outlets(state.elevation, sea_level_of(state)),
                            progress);
    }

    void level_lakes(ParticleState& state, const GroundDrainage& drainage, Progress& progress) const;

    void make_traces(const ParticleState& state);
    [[nodiscard]] DropletGround seen_by_droplets(const ParticleState& state) const;
    void run_batch(ParticleState& state, const DropletLaw& law, const DropletStarts& of_cycle, int batch);
    void average(ParticleState& state, double mean_volume);
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
        state.water_at_rest[cell] -= amount;
        state.water.evaporated += amount;
    }
    const bool is_full = state.cycles == 0 && parameters.are_lakes_full_at_first;
    LevelledWater levelled = level_water(drainage, state.water_at_rest, is_full, progress);
    state.water_at_rest = std::move(levelled.water);
    state.lake = std::move(levelled.lake);
    state.lakes = std::move(levelled.lakes);
    if (is_full) state.water.initial = sum_of(state.water_at_rest);
    state.water.left += levelled.outflow;
}

/// Lets each thread have traces of its own.
void ParticleSimulation::Scratch::make_traces(const ParticleState& state) {
    while (std::ssize(traces) < thread_count())
        traces.push_back(DropletTraces::on(ground.tiles(), state.elevation.size(), !state.pigment.empty(),
                                           !state.soil.empty()));
}

DropletGround ParticleSimulation::Scratch::seen_by_droplets(const ParticleState& state) const {
    const auto data_of = [](const std::vector<float>& values) {
        return values.empty() ? nullptr : values.data();
    };
    DropletGround seen = ground.for_droplets(state.elevation);
    seen.lake = state.lake.data();
    seen.lakes = state.lakes.data();
    seen.loose = state.loose.data();
    seen.soil = state.soil.empty() ? nullptr : state.soil.data();
    seen.erodibility = data_of(bedrock.erodibility);
    seen.roots = data_of(roots);
    seen.pigment = state.pigment.empty() ? nullptr : state.pigment.data();
    return seen;
}

/// Lets droplets of one batch run on the ground as it is, and changes it by what they leave.
void ParticleSimulation::Scratch::run_batch(ParticleState& state, const DropletLaw& law,
                                            const DropletStarts& of_cycle, int batch) {
    const GroundTiles& tiles = ground.tiles();
    std::vector<DropletStart> starts = of_cycle.of_batch(batch);
    // Droplets that run together stay near each other, so that they read and write the same memory.
    std::ranges::stable_sort(starts, {}, [&](const DropletStart& start) {
        return tiles.tile_of(static_cast<int>(start.droplet.place.x),
                             static_cast<int>(start.droplet.place.y));
    });
    make_traces(state);
    const DropletGround seen = seen_by_droplets(state);
    // Whole numbers: sums are the same, however droplets are shared out.
    const auto parts = static_cast<std::int64_t>(thread_count());
    const auto of_part = [&](std::int64_t part) {
        const std::int64_t first = std::ssize(starts) * part / parts;
        const std::int64_t last = std::ssize(starts) * (part + 1) / parts;
        return std::span(starts).subspan(at(first), at(last - first));
    };
    parallel_blocks(
        parts, [&](std::int64_t part) { run_droplets(law, seen, tiles, of_part(part), traces[at(part)]); });
    ground.count_visits(state.debt, traces);
    parallel_blocks(parts,
                    [&](std::int64_t part) { move_sediment(law, seen, of_part(part), traces[at(part)]); });
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
                state.water_at_rest[rest.cell] += rest.water;
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
    const GroundPigment pigment = {.surface = state.pigment,
                                   .bedrock = state.bedrock_pigment,
                                   .depth = state.parameters.pigment_depth / kElevationUnit};
    const bool is_washed = !state.pigment.empty();
    if (is_washed) ground.wash(pigment, state.loose, traces);
    const SlidOut slid =
        ground.avalanche(layers,
                         {.law = slides_of(state, bedrock),
                          .bedrock_rise = bedrock.rise.empty() ? nullptr : bedrock.rise.data(),
                          .held = held_slopes.empty() ? nullptr : held_slopes.data()},
                         is_washed ? &pigment : nullptr);
    state.sediment.left += slid.all;
    state.soil_budget.left += slid.soil;
}

/// Takes discharge and momentum of the cycle into their averages.
void ParticleSimulation::Scratch::average(ParticleState& state, double mean_volume) {
    ++state.averaged;
    const double rate =
        std::max(state.parameters.time_step / (state.parameters.averaging_time + state.parameters.time_step),
                 1.0 / static_cast<double>(state.averaged));
    const auto weight = static_cast<float>(rate);
    const auto scale =
        static_cast<float>(mean_volume / state.parameters.time_step / static_cast<double>(kTraceOfDroplet));
    ground.take_water(traces, [&](std::int64_t cell, const WaterSum& sum) {
        constexpr float kLeast = 1e-6F;  // m^3/yr: processors are slow with the smallest numbers
        const auto move = [&](float& average, float& shown, std::int64_t traced) {
            average += weight * (scale * static_cast<float>(traced) - average);
            shown = average = std::abs(average) < kLeast ? 0.0F : average;
        };
        StreamCell& shown = ground.streams()[at(cell)];
        move(state.discharge[cell], shown.discharge, sum.visits);
        move(state.momentum_east[cell], shown.momentum_east, sum.east);
        move(state.momentum_south[cell], shown.momentum_south, sum.south);
    });
}

void change_particles(ParticleState& state, const ParticleParameters& parameters) {
    Field<float> elevation(state.elevation.grid());
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell) elevation[cell] = height_of(state, cell);
    check_on(parameters, elevation);
    ParticleParameters before = std::exchange(state.parameters, parameters);
    try {
        check_water(state);
        if (parameters.plant_time > 0.0 && state.plant_cover.empty())
            state.plant_cover = Field<float>(state.elevation.grid());
        if (has_soil(parameters) && state.soil.empty()) make_soil(state);
    } catch (...) {
        state.parameters = std::move(before);
        throw;
    }
}

void change_particle_ground(ParticleState& state, const Field<float>& elevation) {
    constexpr double kMost = 8000.0;  // m from the datum
    ParticleState changed = state;
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell) {
        const float height = elevation[cell];
        const float before = height_of(state, cell);
        if (is_no_data(height) || is_no_data(before) || height == before) continue;
        const double above = static_cast<double>(height) - state.datum;
        if (!(std::abs(above) <= kMost))
            throw Error::input(fmt::format("elevation = {} m: droplets that run take from {} to {} m", height,
                                           state.datum - kMost, state.datum + kMost));
        const auto units = static_cast<std::int32_t>(std::llround(above / kElevationUnit));
        const std::int32_t raised = units - changed.elevation[cell];
        const std::int32_t taken = std::min(std::max(-raised, 0), changed.loose[cell]);
        changed.loose[cell] -= taken;
        if (!changed.soil.empty()) {
            const std::int32_t of_soil = std::min(taken, changed.soil[cell]);
            changed.soil[cell] -= of_soil;
            changed.soil_budget.entered -= of_soil;
        }
        changed.sediment.bedrock += raised + taken;
        changed.sediment.entered += raised;
        changed.elevation[cell] = units;
    }
    state = std::move(changed);
}

ParticleSimulation::ParticleSimulation(const Field<float>& elevation, const ParticleParameters& parameters,
                                       std::uint64_t seed, ParticleMaps maps)
    : ParticleSimulation(first_state(elevation, parameters, seed, std::move(maps))) {
}

ParticleSimulation::ParticleSimulation(ParticleState state) : state_(std::move(state)) {
}
ParticleSimulation::ParticleSimulation(ParticleSimulation&&) noexcept = default;
ParticleSimulation& ParticleSimulation::operator=(ParticleSimulation&&) noexcept = default;
ParticleSimulation::~ParticleSimulation() = default;

void ParticleSimulation::set_bedrock(Field<float> erodibility, Field<float> repose_slope,
                                     Field<float> pigment) {
    state_.bedrock_erodibility = std::move(erodibility);
    state_.bedrock_repose_slope = std::move(repose_slope);
    if (scratch_) scratch_->bedrock = bedrock_of(state_);
    if (pigment.empty()) return;
    if (state_.pigment.empty()) {
        state_.pigment = Field<float>(state_.elevation.grid());
        scratch_.reset();
    }
    for (std::int64_t cell = 0; cell < pigment.size(); ++cell)
        if (state_.cycles == 0 || state_.loose[cell] == 0) state_.pigment[cell] = pigment[cell];
    state_.bedrock_pigment = std::move(pigment);
}

void ParticleSimulation::step(Progress& progress) {
    progress.poll();
    if (!scratch_) scratch_ = std::make_unique<Scratch>(state_);
    // A cycle that is cancelled leaves nothing behind.
    const ParticleState before = state_;
    try {
        GroundDrainage drainage = scratch_->drain(state_, progress);
        const int every = state_.parameters.lakes_every;
        if (every > 0 && state_.cycles % every == 0) scratch_->level_lakes(state_, drainage, progress);
        scratch_->set_water(state_);
        scratch_->ground.set_directions(directions_over_filled(std::move(drainage)), state_.lake,
                                        state_.lakes);
        const DropletStarts starts(state_);
        const DropletLaw law = law_of(state_, starts.mean_volume());
        for (int batch = 0; batch < starts.batches(); ++batch) {
            progress.poll();
            scratch_->run_batch(state_, law, starts, batch);
        }
        scratch_->average(state_, starts.mean_volume());
        grow_plants(state_, before.elevation);
        form_soil(state_);
        scratch_->roots = roots_of(state_);
        scratch_->held_slopes = held_slopes_of(state_);
        ++state_.cycles;
    } catch (...) {
        state_ = before;
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
    constexpr double kMost = 0x1p31;  // units: deeper than any lake
    Field<std::int64_t> water = state_.water_at_rest;
    for (std::int64_t cell = 0; cell < water.size(); ++cell) {
        const double rain =
            state_.rain.empty() ? parameters.rainfall : static_cast<double>(state_.rain[cell]);  // m/yr
        if (rain > 0.0) water[cell] += std::llround(std::min(rain * years / kElevationUnit, kMost));
    }
    const Scratch now(state_);
    SilentProgress progress;
    const LevelledWater levelled = level_water(now.drain(state_, progress), water, false, progress);
    return static_cast<double>(levelled.drained_cells) / static_cast<double>(levelled.cells);
}

}  // namespace thalweg
