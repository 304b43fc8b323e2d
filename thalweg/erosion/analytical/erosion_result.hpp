// From the terrain at the nodes of the finest level to the result of an erosion.
#pragma once

#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"
#include "thalweg/erosion/transfer/kept_detail.hpp"

#include <span>

namespace thalweg {

/// The ground at time 0 on the grid of the result, m.
struct InitialGround {
    Field<float> elevation;
    Field<float> blurred;  // as the mesh carries it; empty where no detail is to be given back
};

/// `level`: the finest.
InitialGround initial_ground(const ErosionProblem& problem, const ErosionLevel& level, const ErosionRun& run);

/// What wipes out detail under `parameters`.
DetailLoss detail_loss(const ErosionParameters& parameters);

/// Terrain at the nodes of the finest level, `time` years after its start.
struct SolvedTerrain {
    const ErosionLevel& level;
    const Field<float>& terrain;  // m
    std::span<const float> area;  // m^2, of the network that it was solved on; may lie in `scratch`
    double time;                  // yr
    TerrainRouter& router;        // whose memory diagnostics may use
    ErosionNetwork& scratch;      // diagnostics, which come last, find their own network in its memory
};

/// The result without its report. Its elevation is that of the raster, or node values at cell centres with
/// the detail of ground that was not eroded (kept_detail.hpp); at steady states with the relief of hillslopes
/// between valleys (unresolved_relief.hpp), on the network in `solved.scratch`; boundary cells as they were.
ErosionResult eroded_ground(const SolvedTerrain& solved, const InitialGround& ground,
                            const ErosionProblem& problem, const ErosionRun& run);

/// The same after 0 years: the ground itself, and the drainage area of its own network.
ErosionResult ground_at_start(const ErosionProblem& problem, const ErosionLevel& level,
                              Field<float> elevation, const ErosionRun& run);

/// The result from eroded_ground, whose ground is no longer needed, with its report. With
/// parameters.diagnostics that is filled with what tells of the terrain; comes last for a `solved`.
ErosionResult finish_erosion(const SolvedTerrain& solved, ErosionResult result, const ErosionProblem& problem,
                             ErosionReport report, const ErosionRun& run);

}  // namespace thalweg
