#include "cli/kept_memory.hpp"

#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace thalweg::cli {

#ifdef __GLIBC__

namespace {

bool is_limited(decltype(RLIMIT_AS) resource) {
    rlimit limit{};
    return ::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

void keep_all() {
    constexpr int kNever = -1;
    ::mallopt(M_MMAP_MAX, 0);
    ::mallopt(M_TRIM_THRESHOLD, kNever);
}

void keep_some() {
    constexpr int kLargestKept = 32 << 20;  // bytes of one block, the most that glibc takes
    constexpr int kMostKept = 1 << 30;      // bytes at the heap's end
    ::mallopt(M_MMAP_THRESHOLD, kLargestKept);
    ::mallopt(M_TRIM_THRESHOLD, kMostKept);
}

}  // namespace

void keep_freed_memory() {
    if (is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA)) {
        keep_some();
    } else {
        keep_all();
    }
    // Threads share the heap, or glibc sets 64 MiB of address space aside for each.
    if (is_limited(RLIMIT_AS)) ::mallopt(M_ARENA_MAX, 1);
}

#else

void keep_freed_memory() {
}

#endif

}  // namespace thalweg::cli
