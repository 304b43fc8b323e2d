// How long work goes on between two polls.
#pragma once

#include "thalweg/core/progress.hpp"

#include <algorithm>
#include <ctime>
#include <thread>

namespace thalweg {

/// Measures the processor time of its own thread from poll to poll: what else the machine does does not
/// count.
class PollWatch final : public Progress {
  public:
    [[nodiscard]] bool cancelled() const noexcept override {
        if (std::this_thread::get_id() == owner_) {
            longest_ = std::max(longest_, processor_time() - last_);
            last_ = processor_time();
            ++polls_;
        }
        return Progress::cancelled();
    }

    [[nodiscard]] double longest() const { return longest_; }  // s
    [[nodiscard]] int polls() const { return polls_; }

  protected:
    void show(double, std::string_view) override {}

  private:
    static double processor_time() {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    std::thread::id owner_ = std::this_thread::get_id();
    mutable double last_ = processor_time();
    mutable double longest_ = 0.0;
    mutable int polls_ = 0;
};

}  // namespace thalweg
