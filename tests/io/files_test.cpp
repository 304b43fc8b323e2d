#include "thalweg/io/files.hpp"

#include "thalweg/core/error.hpp"

#include <array>
#include <future>

#include "tests/io/limited_disk.hpp"
#include "tests/io/temporary_folder.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thalweg {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
}

TEST(Files, are_written_whole_with_nothing_beside) {
    const TemporaryFolder folder;
    const std::string text = "the line of deepest flow";
    write_file_atomically(folder / "a.txt", bytes_of(text));
    EXPECT_EQ(content_of(folder / "a.txt"), text);
    write_file_atomically(folder / "a.txt", bytes_of("shorter"));
    EXPECT_EQ(content_of(folder / "a.txt"), "shorter");
    write_file_atomically(folder / "empty.txt", {});
    EXPECT_EQ(content_of(folder / "empty.txt"), "");
    EXPECT_EQ(folder.files(), 2U);
}

TEST(Files, with_the_longest_name_can_be_written) {
    const TemporaryFolder folder;
    const std::string name(255, 'n');
    write_file_atomically(folder / name, bytes_of("x"));
    EXPECT_EQ(content_of(folder / name), "x");
}

TEST(Files, keep_the_permissions_of_the_file_they_replace) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.text("script", "old");
    ASSERT_EQ(::chmod(path.c_str(), 0750), 0);
    write_file_atomically(path, bytes_of("new"));
    struct stat status{};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0750U);
}

TEST(Files, behind_a_link_are_replaced_and_the_link_stays) {
    const TemporaryFolder folder;
    const std::filesystem::path target = folder.text("target", "old");
    std::filesystem::create_symlink("target", folder / "link");
    write_file_atomically(folder / "link", bytes_of("new"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(content_of(target), "new");
}

// A pipe in the test's own folder stands for all devices: a broken program then breaks nothing of the
// machine.
TEST(Files, that_are_pipes_take_the_bytes_and_stay_pipes) {
    const TemporaryFolder folder;
    const std::filesystem::path pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    check_writable(pipe);
    write_file_atomically(pipe, bytes_of("downstream"));
    std::array<char, 32> received{};
    EXPECT_EQ(::read(reader, received.data(), received.size()), 10);
    EXPECT_STREQ(received.data(), "downstream");
    ::close(reader);
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
    EXPECT_EQ(folder.files(), 1U);
}

TEST(Files, on_a_full_disk_leave_the_old_file_and_nothing_beside) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.text("layer.tif", "old");
    const std::string large(1 << 20, 'x');
    {
        const LimitedDisk disk(64 << 10);
        const Error error = error_of([&] { write_file_atomically(path, bytes_of(large)); });
        EXPECT_EQ(error.kind(), ErrorKind::Failure);
        EXPECT_EQ(error.what(), path.string() + " can't be written: File too large");
        EXPECT_THROW(write_file_atomically(folder / "other.tif", bytes_of(large)), Error);
    }
    EXPECT_EQ(content_of(path), "old");
    EXPECT_EQ(folder.files(), 1U);
    write_file_atomically(path, bytes_of(large));
    EXPECT_EQ(content_of(path), large);
}

TEST(Files, of_several_threads_never_mix) {
    const TemporaryFolder folder;
    std::vector<std::future<void>> writers;
    for (char letter = 'a'; letter < 'i'; ++letter)
        writers.push_back(std::async(std::launch::async, [&folder, letter] {
            const std::string text(100000, letter);
            for (int i = 0; i < 5; ++i) write_file_atomically(folder / "shared", bytes_of(text));
        }));
    for (std::future<void>& writer : writers) writer.get();
    const std::string text = content_of(folder / "shared");
    ASSERT_EQ(text.size(), 100000U);
    EXPECT_EQ(text, std::string(100000, text[0]));
    EXPECT_EQ(folder.files(), 1U);
}

TEST(Files, that_can_not_be_written_are_refused_before_any_work) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.text("file", "");
    expect_refused([&] { check_writable(folder.path()); }, folder.path().string(), "it is a folder");
    expect_refused([&] { check_writable(folder / "missing/a.tif"); }, "missing/a.tif", "does not exist");
    expect_refused([&] { check_writable(file / "a.tif"); }, "a.tif", "can't be written");
    expect_refused([&] { check_writable(""); }, "", "empty");
    EXPECT_NO_THROW(check_writable(folder / "a.tif"));
    EXPECT_NO_THROW(check_writable(file));
    EXPECT_EQ(folder.files(), 1U);
    EXPECT_EQ(error_of([&] { write_file_atomically(file / "a.tif", {}); }).exit_code(), 1);
    EXPECT_EQ(error_of([&] { write_file_atomically(folder.path(), {}); }).exit_code(), 1);
    EXPECT_EQ(folder.files(), 1U);
}

TEST(Files, in_a_file_system_that_takes_none_are_refused_even_for_root) {
    if (!std::filesystem::is_directory("/proc/self")) GTEST_SKIP() << "this machine has no /proc";
    expect_refused([] { check_writable("/proc/a.tif"); }, "/proc/a.tif", "no file can be made");
}

TEST(Files, that_are_write_protected_are_refused) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.text("file", "kept");
    ASSERT_EQ(::chmod(file.c_str(), 0444), 0);
    expect_refused([&] { check_writable(file); }, file.string(), "Permission denied");
    ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
    expect_refused([&] { check_writable(folder / "new"); }, "new", "Permission denied");
    ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
}

// Test vectors of FIPS 180-4 (NIST's SHA examples).
TEST(Sha256, agrees_with_the_published_vectors) {
    EXPECT_EQ(sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256(bytes_of("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const std::string million(1000000, 'a');
    EXPECT_EQ(sha256(bytes_of(million)), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, of_a_file_is_that_of_its_bytes) {
    const TemporaryFolder folder;
    const std::string text(3000001, 'b');
    EXPECT_EQ(sha256_of_file(folder.text("b", text)), sha256(bytes_of(text)));
    EXPECT_EQ(sha256_of_file(folder.text("empty", "")), sha256({}));
    expect_refused([&] { sha256_of_file(folder / "missing"); }, "missing", "can't be read");
    expect_refused([&] { sha256_of_file(folder.path()); }, folder.path().string(), "can't be read");
}

}  // namespace
}  // namespace thalweg
