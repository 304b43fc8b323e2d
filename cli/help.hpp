// Help texts, written from the verbs' data.
#pragma once

#include "cli/verb.hpp"

namespace thalweg::cli {

/// What the program is, and all its verbs.
std::string program_help(const std::vector<Verb>& verbs);

/// One verb: usage, operands, and every flag with unit, default and allowed values.
std::string verb_help(const Verb& verb);

}  // namespace thalweg::cli
