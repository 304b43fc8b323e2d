// thalweg build: a project file to all its outputs.
#include "thalweg/core/error.hpp"
#include "thalweg/project/input_files.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stage_cache.hpp"
#include "thalweg/project/stage_time.hpp"

#include "cli/file_arguments.hpp"
#include "cli/frame_flags.hpp"
#include "cli/parameter_flags.hpp"
#include "cli/session.hpp"
#include "cli/standard_streams.hpp"
#include "cli/verbs/verbs.hpp"
#include <fmt/format.h>
#include <unistd.h>

namespace thalweg::cli {
namespace {

/// The flag of one parameter, without its default: what the project file says is the default.
Flag override_flag(const ParameterTable& table, const std::string& parameter_name) {
    for (Flag flag : parameter_flags(table)) {
        if (flag.name != flag_name(parameter_name)) continue;
        flag.limits = "default: what the project says";
        return flag;
    }
    throw Error::failure("no parameter " + parameter_name);
}

constexpr int kCacheLimit = 4096;           // MiB
constexpr int kMostCacheLimit = 100000000;  // MiB

struct BuildSettings {
    int repeat = 1;
    int cache_limit = kCacheLimit;  // MiB

    static void declare(Declaration<BuildSettings>& d) {
        constexpr int kMostRepeats = 10000;
        d.integer("repeat", &BuildSettings::repeat,
                  {.unit = "1",
                   .sentence = "Run the stages this many times on equal inputs, for timing (see --report).",
                   .minimum = 1.0,
                   .maximum = kMostRepeats});
        d.integer("cache_limit", &BuildSettings::cache_limit,
                  {.unit = "MiB",
                   .sentence = "The most that all kept results take; those not used for longest go.",
                   .minimum = 0.0,
                   .maximum = kMostCacheLimit});
    }
};

ProjectOverrides overrides_of(const Given& given) {
    ProjectOverrides overrides;
    overrides.assignments = given.values("set");
    ProjectSettings project;
    set_parameters(parameters_of<ProjectSettings>(), given, &project);
    if (given.has("seed")) overrides.seed = project.seed;
    GridSettings grid;
    set_parameters(parameters_of<GridSettings>(), given, &grid);
    if (given.has("cells")) overrides.cells = grid.cells;
    overrides.output_directory = output_folder(given);
    return overrides;
}

Project read(const std::string& file, const ProjectOverrides& overrides) {
    if (file != kStandardStream) return read_project(file, overrides);
    return parse_project(read_project_text(STDIN_FILENO, "standard input"), "standard input",
                         std::filesystem::current_path(), overrides);
}

/// Throws Error::input when a result can't go where it shall.
void check_files(const std::string& project_file, const Project& project, const RunOptions& options,
                 const std::string& report) {
    std::vector<std::string> inputs = input_files(project);
    inputs.push_back(project_file);
    check_outputs(inputs, {report});
    check_results(inputs, {report, animation_file(options)}, output_places(project, options.times.size()));
}

void build(const Given& typed) {
    const bool is_framed = wants_frames(typed);
    const Given given = with_frames_folder(typed);
    Session session(given);
    const std::string& file = given.required_operand(0);
    const Project project = read(file, overrides_of(given));
    RunOptions options{.is_measured = session.reports()};
    if (is_framed) {
        const std::size_t timed =
            with_place(frames_asked_by(given) + ": ", [&] { return timed_stage(project); });
        set_frames(given, project.stages[timed], {"repeat"}, options);
    }
    const Plan plan = plan_project(project, options);
    if (given.has("dry-run")) {
        print_notes(given.notes);
        print_notes(project.notes);
        print_lines(plan_text(project, plan));
        if (options.animation) print_lines(fmt::format("animation: {}\n", animation_file(options)));
        check_memory(plan);
        return;
    }
    check_files(file, project, options, session.report_file());
    BuildSettings settings;
    set_parameters(parameters_of<BuildSettings>(), given, &settings);
    options.repeat = settings.repeat;
    if (!given.has("no-cache")) options.cache = cache_folder(project.output_directory);
    options.cache_limit = std::int64_t{settings.cache_limit} << 20;
    session.conclude(run_project(project, options, session.execution()).report, false);
}

}  // namespace

Verb build_verb() {
    Verb verb{.name = "build",
              .summary = "Builds the landscape that a project file describes, and writes its files.",
              .operands = {{"PROJECT.toml", "project file, or - for standard input"}},
              .run = build};
    verb.groups.push_back(
        {"Changing the project",
         {{.name = "set",
           .form = FlagForm::Repeated,
           .value = "STAGE.KEY=VALUE",
           .sentence =
               "Set one key of a stage, or of project, grid or output, to a plain value, \"a text\" or "
               "[a, list] as in the file. May be given many times."},
          override_flag(parameters_of<ProjectSettings>(), "seed"),
          override_flag(parameters_of<GridSettings>(), "cells"),
          {.name = "out", .value = "DIR", .sentence = "Folder of the output files.", .letter = 'o'}}});
    verb.groups.push_back(frame_flags(
        {.unit = "yr, or events of rain",
         .times =
             "Build at each of these times of the last stage that knows time (erode, rain), from START to "
             "END in COUNT even steps (START:END:COUNT:log for even steps of the logarithm), or at those "
             "of a list such as 0,1e5,5e5; file names end in _0000, _0001, ...",
         .every = "Build at 0 and every STEP from there up to that stage's own time, in place of --times."}));
    verb.groups.push_back(session_flags());
    for (const Flag& flag : parameter_flags(parameters_of<BuildSettings>()))
        verb.groups.back().flags.push_back(flag);
    verb.groups.back().flags.push_back(
        {.name = "no-cache",
         .form = FlagForm::Switch,
         .sentence = "Run all stages, and keep no results of them. Otherwise a build keeps them in "
                     ".thalweg-cache beside the output folder and runs only what a change reaches; one with "
                     "--times or --every does so for the stages before the one of many times, one with "
                     "--repeat runs all."});
    verb.groups.back().flags.push_back({.name = "dry-run",
                                        .form = FlagForm::Switch,
                                        .sentence = "Print the plan and the memory it needs, and stop."});
    return verb;
}

}  // namespace thalweg::cli
