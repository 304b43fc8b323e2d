// One verb for every stage of the registry: its parameters are flags, its layers are files.
#include "thalweg/core/error.hpp"
#include "thalweg/project/frames.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/verb_start.hpp"

#include <algorithm>
#include <map>

#include "cli/file_arguments.hpp"
#include "cli/frame_flags.hpp"
#include "cli/parameter_flags.hpp"
#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg::cli {
namespace {

constexpr const char* kNetwork = "rivers";  // stands for the river network where layers are named
constexpr const char* kFile = "file";       // a parameter that names what a source reads
constexpr int kMostRepeats = 10000;

/// Flags of a verb besides those of its stage.
struct SolveSettings {
    std::uint64_t seed = 1;
    int repeat = 1;

    static void declare(Declaration<SolveSettings>& d) {
        d.integer("seed", &SolveSettings::seed,
                  {.unit = "1", .sentence = "Seed of everything random.", .minimum = 0.0});
        d.integer("repeat", &SolveSettings::repeat,
                  {.unit = "1",
                   .sentence = "Solve this many times on equal inputs, for timing (see --report).",
                   .minimum = 1.0,
                   .maximum = kMostRepeats});
    }
};

std::string default_extension(const std::string& layer) {
    return layer == kNetwork ? ".geojson" : ".tif";
}

/// One `--also layer=FILE`.
std::pair<std::string, std::string> split_also(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw Error::input(fmt::format(
            "--also {} is not allowed: give layer=FILE, for example drainage_area=area.tif", text));
    return {text.substr(0, equals), text.substr(equals + 1)};
}

/// Every file that the verb reads: its raster, and those that parameters name.
std::vector<std::string> input_files(const Stage& stage, const void* parameters, const Given& given) {
    std::vector<std::string> files = files_of_parameters(*stage.parameters, parameters, "");
    files.insert(files.end(), given.operands.begin(), given.operands.end());
    return files;
}

/// `--extent 25600` is a square.
Given with_square_extent(Given given) {
    const auto extent = given.value("extent");
    if (extent && extent->find(',') == std::string::npos) given.flags["extent"] = {*extent + "," + *extent};
    return given;
}

/// Whether the verb reads a file that its parameter `file` names, which may then be given as the operand too.
bool takes_file(const Stage& stage) {
    return !stage.needs_input && stage.parameters->find(kFile) != nullptr;
}

/// `thalweg import dem.tif` is `thalweg import --file dem.tif`.
Given with_file_of_operand(const Stage& stage, Given given) {
    if (!takes_file(stage) || given.operands.empty()) return given;
    if (const auto file = given.value(kFile))
        throw Error::input(
            fmt::format("{} and --file {} are given: name one file", given.operands.front(), *file));
    given.flags[kFile] = {given.operands.front()};
    given.operands.clear();
    return given;
}

VerbInput input_of(const Stage& stage, const Given& given) {
    VerbInput input;
    SolveSettings solve;
    set_parameters(parameters_of<SolveSettings>(), given, &solve);
    input.seed = solve.seed;
    input.repeat = solve.repeat;
    if (!stage.needs_input)
        set_parameters(parameters_of<GridSettings>(), with_square_extent(given), &input.grid);
    return input;
}

/// Where `--also` sends layers.
std::map<std::string, std::filesystem::path> also_files(const Given& given) {
    std::map<std::string, std::filesystem::path> files;
    for (const std::string& also : given.values("also")) {
        const auto [layer, file] = split_also(also);
        const auto [other, is_new] = files.emplace(layer, file);
        if (!is_new)
            throw Error::input(fmt::format("--also names {} twice, {} and {}: give each layer one file",
                                           layer, other->second.string(), file));
    }
    return files;
}

/// Throws Error::input when a result can't go where it shall.
void check_files(const Stage& stage, const void* parameters, const Given& given, const VerbOutput& output,
                 const std::string& report) {
    if (given.required_value("out").empty())
        throw Error::input("--out \"\" is not allowed: give the name of a file, or - for standard output");
    std::vector<std::string> outputs = {given.required_value("out"), report};
    for (const auto& [layer, file] : output.layers) outputs.push_back(file.string());
    check_outputs(input_files(stage, parameters, given), outputs);
}

/// The verb at many times, into a folder.
void run_frames(const Stage& stage, const void* parameters, const Given& given, const FrameOptions& options,
                Session& session) {
    const std::string& folder = given.required_value("out");
    if (folder.empty() || folder == kStandardStream)
        throw Error::input(fmt::format("--out {} is not allowed with --times: name a folder for the frames",
                                       folder.empty() ? "\"\"" : folder));
    const std::vector<std::string> inputs = input_files(stage, parameters, given);
    check_outputs(inputs, {session.report_file()});
    const StageUse use = checked_use(stage, parameters);
    check_results(inputs, {session.report_file(), animation_file(options)},
                  verb_frame_files(use, folder, options));
    VerbInput input = input_of(stage, given);
    const InputFile raster(given.required_operand(0));
    input.raster = raster.path();
    const RunResult result =
        raster.read_by([&] { return run_verb_frames(use, input, folder, options, session.progress()); });
    if (result.status == RunStatus::Cancelled) throw Cancelled{};
    session.conclude(result.report, false);
}

void run_stage(const Stage& stage, const Given& typed) {
    const Given given = with_file_of_operand(stage, typed);
    Session session(given);
    const std::shared_ptr<void> parameters = stage.make_parameters();
    set_parameters(*stage.parameters, given, parameters.get());
    if (const auto frames = frame_options(given, {"time", "also", "repeat"}))
        return run_frames(stage, parameters.get(), given, *frames, session);
    VerbInput input = input_of(stage, given);
    input.is_measured = session.reports();
    VerbOutput output;
    output.layers = also_files(given);
    check_files(stage, parameters.get(), given, output, session.report_file());
    const OutputFile primary(given.required_value("out"), default_extension(stage.primary));
    output.primary = primary.path();

    const InputFile raster(given.operand(0).value_or(""));
    if (stage.needs_input) input.raster = raster.path();
    RunResult result =
        raster.read_by([&] { return run_verb(stage, parameters.get(), input, output, session.progress()); });
    if (result.status == RunStatus::Cancelled) throw Cancelled{};
    primary.deliver();
    if (primary.is_standard_output())
        std::replace(result.report.files.begin(), result.report.files.end(), primary.path().string(),
                     std::string(kStandardStream));
    session.conclude(result.report, primary.is_standard_output());
}

FlagGroup output_flags(const Stage& stage) {
    const bool network = stage.primary == kNetwork;
    return {
        "Output",
        {{.name = "out",
          .value = "FILE",
          .sentence =
              network ? "The river network, .gpkg or .geojson; - is GeoJSON on standard output."
                      : fmt::format("The {} as .tif, .png, .r16 or .exr; - is GeoTIFF on standard output.",
                                    stage.primary),
          .letter = 'o',
          .required = true},
         {.name = "also",
          .form = FlagForm::Repeated,
          .value = "LAYER=FILE",
          .sentence = fmt::format("Write another layer too ({}). May be given many times.",
                                  fmt::join(stage.writes, ", "))}}};
}

/// The stage's description, and what can't be given by a flag.
std::string description_of(const Stage& stage) {
    std::string text = stage.description;
    for (const Parameter& parameter : stage.parameters->parameters())
        if (!has_text_form(parameter))
            text += fmt::format("\n\n`{}` is a list of tables, which only a project file can hold.",
                                parameter.name);
    return text;
}

}  // namespace

Verb stage_verb(const Stage& stage) {
    Verb verb{.name = stage.name,
              .summary = stage.summary,
              .description = description_of(stage),
              .groups = {{"Parameters", parameter_flags(*stage.parameters)}},
              .run = [&stage](const Given& given) { run_stage(stage, given); }};
    if (stage.needs_input) {
        verb.operands = {{"DEM", "elevation raster that GDAL can read, in metres; - is standard input"}};
    } else {
        if (takes_file(stage)) verb.operands = {{"FILE", "the same as --file", false}};
        verb.groups.push_back({"Grid", parameter_flags(parameters_of<GridSettings>())});
    }
    verb.groups.push_back(output_flags(stage));
    if (stage.at_times) verb.groups.push_back(frame_flags());
    FlagGroup running = session_flags();
    const std::vector<Flag> solving = parameter_flags(parameters_of<SolveSettings>());
    running.flags.insert(running.flags.begin(), solving.begin(), solving.end());
    verb.groups.push_back(running);
    return verb;
}

}  // namespace thalweg::cli
