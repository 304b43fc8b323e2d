#include "thalweg/core/cancelling.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/parallel.hpp"

#include <atomic>
#include <exception>
#include <numeric>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Cancelling, polls_nothing_on_a_thread_that_answers_to_nothing) {
    EXPECT_FALSE(is_cancelled());
    EXPECT_NO_THROW(poll_cancelled());
    EXPECT_EQ(current_execution().progress, nullptr);
}

TEST(Cancelling, throws_once_the_innermost_progress_is_cancelled) {
    QuietProgress outer;
    QuietProgress inner;
    const ExecutionScope answers({.progress = &outer});
    outer.cancel();
    EXPECT_THROW(poll_cancelled(), Cancelled);
    {
        const ExecutionScope answers_inside({.progress = &inner});
        EXPECT_NO_THROW(poll_cancelled());
    }
    EXPECT_TRUE(is_cancelled());
}

TEST(Cancelling, is_caught_by_code_that_knows_standard_exceptions_alone) {
    QuietProgress progress;
    progress.cancel();
    EXPECT_THROW(progress.poll(), std::exception);
}

TEST(Cancelling, stops_parallel_work_on_any_number_of_threads_before_its_next_block) {
    constexpr std::int64_t kBlocks = 100000;
    for (const int threads : {1, 2, 8}) {
        QuietProgress progress;
        const ExecutionScope answers({.progress = &progress, .threads = threads});
        std::atomic<std::int64_t> run{0};
        EXPECT_THROW(parallel_blocks(kBlocks,
                                     [&](std::int64_t) {
                                         if (++run == 10) progress.cancel();
                                     }),
                     Cancelled);
        EXPECT_LT(run.load(), 10 + 8) << threads << " threads";
    }
}

TEST(Cancelling, stops_parallel_work_inside_parallel_work) {
    QuietProgress progress;
    const ExecutionScope answers({.progress = &progress, .threads = 4});
    std::atomic<std::int64_t> run{0};
    const auto outer = [&](std::int64_t) {
        parallel_blocks(1000, [&](std::int64_t) {
            if (++run == 10) progress.cancel();
        });
    };
    EXPECT_THROW(parallel_blocks(1000, outer), Cancelled);
    EXPECT_LT(run.load(), 10 + 4);
}

TEST(Cancelling, leaves_parallel_work_alone_that_was_started_without_it) {
    QuietProgress progress;
    progress.cancel();
    std::atomic<std::int64_t> run{0};
    EXPECT_NO_THROW(parallel_blocks(100, [&](std::int64_t) { ++run; }));
    EXPECT_EQ(run.load(), 100);
}

TEST(PolledCopy, holds_the_same_values_and_can_be_cancelled_in_the_middle) {
    std::vector<int> values((1 << 22) + 5);
    std::iota(values.begin(), values.end(), 0);
    EXPECT_EQ(polled_copy(values), values);
    EXPECT_TRUE(polled_copy(std::vector<int>{}).empty());
    ImpatientProgress second_piece(1);
    const ExecutionScope answers({.progress = &second_piece});
    EXPECT_THROW(polled_copy(values), Cancelled);
}

}  // namespace
}  // namespace thalweg
