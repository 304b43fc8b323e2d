#include "thalweg/project/files/scratch_file.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thalweg {
namespace {

/// The most bytes that one call is given: Linux takes at most 2^31 - 4096 (write(2)).
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

bool is_out_of_room(int code) {
    return code == ENOSPC || code == EDQUOT || code == EFBIG;
}

}  // namespace

ScratchFile::ScratchFile(std::filesystem::path path, Use use)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(),
                         (use == Use::Read ? O_RDONLY : O_RDWR | O_CREAT) | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    if (descriptor_ < 0) fail(errno);
}

ScratchFile::~ScratchFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void ScratchFile::fail(int code) const {
    const std::string reason = std::generic_category().message(code);
    if (is_out_of_room(code))
        throw Error::failure(fmt::format("{} can't be written: {}", path_.string(), reason));
    throw Error::failure(fmt::format("{} can't be worked on: {}", path_.string(), reason));
}

std::int64_t ScratchFile::size() const {
    struct stat status{};
    if (::fstat(descriptor_, &status) != 0) fail(errno);
    return status.st_size;
}

void ScratchFile::cut(std::int64_t size) {
    if (::ftruncate(descriptor_, size) != 0) fail(errno);
}

void ScratchFile::read(std::int64_t first, std::span<std::byte> into) const {
    while (!into.empty()) {
        const ssize_t count = ::pread(descriptor_, into.data(), std::min(into.size(), kMostBytes), first);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(errno);
        if (count == 0) throw Error::failure(path_.string() + " ends too early: was it changed by others?");
        into = into.subspan(static_cast<std::size_t>(count));
        first += count;
    }
}

void ScratchFile::write(std::int64_t first, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::pwrite(descriptor_, bytes.data(), std::min(bytes.size(), kMostBytes), first);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(errno);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        first += count;
    }
}

void Checksum::add(std::span<const std::byte> bytes) {
    constexpr std::uint64_t kOddFactor = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio, as in mix64
    constexpr int kTurn = 29;
    while (!bytes.empty()) {
        std::uint64_t word = 0;
        const std::size_t size = std::min(bytes.size(), sizeof word);
        std::memcpy(&word, bytes.data(), size);
        sum_ = std::rotl((sum_ ^ word ^ size) * kOddFactor, kTurn);
        bytes = bytes.subspan(size);
    }
}

std::uint64_t Checksum::value() const {
    return mix64(sum_);
}

}  // namespace thalweg
