// Whether the program works again in memory that it has freed.
#include "tests/cli/program.hpp"
#include "tests/sanitizers.hpp"
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace thalweg {
namespace {

#ifdef __GLIBC__

constexpr int kCells = 2900;  // along a side: a field takes more than the 32 MiB that glibc keeps at most

/// Pages that the system has handed out to all runs so far.
std::int64_t pages_of_runs() {
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
    return usage.ru_minflt;
}

class KeptMemory : public Program {
  protected:
    /// Fields whose pages two more solves take anew.
    double fields_of_two_more_solves(const Surroundings& surroundings) const {
        const double field_pages = 4.0 * kCells * kCells / 4096.0;
        EXPECT_EQ(run({"noise", "--cells", std::to_string(kCells), "--extent", "29e3,29e3", "--octaves", "1",
                       "-o", "dem.tif"})
                      .exit_code,
                  0);
        const auto pages_of = [&](const std::string& solves) {
            const std::int64_t before = pages_of_runs();
            const Ran ran =
                run({"flow", "dem.tif", "--depressions", "fill", "--repeat", solves, "-o", "area.tif"},
                    surroundings);
            EXPECT_EQ(ran.exit_code, 0) << ran.errors;
            return static_cast<double>(pages_of_runs() - before);
        };
        const double of_one = pages_of("1");
        return (pages_of("3") - of_one) / field_pages;
    }
};

TEST_F(KeptMemory, serves_the_large_fields_of_the_next_solve) {
    if (kSanitized) GTEST_SKIP() << "sanitizers bring an allocator of their own";
    EXPECT_LT(fields_of_two_more_solves({}), 2.0);
}

TEST_F(KeptMemory, is_handed_back_where_address_space_is_limited) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take more address space than the limit leaves";
    EXPECT_GT(fields_of_two_more_solves({.largest_address_space = std::uintmax_t{3} << 30}), 4.0);
}

#endif

}  // namespace
}  // namespace thalweg
