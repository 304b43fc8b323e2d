#include "thalweg/erosion/cliff_rings.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/erosion/least_rise.hpp"
#include "thalweg/flow/directions.hpp"

#include <limits>

namespace thalweg {
namespace {

constexpr std::int64_t kAhead = 4;  // cells ahead for which memory is asked (empirical)
constexpr int kMostAims = 4;  // of a descent that turns as its cell is lowered; it settles fast (empirical)

// One lane for each direction (directions.hpp).
using Ring = float __attribute__((vector_size(8 * sizeof(float))));
using RingMask = std::int32_t __attribute__((vector_size(8 * sizeof(std::int32_t))));

constexpr Ring kColumns = {1, 1, 0, -1, -1, -1, 0, 1};
constexpr Ring kRows = {0, 1, 1, 1, 0, -1, -1, -1};
constexpr RingMask kIsDiagonal = {0, -1, 0, -1, 0, -1, 0, -1};
constexpr RingMask kBits = {1, 2, 4, 8, 16, 32, 64, 128};

/// Every lane gets the value of the one so many directions further on, clockwise.
template <int Steps, class Lanes>
[[gnu::always_inline]] inline Lanes ahead(Lanes v) {
    return __builtin_shufflevector(v, v, Steps & 7, (1 + Steps) & 7, (2 + Steps) & 7, (3 + Steps) & 7,
                                   (4 + Steps) & 7, (5 + Steps) & 7, (6 + Steps) & 7, (7 + Steps) & 7);
}

[[gnu::always_inline]] inline Ring greater(Ring a, Ring b) {
    return a > b ? a : b;
}
[[gnu::always_inline]] inline Ring lesser(Ring a, Ring b) {
    return a < b ? a : b;
}

[[gnu::always_inline]] inline float least_of(Ring v) {
    v = lesser(v, ahead<4>(v));
    v = lesser(v, ahead<2>(v));
    return lesser(v, ahead<1>(v))[0];
}

[[gnu::always_inline]] inline Ring root_of(Ring v) {
    for (int d = 0; d < 8; ++d) v[d] = __builtin_sqrtf(v[d]);
    return v;
}

/// The nodes around a cell.
struct Nodes {
    Ring x, y;       // from the cell, m to the east and to the south
    Ring elevation;  // m; NaN: none
    Ring initial;    // m
};

/// Uplift and celerity that hold at places, m/yr, and the inverse of the latter.
struct Law {
    Ring uplift, celerity, slowness;
};

/// Without and with the thermal term.
struct Laws {
    Law plain, sliding;
};

/// Where signals start from.
struct Origin {
    Ring now;       // elevation, m
    Ring then;      // at the beginning of the time, m
    Ring distance;  // m
};

class Rings {
  public:
    explicit Rings(const CliffGround& ground)
        : ground_(ground),
          is_steady_(ground.time > std::numeric_limits<float>::max()),
          inverse_time_(1.0F / ground.time) {
        for (int d = 0; d < 8; ++d) steps_[d] = kRowStep[d] * ground.columns + kColumnStep[d];
    }

    [[gnu::always_inline]] float highest_allowed(std::int32_t cell) const {
        const float own = ground_.elevation[cell];
        const std::uint8_t reached = reached_from(cell);
        const RingMask links = mask_of(static_cast<std::uint8_t>(reached & links_of(cell)));
        const Nodes nodes = nodes_around(cell, reached);
        const Laws laws = laws_of(Ring{} + ground_.uplift[cell], Ring{} + ground_.celerity[cell]);
        const Ring square = nodes.x * nodes.x + nodes.y * nodes.y;
        const RingMask steep = links & is_steep(own - nodes.elevation, square);
        const Ring above = Ring{} + own;
        const Ring allowed = is_steady_ ? nodes.elevation + steady_slope(laws) * root_of(square)
                                        : highest_after(laws, Ring{} + ground_.initial[cell],
                                                        {nodes.elevation, nodes.initial, root_of(square)});
        float highest = least_of(lesser(above, steep ? allowed : above));
        if (is_steady_) return highest;
        // The next linked node, clockwise.
        const RingMask one_on = ahead<1>(links);
        const RingMask is_pair = links & (one_on | ahead<2>(links));
        const Nodes next = {one_on ? ahead<1>(nodes.x) : ahead<2>(nodes.x),
                            one_on ? ahead<1>(nodes.y) : ahead<2>(nodes.y),
                            one_on ? ahead<1>(nodes.elevation) : ahead<2>(nodes.elevation),
                            one_on ? ahead<1>(nodes.initial) : ahead<2>(nodes.initial)};
        const RingMask looked_at = is_pair & (steep | (one_on ? ahead<1>(steep) : ahead<2>(steep)));
        // The steepest descent turns as the cell is lowered.
        float before = own + 2.0F * ground_.least_lowering;
        for (int aim = 0; aim < kMostAims && before - highest > ground_.least_lowering; ++aim) {
            before = highest;
            RingMask leads = looked_at;
            const Origin origin = origin_between(nodes, next, Ring{} + highest, leads);
            const Ring between = highest_after(laws, Ring{} + ground_.initial[cell], origin);
            highest = least_of(leads & (between < highest) ? between : Ring{} + highest);
        }
        return highest;
    }

    /// Writes the neighbours that stand too high above the cell; returns behind the last.
    [[gnu::always_inline]] std::int32_t* add_too_high_above(std::int32_t cell, std::int32_t* found) const {
        const float own = ground_.elevation[cell];
        const std::uint8_t reached = reached_from(cell);
        const RingMask links = mask_of(static_cast<std::uint8_t>(reached & links_of(cell)));
        const Nodes nodes = nodes_around(cell, reached);
        const Laws laws =
            laws_of(around(cell, reached, ground_.uplift), around(cell, reached, ground_.celerity));
        const Ring square = nodes.x * nodes.x + nodes.y * nodes.y;
        const Ring distance = root_of(square);
        const RingMask steep = links & is_steep(nodes.elevation - own, square);
        const Ring limit = nodes.elevation - ground_.least_lowering;
        const Ring now = Ring{} + own;
        RingMask is_too_high;
        if (is_steady_) {
            is_too_high = steep & (now + steady_slope(laws) * distance < limit);
        } else {
            const Ring then = Ring{} + ground_.initial[cell];
            is_too_high = steep & (highest_after(laws, nodes.initial, {now, then, distance}) < limit);
            const RingMask higher = links & (nodes.elevation > own);
            is_too_high |= too_high_beside<1>(cell, nodes, laws, steep, higher, limit);
            is_too_high |= too_high_beside<-1>(cell, nodes, laws, steep, higher, limit);
        }
        for (int d = 0; d < 8; ++d) {
            *found = cell + steps_[d];
            found += is_too_high[d] & 1;
        }
        return found;
    }

    /// Asks for the memory around a cell.
    [[gnu::always_inline]] void ask_for(std::int32_t cell) const {
        const float* const values[] = {ground_.elevation, ground_.offset_x, ground_.offset_y, ground_.initial,
                                       ground_.celerity};
        for (const float* value : values) {
            if (value == nullptr) continue;
            __builtin_prefetch(value + cell - ground_.columns);
            __builtin_prefetch(value + cell);
            __builtin_prefetch(value + cell + ground_.columns);
        }
    }

  private:
    [[gnu::always_inline]] std::uint8_t links_of(std::int32_t cell) const {
        return ground_.links != nullptr ? ground_.links[cell] : ground_.common_links;
    }

    /// The directions that do not leave the grid.
    [[gnu::always_inline]] std::uint8_t reached_from(std::int32_t cell) const {
        const int row = cell / ground_.columns, column = cell - row * ground_.columns;
        if (row > 0 && row < ground_.rows - 1 && column > 0 && column < ground_.columns - 1) [[likely]]
            return kAllEight;
        unsigned reached = 0;
        for (int d = 0; d < 8; ++d) {
            const int other_column = column + kColumnStep[d], other_row = row + kRowStep[d];
            const bool is_inside = other_column >= 0 && other_column < ground_.columns && other_row >= 0 &&
                                   other_row < ground_.rows;
            reached |= is_inside ? 1U << d : 0U;
        }
        return static_cast<std::uint8_t>(reached);
    }

    [[gnu::always_inline]] static RingMask mask_of(std::uint8_t directions) {
        return ((RingMask{} + std::int32_t{directions}) & kBits) != 0;
    }

    /// The values of the eight cells around one, its own in place of those that are not reached.
    [[gnu::always_inline]] Ring around(std::int32_t cell, std::uint8_t reached, const float* values) const {
        if (reached == kAllEight) [[likely]] {
            const float* const here = values + cell;
            return Ring{here[steps_[0]], here[steps_[1]], here[steps_[2]], here[steps_[3]],
                        here[steps_[4]], here[steps_[5]], here[steps_[6]], here[steps_[7]]};
        }
        Ring ring;
        for (int d = 0; d < 8; ++d) ring[d] = values[(reached >> d & 1) != 0 ? cell + steps_[d] : cell];
        return ring;
    }

    /// Those that are not reached have no elevation.
    [[gnu::always_inline]] Nodes nodes_around(std::int32_t cell, std::uint8_t reached) const {
        Nodes nodes{kColumns, kRows, around(cell, reached, ground_.elevation), Ring{}};
        if (ground_.offset_x != nullptr) {
            nodes.x += around(cell, reached, ground_.offset_x) - ground_.offset_x[cell];
            nodes.y += around(cell, reached, ground_.offset_y) - ground_.offset_y[cell];
        }
        nodes.x *= ground_.cell_size;
        nodes.y *= ground_.cell_size;
        if (reached != kAllEight)
            nodes.elevation =
                mask_of(reached) ? nodes.elevation : Ring{} + std::numeric_limits<float>::quiet_NaN();
        if (!is_steady_) nodes.initial = around(cell, reached, ground_.initial);
        return nodes;
    }

    [[gnu::always_inline]] RingMask is_steep(Ring drop, Ring square) const {
        const float least = ground_.least_slope * ground_.least_slope;
        return (drop > 0.0F) & (drop * drop >= least * square);
    }

    /// Which neighbours stand too high above the ground between the cell and the node that is next to it
    /// around the neighbour: clockwise around the cell (Side 1) or anticlockwise (-1).
    template <int Side>
    [[gnu::always_inline]] RingMask too_high_beside(std::int32_t cell, const Nodes& nodes, const Laws& laws,
                                                    RingMask steep, RingMask higher, Ring limit) const {
        const RingMask one_on = shares_next<Side>(cell);
        const auto beside = [&](auto v) { return one_on ? ahead<Side>(v) : ahead<2 * Side>(v); };
        // As the neighbours see it.
        const Nodes below = {-nodes.x, -nodes.y, Ring{} + ground_.elevation[cell],
                             Ring{} + ground_.initial[cell]};
        const Nodes aside = {beside(nodes.x) - nodes.x, beside(nodes.y) - nodes.y, beside(nodes.elevation),
                             beside(nodes.initial)};
        const RingMask aside_is_steep =
            is_steep(nodes.elevation - aside.elevation, aside.x * aside.x + aside.y * aside.y);
        RingMask leads = higher & (steep | aside_is_steep);
        const Origin origin = Side > 0 ? origin_between(aside, below, nodes.elevation, leads)
                                       : origin_between(below, aside, nodes.elevation, leads);
        return leads & (highest_after(laws, nodes.initial, origin) < limit);
    }

    /// Whether the node beside a neighbour is one direction on from it, or two.
    template <int Side>
    [[gnu::always_inline]] RingMask shares_next(std::int32_t cell) const {
        if (ground_.links != nullptr)  // a mesh: of every quad's two diagonals one is a link
            return kIsDiagonal | ahead<Side>(mask_of(ground_.links[cell]));
        return ground_.common_links == kAllEight ? kIsDiagonal : ~RingMask{};
    }

    [[gnu::always_inline]] Laws laws_of(Ring uplift, Ring celerity) const {
        const Ring sliding = celerity + ground_.thermal_rate;
        return {{uplift, celerity, 1.0F / celerity},
                {uplift + ground_.thermal_rate * ground_.critical_slope, sliding, 1.0F / sliding}};
    }

    [[gnu::always_inline]] RingMask slides(Ring slope) const {
        return (slope > ground_.critical_slope) & (Ring{} + ground_.thermal_rate > 0.0F);
    }

    [[gnu::always_inline]] Ring steady_slope(const Laws& laws) const {
        const Ring slope = laws.plain.uplift * laws.plain.slowness;
        const Ring sliding = laws.sliding.uplift * laws.sliding.slowness;
        const Ring steady = slides(slope) ? sliding : slope;
        return steady < kLeastSlope ? Ring{} + kLeastSlope : steady;  // NaN, of rock that never moves, stays
    }

    /// Where the steepest descent from places at `height` m crosses the line between two nodes, b clockwise
    /// of a. `leads` is kept where it does, and downwards.
    [[gnu::always_inline]] Origin origin_between(const Nodes& a, const Nodes& b, Ring height,
                                                 RingMask& leads) const {
        const Ring drop_a = height - a.elevation, drop_b = height - b.elevation;
        // Twice the triangle's area times the descent, whose sign decides on either side of it.
        const Ring area = a.x * b.y - b.x * a.y;
        const Ring down_x = drop_a * b.y - drop_b * a.y;
        const Ring down_y = a.x * drop_b - b.x * drop_a;
        const Ring from_a = a.x * down_y - a.y * down_x;
        const Ring from_b = down_x * b.y - down_y * b.x;
        leads &= (drop_a > 0.0F) & (drop_b > 0.0F) & (area > 0.0F) & (from_a > 0.0F) & (from_b > 0.0F);
        const Ring share = from_a / (from_a + from_b);
        const Ring x = a.x + share * (b.x - a.x), y = a.y + share * (b.y - a.y);
        return {a.elevation + share * (b.elevation - a.elevation),
                a.initial + share * (b.initial - a.initial), root_of(x * x + y * y)};
    }

    /// What the law lets stand above `origin` after the time, m, where ground was at `initial`.
    [[gnu::always_inline]] Ring highest_after(const Laws& laws, Ring initial, const Origin& origin) const {
        const Ring nearness = 1.0F / origin.distance;  // 1/m
        const Ring height = after(laws.plain, initial, origin, nearness);
        return slides((height - origin.now) * nearness) ? after(laws.sliding, initial, origin, nearness)
                                                        : height;
    }

    [[gnu::always_inline]] Ring after(const Law& law, Ring initial, const Origin& origin,
                                      Ring nearness) const {
        const Ring way_time = origin.distance * law.slowness;  // yr
        const Ring then = origin.now + (origin.then - origin.now) * (way_time * inverse_time_);
        const Ring arrived = greater(then, origin.now) + law.uplift * way_time;
        const Ring share = 1.0F - ground_.time * law.celerity * nearness;
        const Ring under_way = origin.then + share * (initial - origin.then) + law.uplift * ground_.time;
        return way_time <= ground_.time ? arrived : under_way;
    }

    const CliffGround& ground_;
    bool is_steady_;
    float inverse_time_;  // 1/yr
    std::int32_t steps_[8];
};

}  // namespace

template <>
void highest_allowed_in_lanes<kLanes>(const CliffGround& ground, const std::int32_t* cells,
                                      std::int64_t count, float* highest) {
    const Rings rings(ground);
    for (std::int64_t i = 0; i < count; ++i) {
        if (i + kAhead < count) rings.ask_for(cells[i + kAhead]);
        highest[i] = rings.highest_allowed(cells[i]);
    }
}

template <>
std::int64_t too_high_above_in_lanes<kLanes>(const CliffGround& ground, const std::int32_t* lowered,
                                             std::int64_t count, std::int32_t* found) {
    const Rings rings(ground);
    std::int32_t* end = found;
    for (std::int64_t i = 0; i < count; ++i) {
        if (i + kAhead < count) rings.ask_for(lowered[i + kAhead]);
        end = rings.add_too_high_above(lowered[i], end);
    }
    return end - found;
}

}  // namespace thalweg
