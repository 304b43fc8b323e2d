#include "thalweg/project/memory.hpp"

#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include <sys/resource.h>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kBytesPerKibibyte = 1024;
constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

/// The number behind `key` in a file of lines "key 1234 ..."; -1 when it is not there.
std::int64_t number_after(const fs::path& file, const std::string& key) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string word;
        std::int64_t number = -1;
        if (words >> word && word == key && words >> number) return number;
    }
    return -1;
}

/// The same in kB, as bytes.
std::int64_t kibibytes_after(const fs::path& file, const std::string& key) {
    const std::int64_t kibibytes = number_after(file, key);
    return kibibytes < 0 ? -1 : kibibytes * kBytesPerKibibyte;
}

/// The number that a file consists of; -1 when it is missing or holds a word ("max").
std::int64_t number_in(const fs::path& file) {
    std::ifstream stream(file);
    std::int64_t number = -1;
    return stream >> number ? number : -1;
}

/// The files of one version of control groups.
struct GroupFiles {
    const char* limit;
    const char* used;
    const char* droppable;  // key in memory.stat: file cache that the kernel takes back first
};
constexpr GroupFiles kVersion1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr GroupFiles kVersion2 = {"memory.max", "memory.current", "inactive_file"};

std::int64_t left_in_group(const fs::path& folder, const GroupFiles& files) {
    const std::int64_t limit = number_in(folder / files.limit);
    const std::int64_t used = number_in(folder / files.used);
    if (limit < 0 || used < 0) return kUnlimited;
    const std::int64_t droppable =
        std::max<std::int64_t>(0, number_after(folder / "memory.stat", files.droppable));
    return std::max<std::int64_t>(0, limit - std::max<std::int64_t>(0, used - droppable));
}

/// What the group at `path` below `root` and all above it leave.
std::int64_t left_in_groups(const fs::path& root, const fs::path& path, const GroupFiles& files) {
    std::int64_t left = left_in_group(root, files);
    for (fs::path group = path.lexically_normal().relative_path(); !group.empty();
         group = group.parent_path())
        left = std::min(left, left_in_group(root / group, files));
    return left;
}

/// What the process's control groups leave, by its lines "number:controllers:path" (cgroups(7)).
std::int64_t left_in_control_groups(const MemoryFiles& files) {
    std::ifstream memberships(files.processes / "self" / "cgroup");
    std::int64_t left = kUnlimited;
    std::string number;
    std::string controllers;
    std::string path;
    while (std::getline(memberships, number, ':') && std::getline(memberships, controllers, ':') &&
           std::getline(memberships, path)) {
        if (controllers.empty()) left = std::min(left, left_in_groups(files.control_groups, path, kVersion2));
        if (("," + controllers + ",").find(",memory,") != std::string::npos)
            left = std::min(left, left_in_groups(files.control_groups / "memory", path, kVersion1));
    }
    return left;
}

/// Address space of the stacks of threads that work may start: those of this program, and as many of GDAL.
std::int64_t stack_bytes() {
    constexpr std::int64_t kUsualStack = 8 << 20;  // bytes, where the stack is not limited: glibc takes 2 MiB
    rlimit stack{};
    const bool limited = ::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY;
    return std::int64_t{2} * thread_count() *
           (limited ? static_cast<std::int64_t>(stack.rlim_cur) : kUsualStack);
}

/// What the process's own limits leave (`ulimit -v`, `ulimit -d`).
std::int64_t left_of_own_limits(const MemoryFiles& files) {
    struct OwnLimit {
        decltype(RLIMIT_AS) limit;
        const char* used;
    };
    std::int64_t left = kUnlimited;
    for (const OwnLimit& own : {OwnLimit{RLIMIT_AS, "VmSize:"}, OwnLimit{RLIMIT_DATA, "VmData:"}}) {
        rlimit limit{};
        const std::int64_t used = kibibytes_after(files.processes / "self" / "status", own.used);
        if (::getrlimit(own.limit, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || used < 0) continue;
        const std::int64_t beside_threads = static_cast<std::int64_t>(limit.rlim_cur) - used - stack_bytes();
        left = std::min(left, std::max<std::int64_t>(0, beside_threads));
    }
    return left;
}

}  // namespace

std::int64_t available_memory_bytes(const MemoryFiles& files) {
    const std::int64_t machine = kibibytes_after(files.processes / "meminfo", "MemAvailable:");
    const std::int64_t left = std::min(
        {machine < 0 ? kUnlimited : machine, left_in_control_groups(files), left_of_own_limits(files)});
    return left == kUnlimited ? 0 : std::max<std::int64_t>(1, left);
}

std::int64_t peak_memory_bytes() {
    return std::max<std::int64_t>(0, kibibytes_after("/proc/self/status", "VmHWM:"));
}

}  // namespace thalweg
