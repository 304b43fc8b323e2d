// Flags from declared parameters: what a stage declares for project files is its command line too.
#pragma once

#include "thalweg/core/parameters.hpp"

#include "cli/verb.hpp"

namespace thalweg::cli {

/// The flag's name for a parameter: `min_area` gives `min-area`.
std::string flag_name(const std::string& parameter_name);

/// One flag for every parameter that fits on a command line (has_text_form), with unit, default and allowed
/// values. That of a list of tables takes a row, and may be given many times.
std::vector<Flag> parameter_flags(const ParameterTable& table);

/// The same under the headings of parameter_groups.hpp.
std::vector<FlagGroup> grouped_flags(const ParameterTable& table);

/// Sets every parameter of `object` whose flag was given. Throws Error::input as `Parameter::set` does.
void set_parameters(const ParameterTable& table, const Given& given, void* object);

}  // namespace thalweg::cli
