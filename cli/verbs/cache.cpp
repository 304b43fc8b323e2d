// thalweg cache: what earlier builds of a project have kept.
#include "thalweg/core/error.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/stage_cache.hpp"

#include "cli/file_arguments.hpp"
#include "cli/standard_streams.hpp"
#include "cli/verbs/verbs.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kMebibyte = 1048576.0;

/// The folder that `thalweg build` with the same operand and flag keeps results in.
fs::path folder_of(const Given& given) {
    const std::string& file = given.required_operand(0);
    if (file == kStandardStream) throw Error::input("- is not allowed: give a project file");
    ProjectOverrides overrides;
    overrides.output_directory = output_folder(given);
    return cache_folder(read_project(file, overrides).output_directory);
}

void show_or_clear(const Given& given) {
    const fs::path folder = folder_of(given);
    if (!fs::exists(fs::symlink_status(folder)))
        return print_lines(fmt::format("{}: nothing is kept\n", folder.string()));
    StageCache cache(folder, 0);
    const CacheUsage usage = cache.usage();
    if (given.has("clear")) cache.clear();
    print_lines(fmt::format("{}: {} results of stages, {:.1f} MiB{}\n", folder.string(), usage.results,
                            static_cast<double>(usage.bytes) / kMebibyte,
                            given.has("clear") ? ", removed" : ""));
}

}  // namespace

Verb cache_verb() {
    Verb verb{.name = "cache",
              .summary = "Shows or removes what builds of a project keep for the next one.",
              .operands = {{"PROJECT.toml", "project file"}},
              .run = show_or_clear};
    verb.groups.push_back(
        {"Cache",
         {{.name = "clear", .form = FlagForm::Switch, .sentence = "Remove all that is kept there."},
          {.name = "out",
           .value = "DIR",
           .sentence = "Output folder, where builds are given one with --out.",
           .letter = 'o'}}});
    return verb;
}

}  // namespace thalweg::cli
