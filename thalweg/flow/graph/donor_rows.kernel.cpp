#include "thalweg/flow/graph/donor_rows.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/flow/directions.hpp"

namespace thalweg {
namespace {

constexpr int kBlock = 4 * kLanes;  // cells that are looked at together: they fill a vector
using Block = std::uint8_t __attribute__((vector_size(kBlock)));
using EightBytes = std::uint8_t __attribute__((vector_size(8)));
using EightShorts = std::int16_t __attribute__((vector_size(16)));
using EightInts = std::int32_t __attribute__((vector_size(32)));

/// The places of the bits that are set in a byte, the highest first, and how many there are.
struct SetBits {
    std::uint8_t places[8];
};
struct SetBitsTable {
    SetBits of[256] = {};
    std::uint8_t count[256] = {};

    constexpr SetBitsTable() {
        for (int byte = 0; byte < 256; ++byte)
            for (int bit = 8; bit-- > 0;)
                if ((byte >> bit & 1) != 0) of[byte].places[count[byte]++] = static_cast<std::uint8_t>(bit);
    }
};
constexpr SetBitsTable kSetBits;

[[gnu::always_inline]] inline Block load_block(const std::uint8_t* from) {
    Block block;
    std::memcpy(&block, from, sizeof block);
    return block;
}

/// 1 where a direction leads towards `d`, by bytes.
[[gnu::always_inline]] inline Block leads(const std::uint8_t* directions, int d) {
    return reinterpret_cast<Block>(load_block(directions) == static_cast<std::uint8_t>(d)) & 1;
}

[[gnu::always_inline]] inline Block donors_at(const DonorRow& row, std::int64_t first) {
    const std::uint8_t* const above = row.above + first;
    const std::uint8_t* const here = row.here + first;
    const std::uint8_t* const below = row.below + first;
    // From the neighbours east, south-east, south and so on: each drains the opposite way.
    return leads(here + 1, 4) + leads(below + 1, 5) + leads(below, 6) + leads(below - 1, 7) +
           leads(here - 1, 0) + leads(above - 1, 1) + leads(above, 2) + leads(above + 1, 3);
}

/// The lowest bits of eight bytes, the first byte's lowest.
[[gnu::always_inline]] inline unsigned lowest_bits(const std::uint8_t* bytes) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes, sizeof eight);
    return static_cast<unsigned>(eight * 0x0102040810204080U >> 56);
}

/// Appends the cells, from `first` on, whose bits are set, the last first.
[[gnu::always_inline]] inline std::int32_t* append(unsigned bits, std::int32_t first, std::int32_t* sources) {
    EightBytes places;
    std::memcpy(&places, kSetBits.of[bits].places, sizeof places);
    const EightInts cells =
        __builtin_convertvector(__builtin_convertvector(places, EightShorts), EightInts) + first;
    std::memcpy(sources, &cells, sizeof cells);
    return sources + kSetBits.count[bits];
}

}  // namespace

template <>
std::int32_t* list_sources_in_lanes<kLanes>(const DonorRow& row, int shift, std::uint32_t* state,
                                            std::int32_t* sources) {
    std::uint8_t donors[kBlock], inside[kBlock], is_source[kBlock];
    for (std::int32_t first = (row.cells - 1) / kBlock * kBlock; first >= 0; first -= kBlock) {
        const Block directions = load_block(row.here + first);
        const Block here = reinterpret_cast<Block>(directions != kOutside) & 1;
        const Block end = reinterpret_cast<Block>(directions >= kRoot) & here;
        const Block of_cells = donors_at(row, first) + end;
        const Block without = reinterpret_cast<Block>(of_cells == 0) & here;
        std::memcpy(donors, &of_cells, sizeof donors);
        std::memcpy(inside, &here, sizeof inside);
        std::memcpy(is_source, &without, sizeof is_source);
        std::uint32_t states[kBlock];
        for (int i = 0; i < kBlock; i += kLanes) {
            const Ints words = (load_bytes(donors + i) << shift) + load_bytes(inside + i);
            std::memcpy(states + i, &words, sizeof words);
        }
        // Copies of a size that is known need no call.
        if (const std::int32_t rest = row.cells - first; rest < kBlock) {
            std::memcpy(state + first, states, static_cast<std::size_t>(rest) * sizeof *states);
            std::memset(is_source + rest, 0, static_cast<std::size_t>(kBlock - rest));
        } else {
            std::memcpy(state + first, states, sizeof states);
        }
        for (int i = kBlock - 8; i >= 0; i -= 8)
            sources = append(lowest_bits(is_source + i), row.first_cell + first + i, sources);
    }
    return sources;
}

}  // namespace thalweg
