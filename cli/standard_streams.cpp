#include "cli/standard_streams.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/printable.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace thalweg::cli {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // bytes read or written at a time

/// Writes all of `text`, or returns false with errno set.
bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), std::min(text.size(), kPiece));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

void print(const std::string& text) {
    if (write_all(STDOUT_FILENO, text)) return;
    if (errno == EPIPE) throw ReaderGone{};
    throw Error::failure(fmt::format("standard output can't be written: {}", std::strerror(errno)));
}

void print_lines(const std::string& text) {
    print(printable_lines(text));
}

void tell(const std::string& line) {
    // Nobody is left to be told when standard error is gone.
    (void)write_all(STDERR_FILENO, printable(shortened(line)) + "\n");
}

std::string read_standard_input() {
    std::string text;
    std::vector<char> piece(kPiece);
    while (true) {
        const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0)
            throw Error::failure(fmt::format("standard input can't be read: {}", std::strerror(errno)));
        if (count == 0) return text;
        text.append(piece.data(), static_cast<std::size_t>(count));
    }
}

TemporaryFolder::TemporaryFolder() {
    std::error_code reason;
    const std::filesystem::path place = std::filesystem::temp_directory_path(reason);
    if (reason)
        throw Error::input(fmt::format("TMPDIR = {} is not allowed: give a folder for temporary files",
                                       std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp"));
    std::string pattern = (place / "thalweg-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
        throw Error::failure(
            fmt::format("no temporary folder can be made at {}: {}", pattern, std::strerror(errno)));
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void print_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) throw Error::failure(fmt::format("{} can't be read", path.string()));
    print(bytes);
}

}  // namespace thalweg::cli
