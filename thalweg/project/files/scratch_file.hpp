// A file of bytes at places, and the checksum that tells whether they are still the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace thalweg {

/// A file that is read and written at any place, by several threads at a time. Throws Error::failure,
/// also when there is no room (the disk, a quota or a size limit is exhausted).
class ScratchFile {
  public:
    enum class Use { ReadAndWrite, Read };

    /// Opens the file, or makes it where it shall be written. A link is not followed.
    explicit ScratchFile(std::filesystem::path path, Use use = Use::ReadAndWrite);
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    [[nodiscard]] std::int64_t size() const;  // bytes
    void cut(std::int64_t size);

    /// Reads bytes that are there. Throws Error::failure where the file ends before.
    void read(std::int64_t first, std::span<std::byte> into) const;
    void write(std::int64_t first, std::span<const std::byte> bytes);

  private:
    [[noreturn]] void fail(int code) const;

    std::filesystem::path path_;
    int descriptor_;
};

/// A checksum over bytes that are given piece by piece, eight at a time but for the last piece.
class Checksum {
  public:
    explicit Checksum(std::uint64_t start = 0) : sum_(start) {}
    void add(std::span<const std::byte> bytes);
    [[nodiscard]] std::uint64_t value() const;

  private:
    std::uint64_t sum_;
};

}  // namespace thalweg
