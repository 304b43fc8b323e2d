// thalweg describe, thalweg compare: terrains in numbers, as a table, JSON and a sheet of plots.
#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/limits.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/description_files.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/sheet_files.hpp"
#include "thalweg/project/stopwatch.hpp"
#include "thalweg/render/description_sheet.hpp"

#include <algorithm>
#include <span>

#include "cli/description_table.hpp"
#include "cli/file_arguments.hpp"
#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

constexpr const char* kSheetFlag = "out";
constexpr const char* kJsonFlag = "json";
constexpr double kReadingPart = 0.1;  // of the progress shown of one terrain

/// What was found, and what to tell of how.
struct Descriptions {
    std::vector<DescribedTerrain> terrains;
    StageReport report;
};

void check_description_files(const Given& given, const Session& session) {
    if (given.operands.size() > kMostOnSheet)
        throw Error::input(fmt::format("{} files are too many beside each other: give {} at most",
                                       given.operands.size(), kMostOnSheet));
    check_inputs_differ(given.operands);
    const std::string sheet = given.value(kSheetFlag).value_or("");
    if (given.has(kSheetFlag) && sheet != kStandardStream) check_sheet(sheet);
    check_outputs(given.operands, {sheet, given.value(kJsonFlag).value_or(""), session.report_file()});
}

TerrainDescription describe_file(const Given& given, const std::string& name, Progress& progress,
                                 StageReport& report) {
    const InputFile file(name, degrees_of(given), hints_of(given));
    return file.read_by([&] {
        const std::string shown = file.path().string();
        check_memory(plan_description(read_raster_info(file.path(), file.hints()).grid));
        NotedRaster read = read_noted_raster(file.path(), file.hints());
        check_elevation(read.values, shown);
        std::vector<std::string>& notes = report.diagnostics.notes;
        notes.insert(notes.end(), file.notes().begin(), file.notes().end());
        notes.insert(notes.end(), read.notes.begin(), read.notes.end());
        progress.report(kReadingPart, "describing terrain");
        ProgressPart describing(progress, kReadingPart, 1.0);
        const Stopwatch watch;
        TerrainDescription description =
            with_place(shown + ": ", [&] { return describe_terrain(read.values, describing); });
        report.solve_ms += watch.milliseconds();
        return description;
    });
}

/// The file's own name, or all that was typed where another's is the same.
std::string shown_name(const std::vector<std::string>& files, const std::string& file) {
    const auto own_name = [](const std::string& path) {
        return std::filesystem::path(path).filename().string();
    };
    if (file == kStandardStream) return "standard input";
    return std::ranges::count(files, own_name(file), own_name) > 1 ? file : own_name(file);
}

Descriptions describe_files(const Given& given, Progress& progress) {
    Descriptions found;
    found.report.stage = found.report.label = "describe";
    const auto count = static_cast<double>(given.operands.size());
    for (const std::string& file : given.operands) {
        const auto done = static_cast<double>(found.terrains.size());
        ProgressPart part(progress, done / count, (done + 1.0) / count);
        found.terrains.push_back(
            {shown_name(given.operands, file), describe_file(given, file, part, found.report)});
    }
    found.report.repeats_ms = {found.report.solve_ms};
    return found;
}

/// Writes the files that were asked for, and returns their names; "-" goes to standard output.
std::vector<std::string> write_files(const Given& given, std::span<const DescribedTerrain> terrains) {
    const OutputFile sheet(given.value(kSheetFlag).value_or(""), ".png");
    const OutputFile json(given.value(kJsonFlag).value_or(""), ".json");
    write_descriptions(terrains, sheet.path(), json.path());
    std::vector<std::string> names;
    for (const OutputFile* file : {&json, &sheet}) {
        file->deliver();
        if (!file->is_standard_output() && !file->path().empty()) names.push_back(file->path().string());
    }
    return names;
}

void describe(const Given& given) {
    const Stopwatch watch;
    Session session(given);
    check_description_files(given, session);
    Descriptions found = describe_files(given, session.progress());

    const Stopwatch writing;
    RunReport report;
    report.files = write_files(given, found.terrains);
    report.output_ms = writing.milliseconds();
    report.grid = found.terrains.front().description.grid;
    report.threads = thread_count();
    report.stages = {std::move(found.report)};
    report.peak_memory_bytes = peak_memory_bytes();
    report.total_ms = watch.milliseconds();
    session.conclude(std::move(report), true);
    for (const std::string& output :
         {given.value(kJsonFlag).value_or(""), given.value(kSheetFlag).value_or(""), session.report_file()})
        if (output == kStandardStream) return;
    print_lines(found.terrains.size() == 1 ? description_table(found.terrains.front())
                                           : comparison_table(found.terrains));
}

FlagGroup description_flags() {
    return {"Output",
            {{.name = kSheetFlag,
              .value = "FILE",
              .sentence = "A sheet of plots, .png or .svg; - is standard output.",
              .letter = 'o'},
             {.name = kJsonFlag,
              .value = "FILE",
              .sentence = "All numbers and curves as JSON (docs/describe-json.md); - is standard output."}}};
}

/// What each statistic is, by family.
std::vector<WordGroup> statistics_in_words() {
    std::vector<WordGroup> groups;
    for (const TerrainStatistic& statistic : terrain_statistics()) {
        const std::string family = std::string("Of ") + name_of(statistic.family);
        if (groups.empty() || groups.back().title != family) groups.push_back({family});
        groups.back().words.emplace_back(statistic.name, statistic.meaning);
    }
    return groups;
}

}  // namespace

Verb describe_verb() {
    return {.name = "describe",
            .summary = "Describes a terrain in numbers, beside real landscapes.",
            .description =
                "Prints a table of the statistics by which geomorphologists tell terrains apart "
                "(docs/theory/statistics.md). Their reference length is the side of a cell, but at least 30 "
                "m, and at least "
                "90 m where cells are of 65 m or more.",
            .operands = {{"DEM", "elevation raster that GDAL can read, in metres; - is standard input"}},
            .groups = {input_flags(), description_flags(), session_flags()},
            .words = statistics_in_words(),
            .run = describe};
}

Verb compare_verb() {
    return {.name = "compare",
            .summary = "Puts terrains beside each other in numbers.",
            .description =
                "Prints a table of the statistics by which geomorphologists tell terrains apart, one column "
                "a terrain, beside real landscapes. thalweg describe --help tells what each is.",
            .operands = {{"A", "elevation raster that GDAL can read, in metres; - is standard input"},
                         {.name = "B", .sentence = "another one, and up to six more", .repeated = true}},
            .groups = {input_flags(), description_flags(), session_flags()},
            .run = describe};
}

}  // namespace thalweg::cli
