// Where water has no way on.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/directions.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace thalweg {

/// The cells of direction kPit among [first, last), ascending.
inline std::vector<std::int32_t> pits_among(const std::vector<std::uint8_t>& direction, std::int64_t first,
                                            std::int64_t last) {
    std::vector<std::int32_t> pits;
    const std::uint8_t* const end = direction.data() + last;
    const auto next_pit = [&](const std::uint8_t* from) {
        return static_cast<const std::uint8_t*>(std::memchr(from, kPit, at(end - from)));
    };
    for (const std::uint8_t* pit = next_pit(direction.data() + first); pit != nullptr;
         pit = next_pit(pit + 1))
        pits.push_back(static_cast<std::int32_t>(pit - direction.data()));
    return pits;
}

/// All of them, in row-major order. O(cells), parallel.
inline std::vector<std::int32_t> find_pits(const std::vector<std::uint8_t>& direction) {
    constexpr std::int64_t kCellsPerTask = 1 << 16;
    return parallel_concat<std::int32_t>(
        0, std::ssize(direction), kCellsPerTask,
        [&](std::int64_t first, std::int64_t last) { return pits_among(direction, first, last); });
}

}  // namespace thalweg
