#include "thalweg/project/toml_document.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace thalweg {
namespace {

FilePosition position_of(const toml::source_region& region) {
    return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

/// Turns the parser's nodes into entries; remembers the file's name for messages.
class Reader {
  public:
    explicit Reader(const std::string& file) : file_(file) {}

    [[nodiscard]] TomlTable table(const toml::table& node) const {
        TomlTable result;
        result.position = position_of(node.source());
        for (const auto& [key, value] : node)
            result.entries.push_back(entry(std::string(key.str()), position_of(key.source()), value));
        // The parser sorts keys by name; people read messages in the order of the file.
        std::ranges::stable_sort(result.entries, {}, [](const TomlEntry& e) {
            return std::pair(e.position.line, e.position.column);
        });
        return result;
    }

  private:
    [[nodiscard]] TomlEntry entry(std::string key, FilePosition position, const toml::node& node) const {
        TomlEntry result;
        result.key = std::move(key);
        result.position = position;
        if (const auto* inner = node.as_table()) {
            result.kind = TomlKind::Table;
            result.tables.push_back(table(*inner));
        } else if (const auto* list = node.as_array();
                   list != nullptr && !list->empty() && list->is_homogeneous(toml::node_type::table)) {
            result.kind = TomlKind::TableList;
            for (const toml::node& row : *list) result.tables.push_back(table(*row.as_table()));
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

TomlTable parse_toml(std::string_view text, const std::string& file) {
    try {
        return Reader(file).table(toml::parse(text));
    } catch (const toml::parse_error& error) {
        throw Error::input(place_text(file, position_of(error.source())) + std::string(error.description()));
    }
}

}  // namespace thalweg
