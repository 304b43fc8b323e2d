// Terrain aged to any time by the analytical solution of the stream power law.
#pragma once

#include "thalweg/core/error.hpp"
#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/drainage_source.hpp"
#include "thalweg/erosion/drawn_river.hpp"
#include "thalweg/erosion/erosion_law.hpp"
#include "thalweg/erosion/slope_classes.hpp"
#include "thalweg/erosion/slope_factor.hpp"
#include "thalweg/erosion/terrain_quality.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/grid/layer_source.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thalweg {

/// How the terrain is found. Analytical: the closed form, from coarse to fine or over key times. FixedPoint:
/// the closed form at full size alone, network and terrain in turns (Steer 2021; Tzathas et al. 2024,
/// section 5.1). Stepping: implicit steps in time (Braun and Willett 2013; stepping.hpp). The last two are
/// baselines.
enum class ErosionMethod { Analytical, FixedPoint, Stepping };

/// Which nodes and links water runs on. Mesh: courses are found on displaced nodes with Delaunay diagonals
/// (no one sees the grid), and the law is then solved along the steepest of 8 neighbours on the raster that
/// is returned. FourNeighbours, EightNeighbours: those of cell centres throughout. Auto: EightNeighbours
/// where a stored raster (LayerSource::is_stored) ages to a finite time, which has its courses already, and
/// for Stepping; else Mesh.
enum class ErosionLattice { Auto, Mesh, FourNeighbours, EightNeighbours };

/// How a finite time is reached, from key time to key time, each with the network of the terrain at the key
/// before, so that neighbouring times share their valleys (docs/theory/erosion.md). Build: on the level of up
/// to 256 cells, refined from there over the last tenth of the time, so that sizes agree; on FourNeighbours
/// every level over the whole time (Tzathas et al. 2024, section 5.2). Sweep: at full size. Auto: Sweep for a
/// stored raster, whose detail no coarser level holds, and on FourNeighbours; else Build. A time of infinity
/// is the steady state in all.
enum class TimeDefinition { Auto, Build, Sweep };

/// What the edges of the data do without a boundary mask. Fixed: every edge cell keeps its elevation and
/// drains out. RiverOutlets: only where rivers leave the terrain at time 0, by drainage area; all others age
/// like their inner neighbours (open_edges.hpp); with EightNeighbours at finite times alone. Auto:
/// RiverOutlets for a stored raster that ages so, without a base slope; else Fixed.
enum class EdgeRule { Auto, Fixed, RiverOutlets };

/// Where the network comes from. Free: it is found with the terrain, in turns. Terrain: the drainage of the
/// ground at time 0, with its depressions breached, is kept for all time, and the terrain is optimised so
/// that it shows no cliffs between rivers (Tzathas et al. 2024, section 5.3). Analytical only.
enum class NetworkSource { Free, Terrain };

/// Of ErosionParameters::optimisation_iterations: as many as the network's source needs.
inline constexpr int kOptimisationBySource = -1;

inline constexpr double kMostTime =
    1e12;  // yr, that terrain can be aged by, or inf: far beyond any steady state

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
    double time_step = 0.0;                               // yr, Stepping only; 0: by the rule of stepping.hpp
    double slope_exponent = 1.0;                          // n, 1; not 1: steady or Stepping only
    // Cells: mean height of the hillsides within a cell over their slope, added to steady states on a mesh
    // where the law has hillslopes, so that sizes have the same elevations. 0: the law alone.
    double hillside_relief = 0.4;
    double deposition = 0.0;                     // G, 1: how much of what arrives is laid down (sediment.hpp)
    std::vector<SlopeClass> slope_classes = {};  // empty: slopes follow from the law; steady state only
    bool diagnostics = true;           // whether the report tells of the terrain's quality; not declared
    bool keeps_net_erosion = false;    // whether the result holds it; not declared
    bool keeps_drainage_area = false;  // the same
    ErosionLaw law = {};

    static void declare(Declaration<ErosionParameters>& declaration);
};

/// What is eroded. All sources must be pure functions of the grid that they are asked for: coarse levels ask
/// them for coarse grids over the same place.
struct ErosionInputs {
    Grid grid;                  // of the result
    LayerSource elevation;      // z0, m; NaN: no data, such cells stay so and their neighbours drain out
    LayerSource uplift;         // u, m/yr, finite wherever there is elevation; ignored on boundary cells
    LayerSource erodibility;    // k, m^(1-2m)/yr, > 0; empty: the law's own
    LayerSource precipitation;  // weight of drainage area, 1, >= 0; empty: 1
    Field<std::uint8_t>
        boundary;  // non-zero: keeps its elevation and drains out; empty: the edges of the data
    std::vector<DrainageSource> sources = {};  // of drainage area that enters from elsewhere
    std::vector<DrawnRiver> rivers = {};       // along which water must run, at every size and time
};

/// What stepping tells of itself.
struct SteppingReport {
    double years = 0.0;              // that were stepped through
    double change = 0.0;             // m/yr, mean |dz/dt| in the last step
    bool settled = true;             // false: the steady state was given up
    std::int64_t capped_solves = 0;  // of cells, by Newton's method, that ended at its cap of iterations
};

/// What the optimisation tells of itself (network_fit.hpp).
struct OptimisationReport {
    int iterations = 0;
    double objective_before = 0.0;  // m^2
    double objective_after = 0.0;   // m^2

    // Like discontinuous_share, on the network that the terrain was solved on. NaN without diagnostics.
    double discontinuous_share_before = 0.0;
    double discontinuous_share_after = 0.0;
};

/// What a terrain erodes, lays down and loses over its outlets, in the last increment, step or solution.
struct SedimentReport {
    double eroded = 0.0;       // m^3/yr, before deposition
    double deposited = 0.0;    // m^3/yr
    double exported = 0.0;     // m^3/yr, over the boundary cells
    std::int64_t limited = 0;  // cells whose deposition was bounded
};

struct ErosionReport {
    int levels = 0;
    int iterations = 0;  // over all levels

    // Of steady_residuals in the last iteration, on the network that it was solved on: 0 but for rounding.
    // NaN where not measured: finite times, or no uplift.
    double residual_median = std::numeric_limits<double>::quiet_NaN();
    double residual_p99 = std::numeric_limits<double>::quiet_NaN();

    // The same of the terrain that is returned, on the network that it has itself: how far network and
    // terrain have settled on each other.
    double unsettled_median = std::numeric_limits<double>::quiet_NaN();

    std::int64_t islands = 0;  // pieces of land without a boundary cell, which drain into their lowest cell
    std::optional<std::int64_t> pits;  // cells without a lower neighbour in the last terrain

    // Share of cells higher above an unconnected neighbour than its distance; NaN where not measured.
    double discontinuous_share = std::numeric_limits<double>::quiet_NaN();
    RiverDirections river_directions;  // of the last terrain's own network, above kJudgedRiverArea
    std::vector<double> deciles;       // of the elevation that is returned, m; empty: not measured
    std::optional<SteppingReport> stepping;
    std::optional<OptimisationReport> optimisation;
    std::optional<SedimentReport> sediment;  // where there is deposition
    std::vector<std::pair<std::string, double>> phases_ms;
};

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
/// [m] that the next level starts from. Stepping, and key times at full size on plain lattices, have no such
/// levels and tell of none.
using LevelObserver = std::function<void(const Grid& grid, const Field<float>& terrain)>;

/// Elevation `parameters.time` years after `inputs.elevation`:
///   dz/dt = u - a(A) |grad z| + thermal term       Tzathas et al. 2024 (erosion_law.hpp, analytical.hpp)
/// or, where slope_exponent is not 1, the law of slope_law.hpp.
/// The network and the elevations are found together: from 32 cells upward, each level starts from the one
/// before (section 5.2). Differs in: displaced nodes and steepest receivers (the paper's 4 neighbours, random
/// receivers and jittered upsampling remain as FourNeighbours + Random); drainage area averaged over a
/// level's iterations; area of the coarser level as prior; see docs/theory/erosion.md. The
/// baselines (parameters.method) share lattice, law, boundary and depressions. Boundary and depressions:
/// boundary cells keep z0, and where a mask leaves out a whole piece of land, so does its lowest cell;
/// depressions are breached (flow_tree.hpp). A time of 0 gives z0. O(cells) with about 15 ns a cell and
/// iteration at steady state; about 75 bytes a cell, 190 at finite times, 20 more with optimisation,
/// 4 for each field that the result is asked to hold;
/// parallel; the same bits on any number of threads; coarse levels do not depend on the size of the result.
/// Polls `progress`; inputs stay untouched. Throws Error::input: grid of fewer than 3 x 3 cells without a
/// boundary mask, no boundary cell, boundary of another size, no data anywhere, infinite elevation, negative
/// time, uplift that is not finite where there is elevation, erodibility that is not positive, a slope
/// exponent other than 1 at a finite time without stepping, slope classes at a finite time or with stepping,
/// or that check_slope_classes refuses, a base slope at steady state, negative deposition, a source that
/// check_sources refuses (drainage_source.hpp).
ErosionResult erode(const ErosionInputs& inputs, const ErosionParameters& parameters, std::uint64_t seed,
                    Progress& progress, const LevelObserver& observe_level = {});

}  // namespace thalweg
