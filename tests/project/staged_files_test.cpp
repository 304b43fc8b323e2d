#include "thalweg/project/staged_files.hpp"

#include "thalweg/core/error.hpp"

#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

TEST(StagedFiles, appear_at_their_places_when_committed) {
    const ScratchFolder folder;
    write(folder / "old.txt", "old");
    {
        StagedFiles staged;
        write(staged.stage(folder / "old.txt"), "new");
        write(staged.stage(folder / "deep/er/other.txt"), "other");
        EXPECT_EQ(bytes_of(folder / "old.txt"), "old");
        EXPECT_FALSE(std::filesystem::exists(folder / "deep/er/other.txt"));
        staged.commit();
    }
    EXPECT_THAT(folder.names(), ElementsAre("deep", "old.txt"));
    EXPECT_EQ(bytes_of(folder / "old.txt"), "new");
    EXPECT_EQ(bytes_of(folder / "deep/er/other.txt"), "other");
}

TEST(StagedFiles, leave_nothing_when_not_committed) {
    const ScratchFolder folder;
    write(folder / "old.txt", "old");
    {
        StagedFiles staged;
        write(staged.stage(folder / "old.txt"), "new");
        write(staged.stage(folder / "deep/er/other.txt"), "other");
    }
    EXPECT_THAT(folder.names(), ElementsAre("old.txt"));
    EXPECT_EQ(bytes_of(folder / "old.txt"), "old");
}

TEST(StagedFiles, refuse_places_that_can_not_be_written) {
    const ScratchFolder folder;
    write(folder / "file", "x");
    StagedFiles staged;
    EXPECT_THROW(staged.prepare_folder(folder / "file"), Error);
    EXPECT_THROW(staged.prepare_folder(folder / "file/below"), Error);
    EXPECT_THROW(staged.stage(folder / ""), Error);
    EXPECT_THROW(staged.prepare_folder("/proc/none"), Error);
}

TEST(StagedFiles, take_a_folder_with_a_slash_at_its_end) {
    const ScratchFolder folder;
    {
        StagedFiles staged;
        staged.prepare_folder(folder / "out/");
    }
    EXPECT_THAT(folder.names(), IsEmpty());
}

}  // namespace
}  // namespace thalweg
