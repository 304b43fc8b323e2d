#include "thalweg/core/chunked_list.hpp"

#include <cstddef>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// The numbers 0, 1, ... as far as they go.
std::size_t rising_to(const ChunkedList<std::size_t>& list) {
    std::size_t i = 0;
    while (i < list.size() && list[i] == i) ++i;
    return i;
}

TEST(ChunkedList, keeps_its_elements_while_it_grows_and_shrinks) {
    ChunkedList<std::size_t> list;
    EXPECT_TRUE(list.empty());
    for (const std::size_t size : {std::size_t{5}, std::size_t{4096}, std::size_t{20000}}) {
        const std::size_t before = list.size();
        list.resize(size);
        for (std::size_t i = before; i < size; ++i) {
            EXPECT_EQ(list[i], 0U);
            list[i] = i;
        }
        for (std::size_t i = 0; i < 3; ++i) list.push_back(list.size());
        EXPECT_EQ(list.size(), size + 3);
        EXPECT_EQ(rising_to(list), size + 3);
    }
    const ChunkedList<std::size_t> copy = list;
    list.resize(8192);
    EXPECT_EQ(rising_to(list), 8192U);
    list.push_back(7);
    EXPECT_EQ(list[8192], 7U);
    EXPECT_EQ(rising_to(copy), 20003U);
    list.resize(0);
    EXPECT_TRUE(list.empty());
    list.push_back(0);
    EXPECT_EQ(rising_to(list), 1U);
}

}  // namespace
}  // namespace thalweg
