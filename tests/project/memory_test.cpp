#include "thalweg/project/memory.hpp"

#include "thalweg/core/execution.hpp"

#include <string>

#include "scratch_folder.hpp"
#include "tests/sanitizers.hpp"
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace thalweg {
namespace {

constexpr std::int64_t kMebibyte = 1024 * 1024;

/// A system's files, as Linux would show them.
class System {
  public:
    System() { write("proc/meminfo", "MemTotal:  9000000 kB\nMemAvailable:    4096000 kB\nBuffers: 1 kB\n"); }

    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }
    [[nodiscard]] std::int64_t available() const {
        return available_memory_bytes({.processes = folder_ / "proc", .control_groups = folder_ / "groups"});
    }

  private:
    ScratchFolder folder_;
};

std::string mebibytes(std::int64_t count) {
    return std::to_string(count * kMebibyte) + "\n";
}

TEST(Memory, is_what_the_machine_has_where_nothing_is_limited) {
    const System system;
    EXPECT_EQ(system.available(), 4000 * kMebibyte);
    system.write("proc/self/cgroup", "0::/user\n");
    system.write("groups/user/memory.max", "max\n");
    system.write("groups/user/memory.current", mebibytes(100));
    EXPECT_EQ(system.available(), 4000 * kMebibyte);
}

TEST(Memory, is_what_the_process_s_own_control_group_of_version_2_leaves) {
    const System system;
    system.write("proc/self/cgroup", "0::/jobs/mine\n");
    system.write("groups/jobs/mine/memory.max", mebibytes(500));
    system.write("groups/jobs/mine/memory.current", mebibytes(300));
    EXPECT_EQ(system.available(), 200 * kMebibyte);
    system.write("groups/jobs/mine/memory.stat", "anon 5\ninactive_file " + mebibytes(250));
    EXPECT_EQ(system.available(), 450 * kMebibyte);
}

TEST(Memory, is_what_the_narrowest_group_above_leaves) {
    const System system;
    system.write("proc/self/cgroup", "0::/jobs/mine\n");
    system.write("groups/jobs/mine/memory.max", mebibytes(500));
    system.write("groups/jobs/mine/memory.current", mebibytes(10));
    system.write("groups/jobs/memory.max", mebibytes(400));
    system.write("groups/jobs/memory.current", mebibytes(350));
    EXPECT_EQ(system.available(), 50 * kMebibyte);
}

TEST(Memory, is_what_a_container_shows_at_the_root_of_its_control_groups) {
    const System system;
    system.write("proc/self/cgroup", "0::/\n");
    system.write("groups/memory.max", mebibytes(700));
    system.write("groups/memory.current", mebibytes(100));
    EXPECT_EQ(system.available(), 600 * kMebibyte);
}

TEST(Memory, is_what_the_process_s_own_control_group_of_version_1_leaves) {
    const System system;
    system.write("proc/self/cgroup", "5:cpu,memory:/mine\n1:cpuset:/other\n0::/\n");
    system.write("groups/memory/memory.limit_in_bytes", "9223372036854771712\n");
    system.write("groups/memory/memory.usage_in_bytes", mebibytes(900));
    system.write("groups/memory/mine/memory.limit_in_bytes", mebibytes(300));
    system.write("groups/memory/mine/memory.usage_in_bytes", mebibytes(100));
    system.write("groups/memory/mine/memory.stat", "inactive_file 7\ntotal_inactive_file " + mebibytes(40));
    EXPECT_EQ(system.available(), 240 * kMebibyte);
}

TEST(Memory, is_never_told_as_unknown_when_a_group_is_full) {
    const System system;
    system.write("proc/self/cgroup", "0::/\n");
    system.write("groups/memory.max", mebibytes(100));
    system.write("groups/memory.current", mebibytes(130));
    EXPECT_EQ(system.available(), 1);
}

TEST(Memory, is_what_the_limit_on_address_space_leaves_beside_the_stacks_of_threads) {
    if (kSanitized) GTEST_SKIP() << "sanitizers take more address space than the limit leaves";
    const System system;
    system.write("proc/self/status", "Name: x\nVmSize:  1024000 kB\nVmHWM: 5 kB\n");
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
    constexpr std::int64_t kLimit = 3000 * kMebibyte;
    const rlimit limited{static_cast<rlim_t>(kLimit), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &limited), 0);
    const ExecutionScope on_one_thread({.threads = 1});
    const std::int64_t one_thread = system.available();
    const ExecutionScope on_four_threads({.threads = 4});
    const std::int64_t four_threads = system.available();
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
    EXPECT_LT(one_thread, 2000 * kMebibyte);
    EXPECT_GT(one_thread, 1900 * kMebibyte);
    EXPECT_EQ(2000 * kMebibyte - four_threads, 4 * (2000 * kMebibyte - one_thread));
}

TEST(Memory, is_unknown_where_no_file_tells) {
    const ScratchFolder nothing;
    EXPECT_EQ(available_memory_bytes({.processes = nothing / "a", .control_groups = nothing / "b"}), 0);
}

}  // namespace
}  // namespace thalweg
