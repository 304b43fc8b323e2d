#include "thalweg/flow/terrain_analyses.hpp"

namespace thalweg {

void AnalysisParameters::declare(Declaration<AnalysisParameters>& d) {
    d.number("analysis_area", &AnalysisParameters::least_area,
             {.label = "Least area of analysed rivers",
              .group = "Analysis",
              .unit = "m^2",
              .sentence = "Drainage area from which cells count as rivers in analyses.",
              .minimum = 0.0,
              .maximum = 1e15,
              .usual = {1e4, 1e8, SliderScale::Logarithmic}});
    d.number(
        "analysis_drop", &AnalysisParameters::drop,
        {.label = "Fall between slopes",
         .group = "Analysis",
         .unit = "m",
         .sentence = "Fall over which the slopes of slope_area are taken; 0 takes them from cell to cell.",
         .minimum = 0.0,
         .maximum = 1e5,
         .usual = {0.0, 50.0},
         .source = "Wobus et al. 2006",
         .is_advanced = true});
    d.number("steepness_length", &AnalysisParameters::steepness_length,
             {.label = "Length for steepness",
              .group = "Analysis",
              .unit = "m",
              .sentence = "Length of river over which channel steepness k_sn is measured.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {100.0, 1e4, SliderScale::Logarithmic},
              .source = "Forte and Whipple 2019, default of TAK",
              .is_advanced = true});
    d.integer("analysis_basins", &AnalysisParameters::basins,
              {.label = "Basins in analyses",
               .group = "Analysis",
               .unit = "1",
               .sentence = "How many basins, the largest, hypsometry and chi_profiles show.",
               .minimum = 0.0,
               .maximum = 1000.0,
               .usual = {1.0, 20.0}});
    d.integer("analysis_tributaries", &AnalysisParameters::tributaries,
              {.label = "Tributaries in analyses",
               .group = "Analysis",
               .unit = "1",
               .sentence = "How many tributaries of a trunk, the largest, chi_profiles shows.",
               .minimum = 0.0,
               .maximum = 1e6,
               .usual = {0.0, 50.0}});
}

TerrainAnalyses analyse_terrain(const Field<float>& elevation, const FlowResult& flow,
                                const AnalysisParameters& parameters, const ChiParameters& chi,
                                const WantedAnalyses& wanted, Progress& progress) {
    const Lattice lattice = eight_neighbours(elevation.grid());
    TerrainAnalyses analyses;
    analyses.grid = elevation.grid();
    if (wanted.slope_area)
        analyses.slope_area =
            slope_area(flow.elevation, flow.tree, lattice,
                       {.least_area = parameters.least_area, .drop = parameters.drop}, progress);
    if (wanted.hack) analyses.hack = hack_law(flow.tree, lattice, parameters.least_area);
    if (!wanted.hypsometry && !wanted.chi_profiles) return analyses;
    const LargestBasins basins = largest_basins(flow.tree, parameters.basins, parameters.least_area);
    if (wanted.hypsometry) analyses.hypsometry = hypsometry(elevation, basins);
    if (wanted.chi_profiles)
        analyses.chi_profiles = chi_profiles(
            flow.elevation, flow.tree, lattice, basins,
            {.chi = chi, .least_area = parameters.least_area, .tributaries = parameters.tributaries},
            progress);
    return analyses;
}

}  // namespace thalweg
