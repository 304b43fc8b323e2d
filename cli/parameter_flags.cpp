#include "cli/parameter_flags.hpp"

#include "thalweg/project/parameter_groups.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg::cli {
namespace {

/// `X,Y,AREA` for a row of a list of tables; of long rows the first names.
std::string row_name(const ParameterTable& row) {
    constexpr std::size_t kNames = 8;
    std::vector<std::string> names;
    for (const Parameter& cell : row.parameters()) {
        if (names.size() == kNames) {
            names.emplace_back("...");
            break;
        }
        std::string& name = names.emplace_back(cell.name);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    }
    return fmt::format("{}", fmt::join(names, ","));
}

/// What a parameter's value is called in the help.
std::string value_name(const Parameter& parameter) {
    switch (parameter.type) {
        case ParameterType::Boolean:
            return "";
        case ParameterType::Integer:
            return "WHOLE";
        case ParameterType::Number:
            return "NUMBER";
        case ParameterType::Choice:
            return "NAME";
        case ParameterType::Text:
            return "TEXT";
        case ParameterType::File:
            return "FILE";
        case ParameterType::NumberOrLayer:
            return "NUMBER|FILE";
        case ParameterType::NumberList:
            return "NUMBER,...";
        case ParameterType::TextList:
            return "NAME,...";
        case ParameterType::TableList:
            return row_name(*parameter.row);
    }
    return "";
}

std::string default_text(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return to_text(value);
}

/// Whether a parameter's type says all that is allowed.
bool takes_anything(const Parameter& parameter) {
    return parameter.type == ParameterType::Boolean || parameter.type == ParameterType::Text ||
           parameter.type == ParameterType::File;
}

/// Unit, default and allowed values in one line.
std::string limits(const Parameter& parameter) {
    std::vector<std::string> parts;
    if (parameter.type == ParameterType::TableList) {
        for (const Parameter& cell : parameter.row->parameters())
            parts.push_back(fmt::format("{}: {}", cell.name, cell.allowed()));
        parts.emplace_back("may be given many times");
        return fmt::format("{}", fmt::join(parts, "; "));
    }
    if (!parameter.notes.unit.empty() && parameter.notes.unit != "1")
        parts.push_back("unit " + parameter.notes.unit);
    const std::string value = default_text(parameter.default_value);
    if (!value.empty()) parts.push_back("default " + value);
    if (!takes_anything(parameter)) parts.push_back(parameter.allowed());
    return fmt::format("{}", fmt::join(parts, "; "));
}

FlagForm form_of(const Parameter& parameter) {
    if (parameter.type == ParameterType::Boolean) return FlagForm::YesNo;
    return parameter.type == ParameterType::TableList ? FlagForm::Repeated : FlagForm::Value;
}

Flag flag_of(const Parameter& parameter) {
    return {.name = flag_name(parameter.name),
            .form = form_of(parameter),
            .value = value_name(parameter),
            .sentence = parameter.notes.sentence,
            .limits = limits(parameter),
            .parameter = &parameter};
}

/// What was typed for a parameter: the last value, or the rows of a list of tables one behind the other.
std::optional<std::string> typed_value(const Parameter& parameter, const Given& given) {
    const std::string name = flag_name(parameter.name);
    if (parameter.type != ParameterType::TableList || !given.has(name)) return given.value(name);
    return fmt::format("{}", fmt::join(given.values(name), ";"));
}

}  // namespace

std::string flag_name(const std::string& parameter_name) {
    std::string name = parameter_name;
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

std::vector<Flag> parameter_flags(const ParameterTable& table) {
    std::vector<Flag> flags;
    for (const Parameter& parameter : table.parameters())
        if (has_text_form(parameter)) flags.push_back(flag_of(parameter));
    return flags;
}

std::vector<FlagGroup> grouped_flags(const ParameterTable& table) {
    std::vector<FlagGroup> groups;
    for (const GroupedParameters& grouped : by_group(table)) {
        FlagGroup group{.title = grouped.group, .flags = {}};
        for (const Parameter* const parameter : grouped.parameters)
            if (has_text_form(*parameter)) group.flags.push_back(flag_of(*parameter));
        groups.push_back(std::move(group));
    }
    return groups;
}

void set_parameters(const ParameterTable& table, const Given& given, void* object) {
    for (const Parameter& parameter : table.parameters())
        if (const auto text = typed_value(parameter, given))
            parameter.set(object, parse_value(parameter, *text));
}

}  // namespace thalweg::cli
