#include "thalweg/project/staged_files.hpp"

#include "thalweg/core/error.hpp"

#include <csignal>

#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST(StagedFiles, name_the_place_as_it_was_given_in_errors) {
    const ScratchFolder folder;
    StagedFiles staged;
    const std::filesystem::path given = folder / "deep/../out.txt";
    const std::filesystem::path hidden = staged.stage(given);
    try {
        staged.with_places([&] { throw Error::input(hidden.string() + " can't be written"); });
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.what(), given.string() + " can't be written");
        EXPECT_EQ(error.exit_code(), 2);
    }
}

TEST(StagedFiles, remove_what_a_killed_run_left_and_nothing_else) {
    const ScratchFolder folder;
    const pid_t killed = ::fork();
    if (killed == 0) {
        StagedFiles staged;
        write(staged.stage(folder / "lost.txt"), "half");
        ::raise(SIGKILL);
    }
    ::waitpid(killed, nullptr, 0);
    ASSERT_EQ(folder.names().size(), 1U);
    std::filesystem::create_directory(folder / ".thalweg-run-of-mine");
    write(folder / ".thalweg-run-abcdef", "mine");
    {
        StagedFiles staged;
        write(staged.stage(folder / "new.txt"), "new");
        staged.commit();
    }
    EXPECT_THAT(folder.names(), ElementsAre(".thalweg-run-abcdef", ".thalweg-run-of-mine", "new.txt"));
}

TEST(StagedFiles, leave_those_of_a_living_run_alone) {
    const ScratchFolder folder;
    StagedFiles living;
    write(living.stage(folder / "slow.txt"), "slow");
    {
        StagedFiles quick;
        write(quick.stage(folder / "quick.txt"), "quick");
        quick.commit();
    }
    living.commit();
    EXPECT_EQ(bytes_of(folder / "slow.txt"), "slow");
    EXPECT_EQ(bytes_of(folder / "quick.txt"), "quick");
}

}  // namespace
}  // namespace thalweg
