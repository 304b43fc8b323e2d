// thalweg completion: a script that completes commands and flags in bash.
#include "cli/standard_streams.hpp"
#include "cli/verbs/verbs.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

std::string flag_words(const Verb& verb) {
    std::string words = "--help";
    for (const Flag& flag : flags_of(verb)) words += " --" + flag.name;
    return words;
}

void print_completion(const Given&) {
    std::string names;
    std::string cases;
    for (const Verb& verb : all_verbs()) {
        names += (names.empty() ? "" : " ") + verb.name;
        cases += fmt::format("        {}) words=\"{}\" ;;\n", verb.name, flag_words(verb));
    }
    print(fmt::format(R"(_thalweg() {{
    local words=""
    case "${{COMP_WORDS[1]}}" in
{}    esac
    [ "$COMP_CWORD" -eq 1 ] && words="{}"
    COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _thalweg thalweg
)",
                      cases, names));
}

}  // namespace

Verb completion_verb() {
    return {.name = "completion",
            .summary = "Prints a script for completion in bash: source <(thalweg completion)",
            .run = print_completion};
}

}  // namespace thalweg::cli
