// The headings under which forms, help and reference pages show the parameters of stages.
#pragma once

#include "thalweg/core/parameters.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// A heading, and what stands below it.
struct ParameterGroup {
    std::string name;
    std::string summary;  // one sentence
};

/// All groups that parameters of stages may name, in the order in which they are shown. A test holds that
/// each is used.
const std::vector<ParameterGroup>& parameter_groups();

/// The parameters of one group, in their order of declaration.
struct GroupedParameters {
    std::string group;
    std::vector<const Parameter*> parameters;
};

/// All parameters of `table` by their groups, in the order of parameter_groups(); groups without one are left
/// out. A table whose parameters have no group is a single one without a name.
///
/// Example:
///     for (const GroupedParameters& group : by_group(*find_stage("erode").parameters))
///         std::printf("%s: %zu parameters\n", group.group.c_str(), group.parameters.size());
std::vector<GroupedParameters> by_group(const ParameterTable& table);

}  // namespace thalweg
