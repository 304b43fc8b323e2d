#include "thalweg/core/progress.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

/// Remembers what it was told.
class Recorder final : public Progress {
  public:
    std::vector<std::pair<double, std::string>> told;

  protected:
    void show(double fraction, std::string_view phrase) override { told.emplace_back(fraction, phrase); }
};

/// What a StreamProgress writes while `work` uses it.
template <class Work>
std::string written(ProgressStyle style, const Work& work) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    {
        StreamProgress progress(ends[1], style);
        work(progress);
    }
    ::close(ends[1]);
    std::string text;
    char letters[256];
    for (ssize_t count = ::read(ends[0], letters, sizeof letters); count > 0;
         count = ::read(ends[0], letters, sizeof letters))
        text.append(letters, static_cast<std::size_t>(count));
    ::close(ends[0]);
    return text;
}

TEST(Progress, throws_once_it_is_cancelled) {
    Recorder progress;
    progress.report(0.5, "half");
    EXPECT_NO_THROW(progress.poll());
    progress.cancel();
    EXPECT_TRUE(progress.cancelled());
    EXPECT_THROW(progress.poll(), Cancelled);
    EXPECT_THROW(progress.report(0.6, "more"), Cancelled);
    EXPECT_EQ(progress.told.size(), 1U);
}

TEST(ProgressPart, maps_its_fractions_into_the_whole) {
    Recorder whole;
    ProgressPart part(whole, 0.2, 0.6);
    part.report(0.0, "begin");
    part.report(0.5, "middle");
    ProgressPart inner(part, 0.5, 1.0);
    inner.report(1.0, "end");
    ASSERT_EQ(whole.told.size(), 3U);
    EXPECT_DOUBLE_EQ(whole.told[0].first, 0.2);
    EXPECT_DOUBLE_EQ(whole.told[1].first, 0.4);
    EXPECT_DOUBLE_EQ(whole.told[2].first, 0.6);
    EXPECT_EQ(whole.told[2].second, "end");
}

TEST(ProgressPart, is_cancelled_with_the_whole) {
    Recorder whole;
    ProgressPart part(whole, 0.0, 1.0);
    EXPECT_FALSE(part.cancelled());
    whole.cancel();
    EXPECT_THROW(part.poll(), Cancelled);
}

TEST(ProgressPart, can_be_cancelled_on_its_own) {
    Recorder whole;
    ProgressPart part(whole, 0.0, 0.5);
    part.cancel();
    EXPECT_THROW(part.report(0.5, "never shown"), Cancelled);
    EXPECT_FALSE(whole.cancelled());
    EXPECT_NO_THROW(whole.report(0.5, "the rest goes on"));
    EXPECT_EQ(whole.told.size(), 1U);
}

TEST(StreamProgress, writes_a_plain_line_for_every_new_phrase) {
    const std::string text = written(ProgressStyle::Plain, [](Progress& progress) {
        progress.report(0.0, "routing");
        progress.report(0.1, "routing");
        progress.report(0.5, "eroding");
    });
    EXPECT_EQ(text, "  0 % routing\n 50 % eroding\n");
}

TEST(StreamProgress, writes_a_plain_line_for_each_per_cent_where_phrases_differ_in_numbers) {
    const std::string text = written(ProgressStyle::Plain, [](Progress& progress) {
        for (int year = 0; year < 100; ++year) progress.report(0.0004 * year, fmt::format("{} years", year));
        for (int i = 0; i < 5; ++i) progress.report(0.0396 + 0.1 * i, "flowing over 2 lakes");
    });
    EXPECT_EQ(text,
              "  0 % 0 years\n  1 % 13 years\n  2 % 38 years\n  3 % 63 years\n  4 % 88 years\n"
              "  4 % flowing over 2 lakes\n");
}

TEST(StreamProgress, writes_a_json_object_a_line) {
    const std::string text = written(
        ProgressStyle::Json, [](Progress& progress) { progress.report(0.25, "a \"quoted\" \\ phrase"); });
    EXPECT_EQ(text, "{\"fraction\":0.2500,\"phrase\":\"a \\\"quoted\\\" \\\\ phrase\"}\n");
}

TEST(StreamProgress, escapes_control_characters_in_json) {
    const std::string text =
        written(ProgressStyle::Json, [](Progress& progress) { progress.report(0.5, "a\tb\n\x1b[31mc"); });
    EXPECT_EQ(text, "{\"fraction\":0.5000,\"phrase\":\"a\\u0009b\\u000a\\u001b[31mc\"}\n");
}

/// Reports a new phrase every millisecond for 0.35 s: at 0, 0.1, 0.2 and 0.3 s a line is due.
void report_restlessly(Progress& progress) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(350);
    for (int i = 0; std::chrono::steady_clock::now() < end; ++i) {
        progress.report(0.5, "phrase " + std::to_string(i));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

TEST(StreamProgress, writes_json_and_bars_at_most_ten_times_a_second) {
    const std::string json = written(ProgressStyle::Json, report_restlessly);
    const std::string bars = written(ProgressStyle::Bar, report_restlessly);
    const auto lines = std::count(json.begin(), json.end(), '\n');
    const auto redrawn = std::count(bars.begin(), bars.end(), '[') / 2;  // a bar has one, wiping the other
    EXPECT_THAT(lines, ::testing::AllOf(::testing::Ge(2), ::testing::Le(5)));
    EXPECT_THAT(redrawn, ::testing::AllOf(::testing::Ge(2), ::testing::Le(5)));
}

TEST(StreamProgress, always_shows_the_end_and_only_once) {
    const auto finish = [](Progress& progress) {
        progress.report(0.5, "eroding");
        progress.report(0.9, "left out");
        progress.report(1.0, "done");
        progress.report(1.0, "done");
    };
    EXPECT_EQ(written(ProgressStyle::Json, finish),
              "{\"fraction\":0.5000,\"phrase\":\"eroding\"}\n{\"fraction\":1.0000,\"phrase\":\"done\"}\n");
    EXPECT_THAT(written(ProgressStyle::Bar, finish), HasSubstr("100 % done"));
}

TEST(StreamProgress, draws_a_bar_and_wipes_it_at_the_end) {
    const std::string text =
        written(ProgressStyle::Bar, [](Progress& progress) { progress.report(0.5, "eroding"); });
    EXPECT_THAT(text, HasSubstr("###############..............."));
    EXPECT_THAT(text, HasSubstr(" 50 % eroding"));
    EXPECT_EQ(text.substr(text.size() - 4), "\r\x1b[K");
}

TEST(StreamProgress, bears_fractions_out_of_range_and_a_closed_stream) {
    EXPECT_EQ(written(ProgressStyle::Plain, [](Progress& progress) { progress.report(7.0, "x"); }),
              "100 % x\n");
    StreamProgress closed(-1, ProgressStyle::Plain);
    EXPECT_NO_THROW(closed.report(0.5, "nobody reads this"));
}

TEST(CancelOnInterrupt, cancels_on_the_first_signal) {
    QuietProgress progress;
    {
        const CancelOnInterrupt guard(progress);
        std::raise(SIGINT);
        EXPECT_TRUE(progress.cancelled());
    }
    QuietProgress other;
    const CancelOnInterrupt guard(other);
    std::raise(SIGTERM);
    EXPECT_TRUE(other.cancelled());
}

void (*handler_of(int signal_number))(int) {
    struct sigaction action = {};
    ::sigaction(signal_number, nullptr, &action);
    return action.sa_handler;
}

TEST(CancelOnInterrupt, gives_back_the_handlers_that_it_found) {
    const auto before = std::signal(SIGINT, SIG_IGN);
    for (const bool interrupted : {false, true}) {
        {
            QuietProgress progress;
            const CancelOnInterrupt guard(progress);
            EXPECT_NE(handler_of(SIGINT), SIG_IGN);
            if (interrupted) std::raise(SIGINT);
        }
        EXPECT_EQ(handler_of(SIGINT), SIG_IGN);
        EXPECT_EQ(handler_of(SIGTERM), SIG_DFL);
    }
    std::signal(SIGINT, before);
}

TEST(CancelOnInterrupt, may_be_nested) {
    QuietProgress outer;
    const CancelOnInterrupt outer_guard(outer);
    {
        QuietProgress inner;
        const CancelOnInterrupt inner_guard(inner);
        std::raise(SIGINT);
        EXPECT_TRUE(inner.cancelled());
        EXPECT_FALSE(outer.cancelled());
    }
    std::raise(SIGTERM);
    EXPECT_TRUE(outer.cancelled());
}

/// Ends the process by the second of two signals.
void raise_twice(int first, int second) {
    QuietProgress progress;
    const CancelOnInterrupt guard(progress);
    std::raise(first);
    std::raise(second);
}

TEST(CancelOnInterruptDeathTest, ends_the_process_on_a_second_signal_of_either_kind) {
    ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    for (const int first : {SIGINT, SIGTERM}) {
        EXPECT_EXIT(raise_twice(first, SIGINT), ::testing::KilledBySignal(SIGINT), "");
        EXPECT_EXIT(raise_twice(first, SIGTERM), ::testing::KilledBySignal(SIGTERM), "");
    }
}

}  // namespace
}  // namespace thalweg
