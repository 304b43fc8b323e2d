#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/point_table.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string text_of_file(const fs::path& path) {
    if (fs::is_directory(path))
        throw Error::input(fmt::format("{} is a folder: give a .csv file", path.string()));
    if (!fs::exists(path)) throw Error::input(fmt::format("{} does not exist", path.string()));
    std::string text;
    read_pieces(path, [&](std::span<const std::byte> piece) {
        text.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
    return text;
}

/// Without blanks, tabs, carriage returns and quotes around it.
std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kAround = " \t\r\"";
    const std::size_t first = text.find_first_not_of(kAround);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kAround) - first + 1);
}

/// Takes what stands before the first `mark` off `text`, with the mark.
std::string_view taken_off(std::string_view& text, char mark) {
    const std::size_t end = std::min(text.find(mark), text.size());
    const std::string_view head = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return head;
}

void split(std::string_view line, std::vector<std::string_view>& cells) {
    cells.clear();
    for (;;) {
        const bool is_last = line.find(',') == std::string_view::npos;
        cells.push_back(trimmed(taken_off(line, ',')));
        if (is_last) return;
    }
}

/// Where each of the names stands in the first line.
std::vector<std::size_t> places_of(const std::vector<std::string>& names,
                                   const std::vector<std::string_view>& header, const fs::path& path) {
    std::vector<std::size_t> places;
    for (const std::string& name : names) {
        const auto found = std::ranges::find(header, name);
        if (found == header.end())
            throw Error::input(fmt::format("{} has the columns {:.200}: a first line with {} is needed",
                                           path.string(), fmt::format("{}", fmt::join(header, ",")),
                                           fmt::join(names, ",")));
        places.push_back(static_cast<std::size_t>(found - header.begin()));
    }
    return places;
}

double number_of(std::string_view cell, const fs::path& path, std::int64_t line, const std::string& name) {
    if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
    double number = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (error != std::errc{} || end != cell.data() + cell.size())
        throw Error::input(
            fmt::format("{}: line {} has {} = \"{:.40}\": give a number", path.string(), line, name, cell));
    return number;
}

}  // namespace

PointTable read_points(const fs::path& path, const std::string& x, const std::string& y,
                       const std::vector<std::string>& columns) {
    constexpr std::int64_t kLinesPerPoll = 4096;
    std::vector<std::string> names = {x, y};
    names.insert(names.end(), columns.begin(), columns.end());
    const std::string text = text_of_file(path);
    std::string_view rest = text;
    if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
    std::vector<std::string_view> cells;
    split(taken_off(rest, '\n'), cells);
    const std::vector<std::size_t> places = places_of(names, cells, path);
    PointTable table;
    for (const std::string& name : columns) table.columns.push_back({.name = name});
    std::vector<double> numbers(names.size());
    for (std::int64_t line = 2; !rest.empty(); ++line) {
        if (line % kLinesPerPoll == 0) poll_cancelled();
        const std::string_view row = taken_off(rest, '\n');
        if (trimmed(row).empty()) continue;
        split(row, cells);
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (places[i] >= cells.size())
                throw Error::input(fmt::format("{}: line {} has {} values, too few for {}", path.string(),
                                               line, cells.size(), names[i]));
            numbers[i] = number_of(cells[places[i]], path, line, names[i]);
        }
        table.points.push_back({.x = numbers[0], .y = numbers[1], .z = 0.0});
        for (std::size_t i = 0; i < columns.size(); ++i) table.columns[i].values.push_back(numbers[i + 2]);
    }
    return table;
}

}  // namespace thalweg
