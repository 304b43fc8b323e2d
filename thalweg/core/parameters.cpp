#include "thalweg/core/parameters.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

bool has_dimension(const std::string& unit) {
    return !unit.empty() && unit != "1";
}

/// Whether a word is a unit that people write behind a number.
bool is_unit(std::string_view word) {
    constexpr auto kUnits = std::to_array<std::string_view>(
        {"mm",     "cm",      "dm",    "m",      "km", "um",  "mi",  "ft",  "in",  "feet", "foot",
         "metre",  "metres",  "meter", "meters", "s",  "h",   "d",   "a",   "y",   "yr",   "yrs",
         "year",   "years",   "ka",    "kyr",    "Ma", "Myr", "My",  "Ga",  "Gyr", "ky",   "deg",
         "degree", "degrees", "rad",   "%",      "MB", "GB",  "MiB", "GiB", "px",  "cells"});
    return std::ranges::find(kUnits, word) != kUnits.end();
}

/// Whether a text is a number with a unit behind it: 1mm, 5 km, 1e-3 m/yr.
bool is_number_with_unit(std::string_view text) {
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end == text.data() + text.size()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    while (!text.empty()) {
        const std::size_t size = std::min(text.find_first_of(" /*^-23"), text.size());
        if (size > 0 && !is_unit(text.substr(0, size))) return false;
        text.remove_prefix(std::min(size + 1, text.size()));
    }
    return true;
}

[[noreturn]] void refuse(const Parameter& parameter, const Value& value, const std::string& allowed) {
    const auto* text = std::get_if<std::string>(&value);
    const bool show_unit =
        has_dimension(parameter.notes.unit) && (text == nullptr || !is_number_with_unit(*text));
    throw Error::input(fmt::format("{} = {}{}{} is not allowed: give {}", parameter.name, to_text(value),
                                   show_unit ? " " : "", show_unit ? parameter.notes.unit : "", allowed));
}

/// Refuses a number with its unit where a number is wanted: it is no layer's name.
void refuse_unit(const Parameter& parameter, const Value& value) {
    const bool wants_number = parameter.type == ParameterType::Number ||
                              parameter.type == ParameterType::Integer ||
                              parameter.type == ParameterType::NumberOrLayer;
    const auto* text = std::get_if<std::string>(&value);
    if (!wants_number || text == nullptr || !is_number_with_unit(*text)) return;
    refuse(parameter, value,
           has_dimension(parameter.notes.unit) ? fmt::format("the number alone, in {}", parameter.notes.unit)
                                               : "a number without a unit");
}

/// The value in the type that the parameter's member takes, or nothing when it is of another type.
std::optional<Value> converted(const Parameter& parameter, const Value& value) {
    const bool wants_number =
        parameter.type == ParameterType::Number || parameter.type == ParameterType::NumberOrLayer;
    if (const auto* whole = std::get_if<std::int64_t>(&value); whole != nullptr && wants_number)
        return Value(static_cast<double>(*whole));
    // An empty list has no type of its own: it fits every kind of list.
    if (const auto* list = std::get_if<std::vector<double>>(&value); list != nullptr && list->empty()) {
        if (parameter.type == ParameterType::TextList) return Value(std::vector<std::string>{});
        if (parameter.type == ParameterType::TableList) return Value(std::vector<ValueTable>{});
    }
    const auto holds = [&]<class T>(const T&) { return std::holds_alternative<T>(value); };
    bool fits = false;
    switch (parameter.type) {
        case ParameterType::Boolean:
            fits = holds(bool{});
            break;
        case ParameterType::Integer:
            fits = holds(std::int64_t{});
            break;
        case ParameterType::Number:
            fits = holds(double{});
            break;
        case ParameterType::Choice:
        case ParameterType::Text:
        case ParameterType::File:
            fits = holds(std::string{});
            break;
        case ParameterType::NumberOrLayer:
            fits = holds(double{}) || (holds(std::string{}) && !std::get<std::string>(value).empty());
            break;
        case ParameterType::NumberList:
            fits = holds(std::vector<double>{});
            break;
        case ParameterType::TextList:
            fits = holds(std::vector<std::string>{});
            break;
        case ParameterType::TableList:
            fits = holds(std::vector<ValueTable>{});
            break;
    }
    return fits ? std::optional<Value>(value) : std::nullopt;
}

bool in_range(const ParameterNotes& notes, double number) {
    if (std::isnan(number)) return false;
    if (std::isinf(number)) return notes.infinity_allowed && (number > 0.0 || number >= notes.minimum);
    if (notes.minimum_excluded && number <= notes.minimum) return false;
    return number >= notes.minimum && number <= notes.maximum;
}

void check_range(const Parameter& parameter, const Value& value) {
    if (const auto* number = std::get_if<double>(&value)) {
        if (!in_range(parameter.notes, *number)) refuse(parameter, value, parameter.allowed());
    } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        if (!in_range(parameter.notes, static_cast<double>(*whole)))
            refuse(parameter, value, parameter.allowed());
    } else if (const auto* list = std::get_if<std::vector<double>>(&value)) {
        const std::size_t wanted = parameter.notes.list_size;
        if (wanted != 0 && list->size() != wanted)
            refuse(parameter, value, fmt::format("{} numbers", wanted));
        for (const double entry : *list)
            if (!in_range(parameter.notes, entry)) refuse(parameter, value, "numbers " + parameter.allowed());
    }
}

/// Choices by their present names.
Value with_present_names(const Parameter& parameter, Value value) {
    if (auto* text = std::get_if<std::string>(&value)) *text = std::string(parameter.present_choice(*text));
    if (auto* texts = std::get_if<std::vector<std::string>>(&value))
        for (std::string& text : *texts) text = std::string(parameter.present_choice(text));
    return value;
}

void check_choice(const Parameter& parameter, const Value& value, const std::string& text) {
    const std::vector<std::string> names = parameter.choice_names();
    if (std::ranges::find(names, text) != names.end()) return;
    const std::string near = nearest_name(text, names);
    refuse(parameter, value,
           parameter.allowed() + (near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)));
}

void check_choices(const Parameter& parameter, const Value& value) {
    if (parameter.choices.empty()) return;
    if (const auto* text = std::get_if<std::string>(&value)) check_choice(parameter, value, *text);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
        for (const std::string& text : *texts) check_choice(parameter, value, text);
}

void check_rows(const Parameter& parameter, const Value& value) {
    if (parameter.row == nullptr) return;
    for (const ValueTable& row : std::get<std::vector<ValueTable>>(value))
        for (const auto& [name, entry] : row.entries) (void)parameter.row->at(name).checked(entry);
}

std::string number_text(double number) {
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    if (std::isnan(number)) return "nan";
    std::string text = fmt::format("{}", number);
    // A number keeps its point, so that a project file reads it back as one.
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

constexpr char kDelete = 0x7F;  // the control character behind the printable ones of ASCII

/// The text as a TOML basic string.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') result += '\\';
        if (static_cast<unsigned char>(letter) < 0x20 || letter == kDelete) {
            result += fmt::format("\\u{:04X}", static_cast<int>(letter));
        } else {
            result += letter;
        }
    }
    return result + "\"";
}

std::optional<double> parse_number(std::string_view text) {
    if (text == "inf" || text == "+inf") return std::numeric_limits<double>::infinity();
    if (text.starts_with("+-")) return std::nullopt;
    if (text.starts_with('+')) text.remove_prefix(1);
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// The parts before, between and behind the separators; an empty text has none.
std::vector<std::string_view> split_at(char separator, std::string_view text) {
    std::vector<std::string_view> parts;
    if (text.empty()) return parts;
    for (std::size_t place = text.find(separator); place != std::string_view::npos;
         place = text.find(separator)) {
        parts.push_back(text.substr(0, place));
        text.remove_prefix(place + 1);
    }
    parts.push_back(text);
    return parts;
}

std::optional<std::vector<double>> parse_numbers(std::string_view text) {
    if (text.empty()) return std::nullopt;
    std::vector<double> numbers;
    for (const std::string_view part : split_at(',', text)) {
        const auto number = parse_number(part);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

std::optional<std::vector<std::string>> parse_texts(std::string_view text) {
    std::vector<std::string> texts;
    for (const std::string_view part : split_at(',', text)) {
        if (part.empty()) return std::nullopt;
        texts.emplace_back(part);
    }
    return texts;
}

/// Nothing where a row has not as many values as `row` has parameters.
std::optional<std::vector<ValueTable>> parse_rows(const ParameterTable& row, std::string_view text) {
    std::vector<ValueTable> tables;
    for (const std::string_view row_text : split_at(';', text)) {
        const std::vector<std::string_view> parts = split_at(',', row_text);
        if (parts.size() != row.parameters().size()) return std::nullopt;
        ValueTable& table = tables.emplace_back();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const Parameter& parameter = row.parameters()[i];
            table.entries.emplace_back(parameter.name, parse_value(parameter, std::string(parts[i])));
        }
    }
    return tables;
}

/// What parse_value takes.
std::string text_form_in_words(const Parameter& parameter) {
    if (parameter.type != ParameterType::TableList || !has_text_form(parameter))
        return names_of(parameter.type).allowed;
    std::vector<std::string> names;
    for (const Parameter& cell : parameter.row->parameters()) names.push_back(cell.name);
    return fmt::format("{}, one row behind the other with ; between them", fmt::join(names, ","));
}

}  // namespace

const ParameterTypeNames& names_of(ParameterType type) {
    // In the order of the enumerators.
    static constexpr std::array<ParameterTypeNames, 10> kNames = {{
        {"boolean", "true or false", "true or false"},
        {"integer", "whole number", "a whole number"},
        {"number", "number", "a number"},
        {"choice", "choice", "one of its choices, as a text"},
        {"text", "text", "a text"},
        {"file", "file", "a file's path, as a text"},
        {"number_or_layer", "number, layer or raster file",
         "a number, or the name of a layer or raster file"},
        {"number_list", "list of numbers", "a list of numbers"},
        {"text_list", "list of texts", "a list of texts"},
        {"table_list", "list of tables", "a list of tables"},
    }};
    return kNames.at(static_cast<std::size_t>(type));
}

bool operator==(const ValueTable& a, const ValueTable& b) {
    return a.entries == b.entries;
}

const Value* ValueTable::find(std::string_view name) const {
    for (const auto& [key, value] : entries)
        if (key == name) return &value;
    return nullptr;
}

ParameterCondition equals(std::string parameter, std::vector<Value> values) {
    return {.parameter = std::move(parameter), .values = std::move(values)};
}

ParameterCondition differs(std::string parameter, std::vector<Value> values) {
    return {.parameter = std::move(parameter), .values = std::move(values), .is_excluded = true};
}

Value Parameter::checked(const Value& value) const {
    refuse_unit(*this, value);
    std::optional<Value> fitting = converted(*this, value);
    if (!fitting) refuse(*this, value, names_of(type).allowed);
    fitting = with_present_names(*this, *std::move(fitting));
    check_choices(*this, *fitting);
    check_range(*this, *fitting);
    check_rows(*this, *fitting);
    return *fitting;
}

void Parameter::set(void* object, const Value& value) const {
    put(object, checked(value));
}

bool Parameter::has_name(std::string_view key) const {
    return key == name || (!key.empty() && key == notes.formerly);
}

const std::string& Parameter::present_choice(const std::string& text) const {
    const auto found = std::ranges::find_if(choices, [&](const ParameterChoice& choice) {
        return !choice.formerly.empty() && choice.formerly == text;
    });
    return found == choices.end() ? text : found->name;
}

std::string Parameter::former_name_note(std::string_view key, const Value& value) const {
    if (key != name) return fmt::format("{} is called {} now", key, name);
    const auto* const text = std::get_if<std::string>(&value);
    if (text == nullptr || present_choice(*text) == *text) return "";
    return fmt::format("{} = \"{}\" is called \"{}\" now", key, *text, present_choice(*text));
}

std::vector<std::string> Parameter::choice_names() const {
    std::vector<std::string> names;
    for (const ParameterChoice& choice : choices) names.push_back(choice.name);
    return names;
}

std::string Parameter::allowed() const {
    if (type == ParameterType::Choice) return fmt::format("one of {}", fmt::join(choice_names(), ", "));
    if (type == ParameterType::TextList && !choices.empty())
        return fmt::format("a list of texts out of {}", fmt::join(choice_names(), ", "));
    const bool bounded_below = std::isfinite(notes.minimum);
    const bool bounded_above = std::isfinite(notes.maximum);
    const std::string unit = has_dimension(notes.unit) ? " " + notes.unit : "";
    const auto bound = [&](double number) {
        return type == ParameterType::Integer ? fmt::format("{:.0f}", number) : fmt::format("{}", number);
    };
    const std::string infinite = notes.infinity_allowed ? ", or inf" : "";
    if (bounded_below && bounded_above && notes.minimum_excluded)
        return fmt::format("above {} up to {}{}{}", bound(notes.minimum), bound(notes.maximum), unit,
                           infinite);
    if (bounded_below && bounded_above && notes.minimum == notes.maximum)
        return fmt::format("only {}{}", bound(notes.minimum), unit);
    if (bounded_below && bounded_above)
        return fmt::format("from {} to {}{}{}", bound(notes.minimum), bound(notes.maximum), unit, infinite);
    if (bounded_below && notes.minimum_excluded)
        return fmt::format("greater than {}{}{}", bound(notes.minimum), unit, infinite);
    if (bounded_below) return fmt::format("{}{} or more{}", bound(notes.minimum), unit, infinite);
    if (bounded_above) return fmt::format("at most {}{}{}", bound(notes.maximum), unit, infinite);
    if (type == ParameterType::Number) return "a finite number" + infinite;
    return names_of(type).allowed;
}

std::string to_text(const Value& value) {
    struct Writer {
        std::string operator()(bool v) const { return v ? "true" : "false"; }
        std::string operator()(std::int64_t v) const { return fmt::format("{}", v); }
        std::string operator()(double v) const { return number_text(v); }
        std::string operator()(const std::string& v) const { return quoted(v); }
        std::string operator()(const std::vector<double>& v) const {
            std::vector<std::string> parts;
            for (const double number : v) parts.push_back(number_text(number));
            return fmt::format("[{}]", fmt::join(parts, ", "));
        }
        std::string operator()(const std::vector<std::string>& v) const {
            std::vector<std::string> parts;
            for (const std::string& text : v) parts.push_back(quoted(text));
            return fmt::format("[{}]", fmt::join(parts, ", "));
        }
        std::string operator()(const std::vector<ValueTable>& v) const {
            std::vector<std::string> rows;
            for (const ValueTable& row : v) {
                std::vector<std::string> parts;
                for (const auto& [key, entry] : row.entries) parts.push_back(key + " = " + to_text(entry));
                rows.push_back(fmt::format("{{{}}}", fmt::join(parts, ", ")));
            }
            return fmt::format("[{}]", fmt::join(rows, ", "));
        }
    };
    return std::visit(Writer{}, value);
}

bool has_text_form(const Parameter& parameter) {
    if (parameter.type != ParameterType::TableList) return true;
    const std::vector<Parameter>& cells = parameter.row->parameters();
    return std::none_of(cells.begin(), cells.end(), [](const Parameter& cell) {
        return cell.type == ParameterType::NumberList || cell.type == ParameterType::TextList ||
               cell.type == ParameterType::TableList;
    });
}

Value parse_value(const Parameter& parameter, const std::string& text) {
    std::optional<Value> value;
    switch (parameter.type) {
        case ParameterType::Boolean:
            if (text == "true" || text == "false") value = text == "true";
            break;
        case ParameterType::Integer:
            if (const auto whole = parse_integer(text)) value = *whole;
            break;
        case ParameterType::Number:
            if (const auto number = parse_number(text)) value = *number;
            break;
        case ParameterType::Choice:
        case ParameterType::Text:
        case ParameterType::File:
            value = text;
            break;
        case ParameterType::NumberOrLayer:
            if (const auto number = parse_number(text)) {
                value = *number;
            } else {
                value = text;
            }
            break;
        case ParameterType::NumberList:
            if (const auto numbers = parse_numbers(text)) value = *numbers;
            break;
        case ParameterType::TextList:
            if (const auto texts = parse_texts(text)) value = *texts;
            break;
        case ParameterType::TableList:
            if (!has_text_form(parameter)) break;
            if (const auto rows = parse_rows(*parameter.row, text)) value = *rows;
            break;
    }
    if (!value) refuse_unit(parameter, Value(text));
    if (!value) refuse(parameter, Value(text), text_form_in_words(parameter));
    return *value;
}

const Parameter* ParameterTable::find(std::string_view name) const {
    for (const Parameter& parameter : parameters_)
        if (parameter.has_name(name)) return &parameter;
    return nullptr;
}

const Parameter& ParameterTable::at(std::string_view name) const {
    if (const Parameter* parameter = find(name)) return *parameter;
    std::vector<std::string> names;
    for (const Parameter& parameter : parameters_) names.push_back(parameter.name);
    const std::string near = nearest_name(name, names);
    const std::string hint = near.empty() ? fmt::format("known are {}", fmt::join(names, ", "))
                                          : fmt::format("did you mean \"{}\"?", near);
    throw Error::input(fmt::format("unknown key \"{}\": {}", name, hint));
}

bool ParameterTable::is_enabled(const Parameter& parameter, const void* object) const {
    return std::ranges::all_of(parameter.notes.enabled_when, [&](const ParameterCondition& condition) {
        const Parameter& other = at(condition.parameter);
        const bool is_listed =
            std::ranges::find(condition.values, other.get(object)) != condition.values.end();
        return is_listed != condition.is_excluded && is_enabled(other, object);
    });
}

ValueTable ParameterTable::values(const void* object) const {
    ValueTable table;
    for (const Parameter& parameter : parameters_)
        table.entries.emplace_back(parameter.name, parameter.get(object));
    return table;
}

void ParameterTable::assign(void* object, const ValueTable& values) const {
    std::vector<std::pair<const Parameter*, Value>> checked;
    for (const auto& [name, value] : values.entries) {
        const Parameter& parameter = at(name);
        checked.emplace_back(&parameter, parameter.checked(value));
    }
    for (const auto& [parameter, value] : checked) parameter->put(object, value);
}

}  // namespace thalweg
