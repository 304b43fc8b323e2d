// thalweg render: a map or a 3-D view of an elevation raster, as PNG.
#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/limits.hpp"
#include "thalweg/grid/summary.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/formation_names.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/verb_start.hpp"
#include "thalweg/render/map.hpp"
#include "thalweg/render/view.hpp"

#include <algorithm>
#include <chrono>

#include "cli/file_arguments.hpp"
#include "cli/parameter_flags.hpp"
#include "cli/session.hpp"
#include "cli/verbs/verbs.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

constexpr const char* kExtension = ".png";
constexpr const char* kRiversStage = "rivers";
constexpr const char* kRiversFlag = "rivers";  // names a file here, and not whether rivers are drawn
constexpr const char* kMinimumArea = "min_area";
constexpr const char* kFormationLayer = "formation";
constexpr const char* kSeaLevel = "sea_level";
constexpr double kReadingShare = 0.3;  // of the progress shown

/// How the picture looks: one of its two parameter structs is in use.
struct Look {
    bool view = false;
    MapParameters map_parameters;
    ViewParameters view_parameters;
    std::optional<std::string> layer;  // drawn as this layer's map

    [[nodiscard]] const ParameterTable& table() const {
        return view ? parameters_of<ViewParameters>() : parameters_of<MapParameters>();
    }
    void* parameters() {
        return view ? static_cast<void*>(&view_parameters) : static_cast<void*>(&map_parameters);
    }
};

/// What is drawn.
struct Subject {
    Field<float> values;
    std::optional<RiverNetwork> rivers;
    std::vector<std::string> notes;         // on how they were read
    std::vector<Category> formations = {};  // whose numbers the values are

    [[nodiscard]] const RiverNetwork* network() const { return rivers ? &*rivers : nullptr; }
};

/// Throws Error::input for a flag of the other kind of picture.
void check_kind(const Given& given, bool view) {
    const ParameterTable& own = view ? parameters_of<ViewParameters>() : parameters_of<MapParameters>();
    const ParameterTable& other = view ? parameters_of<MapParameters>() : parameters_of<ViewParameters>();
    for (const Parameter& parameter : other.parameters())
        if (given.has(flag_name(parameter.name)) && own.find(parameter.name) == nullptr)
            throw Error::input(fmt::format("--{} is for a {}: {}", flag_name(parameter.name),
                                           view ? "map" : "view", view ? "leave --view out" : "add --view"));
    if (view && given.has("layer")) throw Error::input("--layer is for a map: leave --view out");
}

Look read_look(Given given) {
    given.flags.erase(kRiversFlag);
    Look look;
    look.view = given.has("view");
    look.layer = given.value("layer");
    check_kind(given, look.view);
    set_parameters(look.table(), given, look.parameters());
    return look;
}

/// About how many pixels the picture has; the paper around a map is not counted.
double pixels_of(const Look& look, const Grid& grid) {
    if (look.view) return 1.0 * look.view_parameters.width * look.view_parameters.height;
    const double side = look.map_parameters.size;
    return side * side * std::min(grid.width(), grid.height()) / std::max(grid.width(), grid.height());
}

/// Throws Error::input unless the raster holds terrain, and its picture fits into memory.
void check_subject(const Look& look, const std::filesystem::path& raster, const RasterHints& hints) {
    const Grid grid = read_raster_info(raster, hints).grid;
    check_holds_terrain(grid, raster.string());
    check_memory(plan_picture(grid, look.view, pixels_of(look, grid)));
}

/// The raster, with the rivers of a file or with those found over a drainage area.
Subject read_subject(const Given& given, const InputFile& file, Progress& progress) {
    const std::filesystem::path& raster = file.path();
    if (!given.has(flag_name(kMinimumArea))) {
        NotedRaster read = read_noted_raster(raster, file.hints());
        if (!given.has("layer")) check_elevation(read.values, raster.string());
        Subject subject{std::move(read.values), std::nullopt, std::move(read.notes)};
        if (given.value("layer") == kFormationLayer) subject.formations = formations_beside(raster);
        if (const auto network = given.value(kRiversFlag))
            subject.rivers = read_network(*network, NetworkProfile::General);
        return subject;
    }
    const Stage& stage = find_stage(kRiversStage);
    const std::shared_ptr<void> parameters = stage.make_parameters();
    for (const char* name : {kMinimumArea, kSeaLevel}) {
        const Parameter& parameter = stage.parameters->at(name);
        if (const auto value = given.value(flag_name(name)))
            parameter.set(parameters.get(), parse_value(parameter, *value));
    }
    Project project = verb_project(stage, parameters);
    start_from(project, {.file = raster, .hints = file.hints()});
    const RunResult result = run_project(project, {.write_outputs = false}, {.progress = &progress});
    return {result.landscape.layer("elevation"), result.landscape.get<RiverNetwork>(kRivers),
            notes_of(result.report)};
}

Image draw(const Look& look, const Subject& subject, Progress& progress) {
    if (look.view) return draw_view(subject.values, subject.network(), look.view_parameters, progress);
    if (!look.layer) return draw_map(subject.values, subject.network(), look.map_parameters, progress);
    LayerStyle style = layer_style(*look.layer, description_of(*look.layer).unit);
    style.categories = subject.formations;
    return draw_layer_map(subject.values, nullptr, style, look.map_parameters, progress);
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Tells that ground below 0 m is drawn as land, where nobody said whether there is a sea.
void note_low_ground(const Given& given, Subject& subject) {
    if (given.has(flag_name(kSeaLevel)) || given.has("layer")) return;
    const double lowest = summary_of(subject.values).minimum;
    if (lowest < 0.0)
        subject.notes.push_back(
            fmt::format("ground down to {:.0f} m is drawn as land: --{} 0 draws all below 0 m as sea", lowest,
                        flag_name(kSeaLevel)));
}

RunReport report_of(Look& look, const Subject& subject, double draw_ms) {
    StageReport drawing;
    drawing.stage = drawing.label = "render";
    drawing.parameters = look.table().values(look.parameters());
    drawing.solve_ms = draw_ms;
    drawing.repeats_ms = {draw_ms};
    drawing.diagnostics.notes = subject.notes;
    RunReport report;
    report.grid = subject.values.grid();
    report.threads = thread_count();
    report.stages = {drawing};
    return report;
}

void check_files(const Given& given, const Session& session) {
    const std::string output = given.required_value("out");
    if (output != kStandardStream && std::filesystem::path(output).extension() != kExtension)
        throw Error::input(fmt::format("{} is not allowed: give a name that ends in {}", output, kExtension));
    std::vector<std::string> inputs = given.operands;
    if (const auto file = given.value(kRiversFlag)) inputs.push_back(*file);
    check_outputs(inputs, {output, session.report_file()});
}

void render(const Given& given) {
    const auto start = std::chrono::steady_clock::now();
    Session session(given);
    Look look = read_look(given);
    check_files(given, session);
    const InputFile raster(given.required_operand(0), degrees_of(given), hints_of(given));
    const OutputFile picture(given.required_value("out"), kExtension);

    ProgressPart reading(session.progress(), 0.0, kReadingShare);
    Subject subject = raster.read_by([&] {
        check_subject(look, raster.path(), raster.hints());
        return read_subject(given, raster, reading);
    });
    note_low_ground(given, subject);
    const auto drawing_start = std::chrono::steady_clock::now();
    ProgressPart drawing(session.progress(), kReadingShare, 1.0);
    const Image image = draw(look, subject, drawing);
    RunReport report = report_of(look, subject, milliseconds_since(drawing_start));
    std::vector<std::string>& notes = report.stages.front().diagnostics.notes;
    notes.insert(notes.begin(), raster.notes().begin(), raster.notes().end());

    const auto writing_start = std::chrono::steady_clock::now();
    write_png(picture.path(), image);
    picture.deliver();
    report.output_ms = milliseconds_since(writing_start);
    report.total_ms = milliseconds_since(start);
    report.peak_memory_bytes = peak_memory_bytes();
    if (!picture.is_standard_output()) report.files = {picture.path().string()};
    session.conclude(report, picture.is_standard_output());
}

/// Flags of both kinds of picture, each name once.
std::vector<Flag> look_flags() {
    std::vector<Flag> flags = parameter_flags(parameters_of<MapParameters>());
    for (Flag& flag : flags) flag.limits = "map: " + flag.limits;
    for (const Flag& flag : parameter_flags(parameters_of<ViewParameters>())) {
        const auto same = std::find_if(flags.begin(), flags.end(),
                                       [&](const Flag& other) { return other.name == flag.name; });
        if (same != flags.end()) {
            same->limits += "; view: " + flag.limits;
        } else {
            flags.push_back(flag);
            flags.back().limits = "view: " + flag.limits;
        }
    }
    std::erase_if(flags, [](const Flag& flag) { return flag.name == kRiversFlag; });
    return flags;
}

std::vector<Flag> picture_flags() {
    return {{.name = "out",
             .value = "FILE",
             .sentence = "The picture, .png; - is standard output.",
             .letter = 'o',
             .required = true},
            {.name = "view",
             .form = FlagForm::Switch,
             .sentence = "Draw the terrain in three dimensions instead of a map."},
            {.name = "layer",
             .value = "NAME",
             .sentence = "Draw the raster as this layer (drainage_area, slope, ...), by a colour scale."},
            {.name = kRiversFlag,
             .value = "FILE",
             .sentence = "Draw the river network of this GeoPackage or GeoJSON."},
            {.name = flag_name(kMinimumArea),
             .value = "NUMBER",
             .sentence = "Find and draw the rivers that drain more than this area.",
             .limits = "unit m^2"}};
}

}  // namespace

Verb render_verb() {
    return {.name = "render",
            .summary = "Draws a map or a 3-D view of an elevation raster.",
            .operands = {{"DEM", "elevation raster that GDAL can read, in metres; - is standard input"}},
            .groups = {input_flags(), {"Picture", picture_flags()}, {"Look", look_flags()}, session_flags()},
            .run = render};
}

}  // namespace thalweg::cli
