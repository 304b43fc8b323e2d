// thalweg validate-river: a river's migration between two surveys beside that which the law predicts.
#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/project/memory.hpp"
#include "thalweg/project/river_validation_files.hpp"
#include "thalweg/project/sheet_files.hpp"
#include "thalweg/project/stopwatch.hpp"

#include "cli/file_arguments.hpp"
#include "cli/parameter_flags.hpp"
#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

constexpr const char* kPlotFlag = "out";
constexpr const char* kNumbersFlag = "json";
constexpr const char* kVerbName = "validate-river";
constexpr int kMeaningColumn = 50;  // characters
constexpr int kFigureColumn = 10;

void check_validation_files(const Given& given, const Session& session) {
    check_inputs_differ(given.operands);
    const std::string sheet = given.value(kPlotFlag).value_or("");
    if (given.has(kPlotFlag) && sheet != kStandardStream) check_sheet(sheet);
    check_outputs(given.operands, {sheet, given.value(kNumbersFlag).value_or(""), session.report_file()});
}

ChannelLine read_line(const std::string& name) {
    const InputFile file(name);
    return file.read_by([&] { return read_surveyed_line(file.path()); });
}

std::string line_name(const std::string& file) {
    return file == kStandardStream ? "standard input" : std::filesystem::path(file).filename().string();
}

std::string table_of(const NamedValidation& named) {
    std::string text = fmt::format("{} to {}, {:.6g} yr\n\n", named.earlier, named.later, named.years);
    for (const ValidationFigure& figure : figures_of(named.found)) {
        const std::string unit = std::string(figure.unit) == "1" ? "" : figure.unit;
        text += fmt::format("  {:<{}}{:>{}.{}f}{}{}\n", fmt::format("{:<30}{}", figure.name, figure.meaning),
                            kMeaningColumn + 26, figure.value, kFigureColumn, figure.decimals,
                            unit.empty() ? "" : " ", unit);
    }
    return text;
}

NamedValidation validate_files(const Given& given, const RiverValidationParameters& parameters,
                               Progress& progress) {
    const std::string &earlier = given.required_operand(0), &later = given.required_operand(1);
    const ChannelLine before = read_line(earlier), after = read_line(later);
    return {line_name(earlier), line_name(later), parameters.years,
            validate_river(before, after, parameters, progress)};
}

StageReport report_of(const NamedValidation& named, const RiverValidationParameters& parameters,
                      double milliseconds) {
    StageReport report;
    report.stage = report.label = kVerbName;
    report.parameters = parameters_of<RiverValidationParameters>().values(&parameters);
    report.solve_ms = milliseconds;
    report.repeats_ms = {milliseconds};
    for (const ValidationFigure& figure : figures_of(named.found))
        report.diagnostics.values.emplace_back(figure.name, figure.value);
    report.diagnostics.notes = named.found.notes;
    return report;
}

/// Writes the files that were asked for, and returns their names; "-" goes to standard output.
std::vector<std::string> write_validation_files(const Given& given, const NamedValidation& named) {
    const OutputFile sheet(given.value(kPlotFlag).value_or(""), ".png");
    const OutputFile json(given.value(kNumbersFlag).value_or(""), ".json");
    write_river_validation(named, sheet.path(), json.path());
    std::vector<std::string> names;
    for (const OutputFile* file : {&json, &sheet}) {
        file->deliver();
        if (!file->is_standard_output() && !file->path().empty()) names.push_back(file->path().string());
    }
    return names;
}

void validate_river_files(const Given& given) {
    const Stopwatch watch;
    Session session(given);
    RiverValidationParameters parameters;
    set_parameters(parameters_of<RiverValidationParameters>(), given, &parameters);
    check_validation_files(given, session);
    const Stopwatch solving;
    const NamedValidation named = validate_files(given, parameters, session.progress());
    const double solve_ms = solving.milliseconds();

    const Stopwatch writing;
    RunReport report;
    report.files = write_validation_files(given, named);
    report.output_ms = writing.milliseconds();
    report.threads = thread_count();
    report.stages = {report_of(named, parameters, solve_ms)};
    report.peak_memory_bytes = peak_memory_bytes();
    report.total_ms = watch.milliseconds();
    session.conclude(std::move(report), true);
    for (const std::string& output :
         {given.value(kNumbersFlag).value_or(""), given.value(kPlotFlag).value_or(""), session.report_file()})
        if (output == kStandardStream) return;
    print_lines(table_of(named));
}

FlagGroup validation_outputs() {
    return {
        "Output",
        {{.name = kPlotFlag,
          .value = "FILE",
          .sentence =
              "Rates along the river, against each other, and a map, .png or .svg; - is standard output.",
          .letter = 'o'},
         {.name = kNumbersFlag,
          .value = "FILE",
          .sentence = "All numbers and the rates along the river as JSON (docs/validate-river-json.md); - is "
                      "standard output."}}};
}

FlagGroup law_flags() {
    FlagGroup group{"Surveys and law", parameter_flags(parameters_of<RiverValidationParameters>())};
    for (Flag& flag : group.flags)
        if (flag.name == "years") flag.required = true;
    return group;
}

}  // namespace

Verb validate_river_verb() {
    return {
        .name = kVerbName,
        .summary = "Holds the law of migration against a river that was surveyed twice.",
        .description =
            "Matches two surveyed centrelines of one river, finds how far it migrated between them, and how "
            "well, with which rate k and which depth, the law of migration predicts that "
            "(docs/theory/river_validation.md). Prints a table.",
        .operands = {{"BEFORE",
                      "earlier centreline downstream, .csv with the columns x_m, y_m and width_m, in "
                      "projected metres; - is standard input"},
                     {"AFTER", "later centreline, likewise"}},
        .groups = {law_flags(), validation_outputs(), session_flags()},
        .run = validate_river_files};
}

}  // namespace thalweg::cli
