// A folder for one test, gone with all it holds at its end.
#pragma once

#include "thalweg/core/error.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace thalweg {

class TemporaryFolder {
  public:
    TemporaryFolder() {
        static int count = 0;
        path_ = std::filesystem::temp_directory_path() / fmt::format("thalweg-io-{}-{}", ::getpid(), count++);
        std::filesystem::create_directories(path_);
    }
    ~TemporaryFolder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Writes a text and returns its path.
    [[nodiscard]] std::filesystem::path text(const std::string& name, const std::string& content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
        return path_ / name;
    }

    /// How many files lie in the folder, hidden ones included.
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
    }

  private:
    std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The Error that `action` throws; a test failure when it throws none.
template <class Action>
Error error_of(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return error;
    }
    ADD_FAILURE() << "no Error was thrown";
    return Error::failure("none");
}

/// Expects Error::input with one sentence that holds `part` and the path, and nothing on the screen.
template <class Action>
void expect_refused(const Action& action, const std::string& name, const std::string& part) {
    testing::internal::CaptureStderr();
    const Error error = error_of(action);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    const std::string sentence = error.what();
    EXPECT_EQ(error.exit_code(), 2) << sentence;
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(name), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("/vsimem"), std::string::npos) << sentence;
}

}  // namespace thalweg
