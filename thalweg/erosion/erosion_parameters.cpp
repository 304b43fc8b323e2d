#include "thalweg/core/error.hpp"
#include "thalweg/erosion/erosion_checks.hpp"
#include "thalweg/erosion/stepping.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

void check_network_parameters(const ErosionParameters& parameters) {
    if (parameters.network == NetworkSource::Terrain && parameters.method != ErosionMethod::Analytical)
        throw Error::input(
            "network = \"terrain\" is not allowed with a method other than \"analytical\": the others find "
            "their networks as they go");
    if (parameters.optimisation_iterations < kOptimisationBySource)
        throw Error::input(fmt::format("optimisation_iterations = {} is not allowed: give 0 or more, or -1",
                                       parameters.optimisation_iterations));
    if (parameters.optimisation_iterations > 0 && parameters.method == ErosionMethod::Stepping)
        throw Error::input(fmt::format(
            "optimisation_iterations = {} is not allowed with method = \"stepping\": steps leave no "
            "discontinuities to remove",
            parameters.optimisation_iterations));
}

/// What the terrain is shaped by, besides the closed form with slopes in the first power.
void declare_laws(Declaration<ErosionParameters>& d) {
    d.number(
        "time_step", &ErosionParameters::time_step,
        {.unit = "yr",
         .sentence = "Longest step of stepping; 0 takes 200 yr for every metre of cell size, and at least "
                     "20 steps.",
         .minimum = 0.0,
         .maximum = kMostTime});
    d.number("slope_exponent", &ErosionParameters::slope_exponent,
             {.unit = "1",
              .sentence = "Exponent n of slope in the stream power law; other than 1 only at steady state, "
                          "or with stepping.",
              .minimum = kLeastSlopeExponent,
              .maximum = kMostSlopeExponent});
    d.number(
        "hillside_relief", &ErosionParameters::hillside_relief,
        {.unit = "cells",
         .sentence = "Mean height of the hillsides within a cell over their slope: added to steady states "
                     "where the law has hillslopes, so that sizes have the same elevations; 0 leaves the "
                     "stream power law alone.",
         .minimum = 0.0,
         .maximum = 2.0});
    d.number("deposition", &ErosionParameters::deposition,
             {.unit = "1",
              .sentence = "Deposition coefficient G: how readily rivers lay sediment down again, in fans and "
                          "plains; 0 is never.",
              .minimum = 0.0,
              .maximum = 10.0,
              .source = "Yuan et al. 2019"});
    d.tables("slope_classes", &ErosionParameters::slope_classes,
             {.unit = "",
              .sentence = "Slopes by drainage area, at steady state, in place of uplift and erosion; empty "
                          "lets the law find them.",
              .source = "Genevaux et al. 2013; Tzathas et al. 2024, fig. 6"});
}

void declare_iterations(Declaration<ErosionParameters>& d) {
    d.integer("coarse_iterations", &ErosionParameters::coarse_iterations,
              {.unit = "1",
               .sentence =
                   "Iterations on every level of up to 256 cells along the longer side; a mesh takes twelve "
                   "times as many on the coarsest.",
               .minimum = 1,
               .maximum = 1000});
    d.integer("fine_iterations", &ErosionParameters::fine_iterations,
              {.unit = "1",
               .sentence = "Iterations on every larger level but the last.",
               .minimum = 1,
               .maximum = 1000});
    d.integer(
        "last_iterations", &ErosionParameters::last_iterations,
        {.unit = "1",
         .sentence = "Iterations on the raster itself after those on a mesh, or on the last level where "
                     "that is larger than 256 cells.",
         .minimum = 1,
         .maximum = 1000});
    d.integer("fixed_point_iterations", &ErosionParameters::fixed_point_iterations,
              {.unit = "1",
               .sentence = "Iterations of the fixed point; it needs more on larger grids.",
               .minimum = 1,
               .maximum = 100000});
}

}  // namespace

void ErosionParameters::declare(Declaration<ErosionParameters>& d) {
    d.number("time", &ErosionParameters::time,
             {.unit = "yr",
              .sentence = "How long the terrain ages; inf is the steady state between uplift and erosion.",
              .minimum = 0.0,
              .maximum = kMostTime,
              .infinity_allowed = true});
    d.choice("method", &ErosionParameters::method,
             {{"analytical", ErosionMethod::Analytical},
              {"fixed_point", ErosionMethod::FixedPoint},
              {"stepping", ErosionMethod::Stepping}},
             {.unit = "",
              .sentence = "How the terrain is found: the closed form from coarse to fine, or one of two slow "
                          "baselines: the closed form at full size alone, or implicit steps in time.",
              .source = "fixed_point: Steer 2021; stepping: Braun and Willett 2013"});
    d.choice(
        "time_definition", &ErosionParameters::time_definition,
        {{"auto", TimeDefinition::Auto}, {"build", TimeDefinition::Build}, {"sweep", TimeDefinition::Sweep}},
        {.unit = "",
         .sentence = "How a finite time is reached, over key times: build finds it at 256 cells and refines "
                     "it, so that sizes agree, but melts the detail of a raster; sweep works at full size; "
                     "auto takes sweep for rasters and build for terrain that is generated."});
    d.choice("lattice", &ErosionParameters::lattice,
             {{"auto", ErosionLattice::Auto},
              {"mesh", ErosionLattice::Mesh},
              {"four_neighbours", ErosionLattice::FourNeighbours},
              {"eight_neighbours", ErosionLattice::EightNeighbours}},
             {.unit = "",
              .sentence = "Which nodes and links water runs on: displaced nodes that hide the grid and then "
                          "the raster's 8 neighbours, or the 4 or 8 neighbours of cell centres alone; auto "
                          "takes eight_neighbours for rasters at finite times and for stepping, else mesh.",
              .source = "four_neighbours: Tzathas et al. 2024, section 4.3"});
    d.choice(
        "edges", &ErosionParameters::edges,
        {{"auto", EdgeRule::Auto}, {"fixed", EdgeRule::Fixed}, {"river_outlets", EdgeRule::RiverOutlets}},
        {.unit = "",
         .sentence =
             "What the edges of the data do without a boundary mask: all keep their elevation, or only "
             "where rivers leave while all others age like their inner neighbours; auto takes "
             "river_outlets for rasters at finite times, else fixed."});
    d.choice("receivers", &ErosionParameters::receivers,
             {{"steepest", ReceiverRule::Steepest}, {"random", ReceiverRule::Random}},
             {.unit = "",
              .sentence = "How a cell picks its receiver: the steepest lower neighbour, or at random in "
                          "proportion to the drop.",
              .source = "random: Tzathas et al. 2024, section 4.3"});
    d.number("jitter", &ErosionParameters::jitter,
             {.unit = "cells",
              .sentence = "How far the nodes of the mesh are displaced.",
              .minimum = 0.0,
              .maximum = 0.45});
    declare_iterations(d);
    d.choice(
        "network", &ErosionParameters::network,
        {{"free", NetworkSource::Free}, {"terrain", NetworkSource::Terrain}},
        {.unit = "",
         .sentence = "Where the river network comes from: found with the terrain, or the drainage of the "
                     "terrain at the beginning, kept for all time.",
         .source = "terrain: Tzathas et al. 2024, section 5.3"});
    d.integer("optimisation_iterations", &ErosionParameters::optimisation_iterations,
              {.unit = "1",
               .sentence = "Steps that take out what still stands like a cliff between rivers, each river "
                           "kept; -1 takes 50 for network = \"terrain\", else none.",
               .minimum = kOptimisationBySource,
               .maximum = 100000,
               .source = "Tzathas et al. 2024, section 5.3"});
    declare_laws(d);
    d.include(&ErosionParameters::law);
}

namespace {

void check_law(const ErosionLaw& law) {
    if (!(law.erodibility > 0.0 && std::isfinite(law.erodibility)))
        throw Error::input(
            fmt::format("erodibility = {} m^(1-2m)/yr is not allowed: it must be finite and greater than 0",
                        law.erodibility));
    for (const Parameter& parameter : parameters_of<ErosionLaw>().parameters())
        (void)parameter.checked(parameter.get(&law));
}

}  // namespace

void check_erosion_parameters(const ErosionParameters& parameters) {
    check_timeless_parameters(parameters);
    if (!(parameters.time >= 0.0) || (parameters.time > kMostTime && !std::isinf(parameters.time)))
        throw Error::input(fmt::format("time = {} yr is not allowed: give 0 to {:g} yr, or inf",
                                       parameters.time, kMostTime));
    if (!parameters.slope_classes.empty() && !std::isinf(parameters.time))
        throw Error::input(
            fmt::format("slope_classes are only allowed with time = inf, and time is {} yr: they "
                        "say how steep the ground ends, and not how fast",
                        parameters.time));
    if (parameters.slope_exponent != 1.0 && parameters.method != ErosionMethod::Stepping &&
        !std::isinf(parameters.time))
        throw Error::input(
            fmt::format("slope_exponent = {} is only allowed with time = inf or method = \"stepping\", and "
                        "time is {} yr: the closed form knows other exponents than 1 at steady state alone",
                        parameters.slope_exponent, parameters.time));
    if (parameters.law.base_slope > 0.0 && std::isinf(parameters.time))
        throw Error::input(
            fmt::format("base_slope = {} is only allowed with a finite time: outlets that fall for "
                        "ever have no steady state",
                        parameters.law.base_slope));
}

void check_timeless_parameters(const ErosionParameters& parameters) {
    if (parameters.coarse_iterations < 1 || parameters.fine_iterations < 1 || parameters.last_iterations < 1)
        throw Error::input(fmt::format(
            "{}, {} and {} iterations are not allowed: give at least 1 on every level",
            parameters.coarse_iterations, parameters.fine_iterations, parameters.last_iterations));
    check_law(parameters.law);
    check_baseline_parameters(parameters);
    check_network_parameters(parameters);
    if (!(parameters.deposition >= 0.0 && std::isfinite(parameters.deposition)))
        throw Error::input(
            fmt::format("deposition = {} is not allowed: give 0 or more", parameters.deposition));
    check_slope_classes(parameters.slope_classes);
    if (!parameters.slope_classes.empty() && parameters.deposition > 0.0)
        throw Error::input(
            fmt::format("deposition = {} is not allowed with slope_classes: they say how steep "
                        "the ground is, sediment or not",
                        parameters.deposition));
    const double base_slope = parameters.law.base_slope;
    if (base_slope > 0.0 && parameters.slope_exponent != 1.0)
        throw Error::input(
            fmt::format("base_slope = {} is only allowed with slope_exponent = 1, and it is {}", base_slope,
                        parameters.slope_exponent));
    if (!parameters.slope_classes.empty() && parameters.method == ErosionMethod::Stepping)
        throw Error::input(
            "slope_classes are not allowed with method = \"stepping\": give \"analytical\" or "
            "\"fixed_point\"");
}

void check_erosion_inputs(const ErosionInputs& inputs) {
    check_grid(inputs.grid);
    for (const auto& [name, source] : {std::pair("elevation", &inputs.elevation), {"uplift", &inputs.uplift}})
        if (!*source)
            throw Error::input(
                fmt::format("the erosion has no source of {}: give one, such as constant_source", name));
    check_rivers(inputs.rivers, inputs.grid);
    const Field<std::uint8_t>& boundary = inputs.boundary;
    if (boundary.empty()) {
        if (inputs.grid.columns < 3 || inputs.grid.rows < 3)
            throw Error::input(
                fmt::format("a grid of {} x {} cells is too small to erode: give at least 3 x 3, since "
                            "edge cells keep their elevation",
                            inputs.grid.columns, inputs.grid.rows));
        return;
    }
    if (boundary.columns() != inputs.grid.columns || boundary.rows() != inputs.grid.rows)
        throw Error::input(
            fmt::format("the boundary mask has {} x {} cells: it must have {} x {} like the terrain",
                        boundary.columns(), boundary.rows(), inputs.grid.columns, inputs.grid.rows));
    if (std::all_of(boundary.begin(), boundary.end(), [](std::uint8_t b) { return b == 0; }))
        throw Error::input(
            "the boundary mask has no cell other than 0: at least one must keep its elevation and drain");
}

}  // namespace thalweg
