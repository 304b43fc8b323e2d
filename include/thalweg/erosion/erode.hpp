// Terrain aged to any time by the analytical solution of the stream power law.
#pragma once

#include "thalweg/core/error.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/erosion_inputs.hpp"
#include "thalweg/erosion/erosion_parameters.hpp"
#include "thalweg/erosion/erosion_report.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <functional>

namespace thalweg {

/// Aged terrain, and what the engine tells of its work.
struct ErosionResult {
    Field<float> elevation;  // m
    ErosionReport report;

    // m, how far the ground lies below the start once that has risen with the rock, z0 + u t - z; negative
    // where it lies above. Boundary cells, where uplift has no effect, count from z0. Empty where it was not
    // asked for, and at steady state, which has no start.
    Field<float> net_erosion = {};

    // m^2, of the network that was solved last, as the law took it: weighted by precipitation, with what
    // enters by sources. On a mesh that of a cell's own node; after 0 years of the network of the ground.
    // Empty where it was not asked for.
    Field<float> drainage_area = {};
};

/// Is told of every level between coarse and fine once it is solved: its grid, and the elevation at its nodes
/// [m] that the next level starts from. Stepping, and checkpoint times at full size on plain lattices, have
/// no such levels and tell of none.
using LevelObserver = std::function<void(const Grid& grid, const Field<float>& terrain)>;

/// Elevation `parameters.time` years after `inputs.elevation`:
///
///   dz/dt = u - a(A) |grad z| + thermal term       Tzathas et al. 2024 (erosion_law.hpp)
///
/// or, where slope_exponent n is not 1, with |grad z|^n behind k A^m alone (docs/theory/erosion.md).
///
/// The network and the elevations are found together: from 32 cells upward, each level starts from the one
/// before (section 5.2). Differs in: displaced nodes and steepest receivers (the paper's 4 neighbours,
/// random receivers and jittered upsampling remain as FourNeighbours + Random); drainage area averaged over
/// a level's iterations; area of the coarser level as prior; see docs/theory/erosion.md. The baselines
/// (parameters.method) share lattice, law, boundary and depressions.
///
/// Boundary cells keep z0, and where a mask leaves out a whole piece of land, so does its lowest cell;
/// depressions are breached. A time of 0 gives z0. Inputs stay untouched.
///
/// O(cells) with about 15 ns a cell and iteration at steady state; about 75 bytes a cell, 190 at finite
/// times, 20 more with optimisation, 4 for each field that the result is asked to hold; parallel; the same
/// bits on any number of threads; coarse levels do not depend on the size of the result. Polls `progress`.
///
/// Throws Error::input: grid of fewer than 3 x 3 cells without a boundary mask, no boundary cell, boundary
/// of another size, no data anywhere, infinite elevation, negative time, uplift that is not finite where
/// there is elevation, erodibility that is not positive, a slope exponent other than 1 at a finite time
/// without stepping, slope classes at a finite time or with stepping, or that check_slope_classes refuses, a
/// base slope at steady state, negative deposition, a source that check_sources refuses
/// (drainage_source.hpp).
///
/// Example:
///     ErosionInputs inputs;
///     inputs.grid = make_grid(25600.0, 25600.0, 256);
///     inputs.elevation = constant_source(0.0F);  // m
///     inputs.uplift = constant_source(1e-3F);    // m/yr
///     const ErosionResult young = erode(inputs, {.time = 5e5}, seed, progress);
ErosionResult erode(const ErosionInputs& inputs, const ErosionParameters& parameters, std::uint64_t seed,
                    Progress& progress, const LevelObserver& observe_level = {});

}  // namespace thalweg
