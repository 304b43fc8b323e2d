#include "thalweg/core/vectors.hpp"
#include "thalweg/erosion/least_rise.hpp"
#include "thalweg/erosion/path_walks.hpp"
#include "thalweg/erosion/signal_years.hpp"

#include <limits>

namespace thalweg {
namespace {

using WalkFloats = float __attribute__((vector_size(kPathWalks * sizeof(float))));
using WalkInts = std::int32_t __attribute__((vector_size(kPathWalks * sizeof(std::int32_t))));
using WalkDoubles = double __attribute__((vector_size(kPathWalks * sizeof(double))));
using WalkLongs = std::int64_t __attribute__((vector_size(kPathWalks * sizeof(std::int64_t))));

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

/// The last node from `first` on that is not above `start`, where the last node of the path is.
[[gnu::always_inline]] inline std::int32_t last_not_above(const PathNode* nodes, std::int32_t first,
                                                          double start) {
    for (;; first += 4) {
        int below = nodes[first + 1].years <= start ? 1 : 0;
        int count = below;
        for (int i = 2; i <= 4; ++i) count += below &= nodes[first + i].years <= start ? 1 : 0;
        if (count < 4) [[likely]] return first + count;
    }
}

/// A link of each walk under one law: how its end changes the sums, and where signals come from.
struct Course {
    WalkDoubles years, change;  // sums at the upper end
    WalkInts signal;
    WalkFloats surface;
};

[[gnu::always_inline]] inline Course course_of(const PathWalks& walks, WalkFloats years, WalkFloats uplift,
                                               WalkFloats drop, WalkFloats lake, WalkDoubles years_below,
                                               WalkDoubles change_below, WalkInts signal_below,
                                               WalkInts links) {
    const WalkFloats most_passed = WalkFloats{} + 2.0F * walks.time;
    const WalkFloats share = least(WalkFloats{} + 1.0F, most_passed / years);
    const WalkFloats passed = least(years, most_passed);
    Course course;
    course.years = years_below + doubles(passed);
    course.change = change_below + doubles(drop * share + uplift * passed);
    const WalkDoubles start = course.years - static_cast<double>(walks.time);
    WalkDoubles lower_years, lower_change, upper_years, upper_change;
#pragma GCC unroll 8
    for (int w = 0; w < kPathWalks; ++w) {
        const PathNode* const nodes = walks.nodes[w];
        const std::int32_t node = last_not_above(nodes, signal_below[w], start[w]);
        course.signal[w] = node;
        lower_years[w] = nodes[node].years;
        lower_change[w] = nodes[node].change;
        upper_years[w] = nodes[node + 1].years;
        upper_change[w] = nodes[node + 1].change;
    }
    const WalkLongs here = __builtin_convertvector(course.signal == links, WalkLongs);
    upper_years = here ? course.years : upper_years;
    upper_change = here ? course.change : upper_change;
    const WalkFloats along = floats(start - lower_years) / floats(upper_years - lower_years);
    course.surface =
        lake + (floats(course.change - lower_change) - floats(upper_change - lower_change) * along);
    return course;
}

void begin_at_root(const PathWalks& walks, int w, std::int32_t cell, float* elevation) {
    const float level = walks.links[cell].initial;
    // Beyond the root the ground goes on at the base slope, further than any signal comes from.
    const double fall = static_cast<double>(walks.time) *
                        (walks.base_slope * static_cast<double>(walks.celerity[cell]));
    const double time = static_cast<double>(walks.time);
    walks.nodes[w][0] = {-2.0 * time, 2.0 * fall};
    walks.nodes[w][1] = {0.0, 0.0};
    walks.waters[w][1] = {level - static_cast<float>(fall), level, 0};
    if (elevation != nullptr) elevation[cell] = level - static_cast<float>(fall);
}

}  // namespace

template <>
void walk_paths_in_lanes<kLanes>(PathWalks& walks, std::int64_t visits, float* elevation) {
    for (; visits > 0; --visits) {
        WalkInts cell, links, signal_below;
        WalkFloats years, uplift, initial, length, surface_below, lake_below;
        WalkDoubles years_below, change_below;
        int roots = 0;
#pragma GCC unroll 8
        for (int w = 0; w < kPathWalks; ++w) {
            const TreeVisit& visit = *walks.next[w];
            __builtin_prefetch(walks.links + walks.next[w][kPathAhead].cell);
            ++walks.next[w];
            cell[w] = visit.cell;
            links[w] = visit.links;
            roots |= visit.links == 0 ? 1 : 0;
            const PathLink& link = walks.links[visit.cell];
            years[w] = link.years;
            uplift[w] = link.uplift;
            initial[w] = link.initial;
            length[w] = link.length;
            const PathWater& water = walks.waters[w][visit.links];
            surface_below[w] = water.surface;
            lake_below[w] = water.lake;
            signal_below[w] = water.signal;
            PathNode* const node = walks.nodes[w] + visit.links;
            years_below[w] = node->years;
            change_below[w] = node->change;
            node[1].years = std::numeric_limits<double>::infinity();
        }
        const WalkFloats lake = most(initial, lake_below);
        const WalkFloats drop = lake_below - lake;
        const Course plain = course_of(walks, years, uplift, drop, lake, years_below, change_below,
                                       signal_below, links);
        const WalkFloats sliding_years = most(
            least(length / (length / years + walks.thermal_rate), WalkFloats{} + kMostYears),
            WalkFloats{} + kLeastYears);
        const Course sliding = course_of(walks, sliding_years, uplift + walks.thermal_uplift, drop, lake,
                                         years_below, change_below, signal_below, links);
        // Thermal erosion sets in where the slope without it is too steep.
        const WalkInts slides = plain.surface - surface_below > walks.most_slope * length;
        const WalkLongs slides_in_doubles = __builtin_convertvector(slides, WalkLongs);
        const WalkDoubles years_here = slides_in_doubles ? sliding.years : plain.years;
        const WalkDoubles change_here = slides_in_doubles ? sliding.change : plain.change;
        const WalkInts signal = slides ? sliding.signal : plain.signal;
        const WalkFloats least_surface =
            surface_below + most(kLeastSlope * length, positive(surface_below) * kLeastShare);
        const WalkFloats surface = most(slides ? sliding.surface : plain.surface, least_surface);
        // Erosion never builds up: ground that lies under a lake only rises with the rock. A shallow one is
        // filled up and tilted, so that it drains.
        const WalkFloats depth = lake - initial;
        const WalkInts is_shallow = (depth > 0.0F) & (depth <= walks.filled_depth);
        const WalkFloats filled = is_shallow ? depth + kMostTilt : WalkFloats{};
        const WalkFloats ground = least(surface, initial + uplift * walks.time + filled);
#pragma GCC unroll 8
        for (int w = 0; w < kPathWalks; ++w) {
            walks.nodes[w][links[w] + 1] = {years_here[w], change_here[w]};
            walks.waters[w][links[w] + 1] = {surface[w], lake[w], signal[w]};
        }
        if (elevation != nullptr)
#pragma GCC unroll 8
            for (int w = 0; w < kPathWalks; ++w) elevation[cell[w]] = ground[w];
        if (roots != 0)
#pragma GCC unroll 8
            for (int w = 0; w < kPathWalks; ++w)
                if (links[w] == 0) begin_at_root(walks, w, cell[w], elevation);
    }
}

}  // namespace thalweg
