#include "cli/program.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/version.hpp"
#include "thalweg/project/plan.hpp"

#include "cli/arguments.hpp"
#include "cli/help.hpp"
#include "cli/standard_streams.hpp"
#include "cli/verbs/verbs.hpp"
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

bool asks_for_help(const std::string& argument) {
    return argument == "--help" || argument == "-h" || argument == "help";
}

const Verb& find_verb(const std::vector<Verb>& verbs, const std::string& name) {
    std::vector<std::string> names;
    for (const Verb& verb : verbs) {
        if (verb.name == name) return verb;
        names.push_back(verb.name);
    }
    const std::string near = nearest_name(name, names);
    throw Error::input(
        fmt::format("there is no command \"{}\": {}", name,
                    near.empty() ? "see thalweg --help" : fmt::format("did you mean {}?", near)));
}

}  // namespace

void run_program(const std::vector<std::string>& arguments) {
    const std::vector<Verb> verbs = all_verbs();
    if (arguments.empty()) return print(program_help(verbs));
    if (arguments[0] == "--version") return print(fmt::format("thalweg {}\n", kVersion));
    if (asks_for_help(arguments[0]))
        return print(arguments.size() > 1 ? verb_help(find_verb(verbs, arguments[1])) : program_help(verbs));

    const Verb& verb = find_verb(verbs, arguments[0]);
    const Given given = read_arguments(verb, {arguments.begin() + 1, arguments.end()});
    if (given.has("help")) return print(verb_help(verb));
    check_memory_to_start();
    verb.run(given);
}

}  // namespace thalweg::cli
