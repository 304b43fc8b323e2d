#include "cli/standard_streams.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/printable.hpp"
#include "thalweg/io/files.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace thalweg::cli {
namespace {

/// Writes all of `text`, or returns false with errno set; in pieces that a pipe which is ready takes at once.
bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        wait_until_ready(descriptor, POLLOUT);
        const ssize_t written =
            ::write(descriptor, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
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

void print_message(const std::string& line) {
    QuietProgress nobody;  // why work was cancelled is told too
    const ExecutionScope scope({.progress = &nobody});
    // Nobody is left to be told when standard error is gone.
    (void)write_all(STDERR_FILENO, printable(shortened(line)) + "\n");
}

void print_notes(const std::vector<std::string>& notes) {
    for (const std::string& note : notes) print_message("note: " + note);
}

void save_standard_input(const std::filesystem::path& path) {
    std::ofstream file(path, std::ios::binary);
    read_pieces(STDIN_FILENO, "standard input", [&](std::span<const std::byte> piece) {
        file.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
        if (!file)
            throw Error::failure(fmt::format("{} can't be written: {}", path.string(), std::strerror(errno)));
    });
    file.close();
    if (!file)
        throw Error::failure(fmt::format("{} can't be written: {}", path.string(), std::strerror(errno)));
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
    read_pieces(path, [](std::span<const std::byte> piece) {
        print({reinterpret_cast<const char*>(piece.data()), piece.size()});
    });
}

}  // namespace thalweg::cli
