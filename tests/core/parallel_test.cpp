#include "thalweg/core/parallel.hpp"

#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

class Parallel : public ::testing::TestWithParam<int> {
  protected:
    ExecutionScope on_threads_{{.threads = GetParam()}};
};

INSTANTIATE_TEST_SUITE_P(Threads, Parallel, ::testing::Values(1, 2, 8));

TEST_P(Parallel, every_block_runs_exactly_once) {
    std::vector<std::atomic<int>> runs(1000);
    parallel_blocks(1000, [&](std::int64_t block) { ++runs[static_cast<std::size_t>(block)]; });
    for (const std::atomic<int>& count : runs) EXPECT_EQ(count.load(), 1);
}

TEST_P(Parallel, what_is_gathered_stands_in_the_order_of_the_range) {
    const auto add_odd_ones_twice = [](std::int64_t i, std::vector<int>& found) {
        if (i % 2 != 0) found.insert(found.end(), 2, static_cast<int>(i));
    };
    EXPECT_EQ(parallel_gather<int>(4, 12, 3, add_odd_ones_twice),
              (std::vector<int>{5, 5, 7, 7, 9, 9, 11, 11}));
    EXPECT_TRUE(parallel_gather<int>(4, 4, 3, add_odd_ones_twice).empty());
}

TEST_P(Parallel, pieces_depend_on_the_range_alone) {
    std::mutex mutex;
    std::set<std::pair<std::int64_t, std::int64_t>> pieces;
    parallel_for(5, 48, 10, [&](std::int64_t first, std::int64_t last) {
        const std::lock_guard<std::mutex> lock(mutex);
        pieces.emplace(first, last);
    });
    const std::set<std::pair<std::int64_t, std::int64_t>> expected = {
        {5, 15}, {15, 25}, {25, 35}, {35, 45}, {45, 48}};
    EXPECT_EQ(pieces, expected);
}

TEST_P(Parallel, an_empty_range_runs_nothing) {
    parallel_for(3, 3, 4, [](std::int64_t, std::int64_t) { FAIL(); });
    parallel_for(3, 1, 4, [](std::int64_t, std::int64_t) { FAIL(); });
    EXPECT_EQ(parallel_reduce(0, 0, 8, 42, [](std::int64_t, std::int64_t) { return 0; }, std::plus<>()), 42);
}

TEST_P(Parallel, an_exception_in_a_body_reaches_the_caller) {
    const auto work = [](std::int64_t block) {
        if (block == 17) throw std::runtime_error("block 17");
    };
    EXPECT_THROW(parallel_blocks(100, work), std::runtime_error);
    // The backend is fit for use afterwards.
    std::atomic<int> runs{0};
    parallel_blocks(100, [&](std::int64_t) { ++runs; });
    EXPECT_EQ(runs.load(), 100);
}

TEST_P(Parallel, lowest_block_that_throws_wins) {
    for (int run = 0; run < 20; ++run) {
        std::string thrown;
        try {
            parallel_blocks(64, [](std::int64_t block) {
                // The lower of the two takes longer to fail.
                if (block == 9) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                if (block == 9 || block == 40) throw std::runtime_error(std::to_string(block));
            });
        } catch (const std::runtime_error& error) {
            thrown = error.what();
        }
        EXPECT_EQ(thrown, "9");
    }
}

TEST_P(Parallel, every_block_before_the_one_that_throws_runs) {
    std::vector<std::atomic<int>> runs(200);
    const auto work = [&](std::int64_t block) {
        ++runs[static_cast<std::size_t>(block)];
        if (block == 150) throw std::runtime_error("block 150");
    };
    EXPECT_THROW(parallel_blocks(200, work), std::runtime_error);
    for (std::size_t block = 0; block <= 150; ++block) EXPECT_EQ(runs[block].load(), 1) << block;
}

TEST_P(Parallel, cancelled_passes_through) {
    QuietProgress progress;
    const auto work = [&](std::int64_t first, std::int64_t) {
        if (first == 30) progress.cancel();
        progress.poll();
    };
    EXPECT_THROW(parallel_for(0, 100, 10, work), Cancelled);
}

TEST_P(Parallel, calls_may_be_nested) {
    std::vector<std::atomic<int>> runs(32 * 50);
    parallel_for(0, 32, 1, [&](std::int64_t outer, std::int64_t) {
        parallel_for(0, 50, 3, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t inner = first; inner < last; ++inner)
                ++runs[static_cast<std::size_t>(outer * 50 + inner)];
        });
    });
    for (const std::atomic<int>& count : runs) EXPECT_EQ(count.load(), 1);
}

TEST_P(Parallel, body_waiting_for_an_inner_call_runs_no_other_outer_block) {
    std::atomic<int> entered_twice{0};
    parallel_blocks(64, [&](std::int64_t) {
        thread_local bool busy = false;
        if (busy) ++entered_twice;
        busy = true;
        parallel_blocks(4, [](std::int64_t) { std::this_thread::sleep_for(std::chrono::microseconds(200)); });
        busy = false;
    });
    EXPECT_EQ(entered_twice.load(), 0);
}

TEST_P(Parallel, range_shorter_than_the_grain_runs_on_the_calling_thread) {
    std::thread::id runner;
    parallel_for(7, 16, 10, [&](std::int64_t first, std::int64_t last) {
        runner = std::this_thread::get_id();
        EXPECT_EQ(first, 7);
        EXPECT_EQ(last, 16);
    });
    EXPECT_EQ(runner, std::this_thread::get_id());
}

TEST_P(Parallel, reduction_keeps_the_order_of_the_pieces) {
    const auto letters = [](std::int64_t first, std::int64_t last) {
        std::string text;
        for (std::int64_t i = first; i < last; ++i) text += static_cast<char>('a' + i);
        return text;
    };
    const auto concatenated = [](const std::string& a, const std::string& b) { return a + b; };
    EXPECT_EQ(parallel_reduce(3, 26, 4, std::string(), letters, concatenated), "defghijklmnopqrstuvwxyz");
}

#ifndef NDEBUG
TEST(ParallelForDeathTest, stops_at_a_grain_of_zero) {
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_DEATH(parallel_for(0, 10, 0, [](std::int64_t, std::int64_t) {}), "grain > 0");
}
#endif

double harmonic_sum() {
    const auto part = [](std::int64_t first, std::int64_t last) {
        double sum = 0.0;
        for (std::int64_t i = first; i < last; ++i) sum += 1.0 / static_cast<double>(i + 1);
        return sum;
    };
    return parallel_reduce(0, 100000, 777, 0.0, part, std::plus<>());
}

TEST(ParallelReduce, of_floating_point_numbers_has_the_same_bits_on_any_number_of_threads) {
    std::vector<double> sums;
    for (const int threads : {1, 2, 3, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        for (int run = 0; run < 5; ++run) sums.push_back(harmonic_sum());
    }
    for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
    EXPECT_NEAR(sums[0], std::log(100000.0) + 0.57721566 + 0.5e-5, 1e-6);
}

TEST(ThreadCount, is_one_for_each_core_where_nobody_gives_another) {
    EXPECT_EQ(thread_count(), std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    const ExecutionScope on_five_threads({.threads = 5});
    EXPECT_EQ(thread_count(), 5);
}

TEST(ParallelBlocks, really_uses_several_threads) {
    const ExecutionScope on_four_threads({.threads = 4});
    std::mutex mutex;
    std::condition_variable arrival;
    std::set<std::thread::id> seen;
    // Each of two blocks waits for the other: a busy machine may take its time to start a thread.
    parallel_blocks(2, [&](std::int64_t) {
        std::unique_lock<std::mutex> lock(mutex);
        seen.insert(std::this_thread::get_id());
        arrival.notify_all();
        arrival.wait_for(lock, std::chrono::seconds(20), [&] { return seen.size() > 1; });
    });
    EXPECT_GT(seen.size(), 1U);
}

TEST(ParallelFind, gives_the_lowest_that_holds_or_the_end) {
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        EXPECT_EQ(parallel_find(5, 1000, 7, [](std::int64_t i) { return i % 300 == 299; }), 299);
        EXPECT_EQ(parallel_find(5, 1000, 7, [](std::int64_t i) { return i < 5; }), 1000);
        EXPECT_EQ(parallel_find(5, 5, 7, [](std::int64_t) { return true; }), 5);
        for (std::int64_t lowest = 3; lowest < 400; lowest += 31)
            EXPECT_EQ(parallel_find(3, 400, 150, [&](std::int64_t i) { return i >= lowest && i % 2 == 1; }),
                      lowest + (lowest + 1) % 2);
    }
}

}  // namespace
}  // namespace thalweg
