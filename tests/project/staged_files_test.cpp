#include "thalweg/project/output/staged_files.hpp"

#include "thalweg/core/error.hpp"

#include <csignal>
#include <functional>

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

TEST(StagedFiles, keep_the_mode_of_what_they_replace_and_follow_links) {
    const ScratchFolder folder;
    write(folder / "old.txt", "old");
    std::filesystem::permissions(folder / "old.txt", std::filesystem::perms{0640});
    std::filesystem::create_symlink("old.txt", folder / "link.txt");
    std::filesystem::create_symlink("none.txt", folder / "dangling.txt");
    StagedFiles staged;
    write(staged.stage(folder / "link.txt"), "new");
    write(staged.stage(folder / "dangling.txt"), "first");
    staged.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
    EXPECT_EQ(bytes_of(folder / "old.txt"), "new");
    EXPECT_EQ(bytes_of(folder / "none.txt"), "first");
    EXPECT_EQ(std::filesystem::status(folder / "old.txt").permissions(), std::filesystem::perms{0640});
}

TEST(StagedFiles, refuse_one_place_for_two) {
    const ScratchFolder folder;
    std::filesystem::create_symlink("a.txt", folder / "link.txt");
    StagedFiles staged;
    write(staged.stage(folder / "a.txt"), "a");
    EXPECT_THROW(staged.stage(folder / "./a.txt"), Error);
    EXPECT_THROW(staged.stage(folder / "link.txt"), Error);
}

/// Commits five files over older ones, but for one that `spoil` makes impossible, and one to be removed.
void expect_old_set_after(
    const std::function<void(const ScratchFolder&, const std::filesystem::path&)>& spoil) {
    const ScratchFolder folder;
    for (const char* name : {"a", "c", "e", "stale"}) write(folder / name, "old");
    {
        StagedFiles staged;
        std::filesystem::path third;
        staged.remove(folder / "stale");
        for (const char* name : {"a", "b", "c", "d", "e"}) {
            const std::filesystem::path place = staged.stage(folder / name);
            write(place, "new");
            if (*name == 'd') third = place;
        }
        spoil(folder, third);
        EXPECT_THROW(staged.commit(), Error);
    }
    for (const char* name : {"a", "c", "e", "stale"}) EXPECT_EQ(bytes_of(folder / name), "old") << name;
    EXPECT_FALSE(std::filesystem::exists(folder / "b"));
}

TEST(StagedFiles, of_a_commit_that_fails_midway_leave_the_old_set) {
    expect_old_set_after(
        [](const ScratchFolder&, const std::filesystem::path& staged) { std::filesystem::remove(staged); });
    expect_old_set_after([](const ScratchFolder& folder, const std::filesystem::path&) {
        std::filesystem::create_directories(folder / "d/mine");
    });
}

TEST(StagedFiles, remove_older_files_when_they_are_committed) {
    const ScratchFolder folder;
    write(folder / "stale", "old");
    {
        StagedFiles staged;
        staged.remove(folder / "stale");
        write(staged.stage(folder / "new"), "new");
        EXPECT_TRUE(std::filesystem::exists(folder / "stale"));
        staged.commit();
    }
    EXPECT_THAT(folder.names(), ElementsAre("new"));
}

}  // namespace
}  // namespace thalweg
