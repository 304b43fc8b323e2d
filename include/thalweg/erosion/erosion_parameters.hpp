// What the analytical erosion engine is asked for: time, method, lattice, law.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/erosion/erosion_law.hpp"
#include "thalweg/erosion/receiver_rule.hpp"
#include "thalweg/erosion/slope_classes.hpp"

#include <limits>
#include <vector>

namespace thalweg {

/// How the terrain is found. Analytical: the closed form, from coarse to fine or over checkpoint times.
/// FixedPoint: the closed form at full size alone, network and terrain in turns (Steer 2021; Tzathas et al.
/// 2024, section 5.1). Stepping: implicit steps in time (Braun and Willett 2013). The last two are
/// baselines.
enum class ErosionMethod { Analytical, FixedPoint, Stepping };

/// Which nodes and links water runs on. Mesh: courses are found on displaced nodes with Delaunay diagonals
/// (no one sees the grid), and the law is then solved along the steepest of 8 neighbours on the raster that
/// is returned. FourNeighbours, EightNeighbours: those of cell centres throughout. Auto: EightNeighbours
/// where a stored raster (LayerSource::is_stored) ages to a finite time, which has its courses already, and
/// for Stepping; else Mesh.
enum class ErosionLattice { Auto, Mesh, FourNeighbours, EightNeighbours };

/// How a finite time is reached, from checkpoint time to checkpoint time, each with the network of the
/// terrain at the checkpoint before, so that neighbouring times share their valleys (docs/theory/erosion.md).
/// Multilevel: on the level of up to 256 cells, refined from there over the last tenth of the time, so that
/// sizes agree; on FourNeighbours every level over the whole time (Tzathas et al. 2024, section 5.2).
/// FullResolution: at full size. Auto: FullResolution for a stored raster, whose detail no coarser level
/// holds, and on FourNeighbours; else Multilevel. A time of infinity is the steady state in all.
enum class TimeDefinition { Auto, Multilevel, FullResolution };

/// What the edges of the data do without a boundary mask. Fixed: every edge cell keeps its elevation and
/// drains out. RiverOutlets: only where rivers leave the terrain at time 0, by drainage area; all others age
/// like their inner neighbours (docs/theory/erosion.md); with EightNeighbours at finite times alone. Auto:
/// RiverOutlets for a stored raster that ages so, without a base slope; else Fixed.
enum class EdgeRule { Auto, Fixed, RiverOutlets };

/// Where the network comes from. Free: it is found with the terrain, in turns. Terrain: the drainage of the
/// ground at time 0, with its depressions breached, is kept for all time, and the terrain is optimised so
/// that it shows no discontinuities between rivers (Tzathas et al. 2024, section 5.3). Analytical only.
enum class NetworkSource { Free, Terrain };

/// Of ErosionParameters::optimisation_iterations: as many as the network's source needs.
inline constexpr int kOptimisationBySource = -1;

inline constexpr double kLeastSlopeExponent = 0.25;  // n, 1, below what rivers have been found to have
inline constexpr double kMostSlopeExponent = 4.0;    // n, 1, above it

inline constexpr double kMostTime =
    1e12;  // yr, that terrain can be aged by, or inf: far beyond any steady state

/// How terrain is aged: how long, by which method, on which lattice, by which law.
struct ErosionParameters {
    double time = std::numeric_limits<double>::infinity();  // yr; infinity: steady state
    ErosionMethod method = ErosionMethod::Analytical;
    TimeDefinition time_definition = TimeDefinition::Auto;  // Analytical only
    ErosionLattice lattice = ErosionLattice::Auto;
    EdgeRule edges = EdgeRule::Auto;
    ReceiverRule receivers = ReceiverRule::Steepest;
    double jitter = 0.45;             // displacement of mesh nodes, cells
    int coarse_iterations = 6;        // on every level up to 256 cells; 12 times that on a mesh's coarsest
    int fine_iterations = 1;          // on larger levels, but the last
    int last_iterations = 3;          // on the raster after a mesh, or on the last level larger than 256
    int fixed_point_iterations = 50;  // FixedPoint only
    NetworkSource network = NetworkSource::Free;
    int optimisation_iterations = kOptimisationBySource;  // then 50 for Terrain, else 0; not for Stepping
    double time_step = 0.0;       // yr, Stepping only; 0: chosen (docs/theory/erosion.md)
    double slope_exponent = 1.0;  // n, 1; not 1: steady or Stepping only
    // Cells: mean height of the hillslopes within a cell over their slope, added to steady states on a mesh
    // where the law has hillslopes, so that sizes have the same elevations. 0: the law alone.
    double hillside_relief = 0.4;
    double deposition = 0.0;                     // G, 1: how much of what arrives is laid down
    std::vector<SlopeClass> slope_classes = {};  // empty: slopes follow from the law; steady state only
    bool diagnostics = true;           // whether the report tells of the terrain's quality; not declared
    bool keeps_net_erosion = false;    // whether the result holds it; not declared
    bool keeps_drainage_area = false;  // the same
    ErosionLaw law = {};

    static void declare(Declaration<ErosionParameters>& declaration);
};

}  // namespace thalweg
