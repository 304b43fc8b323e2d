// Progresses that cancel the work that tells them of itself, and check what they are told.
#pragma once

#include "thalweg/core/progress.hpp"

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace thalweg {

/// Expects fractions that rise from 0 to at most 1.
class CheckedProgress : public Progress {
  protected:
    void show(double fraction, std::string_view phase) override {
        EXPECT_GE(fraction, last_) << phase;
        EXPECT_LE(fraction, 1.0);
        last_ = fraction;
    }

  private:
    double last_ = 0.0;
};

/// Cancels itself when it has been asked often enough.
class ImpatientProgress final : public CheckedProgress {
  public:
    explicit ImpatientProgress(int patience) : patience_(patience) {}
    [[nodiscard]] bool cancelled() const noexcept override { return --patience_ < 0; }

  private:
    mutable std::atomic<int> patience_;
};

/// Cancels itself once the work has come to `phrase`.
class CancelAt final : public CheckedProgress {
  public:
    explicit CancelAt(std::string phrase) : phrase_(std::move(phrase)) {}

  protected:
    void show(double fraction, std::string_view phrase) override {
        CheckedProgress::show(fraction, phrase);
        if (phrase.find(phrase_) != std::string_view::npos) cancel();
    }

  private:
    std::string phrase_;
};

}  // namespace thalweg
