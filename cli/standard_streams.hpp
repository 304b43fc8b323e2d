// Standard input and output, as results and as stand-ins for files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace thalweg::cli {

/// What stands for standard input or output where a file's name is expected.
inline constexpr const char* kStandardStream = "-";

/// Thrown when whoever read standard output has stopped, as `head` does: no one is left to be told.
struct ReaderGone {};

/// Writes `text` to standard output. Throws ReaderGone, or Error::failure when it can't be written.
void print(const std::string& text);

/// Writes text for people, with nothing in it that commands a terminal. Throws as print does.
void print_lines(const std::string& text);

/// Writes one line to standard error, of bounded length and with nothing in it that commands a terminal.
void print_message(const std::string& line);

/// The same for each of several notes, with "note: " before it.
void print_notes(const std::vector<std::string>& notes);

/// Copies all of standard input to a new file. Throws Error.
void save_standard_input(const std::filesystem::path& path);

/// A folder of its own under the system's temporary one, removed with all it holds at the end.
class TemporaryFolder {
  public:
    /// Throws Error::failure when it can't be made.
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// Copies a file's bytes to standard output. Throws as print does.
void print_file(const std::filesystem::path& path);

}  // namespace thalweg::cli
