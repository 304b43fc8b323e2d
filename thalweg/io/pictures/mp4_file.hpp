// Coded pictures as the bytes of an MP4 file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg {

/// One coded picture (H.264): its units, each behind its length in 4 bytes.
struct Mp4Picture {
    std::vector<std::byte> units;
    std::uint32_t duration = 0;  // ticks
    bool stands_alone = false;   // whether it can be shown without those before
};

/// A film of pictures that follow one another.
struct Mp4Film {
    int width = 0;   // pixels
    int height = 0;  // pixels
    std::uint32_t ticks_per_second = 1;
    std::vector<std::byte> sequence_parameters = {};  // unit of H.264, of 4 bytes and more
    std::vector<std::byte> picture_parameters = {};   // likewise
    std::vector<Mp4Picture> pictures = {};
};

/// One track of H.264 in the colours of BT.709, all that players need to know before the pictures, so that a
/// browser shows them as they come. No time stamps. Source: ISO/IEC 14496-12 and -15. O(bytes).
std::vector<std::byte> mp4_file(const Mp4Film& film);

}  // namespace thalweg
