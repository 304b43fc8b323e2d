#include "thalweg/erosion/levels/erosion_checks.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// What only the baselines read, and the slope exponent.
void check_baseline_parameters(const ErosionParameters& parameters) {
    if (parameters.fixed_point_iterations < 1)
        throw Error::input(fmt::format("fixed_point_iterations = {} is not allowed: give 1 or more",
                                       parameters.fixed_point_iterations));
    if (!(parameters.time_step >= 0.0) || std::isinf(parameters.time_step))
        throw Error::input(
            fmt::format("time_step = {} yr is not allowed: give more than 0 yr, or 0 for the step that suits "
                        "the cell size",
                        parameters.time_step));
    const double n = parameters.slope_exponent;
    if (!(n >= kLeastSlopeExponent && n <= kMostSlopeExponent))
        throw Error::input(fmt::format("slope_exponent = {} is not allowed: give {} to {}", n,
                                       kLeastSlopeExponent, kMostSlopeExponent));
}

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
