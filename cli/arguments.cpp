// The one file that includes CLI11: it takes seconds to compile.
#include "cli/arguments.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace thalweg::cli {
namespace {

constexpr const char* kHelp = "help";
constexpr int kMostOperands = 1 << 20;  // of one that is repeated

const Flag* find_flag(const std::vector<Flag>& flags, const std::string& name, FlagForm form) {
    for (const Flag& flag : flags)
        if (flag.name == name && flag.form == form) return &flag;
    return nullptr;
}

/// `argument` with hyphens for the underscores of a long flag's name.
std::string with_hyphens(std::string argument) {
    const auto end =
        argument.begin() + static_cast<std::ptrdiff_t>(std::min(argument.find('='), argument.size()));
    if (argument.starts_with("--")) std::replace(argument.begin(), end, '_', '-');
    return argument;
}

/// Whether a flag is among the arguments by that name.
bool is_typed(const std::vector<std::string>& arguments, const std::string& name) {
    return std::ranges::any_of(arguments, [&](const std::string& argument) {
        const std::string typed = with_hyphens(argument);
        return typed == "--" + name || typed.starts_with("--" + name + "=");
    });
}

void note_once(Given& given, const std::string& note) {
    if (std::ranges::find(given.notes, note) == given.notes.end()) given.notes.push_back(note);
}

/// `argument` by the present name of its flag.
std::string with_present_name(const std::vector<Flag>& flags, const std::vector<std::string>& arguments,
                              const std::string& argument, Given& given) {
    if (!argument.starts_with("--")) return argument;
    const std::string name = argument.substr(2, argument.find('=') - 2);
    std::string key = name;
    std::ranges::replace(key, '-', '_');
    for (const Flag& flag : flags) {
        if (flag.name == name || flag.parameter == nullptr || !flag.parameter->has_name(key)) continue;
        if (is_typed(arguments, flag.name))
            throw Error::input(fmt::format(
                "--{} is the former name of --{}, which is given too: give one of them", name, flag.name));
        note_once(given, fmt::format("--{} is called --{} now", name, flag.name));
        return "--" + flag.name + argument.substr(2 + name.size());
    }
    return argument;
}

/// The values of a flag by their present names.
void use_present_values(const Flag& flag, Given& given) {
    if (flag.parameter == nullptr) return;
    for (std::string& value : given.flags[flag.name]) {
        const std::string now = flag.parameter->present_choice(value);
        if (value == now) continue;
        note_once(given, fmt::format("--{} {} is called {} now", flag.name, value, now));
        value = now;
    }
}

/// Every spelling of a yes-no flag as `--name=true` or `--name=false`; a bare one must not take the operand
/// that follows it for its value.
std::vector<std::string> normalised(const std::vector<Flag>& flags, const std::vector<std::string>& arguments,
                                    Given& given) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--") {
            result.insert(result.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
            break;
        }
        const std::string argument = with_present_name(flags, arguments, with_hyphens(arguments[i]), given);
        const std::string name = argument.starts_with("--") ? argument.substr(2) : "";
        const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "";
        if (name.starts_with("no-") && find_flag(flags, name.substr(3), FlagForm::YesNo) != nullptr) {
            result.push_back(fmt::format("--{}=false", name.substr(3)));
        } else if (find_flag(flags, name, FlagForm::YesNo) == nullptr) {
            result.push_back(argument);
        } else if (next == "true" || next == "false") {
            result.push_back(fmt::format("{}={}", argument, next));
            ++i;
        } else {
            result.push_back(fmt::format("{}=true", argument));
        }
    }
    return result;
}

std::string spelling(const Flag& flag) {
    return flag.letter != 0 ? fmt::format("-{},--{}", flag.letter, flag.name) : "--" + flag.name;
}

[[noreturn]] void refuse_unknown(const Verb& verb, const std::vector<Flag>& flags, const std::string& typed) {
    const std::string name = typed.substr(0, typed.find('='));
    if (!name.starts_with("-")) {
        throw Error::input(fmt::format("{} takes {} and no \"{}\" (see thalweg {} --help)", verb.name,
                                       verb.operands.empty() ? "no operand" : "one operand at each place",
                                       typed, verb.name));
    }
    std::vector<std::string> known = {"--help"};
    for (const Flag& flag : flags) {
        known.push_back("--" + flag.name);
        if (flag.form == FlagForm::YesNo) known.push_back("--no-" + flag.name);
    }
    const std::string near = nearest_name(name, known);
    throw Error::input(fmt::format("{} has no flag {}: {}", verb.name, name,
                                   near.empty() ? fmt::format("see thalweg {} --help", verb.name)
                                                : fmt::format("did you mean {}?", near)));
}

void check_complete(const Verb& verb, const std::vector<Flag>& flags, const Given& given) {
    for (std::size_t place = given.operands.size(); place < verb.operands.size(); ++place) {
        const Operand& operand = verb.operands[place];
        if (operand.required)
            throw Error::input(fmt::format("{} needs {}: {}", verb.name, operand.name, operand.sentence));
    }
    for (const Flag& flag : flags)
        if (flag.required && !given.has(flag.name) && !given.has(flag.instead))
            throw Error::input(fmt::format("{} needs {}: {}", verb.name, spelling(flag), flag.sentence));
}

}  // namespace

Given read_arguments(const Verb& verb, const std::vector<std::string>& arguments) {
    const std::vector<Flag> flags = flags_of(verb);

    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    CLI::Option* help = app.add_flag("-h,--help");
    std::vector<CLI::Option*> flag_options;
    for (const Flag& flag : flags)
        flag_options.push_back(flag.form == FlagForm::Switch ? app.add_flag(spelling(flag))
                                                             : app.add_option(spelling(flag))->take_all());
    std::vector<CLI::Option*> operand_options;
    for (std::size_t place = 0; place < verb.operands.size(); ++place) {
        operand_options.push_back(app.add_option(fmt::format("operand{}", place)));
        if (verb.operands[place].repeated)
            operand_options.back()->expected(1, kMostOperands)->allow_extra_args();
    }

    Given given;
    std::vector<std::string> reversed = normalised(flags, arguments, given);
    std::reverse(reversed.begin(), reversed.end());
    try {
        app.parse(reversed);
    } catch (const CLI::ParseError&) {
        // All that can be wrong here is a flag at the end of the line.
        throw Error::input(fmt::format("{} is given without its value", arguments.back()));
    }

    if (help->count() > 0) given.flags[kHelp] = {};
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (flag_options[i]->count() > 0) {
            given.flags[flags[i].name] = flag_options[i]->results();
            use_present_values(flags[i], given);
        }
    for (const CLI::Option* option : operand_options)
        for (const std::string& operand : option->results()) given.operands.push_back(operand);
    if (given.has(kHelp)) return given;

    std::vector<std::string> unknown = app.remaining();
    std::erase(unknown, "--");  // all that follows it are operands
    const auto unknown_flag = std::find_if(unknown.begin(), unknown.end(), [](const std::string& text) {
        return text.size() > 1 && text.starts_with('-');
    });
    if (unknown_flag != unknown.end()) refuse_unknown(verb, flags, *unknown_flag);
    if (!unknown.empty()) refuse_unknown(verb, flags, unknown.front());
    check_complete(verb, flags, given);
    return given;
}

}  // namespace thalweg::cli
