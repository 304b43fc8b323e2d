#include "thalweg/project/project_file.hpp"

#include "thalweg/io/files.hpp"
#include "thalweg/io/point_table.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/river_lines.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/model/layer_inputs.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/stage_grids.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace thalweg {
namespace {

/// A struct of parameters under a name, and where each of its values was written.
struct Assignable {
    std::string name;  // as in "--set name.key=value" and in messages
    const ParameterTable* table = nullptr;
    void* object = nullptr;
    std::string place;                           // of the table itself, the beginning of a message
    std::map<std::string, std::string> origins;  // by key, the beginning of a message
    bool is_enabled = true;                      // of a stage: whether it runs
    std::vector<std::string> notes = {};         // on names of earlier versions

    /// Sets a parameter that is given under the name `key`, which may be its former one.
    void set(const Parameter& parameter, const std::string& key, const Value& value,
             const std::string& origin) {
        parameter.set(object, value);
        origins[parameter.name] = origin;
        const std::string note = parameter.former_name_note(key, value);
        if (!note.empty()) notes.push_back(origin + note);
    }
};

/// Sets one parameter from its entry in the file; messages begin with the entry's place.
void assign_entry(Assignable& target, const TomlEntry& entry, const std::string& file) {
    const std::string origin = place_text(file, entry.position) + target.name + ": ";
    const Parameter& parameter =
        with_place(origin, [&]() -> const Parameter& { return target.table->at(entry.key); });
    if (target.origins.contains(parameter.name))
        throw Error::input(fmt::format("{}{} is the former name of {}, which is given too: give one of them",
                                       origin, parameter.notes.formerly, parameter.name));
    target.origins[parameter.name] = origin;
    if (entry.kind == TomlKind::Plain)
        return with_place(origin, [&] { target.set(parameter, entry.key, entry.value, origin); });
    if (parameter.type != ParameterType::TableList)
        throw Error::input(fmt::format("{}{} is a table, which is not allowed: give {}", origin, entry.key,
                                       parameter.allowed()));

    // Try every value alone, so that a message can name its own place.
    std::vector<ValueTable> rows;
    for (const TomlTable& table : entry.tables) {
        ValueTable& row = rows.emplace_back();
        for (const TomlEntry& cell : table.entries) {
            with_place(place_text(file, cell.position) + target.name + ": " + entry.key + ": ", [&] {
                const ValueTable alone{{{cell.key, cell.value}}};
                parameter.set(target.object, Value(std::vector<ValueTable>{alone}));
            });
            row.entries.emplace_back(cell.key, cell.value);
        }
    }
    parameter.set(target.object, Value(std::move(rows)));
}

/// What the tables of a file say, before a Project is made of it.
struct Draft {
    std::string file;
    ProjectSettings project;
    GridSettings grid;
    OutputSettings output;
    std::vector<Assignable> tables;  // project, grid, output
    std::vector<StageUse> uses;
    std::vector<Assignable> stages;  // beside `uses`
};

const std::string& text_entry(const TomlEntry& entry, const std::string& file) {
    const auto* text = std::get_if<std::string>(&entry.value);
    if (entry.kind != TomlKind::Plain || text == nullptr)
        throw Error::input(
            fmt::format("{}{} is not allowed: give a text", place_text(file, entry.position), entry.key));
    return *text;
}

bool flag_entry(const TomlEntry& entry, const std::string& file) {
    const auto* flag = std::get_if<bool>(&entry.value);
    if (entry.kind != TomlKind::Plain || flag == nullptr)
        throw Error::input(fmt::format("{}{} is not allowed: give true or false",
                                       place_text(file, entry.position), entry.key));
    return *flag;
}

void read_stage(Draft& draft, const TomlTable& table) {
    const TomlEntry* use = table.find("use");
    if (use == nullptr)
        throw Error::input(place_text(draft.file, table.span.begin) +
                           "this [[stage]] lacks the key \"use\" with the name of a stage");
    StageUse stage;
    stage.position = use->position;
    const std::string& name = text_entry(*use, draft.file);
    stage.stage = with_place(place_text(draft.file, use->position), [&] { return &find_stage(name); });
    stage.parameters = stage.stage->make_parameters();
    if (const TomlEntry* label = table.find("label")) {
        stage.label = text_entry(*label, draft.file);
        if (!is_plain_name(stage.label))
            throw Error::input(fmt::format("{}label = \"{}\" is not allowed: give letters, digits, - and _",
                                           place_text(draft.file, label->position), stage.label));
    }
    Assignable target{name,
                      stage.stage->parameters,
                      stage.parameters.get(),
                      place_text(draft.file, stage.position) + name + ": ",
                      {}};
    if (const TomlEntry* enabled = table.find("enabled"))
        target.is_enabled = flag_entry(*enabled, draft.file);
    for (const TomlEntry& entry : table.entries)
        if (entry.key != "use" && entry.key != "label" && entry.key != "enabled")
            assign_entry(target, entry, draft.file);
    draft.uses.push_back(std::move(stage));
    draft.stages.push_back(std::move(target));
}

/// Gives every stage without a label of its own its name, numbered where the name is used more than once.
void name_stages(Draft& draft) {
    std::map<std::string, int> uses_of;
    std::map<std::string, int> number_of;
    for (const StageUse& use : draft.uses)
        if (use.label.empty()) ++uses_of[use.stage->name];
    std::map<std::string, FilePosition> taken;
    for (std::size_t i = 0; i < draft.uses.size(); ++i) {
        StageUse& use = draft.uses[i];
        const std::string& name = use.stage->name;
        if (use.label.empty())
            use.label = uses_of[name] == 1 ? name : fmt::format("{}{}", name, ++number_of[name]);
        if (!taken.emplace(use.label, use.position).second)
            throw Error::input(fmt::format("{}label \"{}\" is used twice: give each stage its own",
                                           place_text(draft.file, use.position), use.label));
        draft.stages[i].name = use.label;
    }
}

const TomlTable& only_table(const TomlEntry& entry, const std::string& file) {
    if (entry.kind != TomlKind::Table)
        throw Error::input(fmt::format("{}\"{}\" is not allowed here: write it as a table, [{}]",
                                       place_text(file, entry.position), entry.key, entry.key));
    return entry.tables.front();
}

[[noreturn]] void refuse_table(const TomlEntry& entry, const std::string& file) {
    const std::vector<std::string> known = {"project", "grid", "stage", "output"};
    const std::string near = nearest_name(entry.key, known);
    throw Error::input(fmt::format("{}unknown table \"{}\": {}", place_text(file, entry.position), entry.key,
                                   near.empty() ? fmt::format("known are {}", fmt::join(known, ", "))
                                                : fmt::format("did you mean \"{}\"?", near)));
}

void read_tables(Draft& draft, const TomlTable& document) {
    draft.tables = {{"project", &parameters_of<ProjectSettings>(), &draft.project, draft.file + ": ", {}},
                    {"grid", &parameters_of<GridSettings>(), &draft.grid, draft.file + ": ", {}},
                    {"output", &parameters_of<OutputSettings>(), &draft.output, draft.file + ": ", {}}};
    for (const TomlEntry& entry : document.entries) {
        if (entry.key == "stage") {
            if (entry.kind != TomlKind::TableList)
                throw Error::input(place_text(draft.file, entry.position) +
                                   "\"stage\" is a list: begin every stage with [[stage]]");
            for (const TomlTable& table : entry.tables) read_stage(draft, table);
            continue;
        }
        const auto target = std::ranges::find(draft.tables, entry.key, &Assignable::name);
        if (target == draft.tables.end()) refuse_table(entry, draft.file);
        target->place = place_text(draft.file, entry.position) + target->name + ": ";
        for (const TomlEntry& inner : only_table(entry, draft.file).entries)
            assign_entry(*target, inner, draft.file);
    }
    name_stages(draft);
}

/// The table or stage that an assignment names: by label, or by a stage name that is used once.
Assignable& find_target(Draft& draft, const std::string& name) {
    std::vector<std::string> known;
    for (std::vector<Assignable>* list : {&draft.tables, &draft.stages})
        for (Assignable& target : *list) {
            if (target.name == name) return target;
            known.push_back(target.name);
        }
    std::vector<std::string> same_stage;
    Assignable* only = nullptr;
    for (std::size_t i = 0; i < draft.uses.size(); ++i)
        if (draft.uses[i].stage->name == name) {
            only = &draft.stages[i];
            same_stage.push_back(only->name);
        }
    if (same_stage.size() == 1) return *only;
    if (!same_stage.empty())
        throw Error::input(fmt::format("stage {} is used {} times: name one of {}", name, same_stage.size(),
                                       fmt::join(same_stage, ", ")));
    const std::string near = nearest_name(name, known);
    throw Error::input(fmt::format("the project has no \"{}\": {}", name,
                                   near.empty() ? fmt::format("it has {}", fmt::join(known, ", "))
                                                : fmt::format("did you mean \"{}\"?", near)));
}

/// The value of an assignment: as in a project file where it begins with a quotation mark, or with a bracket
/// for a list; else as on the command line.
Value assigned_value(const Parameter& parameter, const std::string& text) {
    const bool is_list =
        parameter.type == ParameterType::NumberList || parameter.type == ParameterType::TextList;
    const bool is_toml =
        text.starts_with('"') || text.starts_with('\'') || (is_list && text.starts_with('['));
    if (!is_toml) return parse_value(parameter, text);
    const auto refuse = [&]() {
        throw Error::input(
            fmt::format("{} is not a value as in a project file: give {} like 5, \"text\" or [1, 2]", text,
                        parameter.name));
    };
    TomlTable table;
    try {
        table = parse_toml("value = " + text, "");
    } catch (const Error&) {
        refuse();  // the parser's place is one in the line made here
    }
    if (table.entries.size() != 1 || table.entries.front().kind != TomlKind::Plain) refuse();
    return table.entries.front().value;
}

bool is_stage(const Draft& draft, const Assignable& target) {
    return std::ranges::any_of(draft.stages, [&](const Assignable& stage) { return &stage == &target; });
}

void assign_enabled(Assignable& stage, const std::string& text) {
    if (text != "true" && text != "false")
        throw Error::input(fmt::format("enabled = {} is not allowed: give true or false", text));
    stage.is_enabled = text == "true";
}

void apply_assignment(Draft& draft, const std::string& assignment) {
    const std::string origin = fmt::format("--set {}: ", assignment);
    const std::size_t equals = assignment.find('=');
    const std::size_t dot = assignment.substr(0, equals).find('.');
    if (equals == std::string::npos || dot == std::string::npos)
        throw Error::input(origin + "give stage.key=value");
    with_place(origin, [&] {
        Assignable& target = find_target(draft, assignment.substr(0, dot));
        const std::string key = assignment.substr(dot + 1, equals - dot - 1);
        if (key == "enabled" && is_stage(draft, target))
            return assign_enabled(target, assignment.substr(equals + 1));
        const Parameter& parameter = target.table->at(key);
        target.set(parameter, key, assigned_value(parameter, assignment.substr(equals + 1)), origin);
    });
}

void apply_overrides(Draft& draft, const ProjectOverrides& overrides) {
    for (const std::string& assignment : overrides.assignments) apply_assignment(draft, assignment);
    if (overrides.seed) draft.project.seed = *overrides.seed;
    if (overrides.cells) {
        if (*overrides.cells < 1)
            throw Error::input(fmt::format("--cells {} is not allowed: give 1 or more", *overrides.cells));
        draft.grid.cells = *overrides.cells;
    }
}

/// The beginning of a message about a key: where its value was written, or else where its table stands.
std::string origin_of(const Assignable& target, const std::string& key) {
    const auto origin = target.origins.find(key);
    return origin == target.origins.end() ? target.place : origin->second;
}

/// The parameter of lines for which a table of points will do, too.
constexpr const char* kNetworkFile = "network";

/// Opens every file that a stage names, so that a wrong name is told before any work.
void check_files(const Assignable& stage, const std::filesystem::path& base_directory, const Grid& grid) {
    for (const Parameter& parameter : stage.table->parameters()) {
        const bool is_file = parameter.type == ParameterType::File;
        if (!is_file && parameter.type != ParameterType::NumberOrLayer) continue;
        const Value value = parameter.get(stage.object);
        const auto* text = std::get_if<std::string>(&value);
        if (text == nullptr || text->empty() || (!is_file && !names_a_file(*text))) continue;
        const std::filesystem::path path = base_directory / *text;
        with_place(origin_of(stage, parameter.name) + parameter.name + ": ", [&] {
            if (parameter.name == kNetworkFile && path.extension() == ".csv") {
                read_points(path, "x_m", "y_m", {"width_m"});
            } else if (parameter.notes.holds_lines) {
                check_rivers(read_river_lines(path, grid.crs), grid, path.string() + ": ");
            } else if (parameter.notes.holds_points) {
                read_springs(path, grid.crs);
            } else {
                read_raster_info(path);
            }
        });
    }
}

/// Returns the layers that there are after the last stage.
std::set<std::string> check_stages(const Draft& draft, const std::filesystem::path& base_directory,
                                   const Grid& grid) {
    if (draft.uses.empty())
        throw Error::input(draft.file + ": there is no stage: begin one with [[stage]] and use = \"noise\"");
    if (std::ranges::none_of(draft.stages, &Assignable::is_enabled))
        throw Error::input(draft.file + ": every stage has enabled = false: enable one");
    LayerCheck layers;
    Grid present_grid = grid;
    for (std::size_t i = 0; i < draft.uses.size(); ++i) {
        const StageUse& use = draft.uses[i];
        const Assignable& stage = draft.stages[i];
        if (!stage.is_enabled) {
            layers.pass_by(use);
            continue;
        }
        with_place(stage.place, [&] {
            if (use.stage->check) use.stage->check(use.parameters.get());
            layers.pass(*use.stage, use.parameters.get());
            present_grid = grid_after(use, present_grid);
        });
        check_files(stage, base_directory, present_grid);
    }
    with_place(origin_of(draft.tables[2], "layers"), [&] { layers.check_output(draft.output.layers); });
    return layers.present();
}

/// Throws Error::input for a folder outside the working one that the project file alone names: a file from
/// elsewhere may name any.
void check_directory(const Assignable& output, const std::string& directory) {
    const std::filesystem::path place = std::filesystem::path(directory).lexically_normal();
    const std::string origin = origin_of(output, "directory");
    if (origin.starts_with("--set") || (place.is_relative() && (place.empty() || *place.begin() != "..")))
        return;
    throw Error::input(
        fmt::format("{}directory = \"{}\" is not allowed: give a folder below the working one, "
                    "or name this one with --out",
                    origin, directory));
}

/// Tells of stages that could take the rock of an earlier one and go by a number that nobody gave.
void note_unused_rock(Project& project) {
    bool is_unused = false;  // since stage `rock`, no other has looked the rock up
    for (const StageUse& use : project.stages) {
        const std::vector<std::string>& settings = use.stage->settings;
        const std::vector<std::string>& looks_at = use.stage->reads_if_present;
        if (std::ranges::find(settings, kRock) != settings.end()) is_unused = true;
        if (std::ranges::find(looks_at, kRock) != looks_at.end()) is_unused = false;
        const Parameter* const taken = use.stage->parameters->find(kErodibility);
        if (!is_unused || taken == nullptr || taken->type != ParameterType::NumberOrLayer) continue;
        if (taken->get(use.parameters.get()) == taken->default_value)
            project.notes.push_back(fmt::format(
                "stage {} does not look at the rock that is laid out before it: give it {} = \"{}\" "
                "for it to erode by it",
                use.label, kErodibility, kErodibility));
    }
}

Project finish(Draft& draft, const std::filesystem::path& base_directory, const ProjectOverrides& overrides) {
    if (!is_plain_name(draft.project.name))
        throw Error::input(fmt::format("{}name = \"{}\" is not allowed: give letters, digits, - and _",
                                       origin_of(draft.tables[0], "name"), draft.project.name));
    if (draft.output.directory.empty())
        throw Error::input(fmt::format("{}directory = \"\" is not allowed: give a folder, or . for this one",
                                       origin_of(draft.tables[2], "directory")));
    with_place(origin_of(draft.tables[2], "formats"), [&] { check_formats(draft.output.formats); });
    Project project;
    const std::string grid_key = draft.grid.from.empty() ? "extent" : "from";
    project.grid =
        with_place(origin_of(draft.tables[1], grid_key), [&] { return grid_of(draft.grid, base_directory); });
    if (!draft.grid.from.empty()) project.grid_file = base_directory / draft.grid.from;
    project.grid_settings = draft.grid;
    const std::set<std::string> present = check_stages(draft, base_directory, project.grid);
    if (!overrides.output_directory) check_directory(draft.tables[2], draft.output.directory);
    project.name = draft.project.name;
    project.seed = draft.project.seed;
    for (std::size_t i = 0; i < draft.uses.size(); ++i)
        (draft.stages[i].is_enabled ? project.stages : project.disabled_stages)
            .push_back(std::move(draft.uses[i]));
    project.output_directory = overrides.output_directory.value_or(draft.output.directory);
    project.output = std::move(draft.output);
    project.base_directory = base_directory;
    project.file = draft.file;
    note_unused_rock(project);
    with_place(draft.tables[2].place, [&] { check_different(output_files(project, present)); });
    return project;
}

/// Collects a project's text, as long as it can be one.
class ProjectText {
  public:
    explicit ProjectText(std::string name) : name_(std::move(name)) {}

    void add(std::span<const std::byte> piece) {
        if (std::ranges::find(piece, std::byte{0}) != piece.end())
            throw Error::input(name_ + ": holds a byte 0: give a project file (.toml), which is text");
        text_.append(reinterpret_cast<const char*>(piece.data()), piece.size());
        size_.add(std::string_view(text_).substr(text_.size() - piece.size()));
        check_memory(plan_project_text(size_));
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

  private:
    std::string name_;
    std::string text_;
    TextSize size_;
};

}  // namespace

std::string read_project_text(int descriptor, const std::string& name) {
    ProjectText text(name);
    read_pieces(descriptor, name, [&](std::span<const std::byte> piece) { text.add(piece); });
    return text.take();
}

std::string read_project_text(const std::filesystem::path& path) {
    if (std::filesystem::is_directory(path))
        throw Error::input(path.string() + ": is a folder: give a project file (.toml)");
    if (!std::filesystem::exists(path) || ::access(path.c_str(), R_OK) != 0)
        throw Error::input(path.string() + ": there is no such file, or it can't be read");
    ProjectText text(path.string());
    read_pieces(path, [&](std::span<const std::byte> piece) { text.add(piece); });
    return text.take();
}

Project read_project(const std::filesystem::path& path, const ProjectOverrides& overrides) {
    return parse_project(read_project_text(path), path.string(), path.parent_path(), overrides);
}

Project parse_project(std::string_view text, const std::string& file,
                      const std::filesystem::path& base_directory, const ProjectOverrides& overrides) {
    Draft draft;
    draft.file = file;
    read_tables(draft, parse_toml(text, file));
    apply_overrides(draft, overrides);
    Project project = finish(draft, base_directory, overrides);
    for (const std::vector<Assignable>* list : {&draft.tables, &draft.stages})
        for (const Assignable& target : *list)
            project.notes.insert(project.notes.end(), target.notes.begin(), target.notes.end());
    project.text_size.add(text);
    project.text_hash = sha256(std::as_bytes(std::span(text.data(), text.size())));
    return project;
}

}  // namespace thalweg
