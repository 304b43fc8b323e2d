#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#if THALWEG_PARALLEL_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace thalweg {
namespace {

std::atomic<int> requested_threads{0};

int core_count() {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

void set_thread_count(int threads) {
    requested_threads.store(std::max(0, threads));
}

int thread_count() {
    const int requested = requested_threads.load();
    return requested > 0 ? requested : core_count();
}

#if THALWEG_PARALLEL_TBB

void parallel_blocks(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
    const int threads = thread_count();
    if (threads == 1 || blocks < 2) {
        for (std::int64_t block = 0; block < blocks; ++block) body(block);
        return;
    }
    // More threads than cores are allowed (tests compare 1, 2 and 8), so the global limit is raised with the
    // arena's.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
    tbb::task_arena arena(threads);
    arena.execute([&] { tbb::parallel_for(std::int64_t{0}, blocks, body, tbb::simple_partitioner()); });
}

#else

void parallel_blocks(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
    const int threads = static_cast<int>(std::min<std::int64_t>(thread_count(), blocks));
    if (threads <= 1) {
        for (std::int64_t block = 0; block < blocks; ++block) body(block);
        return;
    }
    std::atomic<std::int64_t> next{0};
    std::exception_ptr first_error;
    std::mutex error_mutex;
    const auto work = [&] {
        try {
            for (std::int64_t block = next++; block < blocks; block = next++) body(block);
        } catch (...) {
            next.store(blocks);
            const std::lock_guard<std::mutex> lock(error_mutex);
            if (!first_error) first_error = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> crew;
        for (int i = 1; i < threads; ++i) crew.emplace_back(work);
        work();
    }
    if (first_error) std::rethrow_exception(first_error);
}

#endif

}  // namespace thalweg
