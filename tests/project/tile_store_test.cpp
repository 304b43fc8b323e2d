#include "thalweg/project/files/tile_store.hpp"

#include "thalweg/core/error.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "scratch_folder.hpp"
#include "tests/io/limited_disk.hpp"
#include <gmock/gmock.h>

namespace thalweg {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint8_t kWater = 1;
constexpr std::uint8_t kStone = 2;

std::vector<std::byte> bytes_like(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// Keeps three parts, and returns the size of the file after each, the empty store first.
std::vector<std::uintmax_t> fill(const std::filesystem::path& path) {
    TileStore store(path, "a test");
    std::vector<std::uintmax_t> sizes = {std::filesystem::file_size(path)};
    for (const auto& [kind, number, text] : {std::tuple(kWater, 7, "a stream"), std::tuple(kStone, 7, ""),
                                             std::tuple(kWater, 3, "the sea, all")}) {
        store.keep(kind, number, bytes_like(text));
        sizes.push_back(std::filesystem::file_size(path));
    }
    return sizes;
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST(TileStore, gives_back_what_it_keeps_and_what_an_earlier_run_kept) {
    const ScratchFolder folder;
    fill(folder / "parts");
    TileStore store(folder / "parts", "a test");
    EXPECT_EQ(store.state(), StoreState::GoesOn);
    EXPECT_EQ(store.kept(kWater, 7), bytes_like("a stream"));
    EXPECT_EQ(store.kept(kStone, 7), bytes_like(""));
    EXPECT_EQ(store.kept(kStone, 3), std::nullopt);
    EXPECT_THAT(store.numbers(kWater), ElementsAre(3, 7));
    std::vector<std::byte> piece(3);
    store.read(kWater, 3, 4, piece);
    EXPECT_EQ(piece, bytes_like("sea"));
    store.keep(kWater, 7, bytes_like("a river"));
    EXPECT_EQ(store.kept(kWater, 7), bytes_like("a river"));
    EXPECT_EQ(TileStore(folder / "parts", "a test").kept(kWater, 7), bytes_like("a river"));
}

TEST(TileStore, of_another_purpose_is_dropped) {
    const ScratchFolder folder;
    fill(folder / "parts");
    const TileStore store(folder / "parts", "another test");
    EXPECT_EQ(store.state(), StoreState::Foreign);
    EXPECT_TRUE(store.empty());
    EXPECT_EQ(TileStore(folder / "parts", "a test").state(), StoreState::Foreign);
}

TEST(TileStore, that_ends_anywhere_holds_the_parts_that_are_whole_and_takes_more) {
    const ScratchFolder folder;
    const std::vector<std::uintmax_t> sizes = fill(folder / "parts");
    const std::string whole = bytes_of(folder / "parts");
    for (std::uintmax_t size = 0; size <= whole.size(); ++size) {
        write_bytes(folder / "parts", whole.substr(0, size));
        {
            TileStore store(folder / "parts", "a test");
            ASSERT_NE(store.state(), StoreState::Foreign);
            if (size >= sizes[0]) {
                ASSERT_EQ(store.state(), size < sizes[1] ? StoreState::Empty : StoreState::GoesOn) << size;
            }
            ASSERT_EQ(store.has(kWater, 7), size >= sizes[1]) << size;
            ASSERT_EQ(store.has(kStone, 7), size >= sizes[2]) << size;
            ASSERT_EQ(store.has(kWater, 3), size >= sizes[3]) << size;
            store.keep(kStone, 1, bytes_like("granite"));
        }
        ASSERT_EQ(TileStore(folder / "parts", "a test").kept(kStone, 1), bytes_like("granite")) << size;
    }
}

TEST(TileStore, never_takes_over_bytes_that_have_changed) {
    const ScratchFolder folder;
    fill(folder / "parts");
    const std::string whole = bytes_of(folder / "parts");
    for (std::size_t place = 0; place < whole.size(); ++place)
        for (const char bit : {'\x01', '\x80'}) {
            std::string changed = whole;
            changed[place] = static_cast<char>(changed[place] ^ bit);
            write_bytes(folder / "parts", changed);
            TileStore store(folder / "parts", "a test");
            const auto water = store.kept(kWater, 7);
            ASSERT_TRUE(!water || *water == bytes_like("a stream")) << place;
            const auto sea = store.kept(kWater, 3);
            ASSERT_TRUE(!sea || *sea == bytes_like("the sea, all")) << place;
            ASSERT_TRUE(store.empty() || store.state() == StoreState::GoesOn);
            ASSERT_FALSE(water && store.has(kStone, 7) && sea)
                << "the change at " << place << " was not seen";
        }
}

TEST(TileStore, says_in_one_sentence_that_the_disk_is_full) {
    const ScratchFolder folder;
    TileStore store(folder / "parts", "a test");
    store.keep(kWater, 1, bytes_like("rain"));
    {
        const LimitedDisk disk(4096);
        try {
            store.keep(kWater, 2, std::vector<std::byte>(10000));
            FAIL() << "a full disk took it";
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 1);
            EXPECT_THAT(error.what(), HasSubstr("parts can't be written: File too large"));
        }
    }
    EXPECT_FALSE(store.has(kWater, 2));
    store.keep(kWater, 3, bytes_like("hail"));
    EXPECT_EQ(store.kept(kWater, 3), bytes_like("hail"));
}

}  // namespace
}  // namespace thalweg
