#include "thalweg/core/sorted_by_key.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
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
    struct Numbered {
        std::uint64_t key;
        std::uint32_t number;
    };
    constexpr int kBits = 11;
    constexpr std::size_t kBuckets = std::size_t{1} << kBits;
    constexpr std::int64_t kBlock = 1 << 16;  // keys that are counted together
    std::uint64_t all = 0;
    for (const std::uint64_t key : keys) all |= key;
    std::vector<Numbered> sorted(keys.size());
    const auto for_each_block = [&](const auto& body) {
        parallel_for(0, std::ssize(keys), kBlock, [&](std::int64_t first, std::int64_t last) {
            body(static_cast<std::size_t>(first / kBlock), static_cast<std::size_t>(first),
                 static_cast<std::size_t>(last));
        });
    };
    for_each_block([&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) sorted[i] = {keys[i], static_cast<std::uint32_t>(i)};
    });
    std::vector<Numbered> other(keys.size());
    // Of each block: how many keys are in each bucket, then where its first one goes.
    std::vector<std::array<std::uint32_t, kBuckets>> places(
        static_cast<std::size_t>((std::ssize(keys) + kBlock - 1) / kBlock));
    for (int shift = 0; shift < static_cast<int>(std::bit_width(all)); shift += kBits) {
        poll_cancelled();
        const auto bucket = [shift](const Numbered& one) { return (one.key >> shift) & (kBuckets - 1); };
        for_each_block([&](std::size_t block, std::size_t first, std::size_t last) {
            places[block].fill(0);
            for (std::size_t i = first; i < last; ++i) ++places[block][bucket(sorted[i])];
        });
        std::uint32_t before = 0;
        for (std::size_t k = 0; k < kBuckets; ++k)
            for (auto& of_block : places) before += std::exchange(of_block[k], before);
        for_each_block([&](std::size_t block, std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) other[places[block][bucket(sorted[i])]++] = sorted[i];
        });
        std::swap(sorted, other);
    }
    std::vector<std::uint32_t> order(keys.size());
    for_each_block([&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) order[i] = sorted[i].number;
    });
    return order;
}

}  // namespace thalweg
