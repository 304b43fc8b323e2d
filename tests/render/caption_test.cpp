#include "thalweg/render/caption.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

Image bright(int width, int height) {
    return {.width = width,
            .height = height,
            .rgb = std::vector<std::uint8_t>(std::size_t{3} * width * height, 200)};
}

TEST(Caption, stands_at_the_upper_left_and_leaves_the_rest_as_it_was) {
    const Image before = bright(300, 200);
    const Image after = with_caption(before, "250 000 years");
    ASSERT_EQ(after.rgb.size(), before.rgb.size());
    int dark = 0;
    for (int y = 0; y < after.height; ++y)
        for (int x = 0; x < after.width; ++x) {
            const int red = after.rgb[3 * (static_cast<std::size_t>(y) * after.width + x)];
            if (x > 150 || y > 40) {
                EXPECT_EQ(red, 200) << x << ", " << y;
            }
            dark += red < 100 ? 1 : 0;
        }
    EXPECT_GT(dark, 100);
}

TEST(Caption, without_words_changes_nothing) {
    EXPECT_EQ(with_caption(bright(64, 64), "").rgb, bright(64, 64).rgb);
}

}  // namespace
}  // namespace thalweg
