#include "thalweg/erosion/erosion_parameters.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// What the terrain is shaped by, besides the closed form with slopes in the first power.
void declare_laws(Declaration<ErosionParameters>& d) {
    d.number(
        "time_step", &ErosionParameters::time_step,
        {.label = "Longest time step",
         .group = "Time",
         .unit = "yr",
         .sentence = "Longest step of stepping; 0 takes 200 yr for every metre of cell size, and at least "
                     "20 steps.",
         .minimum = 0.0,
         .maximum = kMostTime,
         .usual = {100.0, 1e5, SliderScale::Logarithmic},
         .automatic = 0.0,
         .is_advanced = true,
         .enabled_when = {equals("method", {"stepping"})}});
    d.number("slope_exponent", &ErosionParameters::slope_exponent,
             {.label = "Slope exponent",
              .group = "Stream power",
              .unit = "1",
              .sentence = "Exponent n of slope in the stream power law; other than 1 only at steady state, "
                          "or with stepping.",
              .minimum = kLeastSlopeExponent,
              .maximum = kMostSlopeExponent,
              .usual = {0.5, 2.0},
              .is_advanced = true});
    d.number(
        "hillside_relief", &ErosionParameters::hillside_relief,
        {.label = "Relief of hillslopes within a cell",
         .group = "Hillslopes",
         .unit = "cells",
         .sentence = "Mean height of the hillslopes within a cell over their slope: added to steady states "
                     "where the law has hillslopes, so that sizes have the same elevations; 0 leaves the "
                     "stream power law alone.",
         .minimum = 0.0,
         .maximum = 2.0,
         .usual = {0.0, 1.0},
         .is_advanced = true,
         .enabled_when = {equals("time", {std::numeric_limits<double>::infinity()}),
                          equals("hillslope", {true}), equals("lattice", {"auto", "mesh"})}});
    d.number("deposition", &ErosionParameters::deposition,
             {.label = "Deposition",
              .group = "Stream power",
              .unit = "1",
              .sentence = "Deposition coefficient G: how readily rivers lay sediment down again, in fans and "
                          "plains; 0 is never.",
              .minimum = 0.0,
              .maximum = 10.0,
              .usual = {0.0, 2.0},
              .source = "Yuan et al. 2019"});
    d.tables("slope_classes", &ErosionParameters::slope_classes,
             {.label = "Slope classes",
              .group = "Stream power",
              .unit = "",
              .sentence = "Slopes by drainage area, at steady state, in place of uplift and erosion; empty "
                          "lets the law find them.",
              .source = "Genevaux et al. 2013; Tzathas et al. 2024, fig. 6",
              .is_advanced = true,
              .enabled_when = {equals("time", {std::numeric_limits<double>::infinity()}),
                               differs("method", {"stepping"})}});
}

void declare_iterations(Declaration<ErosionParameters>& d) {
    d.integer("coarse_iterations", &ErosionParameters::coarse_iterations,
              {.label = "Iterations on coarse levels",
               .group = "Solver",
               .unit = "1",
               .sentence =
                   "Iterations on every level of up to 256 cells along the longer side; a mesh takes twelve "
                   "times as many on the coarsest.",
               .minimum = 1,
               .maximum = 1000,
               .usual = {1.0, 20.0},
               .is_advanced = true,
               .enabled_when = {equals("method", {"analytical"})}});
    d.integer("fine_iterations", &ErosionParameters::fine_iterations,
              {.label = "Iterations on fine levels",
               .group = "Solver",
               .unit = "1",
               .sentence = "Iterations on every larger level but the last.",
               .minimum = 1,
               .maximum = 1000,
               .usual = {1.0, 10.0},
               .is_advanced = true,
               .enabled_when = {equals("method", {"analytical"})}});
    d.integer(
        "last_iterations", &ErosionParameters::last_iterations,
        {.label = "Iterations on the last level",
         .group = "Solver",
         .unit = "1",
         .sentence = "Iterations on the raster itself after those on a mesh, or on the last level where "
                     "that is larger than 256 cells.",
         .minimum = 1,
         .maximum = 1000,
         .usual = {1.0, 10.0},
         .is_advanced = true,
         .enabled_when = {equals("method", {"analytical"})}});
    d.integer("fixed_point_iterations", &ErosionParameters::fixed_point_iterations,
              {.label = "Iterations of the fixed point",
               .group = "Solver",
               .unit = "1",
               .sentence = "Iterations of the fixed point; it needs more on larger grids.",
               .minimum = 1,
               .maximum = 100000,
               .usual = {10.0, 1000.0, SliderScale::Logarithmic},
               .is_advanced = true,
               .enabled_when = {equals("method", {"fixed_point"})}});
}

/// The nodes and links that water runs on, and its receivers.
void declare_lattice(Declaration<ErosionParameters>& d) {
    d.choice(
        "lattice", &ErosionParameters::lattice,
        {{"auto", ErosionLattice::Auto,
          "Eight neighbours for rasters at finite times and for stepping, else the mesh."},
         {"mesh", ErosionLattice::Mesh,
          "Displaced nodes with Delaunay links that hide the grid, then the 8 neighbours of the raster."},
         {"four_neighbours", ErosionLattice::FourNeighbours,
          "The centres of cells, linked along rows and columns."},
         {"eight_neighbours", ErosionLattice::EightNeighbours,
          "The centres of cells, linked along diagonals too."}},
        {.label = "Lattice",
         .group = "Solver",
         .unit = "",
         .sentence = "Which nodes and links water runs on: displaced nodes that hide the grid and then "
                     "the raster's 8 neighbours, or the 4 or 8 neighbours of cell centres alone; auto "
                     "takes eight_neighbours for rasters at finite times and for stepping, else mesh.",
         .source = "four_neighbours: Tzathas et al. 2024, section 4.3",
         .is_advanced = true});
    d.choice("edges", &ErosionParameters::edges,
             {{"auto", EdgeRule::Auto, "River outlets for rasters at finite times, else fixed."},
              {"fixed", EdgeRule::Fixed, "Every edge cell keeps its elevation and drains out."},
              {"river_outlets", EdgeRule::RiverOutlets,
               "Only cells where rivers leave keep it; all others age like their inner neighbours."}},
             {.label = "Edges of the data",
              .group = "Boundary",
              .unit = "",
              .sentence =
                  "What the edges of the data do without a boundary mask: all keep their elevation, or only "
                  "where rivers leave while all others age like their inner neighbours; auto takes "
                  "river_outlets for rasters at finite times, else fixed."});
    d.choice("receivers", &ErosionParameters::receivers,
             {{"steepest", ReceiverRule::Steepest, "The steepest lower neighbour takes the water."},
              {"random", ReceiverRule::Random,
               "A lower neighbour drawn in proportion to the drop takes the water."}},
             {.label = "Receivers",
              .group = "Solver",
              .unit = "",
              .sentence = "How a cell picks its receiver: the steepest lower neighbour, or at random in "
                          "proportion to the drop.",
              .source = "random: Tzathas et al. 2024, section 4.3",
              .is_advanced = true});
    d.number("jitter", &ErosionParameters::jitter,
             {.label = "Mesh displacement",
              .group = "Solver",
              .unit = "cells",
              .sentence = "How far the nodes of the mesh are displaced.",
              .minimum = 0.0,
              .maximum = 0.45,
              .usual = {0.0, 0.45},
              .is_advanced = true,
              .enabled_when = {equals("lattice", {"auto", "mesh"})}});
}

}  // namespace

void ErosionParameters::declare(Declaration<ErosionParameters>& d) {
    d.number("time", &ErosionParameters::time,
             {.label = "Time",
              .group = "Time",
              .unit = "yr",
              .sentence = "How long the terrain ages; inf is the steady state between uplift and erosion.",
              .minimum = 0.0,
              .maximum = kMostTime,
              .usual = {1e4, 1e7, SliderScale::Logarithmic},
              .infinity_allowed = true});
    d.choice("method", &ErosionParameters::method,
             {{"analytical", ErosionMethod::Analytical, "The closed form from coarse to fine: the fast way."},
              {"fixed_point", ErosionMethod::FixedPoint,
               "The closed form at full size alone, network and terrain in turns: a slow baseline."},
              {"stepping", ErosionMethod::Stepping,
               "Implicit steps in time, for any slope exponent: a slow baseline."}},
             {.label = "Method",
              .group = "Solver",
              .unit = "",
              .sentence = "How the terrain is found: the closed form from coarse to fine, or one of two slow "
                          "baselines: the closed form at full size alone, or implicit steps in time.",
              .source = "fixed_point: Steer 2021; stepping: Braun and Willett 2013",
              .is_advanced = true});
    d.choice(
        "time_definition", &ErosionParameters::time_definition,
        {{"auto", TimeDefinition::Auto,
          "Full resolution for rasters, multilevel for terrain that is generated."},
         {"multilevel", TimeDefinition::Multilevel,
          "Found at 256 cells and refined from there, so that sizes agree; detail of a raster melts.",
          "build"},
         {"full_resolution", TimeDefinition::FullResolution,
          "Found at full size from the first checkpoint time on, so that detail of a raster stays.",
          "sweep"}},
        {.label = "Way to a finite time",
         .group = "Time",
         .unit = "",
         .sentence =
             "How a finite time is reached, over checkpoint times: multilevel finds it at 256 cells and "
             "refines "
             "it, so that sizes agree, but melts the detail of a raster; full_resolution works at full size; "
             "auto takes full_resolution for rasters and multilevel for terrain that is generated.",
         .is_advanced = true,
         .enabled_when = {equals("method", {"analytical"}),
                          differs("time", {std::numeric_limits<double>::infinity()})}});
    declare_lattice(d);
    declare_iterations(d);
    d.choice(
        "network", &ErosionParameters::network,
        {{"free", NetworkSource::Free, "It is found together with the terrain."},
         {"terrain", NetworkSource::Terrain,
          "The drainage of the terrain at the beginning is kept for all time."}},
        {.label = "River network",
         .group = "Solver",
         .unit = "",
         .sentence = "Where the river network comes from: found with the terrain, or the drainage of the "
                     "terrain at the beginning, kept for all time.",
         .source = "terrain: Tzathas et al. 2024, section 5.3",
         .is_advanced = true,
         .enabled_when = {equals("method", {"analytical"})}});
    d.integer("optimisation_iterations", &ErosionParameters::optimisation_iterations,
              {.label = "Optimisation iterations",
               .group = "Solver",
               .unit = "1",
               .sentence = "Steps that take out what still stands like a cliff between rivers, each river "
                           "kept; -1 takes 50 for network = \"terrain\", else none.",
               .minimum = kOptimisationBySource,
               .maximum = 100000,
               .usual = {0.0, 200.0},
               .automatic = kOptimisationBySource,
               .source = "Tzathas et al. 2024, section 5.3",
               .is_advanced = true,
               .enabled_when = {differs("method", {"stepping"})}});
    declare_laws(d);
    d.include(&ErosionParameters::law);
}

}  // namespace thalweg
