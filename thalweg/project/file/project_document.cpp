#include "thalweg/project/project_document.hpp"

#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/project_file.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

constexpr const char* kStage = "stage";
constexpr const char* kEnabled = "enabled";

/// A row as it is written, each value checked by its declaration.
TomlRow written_row(const ParameterTable& parameters, const ValueTable& row) {
    TomlRow written;
    for (const auto& [key, value] : row.entries)
        written.emplace_back(parameters.at(key).name, to_text(parameters.at(key).checked(value)));
    return written;
}

/// Where the table sets the parameter, by its present or its former name; nullptr where it does not.
const TomlEntry* entry_of(const TomlTable* table, const Parameter& parameter) {
    if (table == nullptr) return nullptr;
    const auto found = std::ranges::find_if(
        table->entries, [&](const TomlEntry& entry) { return parameter.has_name(entry.key); });
    return found == table->entries.end() ? nullptr : &*found;
}

const SettingsTable* settings_named(const std::string& name) {
    const auto found = std::ranges::find(settings_tables(), name, &SettingsTable::name);
    return found == settings_tables().end() ? nullptr : &*found;
}

Value setting_of(const Project& project, const std::string& table, const Parameter& parameter) {
    if (table == "grid") return parameter.get(&project.grid_settings);
    if (table == "output") return parameter.get(&project.output);
    const ProjectSettings settings{.name = project.name, .seed = project.seed};
    return parameter.get(&settings);
}

/// Whether every row of the list has a header of its own.
bool has_headers(const TomlText& text, const TomlEntry& entry) {
    return entry.kind == TomlKind::TableList && !text.is_inline(entry.tables.front());
}

}  // namespace

ProjectDocument::ProjectDocument(const std::filesystem::path& path)
    : ProjectDocument(read_project_text(path), path.string(), path.parent_path()) {
}

ProjectDocument::ProjectDocument(std::string text, const std::string& file,
                                 const std::filesystem::path& base_directory)
    : text_(std::move(text)), project_(parse_project(text_, file, base_directory)) {
}

std::vector<DocumentStage> ProjectDocument::stages() const {
    std::vector<DocumentStage> stages;
    for (const StageUse& use : project_.stages) stages.push_back({use, true});
    for (const StageUse& use : project_.disabled_stages) stages.push_back({use, false});
    std::ranges::sort(stages, {}, [](const DocumentStage& stage) {
        return std::pair(stage.use.position.line, stage.use.position.column);
    });
    return stages;
}

std::size_t ProjectDocument::stage_of(const std::string& label) const {
    const std::vector<DocumentStage> all = stages();
    std::vector<std::string> labels;
    for (const DocumentStage& stage : all) labels.push_back(stage.use.label);
    const auto found = std::ranges::find(labels, label);
    if (found == labels.end())
        throw Error::input(fmt::format("the project has no \"{}\": it has project, grid, output, {}", label,
                                       fmt::join(labels, ", ")));
    return static_cast<std::size_t>(found - labels.begin());
}

const Parameter& ProjectDocument::parameter_of(const std::string& owner, const std::string& key) const {
    const SettingsTable* const settings = settings_named(owner);
    const ParameterTable& parameters =
        settings != nullptr ? *settings->parameters : *stages()[stage_of(owner)].use.stage->parameters;
    return with_place(owner + ": ", [&]() -> const Parameter& { return parameters.at(key); });
}

Value ProjectDocument::value(const std::string& owner, const std::string& key) const {
    const Parameter& parameter = parameter_of(owner, key);
    if (settings_named(owner) != nullptr) return setting_of(project_, owner, parameter);
    return parameter.get(stages()[stage_of(owner)].use.parameters.get());
}

/// The table of a stage, or of settings, where they have one.
const TomlTable* ProjectDocument::table_of(const TomlText& text, const std::string& owner) const {
    const bool is_stage = settings_named(owner) == nullptr;
    const TomlEntry* const entry = text.root().find(is_stage ? kStage : owner);
    return entry == nullptr ? nullptr : &entry->tables.at(is_stage ? stage_of(owner) : 0);
}

/// The text without the parameter under its name of earlier versions.
std::string ProjectDocument::without_former_name(const std::string& owner, const Parameter& parameter) const {
    const TomlText text = parsed();
    const TomlTable* const table = table_of(text, owner);
    const TomlEntry* const entry = entry_of(table, parameter);
    return entry == nullptr || entry->key == parameter.name ? text_ : text.without_key(*table, *entry);
}

void ProjectDocument::set(const std::string& owner, const std::string& key, const Value& value) {
    const Parameter& parameter = parameter_of(owner, key);
    const Value checked = with_place(owner + ": ", [&] { return parameter.checked(value); });
    if (checked == this->value(owner, key)) return;
    const TomlText text(without_former_name(owner, parameter), project_.file);
    const TomlTable* const table = table_of(text, owner);
    if (table == nullptr) return edit(text.with_table(owner, parameter.name, to_text(checked)));
    const TomlEntry* const entry = entry_of(table, parameter);
    if (entry != nullptr && !has_headers(text, *entry))
        return edit(text.with_value(*entry, to_text(checked)));
    if (parameter.type != ParameterType::TableList)
        return edit(text.with_key(*table, parameter.name, to_text(checked)));
    const auto& rows = std::get<std::vector<ValueTable>>(checked);
    if (entry == nullptr) return edit(with_new_rows(text, owner, parameter, rows));
    const TomlText rest(text.without_key(*table, *entry), project_.file);
    edit(with_new_rows(rest, owner, parameter, rows));
}

/// The text with a list that it does not have yet.
std::string ProjectDocument::with_new_rows(const TomlText& text, const std::string& owner,
                                           const Parameter& parameter,
                                           const std::vector<ValueTable>& rows) const {
    const TomlTable& table = *table_of(text, owner);
    if (text.is_inline(table) || rows.empty())
        return text.with_key(table, parameter.name, to_text(Value(rows)));
    std::vector<TomlRow> written;
    for (const ValueTable& row : rows) written.push_back(written_row(*parameter.row, row));
    return text.with_list(table, fmt::format("{}.{}", kStage, parameter.name), written);
}

void ProjectDocument::reset(const std::string& owner, const std::string& key) {
    const Parameter& parameter = parameter_of(owner, key);
    const TomlText text = parsed();
    const TomlTable* const table = table_of(text, owner);
    if (const TomlEntry* const entry = entry_of(table, parameter)) edit(text.without_key(*table, *entry));
}

/// The list with that row in the text. Throws Error::input where there is none.
const TomlEntry& ProjectDocument::row_list(const TomlText& text, const std::string& owner,
                                           const std::string& key, std::size_t row) const {
    const Parameter& parameter = parameter_of(owner, key);
    const TomlEntry* const entry = entry_of(table_of(text, owner), parameter);
    const bool is_list = parameter.type == ParameterType::TableList && entry != nullptr;
    if (!is_list || row >= entry->tables.size())
        throw Error::input(fmt::format("{}: {} has no row {}: it has {}", owner, key, row,
                                       is_list ? entry->tables.size() : 0));
    return *entry;
}

void ProjectDocument::set_in_row(const std::string& owner, const std::string& key, std::size_t row,
                                 const std::string& cell, const Value& value) {
    const TomlText text = parsed();
    const TomlTable& table = row_list(text, owner, key, row).tables[row];
    const std::string place = fmt::format("{}: {}: ", owner, key);
    const Parameter& parameter =
        with_place(place, [&]() -> const Parameter& { return parameter_of(owner, key).row->at(cell); });
    const Value checked = with_place(place, [&] { return parameter.checked(value); });
    const TomlEntry* const entry = entry_of(&table, parameter);
    if (entry == nullptr) return edit(text.with_key(table, parameter.name, to_text(checked)));
    if (parameter.checked(entry->value) != checked) edit(text.with_value(*entry, to_text(checked)));
}

void ProjectDocument::insert_row(const std::string& owner, const std::string& key, std::size_t at,
                                 const ValueTable& row) {
    const Parameter& parameter = parameter_of(owner, key);
    if (parameter.type != ParameterType::TableList)
        throw Error::input(fmt::format("{}: {} has no rows: it is {}", owner, key, parameter.allowed()));
    const TomlRow written =
        with_place(fmt::format("{}: {}: ", owner, key), [&] { return written_row(*parameter.row, row); });
    const TomlText text = parsed();
    const TomlEntry* const entry = entry_of(table_of(text, owner), parameter);
    if (entry == nullptr) return edit(with_new_rows(text, owner, parameter, {row}));
    edit(entry->kind == TomlKind::TableList ? text.with_row(*entry, at, written)
                                            : text.with_value(*entry, to_text(Value(std::vector{row}))));
}

void ProjectDocument::remove_row(const std::string& owner, const std::string& key, std::size_t row) {
    const TomlText text = parsed();
    edit(text.without_row(row_list(text, owner, key, row), row));
}

void ProjectDocument::insert_stage(std::size_t at, const std::string& use, const ValueTable& values) {
    const Stage& stage = find_stage(use);
    TomlRow row = {{"use", to_text(Value(use))}};
    std::ranges::move(with_place(use + ": ", [&] { return written_row(*stage.parameters, values); }),
                      std::back_inserter(row));
    const TomlText text = parsed();
    edit(text.with_row(*text.root().find(kStage), at, row));
}

void ProjectDocument::move_stage(const std::string& label, std::size_t to) {
    const std::size_t from = stage_of(label);
    const TomlText text = parsed();
    const TomlEntry& list = *text.root().find(kStage);
    if (to >= list.tables.size())
        throw Error::input(fmt::format("there is no stage {} to move {} to: there are {}, counted from 0", to,
                                       label, list.tables.size()));
    edit(text.with_row_moved(list, from, to));
}

void ProjectDocument::remove_stage(const std::string& label) {
    const TomlText text = parsed();
    edit(text.without_row(*text.root().find(kStage), stage_of(label)));
}

void ProjectDocument::enable_stage(const std::string& label, bool is_enabled) {
    const std::size_t stage = stage_of(label);
    if (stages()[stage].is_enabled == is_enabled) return;
    const TomlText text = parsed();
    const TomlTable& table = text.root().find(kStage)->tables[stage];
    const TomlEntry* const entry = table.find(kEnabled);
    if (is_enabled) return edit(text.without_key(table, *entry));
    edit(entry == nullptr ? text.with_key(table, kEnabled, "false") : text.with_value(*entry, "false"));
}

/// What differs, as one piece.
ProjectDocument::Change ProjectDocument::change_between(const std::string& before, const std::string& after) {
    const auto [first, other] = std::ranges::mismatch(before, after);
    const auto at = static_cast<std::size_t>(first - before.begin());
    const std::size_t most = std::min(before.size(), after.size()) - at;
    std::size_t same_end = 0;
    while (same_end < most && before[before.size() - 1 - same_end] == after[after.size() - 1 - same_end])
        ++same_end;
    return {at, before.substr(at, before.size() - at - same_end),
            after.substr(at, after.size() - at - same_end)};
}

void ProjectDocument::take(std::string text) {
    project_ = parse_project(text, project_.file, project_.base_directory);
    text_ = std::move(text);
}

void ProjectDocument::edit(std::string text) {
    if (text == text_) return;
    const bool joins = step_ && done_.size() > step_->done;
    Change change = change_between(joins ? step_->text : text_, text);
    take(std::move(text));
    if (joins) done_.pop_back();
    if (change.before != change.after) done_.push_back(std::move(change));
    undone_.clear();
}

void ProjectDocument::undo() {
    const Change& change = done_.back();
    take(std::string(text_).replace(change.at, change.after.size(), change.before));
    undone_.push_back(std::move(done_.back()));
    done_.pop_back();
    step_.reset();
}

void ProjectDocument::redo() {
    const Change& change = undone_.back();
    take(std::string(text_).replace(change.at, change.before.size(), change.after));
    done_.push_back(std::move(undone_.back()));
    undone_.pop_back();
    step_.reset();
}

}  // namespace thalweg
