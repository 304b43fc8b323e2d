#include "thalweg/project/reference.hpp"

#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/project/parameter_groups.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

const char* const kGenerated =
    "<!-- Written by `thalweg stages --markdown docs/reference` from the declarations in the code. -->\n\n";

/// Text that stands in a cell of a Markdown table.
std::string in_cell(const std::string& text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '|') result += '\\';
        result += letter;
    }
    return result;
}

/// Range or choices; empty where every value of the type is allowed.
std::string range_text(const Parameter& parameter) {
    const ParameterNotes& notes = parameter.notes;
    const bool bounded =
        std::isfinite(notes.minimum) || std::isfinite(notes.maximum) || notes.infinity_allowed;
    return bounded || !parameter.choices.empty() ? parameter.allowed() : "";
}

std::string parameter_row(const Parameter& parameter) {
    const std::string range = range_text(parameter);
    const std::string type = names_of(parameter.type).noun;
    std::string meaning = parameter.notes.sentence;
    if (!parameter.notes.source.empty()) meaning += fmt::format(" *{}*", parameter.notes.source);
    return fmt::format("| `{}` | {} | `{}` | {} | {} |\n", parameter.name, in_cell(parameter.notes.unit),
                       in_cell(to_text(parameter.default_value)),
                       in_cell(range.empty() ? type : fmt::format("{}, {}", type, range)), in_cell(meaning));
}

std::string parameter_rows(const ParameterTable& table);

/// What the choices of a parameter do, or what the tables of one hold; empty for most.
std::string more_on(const Parameter& parameter) {
    std::string text;
    for (const ParameterChoice& choice : parameter.choices)
        text += fmt::format("- `{}`: {}\n", choice.name, choice.sentence);
    if (!text.empty()) return fmt::format("\nChoices of `{}`:\n\n{}", parameter.name, text);
    if (parameter.row == nullptr) return {};
    return fmt::format("\nEach table of `{}` holds:\n\n{}", parameter.name, parameter_rows(*parameter.row));
}

std::string parameter_rows(const ParameterTable& table) {
    std::string text;
    for (const GroupedParameters& group : by_group(table)) {
        if (!group.group.empty()) text += fmt::format("{}### {}\n\n", text.empty() ? "" : "\n", group.group);
        text += "| key | unit | default | allowed | meaning |\n| --- | --- | --- | --- | --- |\n";
        for (const Parameter* const parameter : group.parameters) text += parameter_row(*parameter);
        for (const Parameter* const parameter : group.parameters) text += more_on(*parameter);
    }
    return text;
}

std::string code_list(const std::vector<std::string>& names) {
    std::vector<std::string> quoted;
    for (const std::string& name : names) quoted.push_back("`" + name + "`");
    return quoted.empty() ? "nothing" : fmt::format("{}", fmt::join(quoted, ", "));
}

std::string stage_example(const Stage& stage) {
    std::string text = fmt::format("```toml\n[[stage]]\nuse = \"{}\"\n", stage.name);
    for (const Parameter& parameter : stage.parameters->parameters())
        if (parameter.type != ParameterType::TableList)
            text += fmt::format("{} = {}\n", parameter.name, to_text(parameter.default_value));
    return text + "```\n";
}

std::string index_page() {
    std::string text =
        std::string(kGenerated) +
        "# Reference\n\nA project file has the tables [project], [grid] and [output] "
        "([project file](project.md)) and a list of stages.\n\n| stage | what it does |\n| --- | --- |\n";
    for (const Stage& stage : stage_registry())
        text += fmt::format("| [{0}]({0}.md) | {1} |\n", stage.name, stage.summary);
    return text + "\nStages read and write [layers](layers.md).\n";
}

}  // namespace

std::string stage_page(const Stage& stage) {
    std::string text = fmt::format("# {}\n\n{}\n\n{}\n\n", stage.name, stage.summary, stage.description);
    text += fmt::format(
        "Reads {}. Writes {}. As a verb, its result is `{}`{}.\n\n", code_list(stage.reads),
        code_list(stage.writes), stage.primary,
        stage.verb_after.empty()
            ? ""
            : fmt::format("; it runs [{0}]({0}.md) first, whose parameters it takes too", stage.verb_after));
    if (stage.verb_takes_window)
        text +=
            "With `--window` or `--resolution` its verb goes on in a [window](window.md) once beds are "
            "carved.\n\n";
    text += fmt::format("Working memory: about {:g} bytes per cell.\n\n", stage.bytes_per_cell);
    text += "## Parameters\n\n" + parameter_rows(*stage.parameters);
    return text + "\n## All defaults\n\n" + stage_example(stage);
}

std::string project_page() {
    std::string text =
        "# Project file\n\nA project is a TOML file: these tables, and one [[stage]] for every step, in "
        "order. A stage "
        "names its kind by `use`, may carry a `label` of its own, and takes the parameters of its page. With "
        "`enabled = false` it is left out: it keeps its place and label, and what it would have changed "
        "passes "
        "by.\n";
    for (const SettingsTable& table : settings_tables())
        text += fmt::format("\n## [{}]\n\n{}\n\n{}", table.name, table.summary,
                            parameter_rows(*table.parameters));
    return text;
}

std::string layers_page() {
    std::string text = "# Layers\n\n| layer | unit | meaning | stored as |\n| --- | --- | --- | --- |\n";
    for (const DatasetDescription& layer : dataset_catalogue())
        if (layer.kind == DatasetKind::Layer)
            text += fmt::format("| `{}` | {} | {} | {} |\n", layer.name, layer.unit, layer.meaning,
                                layer.whole_numbers ? "int32" : "float32");
    return text;
}

std::vector<ReferencePage> reference_pages() {
    std::vector<ReferencePage> pages = {{"index.md", index_page()},
                                        {"project.md", kGenerated + project_page()},
                                        {"layers.md", kGenerated + layers_page()}};
    for (const Stage& stage : stage_registry())
        pages.push_back({stage.name + ".md", kGenerated + stage_page(stage)});
    return pages;
}

}  // namespace thalweg
