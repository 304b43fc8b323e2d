#include "cli/verb.hpp"

namespace thalweg::cli {

std::optional<std::string> Given::value(const std::string& flag) const {
    const auto found = flags.find(flag);
    if (found == flags.end() || found->second.empty()) return std::nullopt;
    return found->second.back();
}

const std::string& Given::required_value(const std::string& flag) const {
    return flags.at(flag).back();
}

std::vector<std::string> Given::values(const std::string& flag) const {
    const auto found = flags.find(flag);
    return found == flags.end() ? std::vector<std::string>() : found->second;
}

std::optional<std::string> Given::operand(std::size_t place) const {
    if (place >= operands.size()) return std::nullopt;
    return operands[place];
}

std::vector<Flag> flags_of(const Verb& verb) {
    std::vector<Flag> flags;
    for (const FlagGroup& group : verb.groups)
        flags.insert(flags.end(), group.flags.begin(), group.flags.end());
    return flags;
}

}  // namespace thalweg::cli
