#include "thalweg/core/printable.hpp"

#include <string>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Printable, keeps_letters_of_every_script) {
    const std::string text = "Öræfajökull, 長江, \"Río\" -> 12 m^2 \U0001F30A";
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, shows_what_commands_a_terminal_as_its_bytes) {
    EXPECT_EQ(printable("a\x1b[31mb\x07"), "a\\x1b[31mb\\x07");
    EXPECT_EQ(printable("\x7f"), "\\x7f");
    EXPECT_EQ(printable("\xc2\x9b"
                        "2J"),
              "\\xc2\\x9b2J");                                              // CSI of C1
    EXPECT_EQ(printable("gpj\xe2\x80\xae.tif"), "gpj\\xe2\\x80\\xae.tif");  // writes backwards
    EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
}

TEST(Printable, shows_bytes_that_are_no_text) {
    EXPECT_EQ(printable("a\xff"
                        "b\xc3"),
              "a\\xffb\\xc3");
    EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");           // an escape in two bytes
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, puts_a_sentence_on_one_line_and_keeps_those_of_many) {
    EXPECT_EQ(printable("a\nb\r\tc"), "a b  c");
    EXPECT_EQ(printable_lines("a\x1b\nb\n"), "a\\x1b\nb\n");
    EXPECT_EQ(printable_lines("a\n\nb"), "a\n\nb");
}

TEST(Printable, leaves_out_the_middle_of_what_is_too_long) {
    EXPECT_EQ(shortened("short"), "short");
    const std::string text = "name " + std::string(100000, 'x') + " is not allowed: give less";
    const std::string cut = shortened(text);
    EXPECT_LE(cut.size(), kLongestSentence);
    EXPECT_TRUE(cut.starts_with("name xxx"));
    EXPECT_TRUE(cut.ends_with("is not allowed: give less"));
    std::string wide;
    for (int i = 0; i < 5000; ++i) wide += "\xc3\xb6";
    for (const char* before : {"", "a"})
        EXPECT_EQ(printable(shortened(before + wide)), shortened(before + wide));
}

}  // namespace
}  // namespace thalweg
