#include "thalweg/project/toml_document.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace thalweg {
namespace {

constexpr int kMostKeyParts = 16;  // of a dotted key; no key of a project has more than 2
constexpr int kDeepestTable = 8;   // tables in tables; no project has more than 3

FilePosition position_of(const toml::source_position& place) {
    return {static_cast<int>(place.line), static_cast<int>(place.column)};
}

FileSpan span_of(const toml::source_region& region) {
    return {position_of(region.begin), position_of(region.end)};
}

FilePosition position_in(std::string_view text, std::size_t at) {
    const std::string_view before = text.substr(0, at);
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
    return {static_cast<int>(std::ranges::count(before, '\n')) + 1, static_cast<int>(at - line_start) + 1};
}

/// Behind the text in quotes that begins at `at`; behind its line when it isn't closed there.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string three(3, quote);
    const bool many_lines = text.substr(at, 3) == three;
    for (std::size_t i = at + (many_lines ? 3 : 1); i < text.size(); ++i) {
        if (text[i] == '\\' && quote == '"') {
            ++i;
        } else if (!many_lines && (text[i] == quote || text[i] == '\n')) {
            return i + 1;
        } else if (many_lines && text.substr(i, 3) == three) {
            // Up to two quotes of the text itself may stand before the three that close it.
            std::size_t end = i + 3;
            while (end < text.size() && end < i + 5 && text[end] == quote) ++end;
            return end;
        }
    }
    return text.size();
}

/// Behind the comment, the text in quotes or the single letter that begins at `at`.
std::size_t end_of_token(std::string_view text, std::size_t at) {
    if (text[at] == '#') return std::min(text.find('\n', at), text.size());
    if (text[at] == '"' || text[at] == '\'') return end_of_quoted(text, at);
    return at + 1;
}

/// Refuses dotted keys of very many parts: the parser makes a table in a table of every part, however many,
/// and runs out of stack when it frees them.
void check_dotted_keys(std::string_view text, const std::string& file) {
    int parts = 1;
    for (std::size_t at = 0; at < text.size(); at = end_of_token(text, at)) {
        if (text[at] == '.') ++parts;
        if (std::string_view("[]{}=,\n").find(text[at]) != std::string_view::npos) parts = 1;
        if (parts > kMostKeyParts)
            throw Error::input(fmt::format("{}a key of more than {} parts is not allowed: write it in tables",
                                           place_text(file, position_in(text, at)), kMostKeyParts));
    }
}

/// Turns the parser's nodes into entries; remembers the file's name for messages.
class Reader {
  public:
    explicit Reader(const std::string& file) : file_(file) {}

    [[nodiscard]] TomlTable table(const toml::table& node, int depth = 0) const {
        TomlTable result;
        result.span = span_of(node.source());
        for (const auto& [key, value] : node) {
            const FilePosition position = position_of(key.source().begin);
            if (depth > kDeepestTable)
                throw Error::input(
                    fmt::format("{}{} is not allowed here: tables lie at most {} deep in one another",
                                place_text(file_, position), key.str(), kDeepestTable));
            result.entries.push_back(entry(std::string(key.str()), position, value, depth));
        }
        // The parser sorts keys by name; people read messages in the order of the file.
        std::ranges::stable_sort(result.entries, {}, [](const TomlEntry& e) {
            return std::pair(e.position.line, e.position.column);
        });
        return result;
    }

  private:
    [[nodiscard]] TomlEntry entry(std::string key, FilePosition position, const toml::node& node,
                                  int depth) const {
        TomlEntry result;
        result.key = std::move(key);
        result.position = position;
        result.span = span_of(node.source());
        if (const auto* inner = node.as_table()) {
            result.kind = TomlKind::Table;
            result.tables.push_back(table(*inner, depth + 1));
        } else if (const auto* list = node.as_array();
                   list != nullptr && !list->empty() && list->is_homogeneous(toml::node_type::table)) {
            result.kind = TomlKind::TableList;
            for (const toml::node& row : *list) result.tables.push_back(table(*row.as_table(), depth + 1));
        } else if (list != nullptr) {
            result.value = list_value(result, *list);
        } else {
            result.value = scalar_value(result, node);
        }
        return result;
    }

    [[nodiscard]] Value scalar_value(const TomlEntry& place, const toml::node& node) const {
        if (const auto* flag = node.as_boolean()) return flag->get();
        if (const auto* whole = node.as_integer()) return whole->get();
        if (const auto* number = node.as_floating_point()) return number->get();
        if (const auto* text = node.as_string()) return text->get();
        throw Error::input(fmt::format("{}{} is a date or time: no parameter takes one",
                                       place_text(file_, place.position), place.key));
    }

    [[nodiscard]] Value list_value(const TomlEntry& place, const toml::array& list) const {
        if (!list.empty() && list.is_homogeneous(toml::node_type::string)) {
            std::vector<std::string> texts;
            for (const toml::node& node : list) texts.push_back(node.as_string()->get());
            return texts;
        }
        std::vector<double> numbers;
        for (const toml::node& node : list) {
            if (!node.is_number())
                throw Error::input(fmt::format(
                    "{}{} is not allowed: a list holds numbers alone, texts alone or tables alone",
                    place_text(file_, place.position), place.key));
            numbers.push_back(*node.value<double>());
        }
        return numbers;
    }

    const std::string& file_;
};

}  // namespace

std::string place_text(const std::string& file, FilePosition position) {
    if (position.line == 0) return file + ": ";
    return fmt::format("{}:{}:{}: ", file, position.line, position.column);
}

const TomlEntry* TomlTable::find(std::string_view key) const {
    for (const TomlEntry& entry : entries)
        if (entry.key == key) return &entry;
    return nullptr;
}

void TextSize::add(std::string_view text) {
    bytes += std::ssize(text);
    const auto assigned = std::ranges::count(text, '=');
    keys += assigned;
    values += assigned + std::ranges::count(text, ',');
    for (std::size_t at = text.find("[["); at != std::string_view::npos; at = text.find("[[", at + 2)) ++rows;
}

TomlTable parse_toml(std::string_view text, const std::string& file) {
    check_dotted_keys(text, file);
    try {
        return Reader(file).table(toml::parse(text));
    } catch (const toml::parse_error& error) {
        throw Error::input(place_text(file, position_of(error.source().begin)) +
                           std::string(error.description()));
    }
}

}  // namespace thalweg
