// Files that are never half written, and their checksums.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace thalweg {

/// Writes `bytes` to a temporary file beside `path`, flushes it to the disk, and renames it to `path`; on
/// any failure the temporary file is removed and an existing `path` stays as it was. Polls as
/// core/cancelling.hpp says, also while nobody reads the pipe that `path` may be. Throws Error::failure,
/// also when there is no room (the disk, a quota or a size limit is exhausted).
///
/// Example:
///     const std::string text = "x,y\n1200,800\n";
///     check_writable("places.csv");
///     write_file_atomically("places.csv", std::as_bytes(std::span(text)));
void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// Where `path` leads through all links, also those to what is not there, without "." and ".."; absolute.
/// Never throws for what is missing: its names stay as they are.
std::filesystem::path resolved_place(const std::filesystem::path& path);

/// The extension with its dot, in small letters: ".tif".
std::string lower_case_extension(const std::filesystem::path& path);

/// Whether `path` is a pipe, a terminal or a device: it takes bytes directly, and nothing is renamed over it.
bool is_special_file(const std::filesystem::path& path);

/// Throws Error::input when `path` can't be written: its folder is missing or read-only, or it is a folder
/// itself. Called before long work starts.
void check_writable(const std::filesystem::path& path);

/// Returns once `descriptor` is ready for `events` of poll(2), as files always are; polls as
/// core/cancelling.hpp says while it waits for a pipe or a terminal.
void wait_until_ready(int descriptor, short events);

/// Gives all bytes of an open file to `take`, piece by piece, and polls as core/cancelling.hpp says. Throws
/// Error::failure, with `name` for the file.
void read_pieces(int descriptor, const std::string& name,
                 const std::function<void(std::span<const std::byte>)>& take);

/// The same of the file, pipe or device at `path`. Throws Error::input where it can't be opened.
void read_pieces(const std::filesystem::path& path,
                 const std::function<void(std::span<const std::byte>)>& take);

/// SHA-256 of a file or of bytes, in lower-case hexadecimal digits.
std::string sha256_of_file(const std::filesystem::path& path);
std::string sha256(std::span<const std::byte> bytes);

}  // namespace thalweg
