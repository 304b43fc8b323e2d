#include "thalweg/project/report.hpp"

#include "thalweg/core/version.hpp"
#include "thalweg/project/model/json_values.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace thalweg {
namespace {

using Json = nlohmann::ordered_json;

Json phases_of(const StageReport& stage) {
    Json phases = Json::object();
    for (const auto& [name, milliseconds] : stage.diagnostics.phases_ms) phases[name] = milliseconds;
    return phases;
}

Json json_of_stage(const StageReport& stage) {
    Json json;
    json["stage"] = stage.stage;
    json["label"] = stage.label;
    json["from_cache"] = stage.is_from_cache;
    json["solve_ms"] = stage.solve_ms;
    json["repeats_ms"] = stage.repeats_ms;
    json["phases_ms"] = phases_of(stage);
    json["parameters"] = json_of(stage.parameters);
    json["diagnostics"] = json_of(ValueTable{stage.diagnostics.values});
    json["notes"] = stage.diagnostics.notes;
    return json;
}

/// Milliseconds by stage for a project; the stage's own phases for a verb.
Json phases_of(const RunReport& report) {
    if (report.stages.size() == 1) return phases_of(report.stages.front());
    Json phases = Json::object();
    for (const StageReport& stage : report.stages)
        phases[stage.label] = phases.value(stage.label, 0.0) + stage.solve_ms;
    return phases;
}

}  // namespace

double RunReport::solve_ms() const {
    double sum = 0.0;
    for (const StageReport& stage : stages) sum += stage.solve_ms;
    return sum;
}

std::string report_json(const RunReport& report) {
    Json json;
    json["program"] = "thalweg";
    json["version"] = kVersion;
    if (!report.project.empty()) json["project"] = report.project;
    json["seed"] = report.seed;
    json["threads"] = report.threads;
    json.update(json_of(report.grid));
    json["cells"] = report.grid.cells();
    json["solve_ms"] = report.solve_ms();
    json["phases_ms"] = phases_of(report);
    json["output_ms"] = report.output_ms;
    json["total_ms"] = report.total_ms;
    json["peak_memory_bytes"] = report.peak_memory_bytes;
    if (report.stages.size() == 1) {
        json["parameters"] = json_of(report.stages.front().parameters);
        json["diagnostics"] = json_of(ValueTable{report.stages.front().diagnostics.values});
    }
    json["notes"] = notes_of(report);
    json["stages"] = Json::array();
    for (const StageReport& stage : report.stages) json["stages"].push_back(json_of_stage(stage));
    json["files"] = report.files;
    json["rasters"] = Json::array();
    for (const ReportedRaster& raster : report.rasters) {
        Json entry = {{"file", raster.file}, {"layer", raster.layer}};
        entry.update(json_of_encoding(raster.layer, raster.encoding));
        json["rasters"].push_back(std::move(entry));
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> notes_of(const RunReport& report) {
    std::vector<std::string> notes;
    const auto add = [&](const std::vector<std::string>& told) {
        for (const std::string& note : told)
            if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    };
    for (const StageReport& stage : report.stages) add(stage.diagnostics.notes);
    add(report.notes);
    return notes;
}

}  // namespace thalweg
