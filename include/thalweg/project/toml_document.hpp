// TOML text as plain data in file order, every key with its place.
#pragma once

#include "thalweg/core/parameters.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

/// A place in a text file, both counted from 1; line 0 means none.
struct FilePosition {
    int line = 0;
    int column = 0;
};

/// What lies between two places, without the letter at `end`.
struct FileSpan {
    FilePosition begin;
    FilePosition end;
};

/// "file:line:column: ", the beginning of a message.
std::string place_text(const std::string& file, FilePosition position);

struct TomlEntry;

/// A table: its keys with what they hold, in the order of the file.
struct TomlTable {
    FileSpan span;  // of its header, [a] or [[a]], or from { to }; for a.b = 1 of the key
    std::vector<TomlEntry> entries;

    [[nodiscard]] const TomlEntry* find(std::string_view key) const;
};

/// What a key holds: a value, one table, or a list of tables.
enum class TomlKind { Plain, Table, TableList };

/// A key with what it holds: a value, one table, or a list of tables.
struct TomlEntry {
    std::string key;
    FilePosition position;  // of the key
    FileSpan span;          // of the value; a column is a letter of Unicode
    TomlKind kind = TomlKind::Plain;
    Value value;                    // for Plain
    std::vector<TomlTable> tables;  // for Table (exactly one) and TableList
};

/// How much a TOML text holds, counted letter by letter, before it is parsed.
struct TextSize {
    std::int64_t bytes = 0;
    std::int64_t rows = 0;    // of lists of tables, "[["
    std::int64_t keys = 0;    // "="
    std::int64_t values = 0;  // of keys and in lists

    /// Counts a piece of text; "[[" is in one piece.
    void add(std::string_view text);
};

/// Parses a TOML text; `file` names it in messages. Throws Error::input with the place for broken TOML, and
/// for what no parameter takes: dates, lists other than of numbers alone, texts alone or tables alone, keys
/// of more than 16 parts ("a.b.c"), and tables more than 8 deep in one another.
///
/// Example:
///     const TomlTable root = parse_toml("[grid]\ncells = 256\n", "range.toml");
///     const TomlTable& table = root.find("grid")->tables.front();
///     const Value& cells = table.find("cells")->value;  // std::int64_t{256}
TomlTable parse_toml(std::string_view text, const std::string& file);

}  // namespace thalweg
