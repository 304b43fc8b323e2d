#include "thalweg/project/frame_times.hpp"

#include "thalweg/project/stage_time.hpp"

#include <limits>
#include <string>
#include <vector>

#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<double> years_of(const std::string& text) {
    return parse_frame_times(text, find_stage("erode"));
}

std::vector<double> events_of(const std::string& text) {
    return parse_frame_times(text, find_stage("rain"));
}

std::string refusal(const std::string& text) {
    return refusal_of([&] { years_of(text); });
}

/// The stage with its time.
StageUse stage_until(const char* name, double time) {
    const Stage& stage = find_stage(name);
    return at_time({.stage = &stage, .label = name, .parameters = stage.make_parameters(), .position = {}},
                   time);
}

TEST(FrameTimes, a_range_holds_both_ends_and_even_steps) {
    EXPECT_THAT(years_of("0:2e6:5"), ElementsAre(0.0, 5e5, 1e6, 1.5e6, 2e6));
    EXPECT_THAT(years_of("0.1:0.7:2"), ElementsAre(0.1, 0.7));
    const std::vector<double> many = years_of("0:1e6:10000");
    ASSERT_EQ(many.size(), 10000U);
    EXPECT_EQ(many.back(), 1e6);
}

TEST(FrameTimes, a_logarithmic_range_multiplies_from_step_to_step) {
    EXPECT_THAT(years_of("1e4:1e6:3:log"), ElementsAre(1e4, DoubleNear(1e5, 1e-6), 1e6));
}

TEST(FrameTimes, a_list_keeps_its_order_and_may_name_the_steady_state) {
    EXPECT_THAT(years_of("1e5,0,inf,0"), ElementsAre(1e5, 0.0, std::numeric_limits<double>::infinity(), 0.0));
    EXPECT_THAT(years_of("250000"), ElementsAre(250000.0));
}

TEST(FrameTimes, anything_else_is_refused_in_one_sentence) {
    EXPECT_EQ(refusal(""), "--times \"\" is not allowed: give START:END:COUNT, or a list such as 0,1e5,5e5");
    EXPECT_EQ(
        refusal("0:1e6:1"),
        "--times 0:1e6:1 is not allowed: the count is 1: give a whole number of 2 or more, for both ends");
    EXPECT_THAT(refusal("0:1e6:0"), HasSubstr("the count is 0"));
    EXPECT_THAT(refusal("0:1e6:-3"), HasSubstr("the count is -3"));
    EXPECT_THAT(refusal("0:1e6:2.5"), HasSubstr("the count is 2.5"));
    EXPECT_THAT(refusal("0:1e6:10001"), HasSubstr("the count is 10001: give at most 10000 frames"));
    EXPECT_THAT(refusal("0:1e6:inf"), HasSubstr("the count is inf"));
    EXPECT_THAT(refusal("-1:1e6:3"), HasSubstr("the time -1 yr is negative: give 0 yr or more, or inf"));
    EXPECT_THAT(refusal("0,1.1e12,inf"),
                HasSubstr("the time 1.1e12 yr is too long: give at most 1e+12 yr, or inf"));
    EXPECT_THAT(refusal("0,-5"), HasSubstr("the time -5 yr is negative"));
    EXPECT_THAT(refusal("nan:1:3"), HasSubstr("the time \"nan\" is not a number"));
    EXPECT_THAT(refusal("0,nan"), HasSubstr("the time \"nan\" is not a number"));
    EXPECT_THAT(refusal("0:inf:3"), HasSubstr("a range needs finite ends: give inf in a list"));
    EXPECT_THAT(refusal("5:1:3"), HasSubstr("must end after its start of 5 yr, and ends at 1 yr"));
    EXPECT_THAT(refusal("5:5:3"), HasSubstr("must end after its start"));
    EXPECT_THAT(refusal("0:1e6:3:log"), HasSubstr("a logarithmic range must start after 0 yr"));
    EXPECT_THAT(refusal("0:1e6:3:lin"), HasSubstr("give START:END:COUNT, START:END:COUNT:log"));
    EXPECT_THAT(refusal("0:1e6"), HasSubstr("give START:END:COUNT"));
    EXPECT_THAT(refusal("1:2:3:log:5"), HasSubstr("give START:END:COUNT"));
    EXPECT_THAT(refusal("1,,2"), HasSubstr("the time \"\" is not a number"));
    EXPECT_THAT(refusal("1 2"), HasSubstr("the time \"1 2\" is not a number"));
    EXPECT_THAT(refusal("1e400"), HasSubstr("is not a number"));
}

TEST(FrameTimes, of_a_stage_that_counts_are_whole_numbers_in_its_unit_and_finite) {
    EXPECT_THAT(events_of("0:1000:4"), ElementsAre(0.0, 333.0, 667.0, 1000.0));
    EXPECT_THAT(events_of("1e12,3"), ElementsAre(1e12, 3.0));
    const auto refusal_of_events = [](const std::string& text) {
        return refusal_of([&] { events_of(text); });
    };
    EXPECT_EQ(refusal_of_events("1.5"),
              "--times 1.5 is not allowed: the time 1.5 is no whole number of events");
    EXPECT_THAT(refusal_of_events("inf"),
                HasSubstr("the time inf events is too long: give at most 1e+12 events"));
    EXPECT_THAT(refusal_of_events("-1"), HasSubstr("is negative: give 0 events or more"));
}

TEST(FrameTimes, every_so_many_begin_at_0_and_end_with_the_stages_own_time) {
    EXPECT_THAT(frame_times_every("500", stage_until("rain", 1500)), ElementsAre(0.0, 500.0, 1000.0, 1500.0));
    EXPECT_THAT(frame_times_every("500", stage_until("rain", 1200)), ElementsAre(0.0, 500.0, 1000.0, 1200.0));
    EXPECT_THAT(frame_times_every("1e5", stage_until("erode", 2.5e5)), ElementsAre(0.0, 1e5, 2e5, 2.5e5));
    EXPECT_EQ(frame_times_every("0.1", stage_until("erode", 3.0)).size(), 31U);
    EXPECT_THAT(frame_times_every("5", stage_until("rain", 0)), ElementsAre(0.0));
    EXPECT_EQ(frame_times_every("1", stage_until("rain", kMostFrames - 1)).size(), std::size_t{kMostFrames});
}

TEST(FrameTimes, every_so_many_of_a_history_end_with_its_last_episode) {
    StageUse history = stage_until("history", std::numeric_limits<double>::infinity());
    EXPECT_THAT(frame_times_every("3e5", history), ElementsAre(0.0, 3e5, 6e5, 8e5)) << "of the preset";
    const auto give = [&](const char* name, const Value& value) {
        history.stage->parameters->at(name).set(history.parameters.get(), value);
    };
    give("episodes", std::vector<ValueTable>{{{{"duration", 2e5}}}, {{{"duration", 3e5}}}});
    EXPECT_THAT(frame_times_every("2e5", history), ElementsAre(0.0, 2e5, 4e5, 5e5)) << "of the table";
    give("time", 3e5);
    EXPECT_THAT(frame_times_every("2e5", history), ElementsAre(0.0, 2e5, 3e5)) << "of the parameter";
}

TEST(FrameTimes, every_so_many_of_an_endless_stage_or_too_many_are_refused) {
    const auto refusal_of_every = [](const std::string& step, const StageUse& use) {
        return refusal_of([&] { frame_times_every(step, use); });
    };
    EXPECT_EQ(refusal_of_every("1e5", stage_until("erode", std::numeric_limits<double>::infinity())),
              "--every 1e5 is not allowed: time of erode is inf: give a finite one, or --times");
    const StageUse rain = stage_until("rain", 10000);
    EXPECT_THAT(refusal_of_every("1", rain), HasSubstr("events = 10000 that is more than 10000 frames"));
    EXPECT_THAT(refusal_of_every("0", rain), HasSubstr("give a number of events above 0"));
    EXPECT_THAT(refusal_of_every("2.5", rain), HasSubstr("no whole number of events"));
    EXPECT_THAT(refusal_of_every("-5", rain),
                HasSubstr("--every -5 is not allowed: the time -5 events is negative"));
    EXPECT_THAT(refusal_of_every("x", rain), HasSubstr("\"x\" is not a number"));
}

TEST(FrameTimes, a_list_may_not_hold_more_than_ten_thousand) {
    std::string list = "0";
    for (int i = 1; i < kMostFrames; ++i) list += ",1";
    EXPECT_EQ(years_of(list).size(), static_cast<std::size_t>(kMostFrames));
    EXPECT_EQ(refusal(list + ",1"), "--times of 10001 times is not allowed: give at most 10000");
}

}  // namespace
}  // namespace thalweg
