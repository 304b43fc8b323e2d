#include "thalweg/project/stage_run.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/project/project_checks.hpp"

#include <algorithm>
#include <utility>

namespace thalweg {
namespace {

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace

StageReport run_stage(const StageUse& use, const StageRun& how, Landscape& landscape, Progress& progress) {
    StageReport report;
    report.stage = use.stage->name;
    report.label = use.label;
    report.parameters = use.stage->parameters->values(use.parameters.get());
    progress.report(0.0, use.label);
    StageContext context{landscape, how.base_directory, progress, {}, how.is_measured, how.wanted};
    const Stopwatch watch;
    with_place("stage " + use.label + ": ", [&] { use.stage->run(use.parameters.get(), context); });
    report.solve_ms = watch.milliseconds();
    for (const auto& [phase, milliseconds] : context.diagnostics.phases_ms)
        if (phase == kReadingPhase || phase == kDiagnosticsPhase) report.solve_ms -= milliseconds;
    report.repeats_ms = {report.solve_ms};
    report.diagnostics = std::move(context.diagnostics);
    return report;
}

void set_repeats(StageReport& report, std::vector<double> times_ms) {
    report.solve_ms = median(times_ms);
    report.repeats_ms = std::move(times_ms);
}

RunReport begin_report(const Landscape& landscape) {
    RunReport report;
    report.seed = landscape.seed;
    report.columns = landscape.grid.columns;
    report.rows = landscape.grid.rows;
    report.cell_size = landscape.grid.cell_size;
    report.threads = thread_count();
    return report;
}

}  // namespace thalweg
