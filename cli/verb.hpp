// Verb: one command of the program as plain data, from which arguments are read and help is written.
#pragma once

#include "thalweg/core/parameters.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thalweg::cli {

/// How a flag is given.
enum class FlagForm {
    Value,     // --name VALUE; where it is given twice the last one counts
    Repeated,  // --name VALUE, any number of times
    Switch,    // --name
    YesNo      // --name, --no-name, --name true, --name false
};

/// One flag of a verb. Underscores in a typed name count as hyphens, so `--min_area` is `--min-area`.
struct Flag {
    std::string name;  // without dashes, with hyphens
    FlagForm form = FlagForm::Value;
    std::string value = "";   // what its value is called in the help; empty for Switch and YesNo
    std::string sentence;     // what it does
    std::string limits = "";  // unit, default and allowed values
    char letter = 0;          // its short spelling, 0 for none
    bool required = false;
    const Parameter* parameter = nullptr;  // that it sets, which knows names of earlier versions; may be null
    std::string instead = "";              // of a required one: a flag that may be given in its place
};

/// Flags under a common title in the help.
struct FlagGroup {
    std::string title;
    std::vector<Flag> flags;
};

/// An argument that is known by its place.
struct Operand {
    std::string name;  // as in the usage line, for example "DEM"
    std::string sentence;
    bool required = true;
    bool repeated = false;  // whether more may follow; of the last one alone
};

/// Words that the help explains, under a common title.
struct WordGroup {
    std::string title;
    std::vector<std::pair<std::string, std::string>> words = {};  // with what each means
};

/// What a person typed behind a verb.
struct Given {
    std::map<std::string, std::vector<std::string>> flags;  // values by name, in the order typed
    std::vector<std::string> operands;
    std::vector<std::string> notes = {};  // on names of earlier versions among them

    [[nodiscard]] bool has(const std::string& flag) const { return flags.contains(flag); }
    /// The last value of a flag, or nothing.
    [[nodiscard]] std::optional<std::string> value(const std::string& flag) const;
    /// The last value of a flag that is required, so that read_arguments found it.
    [[nodiscard]] const std::string& required_value(const std::string& flag) const;
    /// All values of a flag.
    [[nodiscard]] std::vector<std::string> values(const std::string& flag) const;
    /// The operand at a place, or nothing.
    [[nodiscard]] std::optional<std::string> operand(std::size_t place) const;
    /// The operand at a place where one is required.
    [[nodiscard]] const std::string& required_operand(std::size_t place) const { return operands.at(place); }
};

/// One command: `thalweg NAME ...`.
struct Verb {
    std::string name;
    std::string summary;           // one sentence
    std::string description = "";  // paragraphs for the help, may be empty
    std::vector<Operand> operands = {};
    std::vector<FlagGroup> groups = {};
    std::vector<WordGroup> words = {};
    std::function<void(const Given&)> run;
};

/// Every flag of a verb, over all groups.
std::vector<Flag> flags_of(const Verb& verb);

}  // namespace thalweg::cli
