// One verb for every stage of the registry: its parameters are flags, its layers are files.
#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/frames.hpp"
#include "thalweg/project/input_files.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/tiled_verb.hpp"
#include "thalweg/project/verb_start.hpp"

#include <algorithm>
#include <array>
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
constexpr std::array kPlaceFlags = {"extent", "from", "columns", "rows"};  // that say where a grid lies
constexpr const char* kFile = "file";  // a parameter that names what a source reads
constexpr const char* kCellSize = "cell-size";
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

/// A grid by its cells, in place of extent and cells along the longer side.
struct CountedGrid {
    int columns = 0;
    int rows = 0;
    double cell_size = 100.0;  // m

    static void declare(Declaration<CountedGrid>& d) {
        d.integer("columns", &CountedGrid::columns,
                  {.unit = "1",
                   .sentence = "Cells from west to east, with --rows, in place of --extent and --cells.",
                   .minimum = 1.0,
                   .maximum = 1e6});
        d.integer("rows", &CountedGrid::rows,
                  {.unit = "1",
                   .sentence = "Cells from north to south, with --columns.",
                   .minimum = 1.0,
                   .maximum = 1e6});
        d.number("cell_size", &CountedGrid::cell_size,
                 {.unit = "m",
                  .sentence = "Side of a cell, with --columns and --rows, or of a DEM without coordinates.",
                  .minimum = 0.0,
                  .maximum = 1e6,
                  .minimum_excluded = true});
    }
};

/// The flags of a grid by its cells; columns and rows have no default.
std::vector<Flag> counted_grid_flags() {
    std::vector<Flag> flags = parameter_flags(parameters_of<CountedGrid>());
    for (Flag& flag : flags)
        if (flag.name != kCellSize) flag.limits = parameters_of<CountedGrid>().at(flag.name).allowed();
    return flags;
}

/// Takes the grid by its cells where that is given. Throws Error::input for half a grid, or two.
void set_counted_grid(const Given& given, GridSettings& settings) {
    CountedGrid counted;
    set_parameters(parameters_of<CountedGrid>(), given, &counted);
    const bool has_columns = given.has("columns");
    if (has_columns != given.has("rows"))
        throw Error::input(fmt::format("--{} is given without --{}: give both",
                                       has_columns ? "columns" : "rows", has_columns ? "rows" : "columns"));
    if (!has_columns) {
        if (given.has(kCellSize))
            throw Error::input(
                "--cell-size is given without --columns and --rows: give all, or --extent and --cells");
        return;
    }
    for (const char* other : {"extent", "cells", "from"})
        if (given.has(other))
            throw Error::input(
                fmt::format("--columns and --{} are given: give --columns and --rows, or --extent and "
                            "--cells, or --from",
                            other));
    settings.extent = {counted.columns * counted.cell_size, counted.rows * counted.cell_size};
    settings.cells = std::max(counted.columns, counted.rows);
}

/// Throws Error::input where a grid is given beside the raster that has one.
void refuse_grid_flags(const Given& given) {
    for (const ParameterTable* table : {&parameters_of<GridSettings>(), &parameters_of<CountedGrid>()})
        for (const Parameter& parameter : table->parameters())
            if (given.has(flag_name(parameter.name)) && flag_name(parameter.name) != kCellSize)
                throw Error::input(fmt::format("{} and --{} are given: the grid is that of the raster",
                                               given.operands.front(), flag_name(parameter.name)));
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

/// `thalweg import dem.tif` is `thalweg import --file dem.tif`, on the raster's own place unless one is
/// given.
Given with_file_of_operand(const Stage& stage, Given given) {
    if (!takes_file(stage) || given.operands.empty()) return given;
    if (const auto file = given.value(kFile))
        throw Error::input(
            fmt::format("{} and --file {} are given: name one file", given.operands.front(), *file));
    given.flags[kFile] = {given.operands.front()};
    if (std::ranges::none_of(kPlaceFlags, [&](const char* flag) { return given.has(flag); }))
        given.flags["from"] = given.flags[kFile];
    given.operands.clear();
    return given;
}

VerbInput input_of(const Stage& stage, const Given& given) {
    VerbInput input;
    SolveSettings solve;
    set_parameters(parameters_of<SolveSettings>(), given, &solve);
    input.seed = solve.seed;
    input.repeat = solve.repeat;
    if (stage.needs_input) return input;
    if (!given.operands.empty()) {
        refuse_grid_flags(given);
        return input;
    }
    set_parameters(parameters_of<GridSettings>(), with_square_extent(given), &input.grid);
    set_counted_grid(given, input.grid);
    return input;
}

/// Where `--also` sends layers. All but rasters may go to several files, to read and to look at.
std::multimap<std::string, std::filesystem::path> also_files(const Given& given) {
    std::multimap<std::string, std::filesystem::path> files;
    for (const std::string& also : given.values("also")) {
        const auto [layer, file] = split_also(also);
        if (const auto other = files.find(layer); other != files.end() && names_cells(layer))
            throw Error::input(fmt::format("--also names {} twice, {} and {}: give each layer one file",
                                           layer, other->second.string(), file));
        files.emplace(layer, file);
    }
    return files;
}

/// Throws Error::input when a result can't go where it shall; `inputs` are the files that are read.
void check_files(const std::vector<std::string>& inputs, const Given& given, const VerbOutput& output,
                 const std::string& report) {
    if (given.required_value("out").empty())
        throw Error::input("--out \"\" is not allowed: give the name of a file, or - for standard output");
    std::vector<std::string> outputs = {given.required_value("out"), report};
    for (const auto& [layer, file] : output.layers) outputs.push_back(file.string());
    for (std::size_t i = 0, count = outputs.size(); i < count; ++i)
        if (const std::filesystem::path file = outputs[i];
            file.extension() == ".r16" || file.extension() == ".png")
            outputs.push_back(sidecar_of(file).string());
    check_outputs(inputs, outputs);
}

/// Names of the files of further layers, which are numbered and go to the folder of the frames.
std::map<std::string, std::string> frame_files(const Given& given) {
    std::map<std::string, std::string> files;
    for (const auto& [layer, file] : also_files(given)) {
        if (file.has_parent_path())
            throw Error::input(
                fmt::format("--also {}={} is not allowed with --times: give a name without a folder, "
                            "because the frames go to that of --out",
                            layer, file.string()));
        files.emplace(layer, file.string());
    }
    return files;
}

/// The verb at many times, into a folder.
void run_frames(const Stage& stage, const void* parameters, const Given& given, Session& session) {
    const StageUse use = checked_use(stage, parameters);
    std::vector<std::string> others = {"repeat"};
    if (given.has("times")) others.push_back(flag_name(stage.time.parameter));
    FrameOptions options = frame_options(given, use, others);
    options.layer_files = frame_files(given);
    const std::string& folder = given.required_value("out");
    if (folder.empty() || folder == kStandardStream)
        throw Error::input(fmt::format("--out {} is not allowed with --times: name a folder for the frames",
                                       folder.empty() ? "\"\"" : folder));
    const std::vector<std::string> inputs = input_files(stage, parameters, given);
    check_outputs(inputs, {session.report_file()});
    check_results(inputs, {session.report_file(), animation_file(options)},
                  verb_frame_files(use, folder, options));
    VerbInput input = input_of(stage, given);
    const InputFile raster(given.operand(0).value_or(""), degrees_of(given), hints_of(given));
    if (given.operand(0)) {
        input.raster = raster.path();
        input.hints = raster.hints();
    }
    input.notes = raster.notes();
    const RunResult result =
        raster.read_by([&] { return run_verb_frames(use, input, folder, options, session.progress()); });
    if (result.status == RunStatus::Cancelled) throw Cancelled{};
    session.conclude(result.report, false);
}

/// The flag of a verb that can work tile by tile.
struct MemorySettings {
    int memory_limit = 0;  // MiB; 0: none

    static void declare(Declaration<MemorySettings>& d) {
        d.integer(
            "memory_limit", &MemorySettings::memory_limit,
            {.unit = "MiB",
             .sentence = "About the most memory to use: works on the raster tile by tile, with the same "
                         "result; 0 holds it whole.",
             .minimum = 0.0,
             .maximum = 1e6});
    }
};

/// The memory that the verb may use for tiles, bytes; 0 where it shall hold the raster whole.
std::int64_t memory_limit_of(const Stage& stage, const Given& given) {
    MemorySettings memory;
    if (stage.in_tiles) set_parameters(parameters_of<MemorySettings>(), given, &memory);
    return std::int64_t{memory.memory_limit} << 20;
}

void run_stage(const Stage& stage, const Given& typed) {
    const bool is_framed = wants_frames(typed);
    const Given given = with_file_of_operand(stage, with_frames_folder(typed));
    Session session(given);
    const std::shared_ptr<void> parameters = stage.make_parameters();
    set_parameters(*stage.parameters, given, parameters.get());
    if (is_framed) return run_frames(stage, parameters.get(), given, session);
    VerbInput input = input_of(stage, given);
    input.is_measured = session.reports();
    VerbOutput output;
    output.layers = also_files(given);
    check_files(input_files(stage, parameters.get(), given), given, output, session.report_file());
    const OutputFile primary(given.required_value("out"), default_extension(stage.primary));
    output.primary = primary.path();

    const InputFile raster(given.operand(0).value_or(""), degrees_of(given), hints_of(given));
    if (const auto operand = given.operand(0)) {
        input.raster = raster.path();
        input.hints = raster.hints();
        if (*operand != kStandardStream) input.name = std::filesystem::path(*operand).stem().string();
    }
    input.is_lasting = !raster.is_temporary();
    // What came by standard input may name other files.
    if (raster.is_temporary()) check_files({raster.path().string()}, given, output, session.report_file());
    input.notes = raster.notes();
    const std::int64_t memory_limit = memory_limit_of(stage, given);
    RunResult result = raster.read_by([&] {
        return memory_limit > 0 ? run_verb_in_tiles(stage, parameters.get(), input, output, memory_limit,
                                                    session.progress())
                                : run_verb(stage, parameters.get(), input, output, session.progress());
    });
    if (result.status == RunStatus::Cancelled) {
        if (!result.unfinished.empty() && !primary.is_standard_output())
            tell(fmt::format("note: the same command goes on from what is done, which is kept in {}",
                             result.unfinished.string()));
        throw Cancelled{};
    }
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
          .required = true,
          .instead = stage.at_times ? kFrames : ""},
         {.name = "also",
          .form = FlagForm::Repeated,
          .value = "LAYER=FILE",
          .sentence = fmt::format("Write another layer too ({}). May be given many times.{}",
                                  fmt::join(stage.writes, ", "),
                                  stage.at_times ? " With --times, FILE is a name in the folder of the "
                                                   "frames, which is numbered."
                                                 : "")}}};
}

FrameWords frame_words(const StageTime& time) {
    const std::string many = time.unit == "yr" ? "years" : time.unit;
    return {
        .unit = time.unit,
        .times = fmt::format("Run at each of these times, from START to END {} in COUNT even steps "
                             "(START:END:COUNT:log for even steps of the logarithm), or at those of a list "
                             "such as 0,1e5,5e5; -o names a folder then.",
                             many),
        .every = fmt::format("Run at 0 and every so many {} from there up to --{}, in place of --times.",
                             many, flag_name(time.parameter))};
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
              .groups = grouped_flags(*stage.parameters),
              .run = [&stage](const Given& given) { run_stage(stage, given); }};
    if (stage.needs_input || stage.accepts_input) {
        verb.operands = {{"DEM", "elevation raster that GDAL can read, in metres; - is standard input",
                          stage.needs_input}};
        verb.groups.push_back(input_flags());
        // A source that may be given a raster has that flag for its grid already, with the same meaning.
        if (!stage.needs_input)
            std::erase_if(verb.groups.back().flags, [](const Flag& flag) { return flag.name == kCellSize; });
    }
    if (!stage.needs_input) {
        if (takes_file(stage))
            verb.operands = {{"FILE", "the same as --file, and as --from unless a place is given", false}};
        FlagGroup grid{"Grid", parameter_flags(parameters_of<GridSettings>())};
        const std::vector<Flag> counted = counted_grid_flags();
        grid.flags.insert(grid.flags.end(), counted.begin(), counted.end());
        verb.groups.push_back(grid);
    }
    verb.groups.push_back(output_flags(stage));
    if (stage.at_times) verb.groups.push_back(frame_flags(frame_words(stage.time)));
    FlagGroup running = session_flags();
    const std::vector<Flag> solving = parameter_flags(parameters_of<SolveSettings>());
    running.flags.insert(running.flags.begin(), solving.begin(), solving.end());
    if (stage.in_tiles) {
        const std::vector<Flag> memory = parameter_flags(parameters_of<MemorySettings>());
        running.flags.insert(running.flags.end(), memory.begin(), memory.end());
    }
    verb.groups.push_back(running);
    return verb;
}

}  // namespace thalweg::cli
