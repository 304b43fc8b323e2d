// One verb for every stage of the registry: its parameters are flags, its layers are files.
#include "thalweg/core/error.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/input_files.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/river_start.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/verb_start.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>

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
constexpr const char* kTerrain = "terrain";
constexpr const char* kWindow = "window";  // the stage, and a parameter of it
constexpr const char* kResolution = "resolution";
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

bool has_grid_flags(const Given& given) {
    for (const ParameterTable* table : {&parameters_of<GridSettings>(), &parameters_of<CountedGrid>()})
        for (const Parameter& parameter : table->parameters())
            if (given.has(flag_name(parameter.name))) return true;
    return false;
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

/// Whether the verb begins with rivers of a file, which is its operand then, and terrain is a flag.
bool takes_rivers(const Stage& stage) {
    return stage.accepts_input && stage.parameters->find(kRiverFile) != nullptr;
}

/// `thalweg meander rivers.gpkg --terrain dem.tif` is `--network rivers.gpkg` on that raster.
Given with_rivers_of_operand(const Stage& stage, Given given) {
    if (!takes_rivers(stage)) return given;
    if (!given.operands.empty()) {
        if (const auto file = given.value(kRiverFile))
            throw Error::input(fmt::format("{} and --{} {} are given: name one file of rivers",
                                           given.operands.front(), kRiverFile, *file));
        given.flags[kRiverFile] = {given.operands.front()};
        given.operands.clear();
    }
    if (!given.has(kRiverFile)) throw Error::input("RIVERS is missing: give a file of rivers");
    if (const auto terrain = given.value(kTerrain)) given.operands = {*terrain};
    return given;
}

/// The grid of a source that is given no raster.
GridSettings grid_settings(const Given& given) {
    GridSettings settings;
    set_parameters(parameters_of<GridSettings>(), with_square_extent(given), &settings);
    set_counted_grid(given, settings);
    return settings;
}

/// Where `--also` sends layers, by their names. All but rasters may go to several files, to read and to look
/// at.
std::vector<NamedFile> also_files(const Given& given) {
    std::vector<NamedFile> files;
    for (const std::string& also : given.values("also")) {
        const auto [layer, file] = split_also(also);
        const auto other = std::ranges::find(files, layer, &NamedFile::dataset);
        if (other != files.end() && names_cells(layer))
            throw Error::input(fmt::format("--also names {} twice, {} and {}: give each layer one file",
                                           layer, other->path.string(), file));
        files.push_back({layer, file});
    }
    std::ranges::stable_sort(files, {}, &NamedFile::dataset);
    return files;
}

/// Throws Error::input when a result can't go where it shall; the primary one is not among the project's yet.
void check_files(const Project& project, const Given& given, const std::string& report) {
    if (given.required_value("out").empty())
        throw Error::input("--out \"\" is not allowed: give the name of a file, or - for standard output");
    std::vector<std::string> outputs = {given.required_value("out"), report};
    for (const NamedFile& file : project.named_files) outputs.push_back(file.path.string());
    for (std::size_t i = 0, count = outputs.size(); i < count; ++i)
        if (const std::filesystem::path file = outputs[i];
            file.extension() == ".r16" || file.extension() == ".png")
            outputs.push_back(sidecar_of(file).string());
    check_outputs(input_files(project), outputs);
}

/// The same for frames, which go to a folder with all their files.
void check_frame_files(const Project& project, const RunOptions& options, const std::string& report) {
    check_outputs(input_files(project), {report});
    check_results(input_files(project), {report, animation_file(options)},
                  output_places(project, options.times.size()));
}

/// Lets a series of frames go to the folder of --out, with the stage's primary layer.
void set_frame_outputs(const Given& given, Project& project) {
    const std::string& folder = given.required_value("out");
    if (folder.empty() || folder == kStandardStream)
        throw Error::input(fmt::format("--out {} is not allowed with {}: name a folder for the frames",
                                       folder.empty() ? "\"\"" : folder, frames_asked_by(given)));
    for (const NamedFile& file : project.named_files)
        if (file.path.has_parent_path())
            throw Error::input(
                fmt::format("--also {}={} is not allowed with {}: give a name without a folder, because the "
                            "frames go to that of --out",
                            file.dataset, file.path.string(), frames_asked_by(given)));
    project.output_directory = folder;
    const std::string& primary = project.stages.back().stage->primary;
    if (primary == kNetwork) {
        project.output.networks = {"gpkg"};
        return;
    }
    project.output.layers = {primary};
    project.output.formats = {"geotiff"};
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

RunOptions options_of(const StageUse& use, const Given& given, bool is_series, const Session& session) {
    RunOptions options{.is_measured = session.reports()};
    if (is_series) {
        std::vector<std::string> others = {"repeat"};
        if (given.has("times")) others.push_back(flag_name(use.stage->time.parameter));
        set_frames(given, use, others, options);
        return options;
    }
    SolveSettings solve;
    set_parameters(parameters_of<SolveSettings>(), given, &solve);
    options.repeat = solve.repeat;
    options.memory_limit = memory_limit_of(*use.stage, given);
    return options;
}

/// The stages that the verb may run, in their order.
std::vector<const Stage*> stages_of_verb(const Stage& stage) {
    std::vector<const Stage*> stages;
    if (!stage.verb_after.empty()) stages.push_back(&find_stage(stage.verb_after));
    stages.push_back(&stage);
    if (stage.verb_takes_window) stages.insert(stages.begin() + 1, &find_stage(kWindow));
    return stages;
}

/// Those that it runs: a window where one is given alone.
std::vector<const Stage*> stages_to_run(const Stage& stage, const Given& given) {
    std::vector<const Stage*> stages = stages_of_verb(stage);
    if (stage.verb_takes_window && !given.has(kWindow) && !given.has(kResolution))
        std::erase(stages, &find_stage(kWindow));
    return stages;
}

/// A stage with the parameters that are given, alone.
Project project_of(const Stage& stage, const Given& given) {
    const std::shared_ptr<void> parameters = stage.make_parameters();
    set_parameters(*stage.parameters, given, parameters.get());
    return verb_project(stage, parameters);
}

/// The project of the stages that were asked for, but for its raster and its primary file.
Project project_of(const Stage& stage, const Given& given, bool is_series) {
    Project project = project_of(stage, given);
    project.stages.clear();
    for (const Stage* const use : stages_to_run(stage, given))
        project.stages.push_back(project_of(*use, given).stages.front());
    SolveSettings solve;
    set_parameters(parameters_of<SolveSettings>(), given, &solve);
    project.seed = solve.seed;
    project.named_files = also_files(given);
    if (const auto operand = given.operand(0)) {
        if (!stage.needs_input) refuse_grid_flags(given);
        project.start = StartRaster{.file = *operand};
    }
    if (is_series) set_frame_outputs(given, project);
    return project;
}

/// What the project starts from, once it has been read from standard input or reprojected.
StartRaster start_raster(const std::string& operand, const InputFile& raster) {
    return {.file = raster.path(),
            .hints = raster.hints(),
            .notes = raster.notes(),
            .title = operand == kStandardStream ? "" : std::filesystem::path(operand).stem().string(),
            .is_lasting = !raster.is_temporary()};
}

/// Runs the project. What a cancelled run has left beside standard output goes with its temporary folder.
RunReport run(const Project& project, const RunOptions& options, const OutputFile& primary,
              Session& session) {
    try {
        return run_project(project, options, session.execution()).report;
    } catch (const UnfinishedRun&) {
        if (primary.is_standard_output()) throw Cancelled{};
        throw;
    }
}

void run_stage(const Stage& stage, const Given& typed) {
    const bool is_series = wants_frames(typed);
    const Given given = with_rivers_of_operand(stage, with_file_of_operand(stage, with_frames_folder(typed)));
    Session session(given);
    Project project = project_of(stage, given, is_series);
    const RunOptions options = options_of(project.stages.back(), given, is_series, session);
    const GridSettings grid = stage.needs_input || project.start ? GridSettings{} : grid_settings(given);
    if (is_series)
        check_frame_files(project, options, session.report_file());
    else
        check_files(project, given, session.report_file());
    const OutputFile primary(given.required_value("out"), default_extension(stage.primary));
    const InputFile raster(given.operand(0).value_or(""), degrees_of(given), hints_of(given));
    if (project.start) project.start = start_raster(*given.operand(0), raster);
    // What came by standard input may name other files.
    if (raster.is_temporary() && !is_series) check_files(project, given, session.report_file());
    if (!is_series) {
        const auto own = std::ranges::find(project.stages, stage.name,
                                           [](const StageUse& use) { return use.stage->name; });
        project.named_files.insert(project.named_files.begin(),
                                   {primary_layer(stage, own->parameters.get()), primary.path()});
    }
    RunReport report = raster.read_by([&] {
        if (project.start)
            start_from(project, *project.start);
        else if (!stage.needs_input)
            project.grid = takes_rivers(stage) && !has_grid_flags(given)
                               ? grid_around_rivers(given.required_value(kRiverFile))
                               : grid_of(grid, {});
        return run(project, options, primary, session);
    });
    primary.deliver();
    if (primary.is_standard_output())
        std::replace(report.files.begin(), report.files.end(), primary.path().string(),
                     std::string(kStandardStream));
    session.conclude(report, primary.is_standard_output());
}
/// What the stages of the verb write.
std::vector<std::string> layers_of_verb(const Stage& stage) {
    std::vector<std::string> layers = stage.writes;
    for (const Stage* const use : stages_of_verb(stage))
        for (const std::string& layer : use->writes)
            if (std::ranges::find(layers, layer) == layers.end()) layers.push_back(layer);
    return layers;
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
                                  fmt::join(layers_of_verb(stage), ", "),
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
    if (!stage.verb_after.empty())
        text += fmt::format("\n\nThe verb runs stage `{}` first, with the parameters that it has.",
                            stage.verb_after);
    if (stage.verb_takes_window)
        text +=
            "\n\nWith --window or --resolution the verb goes on in that part of the landscape, on such "
            "cells, once "
            "beds are carved: they are evaluated there at full detail.";
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
              .groups = {},
              .run = [&stage](const Given& given) { run_stage(stage, given); }};
    for (const Stage* const use : stages_of_verb(stage))
        std::ranges::copy(grouped_flags(*use->parameters), std::back_inserter(verb.groups));
    if (takes_rivers(stage)) {
        verb.operands = {{"RIVERS", "rivers to begin with, the same as --network", false}};
        verb.groups.push_back(input_flags());
        verb.groups.back().flags.insert(
            verb.groups.back().flags.begin(),
            {.name = kTerrain,
             .value = "DEM",
             .sentence =
                 "Elevation raster that GDAL can read, in metres; without it rivers wander on a plain "
                 "without end, and the grid lies around them unless it is given."});
        std::erase_if(verb.groups.back().flags, [](const Flag& flag) { return flag.name == kCellSize; });
    } else if (stage.needs_input || stage.accepts_input) {
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
