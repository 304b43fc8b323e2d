#include "thalweg/particles/ground/avalanches.hpp"

#include "thalweg/core/lane_reads.hpp"
#include "thalweg/flow/directions.hpp"

#include <cstdint>
#include <cstring>

namespace thalweg {
namespace {

[[gnu::always_inline]] inline Ints larger_of(Ints a, Ints b) {
    return a > b ? a : b;
}
[[gnu::always_inline]] inline Ints smaller_of(Ints a, Ints b) {
    return a < b ? a : b;
}
[[gnu::always_inline]] inline Ints size_of(Ints v) {
    return larger_of(v, -v);
}

/// `share` in 2048 of `excess`, without overflow.
[[gnu::always_inline]] inline Ints part_of(Ints excess, std::int32_t share) {
    return (excess >> 11) * share + (((excess & 2047) * share) >> 11);
}

/// What a direction adds to a cell.
[[gnu::always_inline]] inline std::int32_t step_of(const RowSlice& row, int d) {
    return kRowStep[d] * row.columns + kColumnStep[d];
}

/// By how much cells from `i` on are higher than their neighbours `step` cells on.
[[gnu::always_inline]] inline Ints drop_to(const RowSlice& row, int i, std::int32_t step) {
    return load_ints(row.elevation + i) - load_ints(row.elevation + i + step);
}

/// Units that bedrock may differ by from neighbours across: 92682 / 2^16 of those along rows.
[[gnu::always_inline]] inline Ints across(Ints rise) {
    constexpr std::int32_t kBeyondOne = 27146;
    return rise + (rise >> 16) * kBeyondOne + (((rise & 0xffff) * kBeyondOne) >> 16);
}

/// Slopes, units, that roots raise by a share of them.
[[gnu::always_inline]] inline Ints raised(Ints slope, Floats share) {
    const Floats more = least_of(floats_of(slope) * share, Floats{} + 0x1p29F);
    return slope + __builtin_convertvector(more, Ints);
}

/// Whether any cell from `i` on differs too much from a neighbour.
[[gnu::always_inline]] inline Ints are_too_steep(const RowSlice& row, int i, std::int32_t straight,
                                                 std::int32_t diagonal) {
    Ints most_straight{};
    Ints most_diagonal{};
#pragma GCC unroll 4
    for (int d = 0; d < 8; d += 2) {
        most_straight = larger_of(most_straight, size_of(drop_to(row, i, step_of(row, d))));
        most_diagonal = larger_of(most_diagonal, size_of(drop_to(row, i, step_of(row, d + 1))));
    }
    return (most_straight > straight) | (most_diagonal > diagonal);
}

/// What cells give to neighbours; less than 0 where they take.
struct Given {
    Ints all;
    Ints soil;  // of these
};

/// From `i` on, in direction `d`.
[[gnu::always_inline]] inline Given given(const RowSlice& row, const MaterialSlides& law, int i, int d) {
    const std::int32_t step = step_of(row, d);
    const Ints drop = drop_to(row, i, step);
    const auto steepest = [&](const AvalancheLaw& of) {
        return d % 2 == 0 ? of.steepest_straight : of.steepest_diagonal;
    };
    const auto part_beyond = [&](Ints slope, std::int32_t share) {
        return part_of(larger_of(size_of(drop) - slope, Ints{}), share);
    };
    if (row.loose == nullptr) {
        const Ints amount = part_beyond(Ints{} + steepest(law.sediment), law.sediment.share);
        return {drop > 0 ? amount : -amount, Ints{}};
    }
    const auto of_giver = [&](const std::int32_t* values) {
        return choose(drop > 0, load_ints(values + i), load_ints(values + i + step));
    };
    Floats held{};
    if (row.held != nullptr) held = choose(drop > 0, load(row.held + i), load(row.held + i + step));
    const Ints height = of_giver(row.elevation);
    const Ints is_beach = (height >= law.beach_low) & (height <= law.beach_high);
    const auto slope_of = [&](const AvalancheLaw& of) {
        return choose(is_beach, Ints{} + steepest(law.beach), raised(Ints{} + steepest(of), held));
    };
    Ints rise = of_giver(row.bedrock_rise);
    if (law.do_roots_hold_bedrock) rise = raised(rise, held);
    const Ints rock = part_beyond(d % 2 == 0 ? rise : across(rise), law.bedrock_share);
    // All eight neighbours together take no more of a material than there is.
    const Ints loose =
        smaller_of(part_beyond(slope_of(law.sediment), law.sediment.share), of_giver(row.loose) >> 3);
    Ints amount = larger_of(loose, rock);
    Ints soil{};
    if (row.soil != nullptr) {
        const Ints most = of_giver(row.soil) >> 3;
        amount = larger_of(amount, smaller_of(part_beyond(slope_of(law.soil), law.soil.share), most));
        soil = smaller_of(amount, most);
    }
    return {drop > 0 ? amount : -amount, drop > 0 ? soil : -soil};
}

/// A vector of cells from `cell` on, of which those in lanes from `first` to `last` count.
struct Block {
    int cell, first, last;

    [[nodiscard]] Ints counts() const {
        const Ints numbers = reinterpret_cast<Ints>(lane_numbers());
        return (numbers >= first) & (numbers < last);
    }
};

/// The block of the cells from `i` on. The last one overlaps the one before: both write the same.
Block block_at(int i, int count) {
    const int cell = i + kLanes <= count || count < kLanes ? i : count - kLanes;
    return {.cell = cell, .first = i - cell, .last = count - cell < kLanes ? count - cell : kLanes};
}

/// Where cells from `places` on keep their elevation.
[[gnu::always_inline]] inline Ints are_fixed(const CellPlace* places) {
    return (load_bytes(places) & kKindOfPlace) >= static_cast<std::int32_t>(CellKind::Border);
}

/// Takes out what would come from or to cells that keep their elevation, and adds what leaves.
[[gnu::always_inline]] inline Ints kept_still(const RowSlice& row, const Block& block, std::int32_t step,
                                              Ints amounts, std::int64_t& left) {
    const Ints stays = are_fixed(row.places + block.cell);
    const Ints leaves = are_fixed(row.places + block.cell + step) & ~stays;
    const Ints kept = choose(stays | (leaves & (amounts < 0)), Ints{}, amounts);
    unsigned out = bits_of(leaves & block.counts() & (kept > 0));
    for (; out != 0; out &= out - 1) left += kept[__builtin_ctz(out)];
    return kept;
}

/// What comes to cells: units, and these times their pigments.
struct Arrived {
    Floats amount{};
    Floats pigments[kMostPigments]{};

    /// From the neighbours that are so many cells away, where less than 0 is given to them.
    void add(Ints given, const RowSlice& row, std::int32_t neighbours) {
        const Floats came = floats_of(larger_of(-given, Ints{}));
        amount += came;
        for (int p = 0; p < kMostPigments && row.pigments[p] != nullptr; ++p)
            pigments[p] += choose(came > 0.0F, came * load(row.pigments[p] + neighbours), Floats{});
    }

    [[nodiscard]] Floats mixed_with(Floats surface, float depth, int p) const {
        return choose(amount > 0.0F, (surface * depth + pigments[p]) / (depth + amount), surface);
    }
};

/// Lets cells of a block slide; returns a bit for each of those that count and do, from the row's first on.
[[gnu::noinline]] std::uint32_t slide_block(const RowSlice& row, const MaterialSlides& law,
                                            const Block& block, const RowChange& change, SlidOut& out) {
    Ints sum{};
    Ints sum_of_soil{};
    Ints any{};
    Arrived arrived;
#pragma GCC unroll 8
    for (int d = 0; d < 8; ++d) {
        Given amounts = given(row, law, block.cell, d);
        if (row.has_fixed) {
            amounts.all = kept_still(row, block, step_of(row, d), amounts.all, out.all);
            if (row.soil != nullptr)
                amounts.soil = kept_still(row, block, step_of(row, d), amounts.soil, out.soil);
        }
        sum -= amounts.all;
        sum_of_soil -= amounts.soil;
        any |= amounts.all;
        if (row.pigments[0] != nullptr) arrived.add(amounts.all, row, block.cell + step_of(row, d));
    }
    store_ints(change.all + block.cell, sum);
    if (row.soil != nullptr) store_ints(change.soil + block.cell, sum_of_soil);
    for (int p = 0; p < kMostPigments && row.pigments[p] != nullptr; ++p)
        store(change.pigments[p] + block.cell,
              arrived.mixed_with(load(row.pigments[p] + block.cell), law.pigment_depth, p));
    return bits_of((any != 0) & block.counts()) << block.cell;
}

/// Cells that have as many beside them as a vector holds; so has `change`.
std::uint32_t slide_wide(const RowSlice& row, const MaterialSlides& law, const RowChange& change,
                         SlidOut& out) {
    const bool is_plain = row.loose == nullptr;
    const std::int32_t straight = is_plain ? law.sediment.steepest_straight : law.least_rise;
    const std::int32_t diagonal = is_plain ? law.sediment.steepest_diagonal : law.least_rise;
    Ints steep{};
    for (int i = 0; i < row.count; i += kLanes) {
        const Block block = block_at(i, row.count);
        steep |= are_too_steep(row, block.cell, straight, diagonal) & block.counts();
    }
    if (bits_of(steep) == 0) return 0;
    std::uint32_t slides = 0;
    for (int i = 0; i < row.count; i += kLanes)
        slides |= slide_block(row, law, block_at(i, row.count), change, out);
    return slides;
}

/// Fewer cells than a vector holds, with those around them.
struct NarrowRow {
    static constexpr int kColumns = kLanes + 2;
    std::int32_t elevation[3 * kColumns];
    std::int32_t loose[3 * kColumns];
    std::int32_t bedrock_rise[3 * kColumns];
    std::int32_t soil[3 * kColumns];
    float pigments[kMostPigments][3 * kColumns];
    float held[3 * kColumns];
    CellPlace places[3 * kColumns];

    [[nodiscard]] RowSlice copy(const RowSlice& row) {
        std::memset(static_cast<void*>(this), 0, sizeof *this);
        const auto copied = [&](const auto* from, auto* to) {
            if (from == nullptr) return;
            for (int line = -1; line <= 1; ++line)
                for (int i = -1; i <= row.count; ++i)
                    to[(line + 1) * kColumns + 1 + i] = from[line * row.columns + i];
        };
        copied(row.elevation, elevation);
        copied(row.loose, loose);
        copied(row.bedrock_rise, bedrock_rise);
        copied(row.soil, soil);
        for (int p = 0; p < kMostPigments; ++p) copied(row.pigments[p], pigments[p]);
        copied(row.held, held);
        copied(row.places, places);
        const auto copy_of = [](const auto* from, const auto* copies) {
            return from == nullptr ? nullptr : copies + kColumns + 1;
        };
        RowSlice copies = {.elevation = elevation + kColumns + 1,
                           .places = places + kColumns + 1,
                           .columns = kColumns,
                           .count = row.count,
                           .has_fixed = row.has_fixed,
                           .loose = copy_of(row.loose, loose),
                           .bedrock_rise = copy_of(row.bedrock_rise, bedrock_rise),
                           .soil = copy_of(row.soil, soil),
                           .held = copy_of(row.held, held)};
        for (int p = 0; p < kMostPigments; ++p) copies.pigments[p] = copy_of(row.pigments[p], pigments[p]);
        return copies;
    }
};

}  // namespace

template <>
std::uint32_t slide_in_lanes<kLanes>(const RowSlice& row, const MaterialSlides& law, const RowChange& change,
                                     SlidOut& out) {
    if (row.count >= kLanes) return slide_wide(row, law, change, out);
    NarrowRow narrow;
    const RowSlice wide = narrow.copy(row);
    std::int32_t all[kLanes];
    std::int32_t soil[kLanes];
    float pigments[kMostPigments][kLanes];
    RowChange of_wide = {.all = all, .soil = soil};
    for (int p = 0; p < kMostPigments; ++p) of_wide.pigments[p] = pigments[p];
    const std::uint32_t slides = slide_wide(wide, law, of_wide, out);
    if (slides == 0) return 0;
    for (int i = 0; i < row.count; ++i) {
        change.all[i] = all[i];
        if (row.soil != nullptr) change.soil[i] = soil[i];
        for (int p = 0; p < kMostPigments && row.pigments[p] != nullptr; ++p)
            change.pigments[p][i] = pigments[p][i];
    }
    return slides;
}

}  // namespace thalweg
