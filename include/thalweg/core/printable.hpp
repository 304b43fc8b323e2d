// Text that may hold anything, as it may be shown on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thalweg {

/// The longest that a sentence is shown.
inline constexpr std::size_t kLongestSentence = 2000;  // bytes

/// `text` in which nothing commands a terminal: control characters (C0, DEL, C1), those that turn the
/// direction of writing, and bytes that are no UTF-8 are shown as \xNN for each byte, line breaks and tabs as
/// a blank.
///
/// Example:
///     const std::string name = "\x1b[31mred";
///     std::fprintf(stderr, "there is no stage %s\n", printable(name).c_str());
std::string printable(std::string_view text);

/// `text` by printable(), line by line.
std::string printable_lines(std::string_view text);

/// `text` with its middle left out where it is longer than kLongestSentence: what it is about stands at its
/// beginning, what is allowed at its end.
std::string shortened(std::string text);

}  // namespace thalweg
