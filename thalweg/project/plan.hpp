// Plan: what a project will do and need, told before it starts.
#pragma once

#include "thalweg/project/project_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg {

struct PlanStep {
    std::string label;
    std::string stage;
    std::string summary;
    std::int64_t peak_bytes = 0;  // layers kept so far, and the stage's own working memory
};

struct Plan {
    std::vector<PlanStep> steps;
    std::vector<std::string> files;  // names that will be written, as far as known before the run
    std::int64_t peak_bytes = 0;     // of the whole build, output included
    std::int64_t available_bytes = 0;
};

/// Adds up bytes = cells x (4 x layers kept + largest stage), and what writing the outputs needs.
Plan plan_project(const Project& project);

/// Throws Error::input with both figures when the plan needs more memory than is available.
void check_memory(const Plan& plan);

/// The plan in lines for a terminal (`--dry-run`).
std::string plan_text(const Project& project, const Plan& plan);

/// Memory that this process may still take, bytes: the machine's available memory, or what its control group
/// leaves, whichever is less. 0 when the system does not tell.
std::int64_t available_memory_bytes();

/// The most memory that this process has held so far, bytes (VmHWM); 0 when the system does not tell.
std::int64_t peak_memory_bytes();

}  // namespace thalweg
