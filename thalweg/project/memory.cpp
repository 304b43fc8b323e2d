#include "thalweg/project/memory.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace thalweg {
namespace {

constexpr std::int64_t kBytesPerKibibyte = 1024;

/// The number after `key` in a file of lines "key:   1234 kB", in bytes; 0 when it is not there.
std::int64_t kibibytes_after(const char* file, const std::string& key) {
    std::ifstream stream(file);
    std::string word;
    while (stream >> word) {
        std::int64_t kibibytes = 0;
        if (word == key && stream >> kibibytes) return kibibytes * kBytesPerKibibyte;
    }
    return 0;
}

/// The number that a file consists of; -1 when it is missing or holds a word ("max").
std::int64_t number_in(const std::string& file) {
    std::ifstream stream(file);
    std::int64_t number = -1;
    return stream >> number ? number : -1;
}

/// What a control group leaves of its limit; -1 without a limit. Version 2 of control groups, then version 1.
std::int64_t left_in_control_group() {
    struct Names {
        const char* limit;
        const char* used;
    };
    for (const Names& names : {Names{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
                               Names{"/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                     "/sys/fs/cgroup/memory/memory.usage_in_bytes"}}) {
        const std::int64_t limit = number_in(names.limit);
        const std::int64_t used = number_in(names.used);
        if (limit >= 0 && used >= 0) return std::max<std::int64_t>(0, limit - used);
    }
    return -1;
}

}  // namespace

std::int64_t available_memory_bytes() {
    const std::int64_t machine = kibibytes_after("/proc/meminfo", "MemAvailable:");
    const std::int64_t group = left_in_control_group();
    if (machine <= 0) return std::max<std::int64_t>(0, group);
    return group < 0 ? machine : std::min(machine, group);
}

std::int64_t peak_memory_bytes() {
    return kibibytes_after("/proc/self/status", "VmHWM:");
}

}  // namespace thalweg
