// Values that parameters take and that are not their defaults, for tests of declarations.
#pragma once

#include "thalweg/core/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace thalweg {

/// A number in the parameter's range that is not its default.
inline double other_number(const ParameterNotes& notes, double default_number) {
    const double present = std::isfinite(default_number) ? default_number : 0.0;
    const double low = std::isfinite(notes.minimum) ? notes.minimum : std::min(present, 0.0) - 10.0;
    const double high = std::isfinite(notes.maximum) ? notes.maximum : std::max({low, present, 0.0}) + 10.0;
    const double middle = low + 0.5 * (high - low);
    return middle == present ? low + 0.25 * (high - low) : middle;
}

/// A value that the parameter takes and that differs from its default.
inline Value changed_value(const Parameter& parameter) {
    const Value& present = parameter.default_value;
    switch (parameter.type) {
        case ParameterType::Boolean:
            return !std::get<bool>(present);
        case ParameterType::Integer:
            return static_cast<std::int64_t>(
                other_number(parameter.notes, static_cast<double>(std::get<std::int64_t>(present))));
        case ParameterType::Number:
            return other_number(parameter.notes, std::get<double>(present));
        case ParameterType::Choice:
            return parameter.choices.front().name == std::get<std::string>(present)
                       ? parameter.choices.back().name
                       : parameter.choices.front().name;
        case ParameterType::Text:
        case ParameterType::File:
        case ParameterType::NumberOrLayer:
            return std::string("a \"quoted\" name\\");
        case ParameterType::NumberList:
            return std::vector<double>(parameter.notes.list_size == 0 ? 3 : parameter.notes.list_size,
                                       other_number(parameter.notes, 1.0));
        case ParameterType::TextList:
            return parameter.choices.empty() ? std::vector<std::string>{"one", "two"}
                                             : std::vector<std::string>{parameter.choices.back().name,
                                                                        parameter.choices.front().name};
        case ParameterType::TableList: {
            ValueTable row;
            for (const Parameter& cell : parameter.row->parameters())
                row.entries.emplace_back(cell.name, changed_value(cell));
            return std::vector<ValueTable>{row, row};
        }
    }
    return present;
}

}  // namespace thalweg
