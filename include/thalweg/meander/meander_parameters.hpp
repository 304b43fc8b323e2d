// What the simulation of wandering rivers is told.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/meander/control_strokes.hpp"
#include "thalweg/meander/migration.hpp"

#include <vector>

namespace thalweg {

/// Which rivers run in several channels: none, those whose stream power asks for it, or all.
enum class Braiding { None, StreamPower, All };

/// How channels migrate, where they may, how often they burst their banks, and at which angles they meet.
struct MeanderParameters {
    MigrationParameters migration = {};
    double spacing = 0.0;              // m, of points; 0: half the width, at most 50 m
    double minimum_width = 5.0;        // m: narrower channels stay where they are
    double critical_slope = 0.15;      // s_0, m/m: steeper ground lets no channel migrate
    double wall_erodibility = 0.2;     // of ground above the banks, beside that of the banks, 1
    double initial_roughness = 1.6;    // m, of the first bends; at most a third of the width
    double inlet_forcing = 0.05;       // w kappa of the bends from which a river comes, 1
    double crevasse_curvature = 0.45;  // t_c, w |kappa| from which on banks may burst, 1
    double crevasse_rate = 0.02;       // along such bends, 1/(km yr)
    double avulsion_share = 0.02;      // of crevasses by which the river takes a new course, 1
    double regional_share = 0.0;       // of avulsions that lead to another channel, 1
    double avulsion_angle = 45.0;      // alpha_0, degrees
    double avulsion_depth = 3.0;       // m, that a new course may cut below the ground, besides its depth
    double junction_length = 0.0;  // widths of the river, that tributaries come in straight; 0: as they are
    double junction_angle_equal = 40.0;    // degrees, of two rivers of equal discharge
    double junction_angle_unequal = 85.0;  // degrees, of a small tributary
    double chute_curvature = 0.2;          // w |kappa| from which on bends may be cut off by chutes, 1
    double chute_rate = 0.0;               // along such bends, 1/(km yr)
    double vegetation_strength = 0.0;      // by which dense plants slow migration, 1
    double vegetation_growth_time = 25.0;  // yr until plants cover all but 1/e of what a channel left
    Braiding braiding = Braiding::None;
    double grain_size = 0.02;             // D50 of the bed, m
    double braid_plain = 5.0;             // width of the ground that braids take, channel widths
    double bifurcation_rate = 1.0;        // of braids, for each channel that is missing, 1/(km yr)
    double least_branch_share = 0.06;     // of a river's water, below which a branch is left, 1
    bool deltas = false;                  // whether rivers build deltas where they end in standing water
    double water_level = 0.0;             // m, of standing water
    double delta_growth = 40.0;           // m/yr, of the mouth of a river that has not parted
    double sediment_concentration = 0.5;  // kg/m^3, mean of rivers that build deltas
    double delta_angle = 72.0;            // degrees, between branches
    double mouth_bar_distance = 10.0;     // widths of a mouth, after which it parts
    double kept_years = 0.0;              // of the history; 0: all
    std::vector<ControlStroke> controls = {};

    static void declare(Declaration<MeanderParameters>& declaration);
};

}  // namespace thalweg
