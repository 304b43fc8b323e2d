// What the operating system tells of memory.
#pragma once

#include <cstdint>

namespace thalweg {

/// Memory that this process may still take, bytes: the machine's available memory, or what its control group
/// leaves, whichever is less. 0 when the system does not tell (no Linux).
std::int64_t available_memory_bytes();

/// The most memory that this process has held so far, bytes (VmHWM); 0 when the system does not tell.
std::int64_t peak_memory_bytes();

}  // namespace thalweg
