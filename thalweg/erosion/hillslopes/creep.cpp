#include "thalweg/core/error.hpp"
#include "thalweg/erosion/hillslopes.hpp"
#include "thalweg/erosion/hillslopes/creep_step.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kLeastCriticalSlope = 1e-3;  // m/m
constexpr const char* kAllowedCritical = "greater than or equal to 0.001";
constexpr int kFewestSteps = 2;         // one leaves hilltops and valleys too sharp
constexpr int kMostSteps = 4;           // (empirical)
constexpr double kReachOfAStep = 0.25;  // D t / cell area that one step may have, where there are fewer

void check_parameter(const char* name, double value, bool is_allowed, const char* allowed) {
    if (!is_allowed) throw Error::input(fmt::format("{} = {} is not allowed: {}", name, value, allowed));
}

void check(const Field<float>& elevation, const CreepFields& fields, const CreepParameters& parameters) {
    const auto is_amount = [](double value) { return std::isfinite(value) && value >= 0.0; };
    check_parameter("time", parameters.time, is_amount(parameters.time), "greater than or equal to 0");
    check_parameter("diffusivity", parameters.diffusivity, is_amount(parameters.diffusivity),
                    "greater than or equal to 0");
    check_parameter("critical_slope", parameters.critical_slope,
                    parameters.critical_slope >= kLeastCriticalSlope, kAllowedCritical);
    check_parameter("steps", parameters.steps, parameters.steps >= 0, "greater than or equal to 0");
    assert(fields.held.empty() || fields.held.size() == elevation.size());
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell) {
        if (is_no_data(elevation[cell])) continue;
        if (!fields.diffusivity.empty()) {
            const auto diffusivity = static_cast<double>(fields.diffusivity[cell]);
            check_parameter("diffusivity", diffusivity, is_amount(diffusivity), "greater than or equal to 0");
        }
        if (!fields.critical_slope.empty()) {
            const auto critical = static_cast<double>(fields.critical_slope[cell]);
            check_parameter("critical_slope", critical, critical >= kLeastCriticalSlope, kAllowedCritical);
        }
    }
}

/// The most diffusivity of a cell, m^2/yr.
double greatest_diffusivity(const CreepFields& fields, const CreepParameters& parameters) {
    if (fields.diffusivity.empty()) return parameters.diffusivity;
    float most = 0.0F;
    for (const float value : fields.diffusivity)
        if (value > most) most = value;
    return static_cast<double>(most);
}

}  // namespace

CreepResult creep(const Field<float>& elevation, const CreepFields& fields, const CreepParameters& parameters,
                  Progress& progress) {
    check(elevation, fields, parameters);
    const double reach = greatest_diffusivity(fields, parameters) * parameters.time;  // m^2
    CreepReport report;
    if (elevation.empty() || reach == 0.0) return {elevation, report};
    report.steps = parameters.steps;
    if (report.steps == 0)
        report.steps =
            static_cast<int>(std::clamp(std::ceil(reach / (kReachOfAStep * elevation.grid().cell_area())),
                                        double{kFewestSteps}, double{kMostSteps}));
    CreepStep step(elevation, fields, parameters, parameters.time / report.steps);
    for (int i = 0; i < report.steps; ++i) {
        progress.report(static_cast<double>(i) / report.steps, "letting soil creep");
        step.advance(report, progress);
    }
    return {step.elevation(elevation), report};
}

}  // namespace thalweg
