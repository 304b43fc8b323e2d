// The verbs of the program, one function for each; all_verbs() lists them in the order of the help.
#pragma once

#include "thalweg/project/stage.hpp"

#include "cli/verb.hpp"

namespace thalweg::cli {

Verb build_verb();
Verb cache_verb();
Verb new_verb();
Verb info_verb();
Verb render_verb();
Verb describe_verb();
Verb compare_verb();
Verb validate_river_verb();
Verb stages_verb();
Verb completion_verb();

/// The verb that runs one stage on files; all its parameters are flags.
Verb stage_verb(const Stage& stage);

/// Every verb: those above, and one for each stage of the registry.
std::vector<Verb> all_verbs();

}  // namespace thalweg::cli
