// Reads what was typed behind a verb.
#pragma once

#include "cli/verb.hpp"

namespace thalweg::cli {

/// Splits `arguments` into the verb's flags and operands. Throws Error::input with one sentence for an
/// unknown flag (naming the nearest known one), a flag without its value, a missing required flag or operand,
/// and an operand too many. With `--help` or `-h` among them nothing is missing, and the result has flag
/// "help".
Given read_arguments(const Verb& verb, const std::vector<std::string>& arguments);

}  // namespace thalweg::cli
