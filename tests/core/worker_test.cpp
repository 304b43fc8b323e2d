#include "thalweg/core/worker.hpp"

#include "thalweg/core/parallel.hpp"

#include <atomic>
#include <cstdint>
#include <future>
#include <thread>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Worker, runs_beside_the_program_on_a_thread_of_its_own) {
    std::promise<std::thread::id> told;
    std::promise<void> released;
    const Worker worker([&] {
        told.set_value(std::this_thread::get_id());
        released.get_future().wait();
    });
    EXPECT_NE(told.get_future().get(), std::this_thread::get_id());
    released.set_value();
}

TEST(Worker, is_waited_for_with_the_parallel_work_that_its_thread_has_started) {
    std::atomic<std::int64_t> sum = 0;
    {
        const Worker one([&] { parallel_for(0, 1000, 1, [&](std::int64_t i, std::int64_t) { sum += i; }); });
        const Worker other(
            [&] { parallel_for(0, 1000, 1, [&](std::int64_t i, std::int64_t) { sum += i; }); });
    }
    EXPECT_EQ(sum, 999 * 1000);
}

}  // namespace
}  // namespace thalweg
