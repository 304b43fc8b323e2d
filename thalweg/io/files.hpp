// Files that are never half written, and their checksums.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace thalweg {

/// Writes `bytes` to a temporary file beside `path`, flushes it to the disk, and renames it to `path`; on any
/// failure the temporary file is removed and an existing `path` stays as it was. Throws
/// Error::failure, also when there is no room (the disk, a quota or a size limit is exhausted).
void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// Throws Error::input when `path` can't be written: its folder is missing or read-only, or it is a folder
/// itself. Called before long work starts.
void check_writable(const std::filesystem::path& path);

/// SHA-256 of a file or of bytes, in lower-case hexadecimal digits.
std::string sha256_of_file(const std::filesystem::path& path);
std::string sha256(std::span<const std::byte> bytes);

}  // namespace thalweg
