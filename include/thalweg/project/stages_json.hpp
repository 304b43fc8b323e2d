// The declarations of stages and project tables as JSON, from which forms, bindings and docs are made.
#pragma once

#include <string>

namespace thalweg {

/// Every stage, project table and group with their parameters, indented by two spaces. docs/stages-json.md
/// describes every member.
///
/// Example:
///     std::puts(stages_json().c_str());
std::string stages_json();

}  // namespace thalweg
