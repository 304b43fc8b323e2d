#include "thalweg/core/vector_lanes.hpp"

#include <algorithm>
#include <atomic>

namespace thalweg {
namespace {

constexpr int kWidest = 16;

std::atomic<int> lane_limit{kWidest};

int lanes_of_processor() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return 16;
    if (__builtin_cpu_supports("avx2")) return 8;
#endif
    return 4;
}

}  // namespace

int vector_lanes() {
    static const int lanes = lanes_of_processor();
    return std::min(lanes, lane_limit.load());
}

void limit_vector_lanes(int lanes) {
    lane_limit.store(lanes > 0 ? lanes : kWidest);
}

}  // namespace thalweg
