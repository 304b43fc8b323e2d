#include "thalweg/project/frame_times.hpp"

#include "thalweg/core/error.hpp"

#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(const std::string& text) {
    try {
        parse_frame_times(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "allowed";
}

TEST(FrameTimes, a_range_holds_both_ends_and_even_steps) {
    EXPECT_THAT(parse_frame_times("0:2e6:5"), ElementsAre(0.0, 5e5, 1e6, 1.5e6, 2e6));
    EXPECT_THAT(parse_frame_times("0.1:0.7:2"), ElementsAre(0.1, 0.7));
    const std::vector<double> many = parse_frame_times("0:1e6:10000");
    ASSERT_EQ(many.size(), 10000U);
    EXPECT_EQ(many.back(), 1e6);
}

TEST(FrameTimes, a_logarithmic_range_multiplies_from_step_to_step) {
    EXPECT_THAT(parse_frame_times("1e4:1e6:3:log"), ElementsAre(1e4, DoubleNear(1e5, 1e-6), 1e6));
}

TEST(FrameTimes, a_list_keeps_its_order_and_may_name_the_steady_state) {
    EXPECT_THAT(parse_frame_times("1e5,0,inf,0"),
                ElementsAre(1e5, 0.0, std::numeric_limits<double>::infinity(), 0.0));
    EXPECT_THAT(parse_frame_times("250000"), ElementsAre(250000.0));
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

TEST(FrameTimes, a_list_may_not_hold_more_than_ten_thousand) {
    std::string list = "0";
    for (int i = 1; i < kMostFrames; ++i) list += ",1";
    EXPECT_EQ(parse_frame_times(list).size(), static_cast<std::size_t>(kMostFrames));
    EXPECT_EQ(refusal(list + ",1"), "--times of 10001 times is not allowed: give at most 10000");
}

}  // namespace
}  // namespace thalweg
