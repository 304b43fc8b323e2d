// Reports: what a run did and how long it took, as JSON (docs/report.md describes every member).
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/stage.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg {

/// One stage's run.
struct StageReport {
    std::string stage;
    std::string label;
    bool is_from_cache = false;  // whether an earlier run's result was taken; `diagnostics` are that run's
    ValueTable parameters;       // in force
    double solve_ms = 0.0;       // median of the repeats, without reading and writing of output files
    std::vector<double> repeats_ms;
    Diagnostics diagnostics;
};

/// How a layer's file holds its values.
struct ReportedRaster {
    std::string file;
    std::string layer;
    RasterEncoding encoding;
};

/// A whole run: of a project, or of one verb (then with one stage).
struct RunReport {
    std::string project;  // name; empty for a verb
    std::uint64_t seed = 0;
    Grid grid;
    int threads = 1;
    double total_ms = 0.0;  // everything, files included
    double output_ms = 0.0;
    std::int64_t peak_memory_bytes = 0;
    std::vector<StageReport> stages;
    std::vector<std::string> files;
    std::vector<ReportedRaster> rasters;
    std::vector<std::string> notes;  // on what was written

    [[nodiscard]] double solve_ms() const;  // sum over the stages
};

/// The report as JSON text, indented by two spaces. Infinite values are the text "inf".
///
/// Example:
///     std::puts(report_json(run_project(project).report).c_str());
std::string report_json(const RunReport& report);

/// The notes of all stages and on what was written, each once, in order.
std::vector<std::string> notes_of(const RunReport& report);

}  // namespace thalweg
