// The program behind main: finds the verb and runs it.
#pragma once

#include <string>
#include <vector>

namespace thalweg::cli {

/// Runs `thalweg ARGUMENTS...`. Throws Error, Cancelled, or whatever a library throws.
void run_program(const std::vector<std::string>& arguments);

}  // namespace thalweg::cli
