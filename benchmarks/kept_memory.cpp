// Freed memory is kept from run to run, as the program keeps it: benchmarks do not measure how fast the
// system hands out pages.
#include "cli/kept_memory.hpp"

namespace {

const bool kIsKept = (thalweg::cli::keep_freed_memory(), true);

}  // namespace
