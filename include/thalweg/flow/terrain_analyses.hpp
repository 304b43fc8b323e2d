// What geomorphologists first ask of a terrain's rivers: slope-area, Hack's law, hypsometry, chi profiles.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/flow/chi_profiles.hpp"
#include "thalweg/flow/hack_law.hpp"
#include "thalweg/flow/hypsometry.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/flow/slope_area.hpp"

#include <optional>

namespace thalweg {

/// Of which rivers and basins analyses are made.
struct AnalysisParameters {
    double least_area = 1e6;           // m^2, of rivers
    double drop = 10.0;                // m, over which slopes are taken
    double steepness_length = 1000.0;  // m, of river over which k_sn is measured
    int basins = 5;                    // the most, by area
    int tributaries = 10;              // the most a basin

    static void declare(Declaration<AnalysisParameters>& declaration);
};

/// Those that were asked for.
struct TerrainAnalyses {
    Grid grid;
    std::optional<SlopeArea> slope_area;
    std::optional<HackLaw> hack;
    std::optional<Hypsometry> hypsometry;
    std::optional<ChiProfiles> chi_profiles;
};

/// Which analyses to make.
struct WantedAnalyses {
    bool slope_area = true;
    bool hack = true;
    bool hypsometry = true;
    bool chi_profiles = true;
};

/// Makes the wanted analyses of `elevation` (m) and of its drainage among 8 neighbours, `flow`; slopes and
/// profiles are those of its conditioned elevation, hypsometry is of `elevation`. Cost: the sum of theirs;
/// polls `progress`.
///
/// Example:
///     const TerrainAnalyses analyses =
///         analyse_terrain(elevation, flow, {.least_area = 5e5}, {}, {.hack = false}, progress);
TerrainAnalyses analyse_terrain(const Field<float>& elevation, const FlowResult& flow,
                                const AnalysisParameters& parameters, const ChiParameters& chi,
                                const WantedAnalyses& wanted, Progress& progress);

}  // namespace thalweg
