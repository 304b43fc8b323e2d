// Runs the real program in a folder of its own.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/types.h>

namespace thalweg {

/// What a run of the program left: its exit code (negative: the signal that ended it) and what it wrote.
struct Ran {
    int exit_code = 0;
    std::string output;  // standard output
    std::string errors;  // standard error
};

/// How the program is started.
struct Surroundings {
    std::string input = {};         // standard input
    bool input_never_ends = false;  // a pipe on which nothing comes instead
    // Bytes, RLIMIT_FSIZE: writing more to a file fails like on a full disk.
    std::optional<std::uintmax_t> largest_file_size = {};
    // Bytes, RLIMIT_AS (`ulimit -v`): the program's libraries take about 220 MiB of it.
    std::optional<std::uintmax_t> largest_address_space = {};
    std::vector<std::pair<std::string, std::string>> environment = {};  // set besides what the test has
};

/// A test with an empty folder, in which the program runs.
class Program : public testing::Test {
  protected:
    Program();
    ~Program() override;

    /// Runs `thalweg ARGUMENTS...` to its end.
    [[nodiscard]] Ran run(const std::vector<std::string>& arguments,
                          const Surroundings& surroundings = {}) const;

    /// Starts it, and returns its process id.
    [[nodiscard]] pid_t start(const std::vector<std::string>& arguments,
                              const Surroundings& surroundings = {}) const;

    /// Waits for the end of a started program.
    [[nodiscard]] Ran wait_for(pid_t process) const;

    /// Waits until a started program has written `text` to standard error; false when that takes too long.
    [[nodiscard]] bool errors_show(const std::string& text, std::chrono::seconds longest) const;

    [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }
    void write(const std::string& name, const std::string& text) const;
    [[nodiscard]] std::string read(const std::string& name) const;

    /// Names of all files in the folder and below it, sorted.
    [[nodiscard]] std::vector<std::string> files() const;

    /// A raster of 32-bit floats without place and no-data tag: `name` and, beside it, its ENVI header.
    /// `values` fill it row by row, band by band.
    void write_bare_raster(const std::string& name, int columns, int rows, int bands,
                           const std::vector<float>& values) const;

    /// A small terrain raster with one valley to the south, a CRS, and a corner without data.
    void write_terrain(const std::string& name, int cells = 48) const;

  private:
    std::filesystem::path outer_;  // holds the folder and what the program said
    std::filesystem::path folder_;
};

/// A file of the real data, or nothing where it is absent.
std::optional<std::filesystem::path> real_data(const std::string& name);

}  // namespace thalweg
