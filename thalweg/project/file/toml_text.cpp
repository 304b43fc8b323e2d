#include "thalweg/project/toml_text.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool continues_letter(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;  // of UTF-8
}

std::string inline_row(const TomlRow& row) {
    std::vector<std::string> parts;
    for (const auto& [key, value] : row) parts.push_back(fmt::format("{} = {}", key, value));
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

}  // namespace

TomlText::TomlText(std::string text, std::string file)
    : text_(std::move(text)), file_(std::move(file)), root_(parse_toml(text_, file_)) {
    line_break_ = text_.find("\r\n") == std::string::npos ? "\n" : "\r\n";
    lines_ = {text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0};
    for (std::size_t i = 0; i < text_.size(); ++i)
        if (text_[i] == '\n') lines_.push_back(i + 1);
    add_places(root_);
    std::ranges::sort(headers_);
    std::ranges::sort(value_ends_);
}

void TomlText::add_places(const TomlTable& table) {
    for (const TomlEntry& entry : table.entries) {
        if (entry.kind == TomlKind::Plain) value_ends_.push_back(offset(entry.span.end));
        for (const TomlTable& inner : entry.tables) {
            if (first_letter(inner) == '[') headers_.push_back(begin_of(inner));
            if (is_inline(inner)) value_ends_.push_back(offset(entry.span.end));
            add_places(inner);
        }
    }
}

std::size_t TomlText::offset(FilePosition position) const {
    std::size_t at = lines_.at(static_cast<std::size_t>(position.line) - 1);
    for (int column = 1; column < position.column; ++column) {
        ++at;
        while (at < text_.size() && continues_letter(text_[at])) ++at;
    }
    return std::min(at, text_.size());
}

char TomlText::first_letter(const TomlTable& table) const {
    return text_.at(begin_of(table));
}

void TomlText::add_headers(const TomlTable& table, std::vector<std::size_t>& headers) const {
    if (first_letter(table) == '[') headers.push_back(begin_of(table));
    for (const TomlEntry& entry : table.entries)
        for (const TomlTable& inner : entry.tables) add_headers(inner, headers);
}

std::size_t TomlText::line_begin(std::size_t at) const {
    return *std::prev(std::ranges::upper_bound(lines_, at));
}

std::size_t TomlText::next_line(std::size_t at) const {
    const auto next = std::ranges::upper_bound(lines_, at);
    return next == lines_.end() ? text_.size() : *next;
}

std::size_t TomlText::next_header(std::size_t at) const {
    const auto next = std::ranges::upper_bound(headers_, at);
    return next == headers_.end() ? text_.size() : *next;
}

/// Behind the last value that ends at `before` or earlier; 0 for none.
std::size_t TomlText::last_value(std::size_t before) const {
    const auto next = std::ranges::upper_bound(value_ends_, before);
    return next == value_ends_.begin() ? 0 : *std::prev(next);
}

/// Where another key of a table with a header can be written: behind the line of its last one.
std::size_t TomlText::end_of_keys(const TomlTable& table) const {
    const std::size_t last = last_value(next_header(begin_of(table)));
    return next_line(std::max(last, offset(table.span.end)));
}

/// Where the blank lines and comments above a header begin.
std::size_t TomlText::block_begin(std::size_t header) const {
    const std::size_t value = last_value(header);
    const std::size_t least = value == 0 ? lines_.front() : next_line(value);
    auto line = std::prev(std::ranges::upper_bound(lines_, header));
    const auto follows_one_with = [&](char letter) {
        return *line > least && text_[text_.find_first_not_of(" \t\r", *std::prev(line))] == letter;
    };
    while (follows_one_with('#')) --line;
    while (follows_one_with('\n')) --line;
    return *line;
}

/// Where the lines of a table with a header end, those of the tables in it included.
std::size_t TomlText::block_end(const TomlTable& table) const {
    std::vector<std::size_t> own;
    add_headers(table, own);
    std::ranges::sort(own);
    std::size_t next = begin_of(table);
    while (std::ranges::binary_search(own, next)) next = next_header(next);
    if (own.back() > next)
        throw Error::input(place_text(file_, table.span.begin) +
                           "the tables of this one do not stand together: move them behind it");
    return next == text_.size() ? next : block_begin(next);
}

std::string TomlText::with_text(std::size_t from, std::size_t to, std::string_view text) const {
    return fmt::format("{}{}{}", std::string_view(text_).substr(0, from), text,
                       std::string_view(text_).substr(to));
}

/// The same with whole lines before the one that begins at `at`.
std::string TomlText::with_lines(std::size_t at, const std::string& lines) const {
    const bool is_open = at > 0 && text_[at - 1] != '\n';  // the last line has no end
    return with_text(at, at, (is_open ? line_break_ : "") + lines);
}

std::string TomlText::lines_of(const std::string& header, const TomlRow& row) const {
    std::string lines = header + line_break_;
    for (const auto& [key, value] : row) lines += fmt::format("{} = {}{}", key, value, line_break_);
    return lines;
}

std::string TomlText::with_value(const TomlEntry& entry, const std::string& value) const {
    return with_text(offset(entry.span.begin), offset(entry.span.end), value);
}

std::string TomlText::with_key(const TomlTable& table, const std::string& key,
                               const std::string& value) const {
    const std::string written = fmt::format("{} = {}", key, value);
    if (first_letter(table) == '[') return with_lines(end_of_keys(table), written + line_break_);
    if (!is_inline(table))
        throw Error::input(
            fmt::format("{}{} can't be added to a table that is written with dots: give it a "
                        "header in brackets",
                        place_text(file_, table.span.begin), key));
    if (table.entries.empty()) return with_text(begin_of(table), offset(table.span.end), "{" + written + "}");
    const std::size_t last = last_value(offset(table.span.end) - 1);
    return with_text(last, last, ", " + written);
}

std::string TomlText::without_key(const TomlTable& table, const TomlEntry& entry) const {
    if (entry.kind == TomlKind::TableList && !is_inline(entry.tables.front())) {
        std::string rest;
        std::size_t done = 0;
        for (const TomlTable& row : entry.tables) {
            rest += text_.substr(done, block_begin(begin_of(row)) - done);
            done = block_end(row);
        }
        return rest + text_.substr(done);
    }
    const std::size_t key = offset(entry.position);
    const std::size_t end = offset(entry.span.end);
    if (!is_inline(table)) return with_text(line_begin(key), next_line(end), "");
    const auto number = static_cast<std::size_t>(&entry - table.entries.data());
    if (number > 0) return with_text(offset(table.entries[number - 1].span.end), end, "");
    return with_text(key, table.entries.size() == 1 ? end : offset(table.entries[1].position), "");
}

std::string TomlText::with_table(const std::string& name, const std::string& key,
                                 const std::string& value) const {
    return with_lines(text_.size(), line_break_ + lines_of(fmt::format("[{}]", name), {{key, value}}));
}

std::string TomlText::with_row(const TomlEntry& list, std::size_t at, const TomlRow& row) const {
    const TomlTable& first = list.tables.front();
    const TomlTable& last = list.tables.back();
    if (is_inline(first)) {
        const std::size_t end = offset(last.span.end);
        if (at >= list.tables.size()) return with_text(end, end, ", " + inline_row(row));
        const std::size_t begin = begin_of(list.tables[at]);
        return with_text(begin, begin, inline_row(row) + ", ");
    }
    const std::string header = text_.substr(begin_of(first), offset(first.span.end) - begin_of(first));
    const std::size_t begin =
        at < list.tables.size() ? block_begin(begin_of(list.tables[at])) : block_end(last);
    const bool is_apart = text_.compare(block_begin(begin_of(last)), line_break_.size(), line_break_) == 0;
    return with_lines(begin, (is_apart ? line_break_ : "") + lines_of(header, row));
}

std::string TomlText::without_row(const TomlEntry& list, std::size_t row) const {
    const TomlTable& table = list.tables.at(row);
    if (!is_inline(table)) return with_text(block_begin(begin_of(table)), block_end(table), "");
    const std::size_t end = offset(table.span.end);
    if (row > 0) return with_text(offset(list.tables[row - 1].span.end), end, "");
    return with_text(begin_of(table), list.tables.size() == 1 ? end : begin_of(list.tables[1]), "");
}

std::string TomlText::with_row_moved(const TomlEntry& list, std::size_t from, std::size_t to) const {
    const auto place = [&](std::size_t row) {
        const TomlTable& table = list.tables.at(row);
        return is_inline(table) ? std::pair(begin_of(table), offset(table.span.end))
                                : std::pair(block_begin(begin_of(table)), block_end(table));
    };
    std::vector<std::size_t> order(list.tables.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);

    // Write each row's text where the row stands whose number it gets; what lies between rows stays.
    std::string moved;
    std::size_t done = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto [begin, end] = place(i);
        const auto [row_begin, row_end] = place(order[i]);
        moved += text_.substr(done, begin - done);
        if (!moved.empty() && begin > 0 && text_[begin - 1] == '\n' && moved.back() != '\n')
            moved += line_break_;
        moved += text_.substr(row_begin, row_end - row_begin);
        done = end;
    }
    if (done < text_.size() && text_[done - 1] == '\n' && moved.back() != '\n') moved += line_break_;
    return moved + text_.substr(done);
}

std::string TomlText::with_list(const TomlTable& table, const std::string& name,
                                const std::vector<TomlRow>& rows) const {
    if (first_letter(table) != '[')
        throw Error::input(fmt::format("{}{} can't be added to a table without a header in brackets",
                                       place_text(file_, table.span.begin), name));
    std::string lines;
    for (const TomlRow& row : rows) lines += lines_of(fmt::format("[[{}]]", name), row);
    return with_lines(block_end(table), lines);
}

}  // namespace thalweg
