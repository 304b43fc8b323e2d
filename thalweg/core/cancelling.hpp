// How work that is given no Progress is cancelled with the work around it.
#pragma once

#include "thalweg/core/progress.hpp"

namespace thalweg {

/// While one lives, this thread answers to `progress`: once that is cancelled, poll_cancelled() throws
/// Cancelled here and in parallel work that starts here, and parallel_blocks calls it before each block. Room
/// `io` polls so, and the runner makes one, so that nothing that a run does is deaf. They nest; the innermost
/// one counts. Engines called without one are cancelled by the Progress that they are given alone.
class AnswersTo {
  public:
    explicit AnswersTo(const Progress* progress);
    explicit AnswersTo(const Progress& progress) : AnswersTo(&progress) {}
    AnswersTo(const AnswersTo&) = delete;
    AnswersTo& operator=(const AnswersTo&) = delete;
    ~AnswersTo();

  private:
    const Progress* before_;
};

/// What this thread answers to; nullptr where it answers to nothing.
const Progress* answered_progress();

/// Whether what this thread answers to was cancelled.
bool is_cancelled();

/// Throws Cancelled where is_cancelled().
void poll_cancelled();

}  // namespace thalweg
