// The one exception type of the library, and how it maps to exit codes.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

/// What went wrong: something the caller gave (exit code 2), or something that failed while working (exit
/// code 1).
enum class ErrorKind { Input, Failure };

/// An error with one clear sentence that names the parameter or file, the value met, and what is allowed.
class Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

    /// The caller gave something that is not allowed: wrong usage, a broken file, a value out of range.
    static Error input(const std::string& message) { return {ErrorKind::Input, message}; }

    /// The work itself failed: the disk is full, a library reported an error.
    static Error failure(const std::string& message) { return {ErrorKind::Failure, message}; }

    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

    /// Process exit code: 2 for wrong input or usage, 1 for a failure.
    [[nodiscard]] int exit_code() const noexcept { return kind_ == ErrorKind::Input ? 2 : 1; }

  private:
    ErrorKind kind_;
};

/// The name among `candidates` nearest to `name`, dashes before them aside; empty when more than a third of
/// its letters would have to change, and it is neither the beginning nor a word of one.
///
/// Example:
///     const std::vector<std::string> stages = {"noise", "erode", "flow"};
///     throw Error::input("there is no stage 'erod': did you mean '" + nearest_name("erod", stages) + "'?");
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace thalweg
