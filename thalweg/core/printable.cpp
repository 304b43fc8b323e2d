#include "thalweg/core/printable.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// One character of UTF-8 (RFC 3629), or a byte that is none.
struct Character {
    std::size_t bytes = 1;
    char32_t code = 0;
    bool is_valid = false;
};

bool continues(unsigned char byte) {
    return (byte & 0xC0U) == 0x80U;
}

Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80U) return {.bytes = 1, .code = first, .is_valid = true};
    const std::size_t bytes = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
    if (first < 0xC2U || first > 0xF4U || text.size() < bytes) return {};
    char32_t code = first & (0xFFU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if (!continues(byte(i))) return {};
        code = code << 6U | (byte(i) & 0x3FU);
    }
    const bool is_overlong = (bytes == 3 && code < 0x800U) || (bytes == 4 && code < 0x10000U);
    const bool is_surrogate = code >= 0xD800U && code <= 0xDFFFU;
    if (is_overlong || is_surrogate || code > 0x10FFFFU) return {};
    return {.bytes = bytes, .code = code, .is_valid = true};
}

/// Whether a terminal, or a reader, may be misled by it (Unicode 15: categories Cc, Zl, Zp, and the marks,
/// embeddings, overrides and isolates of bidirectional text).
bool is_command(char32_t code) {
    return code < 0x20U || (code >= 0x7FU && code <= 0x9FU) || code == 0x061CU || code == 0x200EU ||
           code == 0x200FU || (code >= 0x2028U && code <= 0x202EU) || (code >= 0x2066U && code <= 0x2069U);
}

bool is_blank(char32_t code) {
    return code == '\n' || code == '\r' || code == '\t';
}

}  // namespace

std::string printable(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        const Character character = first_character(text);
        const std::string_view bytes = text.substr(0, character.bytes);
        if (character.is_valid && is_blank(character.code)) {
            shown += ' ';
        } else if (character.is_valid && !is_command(character.code)) {
            shown += bytes;
        } else {
            for (const char byte : bytes) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        }
        text.remove_prefix(character.bytes);
    }
    return shown;
}

std::string printable_lines(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        shown += printable(text.substr(0, end));
        if (end < text.size()) shown += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return shown;
}

std::string shortened(std::string text) {
    constexpr std::string_view kLeftOut = " [...] ";
    constexpr std::size_t kTail = kLongestSentence / 4;
    if (text.size() <= kLongestSentence) return text;
    std::size_t head = kLongestSentence - kTail - kLeftOut.size();
    std::size_t tail = text.size() - kTail;
    while (head > 0 && continues(static_cast<unsigned char>(text[head]))) --head;
    while (tail < text.size() && continues(static_cast<unsigned char>(text[tail]))) ++tail;
    return text.substr(0, head).append(kLeftOut).append(text, tail);
}

}  // namespace thalweg
