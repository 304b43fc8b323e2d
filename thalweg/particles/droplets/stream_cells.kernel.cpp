#include "thalweg/particles/droplets/stream_cells.hpp"

#include "thalweg/core/lane_reads.hpp"

#include <cstdint>
#include <cstring>

namespace thalweg {
namespace {

/// `count` numbers, or as many as a vector holds; the rest of it is 0.
[[gnu::always_inline]] inline Floats load_some(const float* from, std::int64_t count) {
    if (count >= kLanes) return load(from);
    Floats v{};
    std::memcpy(&v, from, static_cast<std::size_t>(count) * sizeof(float));
    return v;
}
[[gnu::always_inline]] inline void store_some(float* to, Floats v, std::int64_t count) {
    if (count >= kLanes) return store(to, v);
    std::memcpy(to, &v, static_cast<std::size_t>(count) * sizeof(float));
}

/// E of the law: erf(x) for x from 0 on.
[[gnu::always_inline]] inline Floats error_function(Floats x) {
    const Floats p = 1.0F + x * (0.278393F + x * (0.230389F + x * (0.000972F + x * 0.078108F)));
    const Floats p2 = p * p;
    return 1.0F - 1.0F / (p2 * p2);
}

[[gnu::always_inline]] inline Floats moved(Floats average, Floats sum, float weight, float scale) {
    constexpr float kLeast = 1e-6F;  // m^3/yr: processors are slow with the smallest numbers
    average += weight * (scale * sum - average);
    return choose((average < kLeast) & (average > -kLeast), Floats{}, average);
}

}  // namespace

template <>
void find_streams<kLanes>(const StreamLaw& law, const StreamRow<const float>& row, const CellPlace* places,
                          std::int64_t count, StreamCell* to) {
    for (std::int64_t i = 0; i < count; i += kLanes) {
        const std::int64_t rest = count - i;
        const Floats discharge = load_some(row.discharge + i, rest);
        const Floats east = load_some(row.momentum_east + i, rest);
        const Floats south = load_some(row.momentum_south + i, rest);
        const Floats size = square_root(east * east + south * south);
        const Floats factor =
            kLargestPush * square_root(1.0F / (size * (law.momentum_discharge + discharge)));
        const auto push = [&](Floats momentum) {
            const Floats of = choose(size > 0.0F, momentum * factor, Floats{});
            const Floats most = Floats{} + kLargestPush;
            return floor_of(least_of(most_of(of, -most), most) + 0.5F);
        };
        const Floats share = kLargestShare * error_function(law.entrainment_rate * discharge);
        CellPlace some[kLanes] = {};
        std::memcpy(some, places + i, static_cast<std::size_t>(rest < kLanes ? rest : kLanes));
        const Ints pushes = (push(east) & 0xffff) | push(south) << kHalf;
        const Ints shares = floor_of(share + 0.5F) << kHalf | load_bytes(some);
        for (int lane = 0; lane < kLanes && lane < rest; ++lane)
            to[i + lane] = {.push = pushes[lane], .share = shares[lane]};
    }
}

template <>
void take_momentum<kLanes>(CellTrace* traces, std::int64_t count, std::int32_t* east, std::int32_t* south) {
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const Fours cells = read_fours([&](int lane) { return traces + i + lane; });
        store_ints(east + i, load_ints(east + i) + cells.second);
        store_ints(south + i, load_ints(south + i) + cells.third);
    }
    for (; i < count; ++i) {
        east[i] += traces[i].east;
        south[i] += traces[i].south;
    }
    std::memset(static_cast<void*>(traces), 0, static_cast<std::size_t>(count) * sizeof(CellTrace));
}

template <>
void average_streams<kLanes>(const TraceSums& sums, float weight, float scale, std::int64_t count,
                             const StreamRow<const float>& before, const StreamRow<float>& row) {
    for (std::int64_t i = 0; i < count; i += kLanes) {
        const std::int64_t rest = count - i;
        const auto move = [&](const float* from, float* to, const float* of) {
            store_some(to + i, moved(load_some(from + i, rest), load(of + i), weight, scale), rest);
        };
        move(before.discharge, row.discharge, sums.visits);
        move(before.momentum_east, row.momentum_east, sums.east);
        move(before.momentum_south, row.momentum_south, sums.south);
    }
}

}  // namespace thalweg
