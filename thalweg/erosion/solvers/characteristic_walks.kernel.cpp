#include "thalweg/erosion/solvers/characteristic_walks.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/erosion/law/least_rise.hpp"
#include "thalweg/erosion/law/travel_time.hpp"

#include <cstring>
#include <limits>

namespace thalweg {
namespace {

constexpr int kLookedAt = 4;  // nodes of each path at once (empirical)

using WalkFloats = float __attribute__((vector_size(kCharacteristicWalks * sizeof(float))));
using WalkInts = std::int32_t __attribute__((vector_size(kCharacteristicWalks * sizeof(std::int32_t))));
using WalkDoubles = double __attribute__((vector_size(kCharacteristicWalks * sizeof(double))));
using WalkLongs = std::int64_t __attribute__((vector_size(kCharacteristicWalks * sizeof(std::int64_t))));

[[gnu::always_inline]] inline WalkFloats least(WalkFloats a, WalkFloats b) {
    return a < b ? a : b;
}
[[gnu::always_inline]] inline WalkFloats most(WalkFloats a, WalkFloats b) {
    return a > b ? a : b;
}
[[gnu::always_inline]] inline WalkFloats positive(WalkFloats v) {
    return v < 0.0F ? -v : v;
}
[[gnu::always_inline]] inline WalkDoubles doubles(WalkFloats v) {
    return __builtin_convertvector(v, WalkDoubles);
}
[[gnu::always_inline]] inline WalkFloats floats(WalkDoubles v) {
    return __builtin_convertvector(v, WalkFloats);
}

// Parts of structs that are read or written at once.
using Four = float __attribute__((vector_size(16)));
using Eight = float __attribute__((vector_size(32)));
using Sixteen = float __attribute__((vector_size(64)));
using Pair = double __attribute__((vector_size(16)));
using TwoPairs = double __attribute__((vector_size(32)));

template <class Vector>
[[gnu::always_inline]] inline Vector read_as(const void* from) {
    Vector v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

/// At once, or what reads it at once soon after would have to wait for the memory.
template <class Vector>
[[gnu::always_inline]] inline void write_whole(void* to, Vector v) {
    std::memcpy(to, &v, sizeof v);
}

[[gnu::always_inline]] inline Eight joined(Four a, Four b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}
[[gnu::always_inline]] inline Sixteen joined(Eight a, Eight b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
[[gnu::always_inline]] inline TwoPairs joined(Pair a, Pair b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3);
}
[[gnu::always_inline]] inline WalkDoubles joined(TwoPairs a, TwoPairs b) {
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// Of structs of four members, each walk's: members by walks.
struct Fours {
    Sixteen first, second;  // walks 0 to 3 and 4 to 7

    template <class Place>
    [[gnu::always_inline]] explicit Fours(const Place& place)
        : first(joined(joined(read_as<Four>(place(0)), read_as<Four>(place(1))),
                       joined(read_as<Four>(place(2)), read_as<Four>(place(3))))),
          second(joined(joined(read_as<Four>(place(4)), read_as<Four>(place(5))),
                        joined(read_as<Four>(place(6)), read_as<Four>(place(7))))) {}

    template <int Member>
    [[gnu::always_inline]] WalkFloats member() const {
        return __builtin_shufflevector(first, second, Member, Member + 4, Member + 8, Member + 12,
                                       Member + 16, Member + 20, Member + 24, Member + 28);
    }
};

/// Sums at a node of each walk.
struct Sums {
    WalkDoubles years, change;

    [[gnu::always_inline]] static Sums at_nodes(const PathNode* const* nodes) {
        const WalkDoubles first = joined(joined(read_as<Pair>(nodes[0]), read_as<Pair>(nodes[1])),
                                         joined(read_as<Pair>(nodes[2]), read_as<Pair>(nodes[3])));
        const WalkDoubles second = joined(joined(read_as<Pair>(nodes[4]), read_as<Pair>(nodes[5])),
                                          joined(read_as<Pair>(nodes[6]), read_as<Pair>(nodes[7])));
        return {__builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14),
                __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15)};
    }
};

[[gnu::always_inline]] inline bool is_any(WalkLongs mask) {
    mask |= __builtin_shufflevector(mask, mask, 4, 5, 6, 7, 0, 1, 2, 3);
    mask |= __builtin_shufflevector(mask, mask, 2, 3, 0, 1, 6, 7, 4, 5);
    return (mask[0] | mask[1]) != 0;
}

/// Moves nodes up to the last ones that are not above `start`.
void go_on_to(const CharacteristicWalks& walks, WalkDoubles start, WalkInts& node) {
    for (int w = 0; w < kCharacteristicWalks; ++w)
        while (walks.nodes[w][node[w] + 1].years <= start[w]) ++node[w];
}

/// The last nodes from `first` on that are not above `start`, and those not above `other_start`. Most are
/// found among the next few, without a branch that would be guessed wrong.
[[gnu::always_inline]] inline void last_not_above(const CharacteristicWalks& walks, WalkInts first,
                                                  WalkDoubles start, WalkDoubles other_start, WalkInts& found,
                                                  WalkInts& other_found) {
    const PathNode* nodes[kCharacteristicWalks];
#pragma GCC unroll 8
    for (int w = 0; w < kCharacteristicWalks; ++w) nodes[w] = walks.nodes[w] + first[w];
    WalkLongs below = ~WalkLongs{}, other_below = below, count{}, other_count{};
    for (int seen = 0; seen < kPathMargin && is_any(below | other_below); seen += kLookedAt) {
#pragma GCC unroll 4
        for (int i = 1; i <= kLookedAt; ++i) {
            const WalkDoubles years = {nodes[0][i].years, nodes[1][i].years, nodes[2][i].years,
                                       nodes[3][i].years, nodes[4][i].years, nodes[5][i].years,
                                       nodes[6][i].years, nodes[7][i].years};
            below &= years <= start;
            other_below &= years <= other_start;
            count -= below;
            other_count -= other_below;
        }
        for (const PathNode*& node : nodes) node += kLookedAt;
    }
    found = first + __builtin_convertvector(count, WalkInts);
    other_found = first + __builtin_convertvector(other_count, WalkInts);
    if (is_any(below | other_below)) [[unlikely]] {
        go_on_to(walks, start, found);
        go_on_to(walks, other_start, other_found);
    }
}

/// The sums at the upper end of the links above `below`. No more of a link counts than a signal can pass:
/// sums stay as exact as the time.
[[gnu::always_inline]] inline Sums passed(const Sums& below, WalkFloats years, WalkFloats uplift,
                                          WalkFloats drop, float time) {
    const WalkFloats most_years = WalkFloats{} + 2.0F * time;
    const WalkFloats share = least(WalkFloats{} + 1.0F, most_years / years);
    const WalkFloats years_passed = least(years, most_years);
    return {below.years + doubles(years_passed),
            below.change + doubles(drop * share + uplift * years_passed)};
}

/// By how much a signal's elevation changes from where it starts, above node `signal`, up to `here`, m.
[[gnu::always_inline]] inline WalkFloats change_since(const CharacteristicWalks& walks, const Sums& here,
                                                      WalkInts signal, WalkInts links) {
    const WalkInts at_end = signal == links;
    const WalkInts next = signal + 1 + at_end;  // what stands at the path's end is not looked at
    const PathNode* lower_nodes[kCharacteristicWalks];
    const PathNode* upper_nodes[kCharacteristicWalks];
#pragma GCC unroll 8
    for (int w = 0; w < kCharacteristicWalks; ++w) {
        lower_nodes[w] = walks.nodes[w] + signal[w];
        upper_nodes[w] = walks.nodes[w] + next[w];
    }
    const Sums lower = Sums::at_nodes(lower_nodes);
    Sums upper = Sums::at_nodes(upper_nodes);
    const WalkLongs is_here = __builtin_convertvector(at_end, WalkLongs);
    upper.years = is_here ? here.years : upper.years;
    upper.change = is_here ? here.change : upper.change;
    const WalkDoubles start = here.years - static_cast<double>(walks.time);
    const WalkFloats along = floats(start - lower.years) / floats(upper.years - lower.years);
    return floats(here.change - lower.change) - floats(upper.change - lower.change) * along;
}

/// Erosion never builds up: ground that lies under a lake only rises with the rock. A shallow one is filled
/// up and tilted, so that it drains.
[[gnu::always_inline]] inline WalkFloats ground_after(const CharacteristicWalks& walks, WalkFloats surface,
                                                      WalkFloats lake, WalkFloats initial,
                                                      WalkFloats uplift) {
    const WalkFloats depth = lake - initial;
    const WalkInts is_shallow = (depth > 0.0F) & (depth <= walks.filled_depth);
    const WalkFloats filled = is_shallow ? depth + kMostTilt : WalkFloats{};
    return least(surface, initial + uplift * walks.time + filled);
}

void begin_at_root(const CharacteristicWalks& walks, int w, std::int32_t cell, float* elevation) {
    const float level = walks.links[cell].initial;
    // Beyond the root the ground goes on at the base slope, further than any signal comes from.
    const double rate = walks.root_fall != nullptr
                            ? static_cast<double>(walks.root_fall[cell])
                            : walks.base_slope * static_cast<double>(walks.celerity[cell]);
    const double fall = static_cast<double>(walks.time) * rate;
    const double time = static_cast<double>(walks.time);
    walks.nodes[w][0] = {-2.0 * time, 2.0 * fall};
    walks.nodes[w][1] = {0.0, 0.0};
    walks.waters[w][1] = {level - static_cast<float>(fall), level, 0, 0};
    if (elevation != nullptr) elevation[cell] = level - static_cast<float>(fall);
}

/// Where the walks are.
struct Places {
    WalkInts cell, links;
    Sums below;  // at the receivers
};

/// value(w) of every walk. In one expression: lanes that are written one by one lie in memory, and what reads
/// them at once soon after would have to wait for it.
template <class Value>
[[gnu::always_inline]] inline WalkInts of_walks(const Value& value) {
    static_assert(kCharacteristicWalks == 8);
    return WalkInts{value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7)};
}

/// Goes to visit `i`, and ends the paths there for now.
[[gnu::always_inline]] inline Places go_to(const CharacteristicWalks& walks, std::int64_t i) {
    const PathNode* below[kCharacteristicWalks];
#pragma GCC unroll 8
    for (int w = 0; w < kCharacteristicWalks; ++w) {
        __builtin_prefetch(walks.links + walks.visits[w][i + kPathAhead].cell);
        PathNode* const node = walks.nodes[w] + walks.visits[w][i].links;
        below[w] = node;
        node[1].years = std::numeric_limits<double>::infinity();
    }
    return {of_walks([&](int w) { return walks.visits[w][i].cell; }),
            of_walks([&](int w) { return walks.visits[w][i].links; }), Sums::at_nodes(below)};
}

/// Years up the links where they slide (years_up_link).
[[gnu::always_inline]] inline WalkFloats sliding_years_of(const CharacteristicWalks& walks, WalkFloats length,
                                                          WalkFloats years) {
    const WalkFloats sliding = length / (length / years + walks.thermal_rate);
    return most(least(sliding, WalkFloats{} + kMostYears), WalkFloats{} + kLeastYears);
}

/// Levels before and after the time.
struct Receiver {
    WalkFloats before, after;  // m
};

/// The elevations that reach the upper ends of links from receivers whose own change steadily; without bounds
/// where none does within the time, m.
[[gnu::always_inline]] inline WalkFloats following(const CharacteristicWalks& walks, const Receiver& below,
                                                   WalkFloats years, WalkFloats uplift) {
    const WalkFloats share = (walks.time - years) / walks.time;
    const WalkFloats level = below.before + (below.after - below.before) * share + uplift * years;
    return years < walks.time ? level : std::numeric_limits<float>::infinity() + WalkFloats{};
}

/// At the floors of closed basins, which lie below their receivers, every path above begins: their levels
/// change by `change` [m] in the time, further back than any signal comes from.
[[gnu::always_inline]] inline void begin_at_floors(const CharacteristicWalks& walks, WalkInts is_floor,
                                                   const Sums& below, WalkFloats change, Sums& here) {
    const WalkLongs floors = __builtin_convertvector(is_floor, WalkLongs);
    here.years = floors ? below.years + 2.0 * static_cast<double>(walks.time) : here.years;
    here.change = floors ? below.change + 2.0 * doubles(change) : here.change;
}

/// As least_above in least_rise.hpp.
[[gnu::always_inline]] inline WalkFloats least_surface_above(WalkFloats below, WalkFloats length) {
    return below + most(kLeastSlope * length, positive(below) * kLeastShare);
}

}  // namespace

template <>
void walk_paths_in_lanes<kLanes>(const CharacteristicWalks& walks, std::int64_t first, std::int64_t last,
                                 float* elevation) {
    for (std::int64_t i = first; i < last; ++i) {
        const Places places = go_to(walks, i);
        const WalkInts cell = places.cell, links = places.links;
        const Fours link([&](int w) { return walks.links + cell[w]; });
        const WalkFloats years = link.member<0>(), uplift = link.member<1>(), initial = link.member<2>(),
                         length = link.member<3>();
        const Fours water([&](int w) { return walks.waters[w] + links[w]; });
        const WalkFloats surface_below = water.member<0>(), lake_below = water.member<1>();
        const WalkInts signal_below = reinterpret_cast<WalkInts>(water.member<2>());

        const WalkInts is_floor = initial + walks.floor_depth < lake_below;
        const WalkFloats lake = is_floor ? initial : most(initial, lake_below);
        const WalkFloats drop = is_floor ? WalkFloats{} : lake_below - lake;
        const WalkFloats sliding_years = sliding_years_of(walks, length, years);
        Sums plain = passed(places.below, years, uplift, drop, walks.time);
        Sums sliding = passed(places.below, sliding_years, uplift + walks.thermal_uplift, drop, walks.time);
        if (is_any(__builtin_convertvector(is_floor, WalkLongs))) {
            const Receiver below = {lake_below, surface_below};
            const WalkFloats risen = uplift * walks.time;
            begin_at_floors(walks, is_floor, places.below,
                            least(risen, following(walks, below, years, uplift) - initial), plain);
            begin_at_floors(
                walks, is_floor, places.below,
                least(risen, following(walks, below, sliding_years, uplift + walks.thermal_uplift) - initial),
                sliding);
        }
        const WalkDoubles start = plain.years - static_cast<double>(walks.time);
        const WalkDoubles sliding_start = sliding.years - static_cast<double>(walks.time);
        WalkInts signal, sliding_signal;
        last_not_above(walks, signal_below, start, sliding_start, signal, sliding_signal);
        const WalkFloats plain_surface = lake + change_since(walks, plain, signal, links);
        const WalkFloats sliding_surface = lake + change_since(walks, sliding, sliding_signal, links);
        // Thermal erosion sets in where the slope without it is too steep.
        const WalkInts slides = plain_surface - surface_below > walks.most_slope * length;
        const WalkLongs slides_in_doubles = __builtin_convertvector(slides, WalkLongs);
        const Sums here = {slides_in_doubles ? sliding.years : plain.years,
                           slides_in_doubles ? sliding.change : plain.change};
        signal = slides ? sliding_signal : signal;
        const WalkFloats found = slides ? sliding_surface : plain_surface;
        const WalkFloats surface = is_floor ? found : most(found, least_surface_above(surface_below, length));
#pragma GCC unroll 8
        for (int w = 0; w < kCharacteristicWalks; ++w) {
            write_whole(walks.nodes[w] + links[w] + 1, Pair{here.years[w], here.change[w]});
            write_whole(walks.waters[w] + links[w] + 1,
                        Four{surface[w], lake[w], reinterpret_cast<WalkFloats>(signal)[w], 0.0F});
        }
        if (elevation != nullptr) {
            const WalkFloats ground = ground_after(walks, surface, lake, initial, uplift);
#pragma GCC unroll 8
            for (int w = 0; w < kCharacteristicWalks; ++w) elevation[cell[w]] = ground[w];
        }
        if (is_any(__builtin_convertvector(links == 0, WalkLongs))) [[unlikely]]
            for (int w = 0; w < kCharacteristicWalks; ++w)
                if (links[w] == 0) begin_at_root(walks, w, cell[w], elevation);
    }
}

}  // namespace thalweg
