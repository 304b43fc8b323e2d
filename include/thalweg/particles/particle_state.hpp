// All that a simulation of particle hydrology holds.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/particles/particle_parameters.hpp"
#include "thalweg/particles/unit_field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Height that one unit of elevation and sediment stands for, m. Sediment is counted in units on one cell.
inline constexpr double kElevationUnit = 0x1p-17;

/// Pigments that are washed at once: those of a colour.
inline constexpr int kMostPigments = 3;

/// Elevation of a cell without data, units: below all others, and by less than 2^31.
inline constexpr std::int32_t kNoGround = -(1 << 30);

/// Sediment since the start, in units of elevation on one cell. What ground and debt hold, and what has left,
/// is what they held at first and what has entered: to the unit.
struct SedimentBudget {
    std::int64_t initial = 0;
    std::int64_t bedrock = 0;  // of these, beneath loose sediment, and what edits have raised since
    std::int64_t entered = 0;  // with the water of fed springs
    std::int64_t left = 0;     // over the border
    friend bool operator==(const SedimentBudget&, const SedimentBudget&) = default;
};

/// Soil since the start, likewise: what ground and debt hold, and what has left, is what they held at first
/// and what has entered.
struct SoilBudget {
    std::int64_t initial = 0;
    std::int64_t entered = 0;  // that plants have made, less what edits have taken
    std::int64_t left = 0;     // over the border
    std::int64_t taken = 0;    // by droplets, whether they have laid it down again or not
    friend bool operator==(const SoilBudget&, const SoilBudget&) = default;
};

/// Water since the start, in units of elevation on one cell. What stood at first and has fallen is what has
/// dried up and left, and stands now: to the unit.
struct WaterBudget {
    std::int64_t initial = 0;  // in lakes
    std::int64_t fallen = 0;
    std::int64_t evaporated = 0;
    std::int64_t left = 0;  // over the border
    friend bool operator==(const WaterBudget&, const WaterBudget&) = default;
};

/// A lake as droplets meet it.
struct ParticleLake {
    float level = 0.0F;      // m above the datum
    std::int32_t sill = -1;  // cell over which it spills; -1: it is not full

    friend bool operator==(const ParticleLake&, const ParticleLake&) = default;
};

/// Maps on the terrain's grid that stand for parameters; those that are empty leave these as they are.
struct ParticleMaps {
    Field<float> rain = {};                   // m/yr that runs off
    Field<float> sediment_depth = {};         // m, at first
    Field<float> soil_depth = {};             // m, on it, at first
    Field<float> bedrock_erodibility = {};    // 1, over that of sediment
    Field<float> bedrock_repose_slope = {};   // m/m
    std::vector<Field<float>> pigments = {};  // 1, at first; at most kMostPigments
    Field<float> plant_cover = {};            // 1, at first
};

/// State of a ParticleSimulation: what begins with an equal one goes on with equal bits.
///
/// Example:
///     ParticleState state = ParticleSimulation(elevation, {}, seed).state();
///     state.parameters.rainfall = 0.5;  // m/yr
///     ParticleSimulation drier(std::move(state));
struct ParticleState {
    ParticleParameters parameters;
    std::uint64_t seed = 0;
    double datum = 0.0;                 // m, elevation that units are counted from
    Field<std::int32_t> elevation;      // units; kNoGround where there is no data
    UnitField debt;                     // units, that droplets have laid down and the ground has not taken
    Field<std::int32_t> loose;          // units of sediment and soil: the rest of `elevation` is bedrock
    Field<std::int32_t> soil = {};      // of these, on the sediment; empty: none
    UnitField soil_debt = {};           // units of soil in `debt`, as less than 0 where soil is to be taken
    Field<float> rain;                  // m/yr that runs off; empty: parameters.rainfall everywhere
    Field<float> bedrock_erodibility;   // 1, over that of sediment; empty: the parameter, as the next one
    Field<float> bedrock_repose_slope;  // m/m; 0: repose_slope
    std::vector<Field<float>> pigments = {};          // 1, of the surface, at most kMostPigments
    std::vector<Field<float>> bedrock_pigments = {};  // 1, of bedrock, as many
    Field<float> plant_cover = {};                    // 1; empty: no plants
    Field<float> discharge;                           // m^3/yr, averaged
    Field<float> momentum_east;                       // m^3/yr: discharge times direction, averaged
    Field<float> momentum_south;                      // m^3/yr
    std::int64_t cycles = 0;
    std::int64_t averaged = 0;  // cycles that the averages have seen
    std::int64_t droplets = 0;
    std::int64_t moves = 0;    // cells that droplets have crossed
    UnitField water_at_rest;   // units, of lakes, and what has come to rest since these were level
    Field<std::int32_t> lake;  // 1 + its number in `lakes`; 0 outside
    std::vector<ParticleLake> lakes = {};
    SedimentBudget sediment = {};
    SoilBudget soil_budget = {};
    WaterBudget water = {};

    friend bool operator==(const ParticleState&, const ParticleState&) = default;
};

/// Lets droplets run by other parameters from now on. Throws Error::input for what particles can't start
/// with.
void change_particles(ParticleState& state, const ParticleParameters& parameters);

/// Gives the ground other heights, m, on the same grid; cells whose height stays, and those without data,
/// keep their bits. What is added counts as sediment that has entered, and is bedrock, whose cover it lifts;
/// what is taken away is first soil, then sediment. Throws Error::input for heights beyond
/// what units can hold.
void change_particle_ground(ParticleState& state, const Field<float>& elevation);

/// Gives the ground other thicknesses of sediment, or of the soil on it, m, from 0 on: it rises and falls by
/// them, and bedrock stays. What is added counts as sediment, and soil, that has entered. Cells whose
/// thickness stays keep their bits. Throws Error::input for more than 8 km, and as change_particle_ground.
void change_particle_sediment(ParticleState& state, const Field<float>& thickness);
void change_particle_soil(ParticleState& state, const Field<float>& thickness);

}  // namespace thalweg
