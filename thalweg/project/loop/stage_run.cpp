#include "thalweg/project/stage_run.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/limits.hpp"
#include "thalweg/grid/summary.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/stage_grids.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

FieldSummary elevation_summary(const Landscape& landscape) {
    return landscape.has(kElevation) ? summary_of(landscape.layer(kElevation)) : FieldSummary{};
}

/// A sentence on ground that a stage has raised higher than any there is; empty for all other.
std::string note_of_rise(double rise, const StageUse& use) {
    constexpr double kMostRise = 3e4;     // m; Olympus Mons, the highest known, rises 2.2e4
    constexpr double kMostUplift = 0.05;  // m/yr; the fastest known lie about 0.01
    if (!(rise > kMostRise)) return {};
    const std::string kilometres = fmt::format("{:.0f} km", rise / 1000.0);
    for (const auto& [name, value] : use.stage->parameters->values(use.parameters.get()).entries) {
        const auto* rate = std::get_if<double>(&value);
        if (rate == nullptr || *rate < kMostUplift) continue;
        if (use.stage->parameters->at(name).notes.unit == "m/yr")
            return fmt::format(
                "{} of {:g} m/yr raises this ground by {}: mountains rise by 0.0001 to 0.01 m/yr", name,
                *rate, kilometres);
    }
    return fmt::format(
        "this raises the ground by {}, higher than any mountain: look at the units of what was given",
        kilometres);
}

/// Refuses elevation that a stage has led beyond all limits or lost, and tells of what no one can have meant.
void check_result(const StageUse& use, const FieldSummary& before, StageContext& context) {
    if (!context.landscape.has(kElevation)) return;
    check_elevation(context.landscape.layer(kElevation), "the result");
    const FieldSummary after = elevation_summary(context.landscape);
    if (after.cells_with_data == 0)
        throw Error::input("the result has no cell with elevation: give values that lead to finite heights");
    const std::string note = note_of_rise(after.maximum - before.maximum, use);
    if (!note.empty()) context.diagnostics.notes.push_back(note);
}

std::set<std::string> names_in(const Landscape& landscape) {
    std::set<std::string> names;
    for (const auto& [name, dataset] : landscape.datasets) names.insert(name);
    return names;
}

/// What the stage declares that it looks at. Values that it also leaves are moved out of the landscape, so
/// that it can change them in their place.
Landscape inputs_from(Landscape& landscape, const StageUse& use) {
    const std::set<std::string> present = names_in(landscape);
    const std::set<std::string> outputs = outputs_of(use, present);
    Landscape inputs{.grid = landscape.grid, .seed = landscape.seed, .datasets = {}};
    for (const std::string& name : inputs_of(use, present)) {
        const auto found = landscape.datasets.find(name);
        if (outputs.contains(name))
            inputs.datasets.insert(landscape.datasets.extract(found));
        else
            inputs.datasets.insert(*found);
    }
    return inputs;
}

/// Brings what the stage has left into the landscape.
void take_outputs(Landscape& made, const StageUse& use, Landscape& landscape) {
    if (made.grid != grid_after(use, landscape.grid))
        throw std::logic_error(fmt::format("stage {} has left another grid than it has declared", use.label));
    landscape.grid = made.grid;
    const std::set<std::string> outputs = all_outputs_of(use, names_in(made));
    for (auto& [name, dataset] : made.datasets) {
        if (outputs.contains(name)) {
            landscape.datasets.insert_or_assign(name, std::move(dataset));
            continue;
        }
        const auto given = landscape.datasets.find(name);
        if (given == landscape.datasets.end() || !given->second.shares_with(dataset))
            throw std::logic_error(
                fmt::format("stage {} has left \"{}\", which it does not declare", use.label, name));
    }
}

}  // namespace

StageReport run_stage(const StageUse& use, const StageRun& how, Landscape& landscape, Progress& progress) {
    StageReport report = begin_report(use);
    progress.report(0.0, use.label);
    Landscape working = inputs_from(landscape, use);
    StageContext context{working, how.base_directory, progress, {}, how.is_measured, how.wanted};
    const bool makes_terrain = std::ranges::find(use.stage->writes, kElevation) != use.stage->writes.end();
    const FieldSummary before = makes_terrain ? elevation_summary(working) : FieldSummary{};
    const std::string place = "stage " + use.label + ": ";
    const Stopwatch watch;
    with_place(place, [&] { use.stage->run(use.parameters.get(), context); });
    report.solve_ms = watch.milliseconds();
    if (makes_terrain) with_place(place, [&] { check_result(use, before, context); });
    take_outputs(working, use, landscape);
    for (const auto& [phase, milliseconds] : context.diagnostics.phases_ms)
        if (phase == kReadingPhase || phase == kDiagnosticsPhase) report.solve_ms -= milliseconds;
    report.repeats_ms = {report.solve_ms};
    report.diagnostics = std::move(context.diagnostics);
    return report;
}

StageReport begin_report(const StageUse& use) {
    StageReport report;
    report.stage = use.stage->name;
    report.label = use.label;
    report.parameters = use.stage->parameters->values(use.parameters.get());
    return report;
}

void set_repeats(StageReport& report, std::vector<double> times_ms) {
    report.solve_ms = median(times_ms);
    report.repeats_ms = std::move(times_ms);
}

void put_notes_first(StageReport& report, std::vector<std::string> notes) {
    std::vector<std::string>& told = report.diagnostics.notes;
    told.insert(told.begin(), std::make_move_iterator(notes.begin()), std::make_move_iterator(notes.end()));
}

RunReport begin_report(const Project& project) {
    RunReport report;
    report.project = project.name;
    report.seed = project.seed;
    report.grid = grids_of(project).back();
    report.threads = thread_count();
    return report;
}

}  // namespace thalweg
