#include "cli/help.hpp"

#include "thalweg/core/version.hpp"

#include <sstream>

#include <fmt/format.h>

namespace thalweg::cli {
namespace {

constexpr std::size_t kWidth = 100;      // characters to a line
constexpr std::size_t kTextColumn = 34;  // where sentences begin

/// `text` in lines of at most kWidth characters, the first of which starts at `column` already, all others
/// indented to it. Line breaks in `text` stay.
std::string wrapped(const std::string& text, std::size_t column) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!result.empty()) result += fmt::format("\n{:{}}", "", line.empty() ? 0 : column);
        std::size_t used = column;
        std::istringstream words(line);
        bool first = true;
        for (std::string word; words >> word; first = false) {
            if (!first && used + 1 + word.size() > kWidth) {
                result += fmt::format("\n{:{}}", "", column);
                used = column;
            } else if (!first) {
                result += ' ';
                ++used;
            }
            result += word;
            used += word.size();
        }
    }
    return result;
}

/// A name on the left, its text on the right, or below where the name is too long.
std::string entry(const std::string& name, const std::string& text) {
    const std::string left = fmt::format("  {}", name);
    const bool fits = left.size() + 2 <= kTextColumn;
    const std::string gap =
        fits ? fmt::format("{:{}}", "", kTextColumn - left.size()) : fmt::format("\n{:{}}", "", kTextColumn);
    return left + gap + wrapped(text, kTextColumn) + "\n";
}

std::string flag_spelling(const Flag& flag) {
    const std::string letter = flag.letter != 0 ? fmt::format("-{}, ", flag.letter) : "";
    const std::string name = flag.form == FlagForm::YesNo ? "--[no-]" + flag.name : "--" + flag.name;
    return letter + name + (flag.value.empty() ? "" : " " + flag.value);
}

std::string flag_entry(const Flag& flag) {
    const std::string limits = flag.limits.empty() ? "" : "\n(" + flag.limits + ")";
    return entry(flag_spelling(flag), flag.sentence + limits);
}

std::string usage(const Verb& verb) {
    std::string line = "thalweg " + verb.name;
    for (const Operand& operand : verb.operands)
        line += (operand.required ? " " + operand.name : " [" + operand.name + "]") +
                (operand.repeated ? "..." : "");
    for (const Flag& flag : flags_of(verb))
        if (flag.required)
            line += fmt::format(
                " {} {}", flag.letter != 0 ? fmt::format("-{}", flag.letter) : "--" + flag.name, flag.value);
    return line + " [flags]";
}

}  // namespace

std::string program_help(const std::vector<Verb>& verbs) {
    std::string text =
        fmt::format("thalweg {}: grows river landscapes\n\nUsage: thalweg COMMAND ...\n\n", kVersion);
    text += "Commands\n";
    for (const Verb& verb : verbs) text += entry(verb.name, verb.summary);
    return text +
           "\nthalweg COMMAND --help tells everything about one command.\n"
           "Exit codes: 0 done, 1 failed, 2 wrong usage or input, 3 cancelled.\n";
}

std::string verb_help(const Verb& verb) {
    std::string text = fmt::format("{}\n\nUsage: {}\n", wrapped(verb.summary, 0), usage(verb));
    if (!verb.description.empty()) text += fmt::format("\n{}\n", wrapped(verb.description, 0));
    if (!verb.operands.empty()) text += "\n";
    for (const Operand& operand : verb.operands) text += entry(operand.name, operand.sentence);
    for (const FlagGroup& group : verb.groups) {
        if (group.flags.empty()) continue;
        text += fmt::format("\n{}\n", group.title);
        for (const Flag& flag : group.flags) text += flag_entry(flag);
    }
    for (const WordGroup& group : verb.words) {
        text += fmt::format("\n{}\n", group.title);
        for (const auto& [word, meaning] : group.words) text += entry(word, meaning);
    }
    return text;
}

}  // namespace thalweg::cli
