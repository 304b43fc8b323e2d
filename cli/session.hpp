// Session: what every working verb shares: threads, shown progress, cancelling, and the report.
#pragma once

#include "thalweg/core/execution.hpp"
#include "thalweg/core/parameters.hpp"
#include "thalweg/project/report.hpp"

#include <memory>
#include <optional>

#include "cli/verb.hpp"

namespace thalweg::cli {

enum class ProgressMode { Auto, Plain, Json, None };

/// Flags that every working verb takes.
struct SessionSettings {
    int threads = 0;     // 0: one per core
    std::string report;  // file of the report, "-" for standard output, empty for none
    ProgressMode progress = ProgressMode::Auto;

    static void declare(Declaration<SessionSettings>& declaration);
};

/// The flags of SessionSettings under their title.
FlagGroup session_flags();

/// Work in progress on behalf of the command line. While it lives, Ctrl-C and SIGTERM cancel `progress()`,
/// and the thread works by `execution()`.
class Session {
  public:
    /// Throws Error::input for values that are not allowed.
    explicit Session(const Given& given);
    ~Session();

    Progress& progress() { return *progress_; }
    [[nodiscard]] Execution execution() const { return {progress_.get(), settings_.threads}; }

    /// Where the report goes: "-", a file, or empty.
    [[nodiscard]] const std::string& report_file() const { return settings_.report; }

    /// Whether there is a report, and so somebody who reads what it costs time to measure.
    [[nodiscard]] bool reports() const { return !settings_.report.empty(); }

    /// Ends the display of progress, then tells what a finished run did: its notes on standard error, the
    /// report where it was asked for, and the files it wrote on standard output (unless that carries a
    /// result).
    void conclude(RunReport report, bool standard_output_taken);

  private:
    SessionSettings settings_;
    std::unique_ptr<Progress> progress_;
    std::unique_ptr<CancelOnInterrupt> interrupt_;
    std::optional<ExecutionScope> scope_;
    std::vector<std::string> given_notes_;  // on names of earlier versions among the flags
};

}  // namespace thalweg::cli
