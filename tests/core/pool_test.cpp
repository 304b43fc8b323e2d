#include "thalweg/core/pool.hpp"

#include "thalweg/core/parallel.hpp"

#include <atomic>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Pool, lends_one_thing_again_and_again_where_no_two_are_wanted_at_once) {
    Pool<int> pool;
    std::set<const int*> lent;
    for (int i = 0; i < 5; ++i) pool.with([&](int& thing) { lent.insert(&thing); });
    EXPECT_EQ(lent.size(), 1U);
    pool.with([&](int& outer) { pool.with([&](int& inner) { EXPECT_NE(&outer, &inner); }); });
}

TEST(Pool, lends_a_thing_to_one_task_at_a_time) {
    struct Guarded {
        std::atomic<int> holders = 0;
    };
    Pool<Guarded> pool;
    std::atomic<int> shared = 0;
    parallel_for(0, 10'000, 1, [&](std::int64_t, std::int64_t) {
        pool.with([&](Guarded& thing) {
            if (++thing.holders != 1) ++shared;
            --thing.holders;
        });
    });
    EXPECT_EQ(shared, 0);
}

TEST(Pool, goes_on_after_work_that_throws) {
    Pool<int> pool;
    EXPECT_THROW(pool.with([](int&) { throw std::runtime_error("no"); }), std::runtime_error);
    int calls = 0;
    pool.with([&](int&) { ++calls; });
    EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace thalweg
