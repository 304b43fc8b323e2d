#include "thalweg/project/stages/flow_in_tiles.hpp"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;

TEST(TileSide, is_the_largest_that_keeps_to_half_the_memory) {
    // 80 bytes a cell and thread: sqrt(256 MiB / 160) = 1295 cells, 5 blocks of 256.
    EXPECT_EQ(tile_side_for(512 * kMebibyte, 8192LL * 8192, 2), 1280);
    EXPECT_EQ(tile_side_for(512 * kMebibyte, 8192LL * 8192, 8), 512);
    EXPECT_EQ(tile_side_for(128 * kMebibyte, 1000LL * 1000, 1), 768);
}

TEST(TileSide, is_no_smaller_than_takes_the_least_memory) {
    // 160 s^2 + 400 n / s is least at s = cbrt(1.25 n): 437 cells for 8192 x 8192, 694 for 16384 x 16384.
    EXPECT_EQ(tile_side_for(64 * kMebibyte, 8192LL * 8192, 2), 512);
    EXPECT_EQ(tile_side_for(64 * kMebibyte, 16384LL * 16384, 2), 768);
    EXPECT_EQ(tile_side_for(64 * kMebibyte, 700LL * 700, 2), 256);
}

TEST(TileSide, is_at_least_one_block_and_at_most_2048_cells) {
    EXPECT_EQ(tile_side_for(kMebibyte, 100, 64), 256);
    EXPECT_EQ(tile_side_for(100000 * kMebibyte, 8192LL * 8192, 2), 2048);
    EXPECT_EQ(tile_side_for(64 * kMebibyte, 1LL << 40, 1), 2048);
}

}  // namespace
}  // namespace thalweg
