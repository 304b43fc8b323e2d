// Hillslopes between rivers: soil that creeps downhill.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

struct CreepParameters {
    double time = 3e4;             // t, yr
    double diffusivity = 0.01;     // D, m^2/yr
    double critical_slope = 1.25;  // S_c, m/m; infinite: flux in proportion to slope
    int steps = 0;                 // of equal time; 0: as many as the cells can show, 2 to 4
};

/// What differs from cell to cell, on the grid of the elevation. Empty: the same everywhere.
struct CreepFields {
    Field<float> diffusivity = {};     // D, m^2/yr, 0 and more
    Field<float> critical_slope = {};  // S_c, m/m, at least 0.001; may be infinite
    Field<std::uint8_t> held = {};     // 1: a channel or an outlet, which keeps its elevation
};

struct CreepReport {
    int steps = 0;
    int newton_steps = 0;           // all time steps together
    int gradient_steps = 0;         // of conjugate gradients, all together
    double error = 0.0;             // m, the most by which the equation of a time step is missed
    double delivered_volume = 0.0;  // m^3 that came to held cells, less what left them
};

struct CreepResult {
    Field<float> elevation;  // m
    CreepReport report;
};

/// Elevation after soil has crept downhill for time t:
///
///   dz/dt = div( D grad z / (1 - (|grad z| / S_c)^2) )     D: `diffusivity` [m^2/yr], S_c: `critical_slope`
///
/// Source: Roering, Kirchner and Dietrich 1999 (Water Resources Research 35, 853-870), eq. 8; implicit as in
/// Perron 2011 (Journal of Geophysical Research 116, F02021). Differs in: flux grows in proportion to slope
/// from 0.9 S_c on, 50 times as fast as on level ground, so that slopes beyond S_c, which terrain may begin
/// with, slide; the slope at each corner of four cells is that of all four, and Newton's matrix is exact, so
/// that steps of any length converge (terraces along contours are what is left where they do not). Backward
/// Euler: no ground rises above the highest or falls below the lowest that was near; the error is of first
/// order in the length of a step.
///
/// elevation: m, NaN is no data. Nothing crosses the edge of the grid or comes to cells without data; what
/// comes to held cells, or would leave them, is carried off. Elsewhere each volume that leaves a cell comes
/// to a neighbour, to rounding. Corners take the mean of D and of 1 / S_c^2 of their cells.
///
/// About 100 bytes a cell. Time grows with sqrt(1 + 200 D t / cell area): some 300 ns a cell where that is
/// small. The same bits on any number of threads; reports and polls `progress`. Throws Error::input for
/// parameters or fields outside the ranges above.
///
/// Example:
///     const CreepParameters parameters = {.time = 5e4, .diffusivity = 0.003};
///     const CreepResult rounded = creep(elevation, {}, parameters, progress);
CreepResult creep(const Field<float>& elevation, const CreepFields& fields, const CreepParameters& parameters,
                  Progress& progress);

}  // namespace thalweg
