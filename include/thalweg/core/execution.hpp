// How work is run: who is told of it and may cancel it, and on how many threads.
#pragma once

#include "thalweg/core/progress.hpp"

namespace thalweg {

/// What a run is given besides its input. Results never depend on it. What is left out is that of the run
/// around it; the outermost one then tells nobody, and has a thread for each core.
struct Execution {
    Progress* progress = nullptr;  // is told how far the work is, and cancels it
    int threads = 0;               // on which the work runs, at most; 0: left out
};

/// While one lives, this thread works by `execution`, and so does parallel work that starts here: it keeps to
/// those threads, and once that progress is cancelled, poll_cancelled() (cancelling.hpp) throws Cancelled,
/// which parallel_blocks calls before each block and room `io` now and then. The runner makes one, so that
/// nothing that a run does is deaf, and runs in one process do not meddle with each other. They nest. Engines
/// called without one are cancelled by the Progress that they are given alone.
///
/// Example:
///     const ExecutionScope scope({.progress = &progress, .threads = 4});
///     // engines that are called here run on 4 threads at most, and end when `progress` is cancelled
class ExecutionScope {
  public:
    explicit ExecutionScope(const Execution& execution);
    ExecutionScope(const ExecutionScope&) = delete;
    ExecutionScope& operator=(const ExecutionScope&) = delete;
    ~ExecutionScope();

  private:
    Execution before_;
};

/// What this thread works by.
const Execution& current_execution();

}  // namespace thalweg
