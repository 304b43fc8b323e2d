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

/// Where `path` leads through all links, also those to what is not there, without "." and ".."; absolute.
/// Never throws for what is missing: its names stay as they are.
std::filesystem::path resolved_place(const std::filesystem::path& path);

/// Whether `path` is a pipe, a terminal or a device: it takes bytes directly, and nothing is renamed over it.
bool is_special_file(const std::filesystem::path& path);

/// Throws Error::input when `path` can't be written: its folder is missing or read-only, or it is a folder
/// itself. Called before long work starts.
void check_writable(const std::filesystem::path& path);

/// SHA-256 of a file or of bytes, in lower-case hexadecimal digits.
std::string sha256_of_file(const std::filesystem::path& path);
std::string sha256(std::span<const std::byte> bytes);

}  // namespace thalweg
