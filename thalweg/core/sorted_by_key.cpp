#include "thalweg/core/sorted_by_key.hpp"

#include "thalweg/core/cancelling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <numeric>
#include <utility>

namespace thalweg {
namespace {

/// The bits of `v`, each followed by a 0.
std::uint64_t spread_bits(std::uint64_t v) {
    v = (v | (v << 16)) & 0x0000ffff0000ffffULL;
    v = (v | (v << 8)) & 0x00ff00ff00ff00ffULL;
    v = (v | (v << 4)) & 0x0f0f0f0f0f0f0f0fULL;
    v = (v | (v << 2)) & 0x3333333333333333ULL;
    return (v | (v << 1)) & 0x5555555555555555ULL;
}

}  // namespace

std::uint64_t morton_code(std::uint32_t column, std::uint32_t row) {
    return spread_bits(column) | (spread_bits(row) << 1);
}

std::vector<std::uint32_t> order_of_keys(std::span<const std::uint64_t> keys) {
    constexpr int kBits = 11;
    constexpr std::size_t kBuckets = std::size_t{1} << kBits;
    std::uint64_t all = 0;
    for (const std::uint64_t key : keys) all |= key;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) sorted[i] = {keys[i], static_cast<std::uint32_t>(i)};
    std::vector<std::pair<std::uint64_t, std::uint32_t>> other(keys.size());
    for (int shift = 0; shift < static_cast<int>(std::bit_width(all)); shift += kBits) {
        poll_cancelled();
        std::array<std::uint32_t, kBuckets> starts{};
        for (const auto& [key, index] : sorted) ++starts[(key >> shift) & (kBuckets - 1)];
        std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), std::uint32_t{0});
        for (const auto& pair : sorted) other[starts[(pair.first >> shift) & (kBuckets - 1)]++] = pair;
        std::swap(sorted, other);
    }
    std::vector<std::uint32_t> order(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) order[i] = sorted[i].second;
    return order;
}

}  // namespace thalweg
