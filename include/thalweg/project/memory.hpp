// What the operating system tells of memory.
#pragma once

#include <cstdint>
#include <filesystem>

namespace thalweg {

/// Where Linux tells of memory.
struct MemoryFiles {
    std::filesystem::path processes = "/proc";
    std::filesystem::path control_groups = "/sys/fs/cgroup";
};

/// Memory that this process may still take, bytes: the least of the machine's available memory, what the
/// limits of its control group and those above it leave (version 1 and 2; file cache that can be dropped
/// counts as left), and what its own limits RLIMIT_AS and RLIMIT_DATA leave beside the stacks of its
/// threads, thread_count() and as many of GDAL. 0 when the system does not tell (no Linux); 1 when nothing
/// is left.
///
/// Example:
///     const std::int64_t bytes = available_memory_bytes();
///     if (bytes > 0 && bytes < 64 * grid.cells()) std::puts("this grid does not fit");
std::int64_t available_memory_bytes(const MemoryFiles& files = {});

/// The most memory that this process has held so far, bytes (VmHWM); 0 when the system does not tell.
std::int64_t peak_memory_bytes();

}  // namespace thalweg
