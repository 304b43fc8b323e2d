#include "thalweg/core/execution.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Execution, leaves_what_it_does_not_give_as_it_is_around_it) {
    QuietProgress progress;
    const ExecutionScope around({.progress = &progress, .threads = 3});
    {
        const ExecutionScope on_five_threads({.threads = 5});
        EXPECT_EQ(thread_count(), 5);
        EXPECT_EQ(current_execution().progress, &progress);
        const ExecutionScope nothing({});
        EXPECT_EQ(thread_count(), 5);
    }
    EXPECT_EQ(thread_count(), 3);
}

TEST(Execution, reaches_all_threads_of_parallel_work_and_work_inside_it) {
    QuietProgress progress;
    const ExecutionScope scope({.progress = &progress, .threads = 3});
    std::atomic<int> others{0};
    parallel_blocks(64, [&](std::int64_t) {
        parallel_blocks(4, [&](std::int64_t) {
            std::this_thread::sleep_for(std::chrono::microseconds(100));  // for other threads to join in
            if (thread_count() != 3 || current_execution().progress != &progress) ++others;
        });
    });
    EXPECT_EQ(others.load(), 0);
}

/// The most blocks of a run on `threads` that were at work at a time, beside another such run.
int most_at_work(int threads, std::latch& both) {
    const ExecutionScope scope({.threads = threads});
    both.arrive_and_wait();
    std::mutex mutex;
    int at_work = 0;
    int most = 0;
    const auto add = [&](int change) {
        const std::lock_guard lock(mutex);
        at_work += change;
        most = std::max(most, at_work);
    };
    parallel_blocks(500, [&](std::int64_t) {
        add(1);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        add(-1);
    });
    return most;
}

TEST(Execution, lets_two_runs_at_a_time_use_different_numbers_of_threads) {
    std::latch both(2);
    auto one = std::async(std::launch::async, [&] { return most_at_work(1, both); });
    auto four = std::async(std::launch::async, [&] { return most_at_work(4, both); });
    EXPECT_EQ(one.get(), 1);
    const int at_work = four.get();
    EXPECT_GT(at_work, 1);
    EXPECT_LE(at_work, 4);
}

TEST(Execution, lets_one_of_two_runs_on_threads_of_their_own_be_cancelled) {
    QuietProgress cancelled;
    QuietProgress other;
    std::latch both(2);
    const auto run = [&](Progress& progress, int threads) {
        const ExecutionScope scope({.progress = &progress, .threads = threads});
        both.arrive_and_wait();
        std::atomic<int> blocks{0};
        try {
            parallel_blocks(500, [&](std::int64_t) {
                if (++blocks == 20) cancelled.cancel();
                std::this_thread::sleep_for(std::chrono::microseconds(100));
            });
        } catch (const Cancelled&) {
            return -1;
        }
        return blocks.load();
    };
    auto first = std::async(std::launch::async, [&] { return run(cancelled, 2); });
    auto second = std::async(std::launch::async, [&] { return run(other, 3); });
    EXPECT_EQ(first.get(), -1);
    EXPECT_EQ(second.get(), 500);
}

}  // namespace
}  // namespace thalweg
