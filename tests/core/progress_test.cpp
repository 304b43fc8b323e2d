#include "thalweg/core/progress.hpp"

#include <csignal>
#include <string>
#include <utility>
#include <vector>

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

TEST(StreamProgress, writes_a_plain_line_for_every_new_phrase) {
    const std::string text = written(ProgressStyle::Plain, [](Progress& progress) {
        progress.report(0.0, "routing");
        progress.report(0.1, "routing");
        progress.report(0.5, "eroding");
    });
    EXPECT_EQ(text, "  0 % routing\n 50 % eroding\n");
}

TEST(StreamProgress, writes_a_json_object_a_line) {
    const std::string text = written(
        ProgressStyle::Json, [](Progress& progress) { progress.report(0.25, "a \"quoted\" \\ phrase"); });
    EXPECT_EQ(text, "{\"fraction\":0.2500,\"phrase\":\"a \\\"quoted\\\" \\\\ phrase\"}\n");
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

}  // namespace
}  // namespace thalweg
