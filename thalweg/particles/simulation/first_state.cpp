#include "thalweg/particles/simulation/first_state.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/place.hpp"
#include "thalweg/grid/summary.hpp"
#include "thalweg/particles/simulation/droplet_starts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// Elevation in whole units above `datum`, m.
Field<std::int32_t> counted(const Field<float>& elevation, double datum) {
    Field<std::int32_t> units(elevation.grid(), kNoGround);
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        if (!is_no_data(elevation[cell]))
            units[cell] = static_cast<std::int32_t>(
                std::llround((static_cast<double>(elevation[cell]) - datum) / kElevationUnit));
    return units;
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

}  // namespace

void check_on(const ParticleParameters& parameters, const Field<float>& elevation) {
    check_particles(parameters);
    for (const ParticleSpring& spring : parameters.springs)
        cell_with_data_at(spring.x, spring.y, elevation, "spring");
}

void check_water(const ParticleState& state) {
    constexpr double kMostUnits = 0x1p49;
    const double most = kMostUnits * kElevationUnit * state.elevation.grid().cell_area();  // m^3
    const double volume = DropletStarts(state).volume();
    if (!(volume <= most))
        throw Error::input(
            fmt::format("{:.3g} m^3 of water in a cycle are too many: up to {:.3g} m^3", volume, most));
}

void check_cells(const ParticleState& state, const Field<float>& values) {
    if (values.grid() != state.elevation.grid())
        throw Error::input(fmt::format("{} x {} values for droplets on {} x {} cells: give as many",
                                       values.columns(), values.rows(), state.elevation.columns(),
                                       state.elevation.rows()));
}

void check_pigments(const ParticleState& state, const std::vector<Field<float>>& pigments) {
    if (pigments.size() > kMostPigments)
        throw Error::input(
            fmt::format("{} pigments at once are too many: give up to {}", pigments.size(), kMostPigments));
    for (const Field<float>& pigment : pigments) check_cells(state, pigment);
}

bool has_soil(const ParticleParameters& parameters) {
    return parameters.soil_depth > 0.0 || (parameters.soil_time > 0.0 && parameters.plant_time > 0.0);
}

void make_soil(ParticleState& state) {
    state.soil = Field<std::int32_t>(state.elevation.grid());
    state.soil_debt = UnitField(state.elevation.grid());
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
                        .debt = UnitField(grid),
                        .loose = Field<std::int32_t>(grid),
                        .rain = std::move(maps.rain),
                        .bedrock_erodibility = std::move(maps.bedrock_erodibility),
                        .bedrock_repose_slope = std::move(maps.bedrock_repose_slope),
                        .discharge = Field<float>(grid),
                        .momentum_east = Field<float>(grid),
                        .momentum_south = Field<float>(grid),
                        .water_at_rest = UnitField(grid),
                        .lake = Field<std::int32_t>(grid)};
    state.sediment.initial = sum_of(state.elevation);
    if (has_soil(parameters) || !maps.soil_depth.empty()) make_soil(state);
    lay_loose(state, maps.sediment_depth, maps.soil_depth);
    if (parameters.pigment > 0.0)
        state.pigments = {Field<float>(grid, static_cast<float>(parameters.pigment))};
    if (!maps.pigments.empty()) state.pigments = std::move(maps.pigments);
    state.bedrock_pigments = state.pigments;
    if (parameters.plant_time > 0.0)
        state.plant_cover = maps.plant_cover.empty()
                                ? Field<float>(grid, static_cast<float>(parameters.plant_cover))
                                : std::move(maps.plant_cover);
    check_water(state);
    return state;
}

}  // namespace thalweg
