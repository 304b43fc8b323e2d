// One resolution of an erosion problem: its lattice and inputs at the nodes, and one iteration on it.
#pragma once

#include "thalweg/erosion/drainage_source.hpp"
#include "thalweg/erosion/drawn_river.hpp"
#include "thalweg/erosion/erosion_inputs.hpp"
#include "thalweg/erosion/erosion_parameters.hpp"
#include "thalweg/erosion/network/slope_factor.hpp"
#include "thalweg/erosion/solvers/steady_state.hpp"
#include "thalweg/flow/depressions/breach_directions.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/graph/tree_orderer.hpp"

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace thalweg {

/// Cells along the longer side of the level with which every size of a project begins.
inline constexpr int kCoarsestSide = 32;

/// Milliseconds spent in named parts of the work.
using PhaseTimes = std::map<std::string, double>;

/// Adds the time since its construction to a phase.
class PhaseTimer {
  public:
    PhaseTimer(PhaseTimes& phases, const char* name) : total_(phases[name]) {}
    PhaseTimer(const PhaseTimer&) = delete;
    PhaseTimer& operator=(const PhaseTimer&) = delete;
    ~PhaseTimer() { total_ += std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    double& total_;
    Clock::time_point start_ = Clock::now();
};

/// What is asked of an erosion.
struct ErosionProblem {
    const ErosionInputs& inputs;
    const ErosionParameters& parameters;
    std::uint64_t seed;
};

/// Where one call of the engine tells of its work.
struct ErosionRun {
    Progress& progress;
    PhaseTimes& phases;
};

/// Inputs of one level, at the nodes of its lattice.
struct ErosionLevel {
    Lattice lattice;
    Field<float> initial;       // z0, m; between nodes and centres no difference is made where it only tells
                                // roots and no-data: at steady state, but on the level that it starts on
    Field<std::uint8_t> roots;  // 1: keeps z0 and drains out
    std::vector<std::int32_t> open_edges;  // cells that drain out or in as the ground lies (open_edges.hpp)
    std::int64_t closed_components =
        0;                      // pieces of land without a boundary cell, which drain into their lowest cell
    std::vector<float> uplift;  // m/yr
    std::vector<float> erodibility;   // m^(1-2m)/yr; empty: the law's
    std::vector<float> weight;        // m^2, precipitation times cell area; empty: the cell's area
    std::vector<NodeSource> sources;  // of drainage area from elsewhere
    RiverCourses courses;             // of drawn rivers
};

/// Asks the sources for `grid`, checks what they give, and samples it at the nodes. `boundary` as in
/// ErosionInputs, of this level's size.
ErosionLevel make_erosion_level(const ErosionInputs& inputs, const Grid& grid,
                                const Field<std::uint8_t>& boundary, const ErosionParameters& parameters,
                                std::uint64_t seed, Progress& progress);

/// Throws as check_sources, on the grid of the result.
void check_drainage_sources(const ErosionInputs& inputs, Progress& progress);

/// Cells that drain out keep z0, and cells without data have none.
void impose_roots(const ErosionLevel& level, Field<float>& terrain);

/// Where the cells that drain out have fallen with time, those of `fine` have fallen as far as those of the
/// coarser level that they lie in: z0 less that. `coarse_terrain`: that level's, m.
void lower_roots(const ErosionLevel& coarse, const Field<float>& coarse_terrain, const ErosionLevel& fine,
                 Field<float>& terrain);

/// Boundary mask of the next coarser level: a cell is one where any of its four children is. Empty stays
/// empty.
Field<std::uint8_t> coarsen_boundary(const Field<std::uint8_t>& boundary);

/// The drainage of one terrain and the closed form's inputs on it.
struct ErosionNetwork {
    FlowTree tree;
    std::vector<float> length;     // m, to the receiver times the slope factor
    std::vector<float> area;       // m^2 (weighted), as used for the celerity
    std::vector<float> celerity;   // m/yr
    Field<std::uint8_t> draining;  // roots, where the level has open edges; else empty
    std::vector<float> root_fall;  // m/yr, where roots fall (open_edges.hpp); else empty
    std::int64_t pits = 0;

    [[nodiscard]] const Field<std::uint8_t>& roots(const ErosionLevel& level) const {
        return draining.empty() ? level.roots : draining;
    }
    [[nodiscard]] PathInputs path_inputs(const ErosionLevel& level) const {
        return {length, celerity, level.uplift, root_fall};
    }
};

/// Fills the celerities of the network from its area, which becomes at least a square millimetre.
void set_celerities(const ErosionLevel& level, const ErosionLaw& law, ErosionNetwork& network);

/// Key of the random receivers of one iteration on `grid`.
std::uint64_t receiver_draw_key(std::uint64_t seed, const Grid& grid, int iteration);

/// Finds the networks of terrains; keeps its memory from terrain to terrain.
class TerrainRouter {
  public:
    /// Routes `terrain` (node elevations) and fills tree, length, area and pits of `network`. `draw_key` as
    /// in direct_terrain.
    void route(const ErosionLevel& level, const Field<float>& terrain, ReceiverRule rule,
               std::uint64_t draw_key, ErosionNetwork& network, PhaseTimes& phases, Progress& progress);

  private:
    void gather_area(const ErosionLevel& level, const FlowTree& tree, std::vector<float>& area) const;

    DirectionBreacher breacher_;
    TreeOrderer orderer_;
};

}  // namespace thalweg
