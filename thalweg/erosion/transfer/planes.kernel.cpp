#include "thalweg/core/vector_power.hpp"
#include "thalweg/core/vectors.hpp"
#include "thalweg/erosion/transfer/plane_rows.hpp"
#include "thalweg/erosion/transfer/vector_plane.hpp"

#include <utility>

namespace thalweg {
namespace {

constexpr int kColumns = 2 * kPlaneReach + 1;

/// The planes through one field.
struct FieldPlanes {
    Floats reference;  // m; heights are taken relative to the cell's own, which keeps the sums precise
    HeightSums sums;
    Floats lowest = Floats{} + 3e38F, highest = Floats{} - 3e38F;  // of the nodes, m

    [[gnu::always_inline]] explicit FieldPlanes(Floats own) : reference(choose(own == own, own, Floats{})) {}

    [[gnu::always_inline]] void take(Floats weight, Floats x, Floats y, Floats value) {
        const Floats height = value - reference;
        add(sums, weight, x, y, choose(value == value, height, Floats{}));
        lowest = choose(height < lowest, height, lowest);
        highest = choose(height > highest, height, highest);
    }

    /// The plane may not leave the range of its nodes: beside fixed edges it would dig below the outlets.
    [[gnu::always_inline]] Floats within_nodes(const NodeSums& nodes) const {
        Floats height = height_at_origin(nodes, sums);
        height = choose(height < lowest, lowest, height);
        height = choose(height > highest, highest, height);
        return reference + height;
    }
};

/// Of each field, at kLanes places from number `i` on.
template <std::size_t... Field>
[[gnu::always_inline]] inline void fit_block(const PlaneRun& run, std::int64_t i, float* const* results,
                                             std::index_sequence<Field...> /*fields*/) {
    const Floats zero{};
    const Floats target_x = load(run.target_x + i);
    const Floats target_y = load(run.target_y + i);
    NodeSums nodes;
    FieldPlanes planes[]{FieldPlanes(load(run.values[Field] + i))...};
    for (int r = run.first_row; r <= run.last_row; ++r) {
        const std::int64_t row = i + r * run.stride;
        Floats x[kColumns], y[kColumns], weight[kColumns];
        // The weights of a row do not wait for each other: one goes on while others do.
        for (int c = 0; c < kColumns; ++c) {
            const std::int64_t other = row + c - kPlaneReach;
            x[c] = static_cast<float>(c - kPlaneReach) + load(run.offset_x + other) - target_x;
            y[c] = static_cast<float>(r) + load(run.offset_y + other) - target_y;
            weight[c] = exp2_of(run.sharpness * (x[c] * x[c] + y[c] * y[c]));
        }
        for (int c = 0; c < kColumns; ++c) {
            const std::int64_t other = row + c - kPlaneReach;
            const Floats value = load(run.values[0] + other);
            const Floats counted = choose(value == value, weight[c], zero);
            add(nodes, counted, x[c], y[c]);
            (planes[Field].take(counted, x[c], y[c], load(run.values[Field] + other)), ...);
        }
    }
    (store(results[Field] + i, planes[Field].within_nodes(nodes)), ...);
}

template <std::size_t Fields>
[[gnu::always_inline]] inline void fit_run(const PlaneRun& run, float* const* results) {
    constexpr auto kFields = std::make_index_sequence<Fields>();
    std::int64_t i = 0;
    for (; i + kLanes <= run.count; i += kLanes) fit_block(run, i, results, kFields);
    // The last block overlaps the one before: both write the same.
    if (i < run.count) fit_block(run, run.count - kLanes, results, kFields);
}

}  // namespace

template <>
void planes_in_lanes<kLanes>(const PlaneRun& run, float* const* results) {
    static_assert(kMostFields == 2);
    if (run.fields == 1)
        fit_run<1>(run, results);
    else
        fit_run<2>(run, results);
}

template <>
void child_places_in_lanes<kLanes>(const float* __restrict offset, float centre, std::int64_t count,
                                   float* __restrict place) {
    for (std::int64_t i = 0; i < count; ++i) place[i] = centre + 0.5F * offset[2 * i];
}

template <>
void alternate_in_lanes<kLanes>(const float* __restrict west, const float* __restrict east,
                                std::int64_t count, float* __restrict both) {
    for (std::int64_t i = 0; i < count; ++i) {
        both[2 * i] = west[i];
        both[2 * i + 1] = east[i];
    }
}

}  // namespace thalweg
