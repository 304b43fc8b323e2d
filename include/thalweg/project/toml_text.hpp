// A TOML text, and the same text with one thing changed: all other bytes stay, comments too.
#pragma once

#include "thalweg/project/toml_document.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thalweg {

/// Keys of a new row with their values, as they are written.
using TomlRow = std::vector<std::pair<std::string, std::string>>;

/// A text, where everything in it lies, and what it is after an edit. Each function returns the whole new
/// text and takes tables and entries of root(). The lines of a table with a header, [a] or [[a]], begin with
/// the blank lines and the comments right above it, and end where those of the next table begin; they are
/// what is moved and removed with it. Throws Error::input for edits that a form of writing does not allow.
///
/// Example:
///     const TomlText text("[grid]\ncells = 256  # coarse\n", "range.toml");
///     const TomlTable& table = text.root().find("grid")->tables.front();
///     const std::string finer = text.with_value(*table.find("cells"), "512");  // keeps the comment
class TomlText {
  public:
    /// `file` names it in messages. Throws as parse_toml.
    TomlText(std::string text, std::string file);

    [[nodiscard]] const TomlTable& root() const { return root_; }
    [[nodiscard]] bool is_inline(const TomlTable& table) const { return first_letter(table) == '{'; }

    [[nodiscard]] std::string with_value(const TomlEntry& entry, const std::string& value) const;
    /// Writes the key behind the others of its table.
    [[nodiscard]] std::string with_key(const TomlTable& table, const std::string& key,
                                       const std::string& value) const;
    /// Removes a key with its value, or all rows of a list.
    [[nodiscard]] std::string without_key(const TomlTable& table, const TomlEntry& entry) const;
    /// The same with a table [name] of one key behind everything else.
    [[nodiscard]] std::string with_table(const std::string& name, const std::string& key,
                                         const std::string& value) const;

    /// Writes a row before row `at` of a list, or behind its last, with a blank line above it where the last
    /// has one.
    [[nodiscard]] std::string with_row(const TomlEntry& list, std::size_t at, const TomlRow& row) const;
    [[nodiscard]] std::string without_row(const TomlEntry& list, std::size_t row) const;
    /// Row `from` becomes row `to`.
    [[nodiscard]] std::string with_row_moved(const TomlEntry& list, std::size_t from, std::size_t to) const;
    /// The same with a list that is not there yet, by the name of its headers: "stage.strokes". Its table
    /// must have a header itself.
    [[nodiscard]] std::string with_list(const TomlTable& table, const std::string& name,
                                        const std::vector<TomlRow>& rows) const;

  private:
    [[nodiscard]] std::size_t offset(FilePosition position) const;
    [[nodiscard]] std::size_t begin_of(const TomlTable& table) const { return offset(table.span.begin); }
    [[nodiscard]] char first_letter(const TomlTable& table) const;
    void add_places(const TomlTable& table);
    void add_headers(const TomlTable& table, std::vector<std::size_t>& headers) const;
    [[nodiscard]] std::size_t line_begin(std::size_t at) const;
    [[nodiscard]] std::size_t next_line(std::size_t at) const;
    [[nodiscard]] std::size_t next_header(std::size_t at) const;
    [[nodiscard]] std::size_t end_of_keys(const TomlTable& table) const;
    [[nodiscard]] std::size_t last_value(std::size_t before) const;
    [[nodiscard]] std::size_t block_begin(std::size_t header) const;
    [[nodiscard]] std::size_t block_end(const TomlTable& table) const;
    [[nodiscard]] std::string with_text(std::size_t from, std::size_t to, std::string_view text) const;
    [[nodiscard]] std::string with_lines(std::size_t at, const std::string& lines) const;
    [[nodiscard]] std::string lines_of(const std::string& header, const TomlRow& row) const;

    std::string text_;
    std::string file_;
    std::string line_break_;          // as the text has it
    std::vector<std::size_t> lines_;  // where each begins
    TomlTable root_;
    std::vector<std::size_t> headers_;     // where each begins, in order
    std::vector<std::size_t> value_ends_;  // in order
};

}  // namespace thalweg
