// Ctrl-C and SIGTERM, at any moment.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string_view>
#include <thread>

#include "processor_time.hpp"
#include "program.hpp"
#include "tests/sanitizers.hpp"
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace thalweg {
namespace {

constexpr int kCancelled = 3;
constexpr std::chrono::milliseconds kGlance{5};
constexpr std::chrono::milliseconds kStart{500};  // until it waits for a pipe
constexpr std::chrono::seconds kLongestWait{20};

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// How a program ended that was interrupted.
struct Interrupted {
    int status = 0;
    double work_after = 0.0;  // s of processor time after the signal; the machine may be busy with other work
};

bool has_ended(pid_t process) {
    siginfo_t ended{};
    return ::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == process;
}

/// Whether the process answers to a signal itself (proc(5)), as it does once its work begins.
bool catches(pid_t process, int signal_number) {
    std::ifstream file("/proc/" + std::to_string(process) + "/status");
    constexpr std::string_view kCaught = "SigCgt:";
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(kCaught))
            return (std::stoull(line.substr(kCaught.size()), nullptr, 16) >> (signal_number - 1) & 1) != 0;
    return false;
}

void wait_until_at_work(pid_t process) {
    while (!has_ended(process) && !catches(process, SIGTERM)) std::this_thread::sleep_for(kGlance);
}

/// Sends the signal once the program has worked for `after` seconds, or is done.
Interrupted interrupt(pid_t process, double after, int signal_number) {
    wait_until_at_work(process);
    while (!has_ended(process) && processor_time(process) < after) std::this_thread::sleep_for(kGlance);
    const double before = processor_time(process);
    ::kill(process, signal_number);
    Interrupted result;
    rusage used{};
    ::wait4(process, &result.status, 0, &used);
    result.work_after = seconds_of(used.ru_utime) + seconds_of(used.ru_stime) - before;
    return result;
}

/// The exit code of a process that ends by itself within the time; else it is killed.
std::optional<int> exit_code_within(pid_t process, std::chrono::seconds longest) {
    const auto end = std::chrono::steady_clock::now() + longest;
    while (!has_ended(process) && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(kGlance);
    const bool ended = has_ended(process);
    if (!ended) ::kill(process, SIGKILL);
    int status = 0;
    ::waitpid(process, &status, 0);
    return ended && WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
}

class Interrupts : public Program {
  protected:
    /// Seconds of processor time that the command takes when it is left alone.
    double work_of(const std::vector<std::string>& arguments) const {
        int status = 0;
        rusage used{};
        ::wait4(start(arguments), &status, 0, &used);
        EXPECT_EQ(status, 0) << arguments[0];
        return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    }

    /// Interrupts the command at moments all over its processor time: it ends as cancelled with nothing left,
    /// or was done. Returns the processor time from each signal to the end.
    std::vector<double> interrupted_all_over(const std::vector<std::string>& arguments, int moments) const {
        const std::vector<std::string> before = files();
        const double whole = work_of(arguments);
        const std::vector<std::string> complete = files();
        std::vector<double> work_after;
        for (int i = 0; i < moments; ++i) {
            for (const std::string& file : files())
                if (std::ranges::find(before, file) == before.end()) std::filesystem::remove(path(file));
            const double moment = whole * (i + 0.5) / moments;
            const Interrupted ended = interrupt(start(arguments), moment, i % 2 == 0 ? SIGINT : SIGTERM);
            const std::string when = fmt::format("{} after {:.2f} s", arguments[0], moment);
            const bool was_done = WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 0;
            const bool was_cancelled = WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == kCancelled;
            // The last of it, behind the results, ends as any program does.
            EXPECT_TRUE(was_done || was_cancelled || WIFSIGNALED(ended.status)) << when;
            EXPECT_EQ(files(), was_cancelled ? before : complete) << when;
            if (was_cancelled) work_after.push_back(ended.work_after);
        }
        return work_after;
    }
};

TEST_F(Interrupts, end_a_program_that_waits_for_standard_input) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"flow", "-", "-o", "a.tif"}, {"build", "-"}}) {
        const pid_t process = start(arguments, {.input_never_ends = true});
        wait_until_at_work(process);
        ::kill(process, SIGINT);
        EXPECT_EQ(exit_code_within(process, kLongestWait), kCancelled) << arguments[0];
    }
}

TEST_F(Interrupts, end_a_program_that_waits_for_a_pipe) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    write_terrain("dem.tif");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"build", "pipe"},
          {"flow", "dem.tif", "-o", "a.tif", "--report", "pipe"}}) {
        const pid_t process = start(arguments);
        wait_until_at_work(process);
        std::this_thread::sleep_for(kStart);
        ::kill(process, SIGTERM);
        std::this_thread::sleep_for(kStart);
        ::kill(process, SIGTERM);  // a report is written after the work, when one signal is enough
        EXPECT_NE(exit_code_within(process, kLongestWait), 0) << arguments[0];
        EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
    }
}

TEST_F(Interrupts, at_any_moment_end_the_program_with_nothing_half_written) {
    ASSERT_EQ(run({"noise", "--cells", "700", "-o", "dem.tif"}).exit_code, 0);
    constexpr int kMoments = 4;
    interrupted_all_over({"flow", "dem.tif", "-o", "a.tif", "--also", "analyses=b.json"}, kMoments);
    interrupted_all_over({"rivers", "dem.tif", "-o", "r.gpkg", "--min-area", "1e4"}, kMoments);
    interrupted_all_over({"render", "dem.tif", "-o", "a.png", "--view"}, kMoments);
    interrupted_all_over({"describe", "dem.tif", "-o", "a.png", "--json", "b.json"}, kMoments);
}

class LongInterrupts : public Interrupts {
  protected:
    void SetUp() override {
        if (std::getenv("THALWEG_LONG_TESTS") == nullptr) GTEST_SKIP() << "set THALWEG_LONG_TESTS to run it";
    }
};

TEST_F(LongInterrupts, end_every_verb_soon) {
    constexpr double kLongestWork = 0.5;  // s of all threads together: up to a poll, and to free memory
    constexpr int kMoments = 40;
    ASSERT_EQ(run({"noise", "--cells", "2048", "-o", "dem.tif"}).exit_code, 0);
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"flow", "dem.tif", "-o", "a.tif", "--also", "analyses=b.json", "--also", "chi=c.tif"},
             {"rivers", "dem.tif", "-o", "r.geojson", "--min-area", "1e4"},
             {"rivers", "dem.tif", "-o", "r.gpkg", "--min-area", "1e4"},
             {"import", "dem.tif", "--from", "dem.tif", "-o", "a.tif"},
             {"render", "dem.tif", "-o", "a.png"},
             {"render", "dem.tif", "-o", "a.png", "--view"},
             {"describe", "dem.tif", "-o", "a.png", "--json", "b.json"}}) {
        std::vector<double> after = interrupted_all_over(arguments, kMoments);
        ASSERT_FALSE(after.empty());
        std::ranges::sort(after);
        std::cout << fmt::format("{} to {}: work after a signal {:.3f} s in the middle, {:.3f} s at most\n",
                                 arguments[0], arguments[3], after[after.size() / 2], after.back());
        EXPECT_LT(after[after.size() * 9 / 10], kLongestWork) << arguments[0];
    }
}

/// The raster library waits for ever for threads that it could not start.
TEST_F(Interrupts, are_not_needed_where_no_threads_are_left_for_the_raster_library) {
    if (kSanitized) GTEST_SKIP() << "a sanitizer must be loaded before all else";
    write_terrain("dem.tif");
    constexpr int kThreads = 8;
    for (const int startable : {0, kThreads - 1, kThreads, 2 * kThreads}) {
        const pid_t process = start({"flow", "dem.tif", "-o", "a.tif", "--threads", std::to_string(kThreads)},
                                    {.environment = {{"LD_PRELOAD", THALWEG_FEW_THREADS},
                                                     {"THALWEG_STARTABLE", std::to_string(startable)}}});
        const std::optional<int> code = exit_code_within(process, kLongestWait);
        ASSERT_TRUE(code) << startable << " threads";
        if (startable >= kThreads - 1) {  // the pool's own
            EXPECT_EQ(code, 0) << startable << " threads";
        }
    }
}

}  // namespace
}  // namespace thalweg
