#include "thalweg/core/parallel.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <latch>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#if THALWEG_PARALLEL_TBB
#include <map>
#include <memory>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace thalweg {
namespace {

int core_count() {
    static const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return cores;
}

/// Runs blocks until one throws. Then it skips those behind that one, but still runs those before it, so that
/// the exception kept is that of the lowest block that throws, as in a loop on one thread.
class GuardedBody {
  public:
    explicit GuardedBody(const std::function<void(std::int64_t)>& body) : body_(body) {}

    void operator()(std::int64_t block) {
        if (block > lowest_failed_.load(std::memory_order_relaxed)) return;
        try {
            const ExecutionScope caller(execution_);
            poll_cancelled();
            body_(block);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(mutex_);
            if (block > lowest_failed_.load(std::memory_order_relaxed)) return;
            lowest_failed_.store(block, std::memory_order_relaxed);
            error_ = std::current_exception();
        }
    }

    /// To be called once all blocks have ended.
    void throw_what_was_caught() const {
        if (error_) std::rethrow_exception(error_);
    }

  private:
    const std::function<void(std::int64_t)>& body_;
    const Execution execution_ = current_execution();  // of the calling thread
    std::atomic<std::int64_t> lowest_failed_{std::numeric_limits<std::int64_t>::max()};
    std::mutex mutex_;
    std::exception_ptr error_;
};

#if THALWEG_PARALLEL_TBB

/// One arena for each number of threads, made at its first use: making one takes longer than small work.
class Arenas {
  public:
    tbb::task_arena& of(int threads) {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::unique_ptr<tbb::task_arena>& arena = arenas_[threads];
        if (!arena) {
            raise_limit(threads);
            arena = std::make_unique<tbb::task_arena>(threads);
        }
        return *arena;
    }

  private:
    /// More threads than cores are allowed (tests compare 1, 2 and 8). Of several limits oneTBB takes the
    /// least, so there is one, and it only grows; the arena's own size keeps work to fewer threads.
    void raise_limit(int threads) {
        if (threads <= limit_) return;
        control_.reset();
        control_ = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                         static_cast<std::size_t>(threads));
        limit_ = threads;
    }

    std::mutex mutex_;
    std::map<int, std::unique_ptr<tbb::task_arena>> arenas_;
    std::unique_ptr<tbb::global_control> control_;
    int limit_ = core_count();
};

void run_on_threads(int threads, std::int64_t blocks, GuardedBody& body) {
    static Arenas arenas;
    const auto all_blocks = [&] {
        tbb::parallel_for(
            std::int64_t{0}, blocks, [&](std::int64_t block) { body(block); }, tbb::simple_partitioner());
    };
    // Isolated, so that a body that waits for its own inner call is not made to run another outer block.
    arenas.of(threads).execute([&] { tbb::this_task_arena::isolate(all_blocks); });
}

#else

void run_on_threads(int threads, std::int64_t blocks, GuardedBody& body) {
    std::atomic<std::int64_t> next{0};
    const auto work = [&] {
        for (std::int64_t block = next++; block < blocks; block = next++) body(block);
    };
    std::vector<std::jthread> crew;
    for (std::int64_t i = 1; i < std::min<std::int64_t>(threads, blocks); ++i) crew.emplace_back(work);
    work();
}

#endif

}  // namespace

int thread_count() {
    const int threads = current_execution().threads;
    return threads > 0 ? threads : core_count();
}

void parallel_blocks(std::int64_t blocks, const std::function<void(std::int64_t)>& body) {
    const int threads = thread_count();
    if (threads == 1 || blocks < 2) {
        for (std::int64_t block = 0; block < blocks; ++block) {
            poll_cancelled();
            body(block);
        }
        return;
    }
    GuardedBody guarded(body);
    run_on_threads(threads, blocks, guarded);
    guarded.throw_what_was_caught();
}

int startable_threads(int wanted) {
    if (wanted <= 1) return 1;
    std::latch told(1);  // all live at the same time
    std::vector<std::jthread> crew;
    try {
        for (int i = 0; i < wanted; ++i) crew.emplace_back([&] { told.wait(); });
    } catch (const std::system_error&) {
        wanted = 1;
    }
    told.count_down();
    return wanted;
}

}  // namespace thalweg
