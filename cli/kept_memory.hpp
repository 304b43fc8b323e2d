// How the process keeps memory: set once, before work starts.
#pragma once

namespace thalweg::cli {

/// Freed memory is kept for the next field instead of handed back to the system: every page that comes anew
/// has to be cleared first, and on many machines that costs more than what is then done with it. All is kept,
/// but where a limit is set on address space or data (`ulimit -v`, `ulimit -d`): there blocks above 32 MiB
/// are handed back, so that gaps between those in use can't use the limit up. Where address space is limited,
/// threads share one heap. These are settings of glibc; with another C library nothing happens.
void keep_freed_memory();

}  // namespace thalweg::cli
