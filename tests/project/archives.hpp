// Archives in memory, for tests.
#pragma once

#include "thalweg/project/binary_archive.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// What write(archive) archives.
template <class Write>
std::vector<std::byte> archived_by(const Write& write) {
    std::vector<std::byte> bytes;
    ArchiveWriter archive(
        [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    write(archive);
    archive.finish();
    return bytes;
}

/// What read(archive) reads of an archive with those bytes.
template <class Read>
auto read_from_archive(const std::vector<std::byte>& bytes, const Read& read) {
    std::size_t position = 0;
    ArchiveReader archive(
        [&](std::span<std::byte> wanted) {
            std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(position), wanted.size(), wanted.begin());
            position += wanted.size();
        },
        static_cast<std::int64_t>(bytes.size()));
    return read(archive);
}

}  // namespace thalweg
