// Freed memory is kept from run to run, as the program keeps it (cli/main.cpp): benchmarks do not measure how
// fast the system hands out pages.
#ifdef __GLIBC__
#include <malloc.h>

namespace {

const bool is_kept = [] {
    return ::mallopt(M_MMAP_THRESHOLD, 32 << 20) == 1 && ::mallopt(M_TRIM_THRESHOLD, 1 << 30) == 1;
}();

}  // namespace
#endif
