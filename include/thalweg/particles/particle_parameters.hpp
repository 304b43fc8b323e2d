// Parameters of particle hydrology.
#pragma once

#include "thalweg/core/parameters.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// The sea level that stands for none, m.
inline constexpr double kNoSea = -1e5;

/// A place at which water comes out of the ground, or a river enters.
struct ParticleSpring {
    double x = 0.0;           // m
    double y = 0.0;           // m
    double radius = 0.0;      // m, of the disc over which its droplets begin; 0: one place
    double discharge = 5e5;   // m^3/yr
    bool is_fed = false;      // whether its water brings sediment, and the ground of the disc stays
    double load_share = 1.0;  // of what that water can carry on the slope of the disc

    static void declare(Declaration<ParticleSpring>& declaration);
    friend bool operator==(const ParticleSpring&, const ParticleSpring&) = default;
};

/// Over how many cells the ground's gradient is taken.
enum class GradientOrder {
    Second,  // central differences of the neighbours: error O(cell_size^2)
    Fourth   // those of two cells on either side: error O(cell_size^4)
};

/// The numbers of particle hydrology; symbols are those of particle_simulation.hpp.
struct ParticleParameters {
    std::int64_t cycles = 500;
    double time_step = 1.0;           // yr of a cycle, dt
    double rainfall = 1.0;            // m/yr that runs off, R
    std::int64_t droplets = 0;        // of a cycle; 0: one for every 64 cells
    int batches = 0;                  // of droplets in a cycle, each on the ground that the last has left; 0:
                                      // as many as the streams need
    double range = 0.0;               // m, that a droplet runs at most; 0: four times the sides of the grid
    double evaporation_length = 1e5;  // m, on which water dries up to 1/e
    double averaging_time = 9.0;      // yr, of discharge and momentum, T
    double gravity = 0.05;            // 1/m, G
    double momentum_transfer = 0.07;  // 1/m, M
    double momentum_discharge = 5.12e4;     // m^3/yr, Qm
    double climb_limit = 1.0;               // m, that a droplet rises above where it was lowest
    double capacity = 0.0195;               // m^3/m^3 at slope 1, kc
    double entrainment = 10.0;              // 1, K
    double entrainment_discharge = 5.12e4;  // m^3/yr for 10 m of width, Q1
    double exchange_length = 141.0;         // m, lambda
    double repose_slope = 1.0;              // m/m
    double avalanche_rate = 1.0;            // 1, of what is too steep, that slides at once
    double sediment_depth = 0.0;            // m, loose on bedrock at first
    double bedrock_erodibility = 1.0;       // 1, over that of loose sediment, F
    double bedrock_repose_slope = 0.0;      // m/m; 0: repose_slope
    double freeze_thaw = 1.0;               // 1, how fast steep bedrock slides over how fast sediment does
    double soil_depth = 0.0;                // m, on sediment at first
    double soil_erodibility = 2.0;          // 1, over that of sediment
    double soil_repose_slope = 0.0;         // m/m; 0: repose_slope
    double soil_settling_length = 0.0;      // m, in still water; 0: settling_length
    double soil_time = 0.0;                 // yr, in which plants make soil to 1 - 1/e of its limit; 0: none
    double soil_limit = 0.5;                // m, that soil comes to where plants cover all
    double pigment = 0.0;                   // 1, of all ground at first, 0 to 1; 0: none is washed
    double pigment_depth = 0.1;             // m of ground that is mixed with what droplets lay down
    double plant_time = 0.0;                // yr, in which plants cover still ground to 1 - 1/e; 0: no plants
    double plant_cover = 0.0;               // 1, at first
    double plant_discharge = 5e3;           // m^3/yr, at which they cover half of the ground
    double plant_erosion = 0.1;             // m/yr that the ground rises or falls, likewise
    double root_strength = 0.8;             // 1, of what droplets would take, that full cover holds
    double root_repose = 0.0;               // 1, by which it raises the slopes at which ground rests
    GradientOrder gradient_order = GradientOrder::Second;
    int lakes_every = 1;                  // cycles, after which lakes come to level; 0: no lakes
    bool are_lakes_full_at_first = true;  // or dry
    double lake_evaporation = 0.0;        // m/yr
    double settling_length = 40.0;        // m, on which sediment settles in still water to 1/e
    double sea_level = kNoSea;            // m
    double beach_slope = 0.0;             // m/m, at which sediment rests at the sea level; 0: repose_slope
    double beach_range = 2.0;             // m, above and below sea level
    std::vector<ParticleSpring> springs = {};

    static void declare(Declaration<ParticleParameters>& declaration);
    friend bool operator==(const ParticleParameters&, const ParticleParameters&) = default;
};

/// Throws Error::input for what the declared ranges do not tell.
///
/// Example:
///     ParticleParameters parameters = {.rainfall = 0.4};  // m/yr
///     parameters.springs.push_back({.x = 150.0, .y = 500.0, .discharge = 5e5, .is_fed = true});
///     check_particles(parameters);
void check_particles(const ParticleParameters& parameters);

}  // namespace thalweg
