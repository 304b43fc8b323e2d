#include "thalweg/erosion/correction/discontinuity_neighbourhoods.hpp"

#include "thalweg/erosion/correction/neighbourhood_lanes.hpp"
#include "thalweg/erosion/law/least_rise.hpp"
#include "thalweg/flow/directions.hpp"

#include <cstring>
#include <limits>

namespace thalweg {
namespace {

constexpr std::int64_t kAhead = 4;  // cells ahead for which memory is asked (empirical)
constexpr int kMostAims = 4;  // of a descent that turns as its cell is lowered; it settles fast (empirical)

/// Where the nodes around cells are.
struct Places {
    Neighbourhood x, y;       // from their cell, m to the east and to the south
    Neighbourhood elevation;  // m; NaN: none
};

struct Nodes : Places {
    Neighbourhood initial;  // m
};

/// Uplift and celerity that hold at places, m/yr, and the inverse of the latter.
struct Law {
    Neighbourhood uplift, celerity, slowness;
};

/// Without and with the thermal term.
struct Laws {
    Law plain, sliding;
};

/// Where signals start from.
struct Origin {
    Neighbourhood now;       // elevation, m
    Neighbourhood then;      // at the beginning of the time, m
    Neighbourhood distance;  // m
};

class Rings {
  public:
    explicit Rings(const DiscontinuityGround& ground)
        : ground_(ground),
          is_steady_(ground.time > std::numeric_limits<float>::max()),
          inverse_time_(1.0F / ground.time) {
        for (int d = 0; d < 8; ++d) steps_[d] = kRowStep[d] * ground.columns + kColumnStep[d];
    }

    /// For each cell the same in all its lanes.
    [[gnu::always_inline]] Neighbourhood highest_allowed(Cells cells) const {
        const Neighbourhood own = own_of(cells, ground_.elevation);
        const Reach reach = reach_of(cells);
        const NeighbourhoodMask links = reach.inside & links_of(cells);
        const Nodes nodes = nodes_around(cells, reach);
        const Laws laws = laws_of(own_of(cells, ground_.uplift), own_of(cells, ground_.celerity));
        const Neighbourhood square = nodes.x * nodes.x + nodes.y * nodes.y;
        const NeighbourhoodMask steep = links & is_steep(own - nodes.elevation, square);
        const Neighbourhood distance = root_of(square);
        if (is_steady_) {
            const Neighbourhood allowed = nodes.elevation + steady_slope(laws) * distance;
            return least_of(lesser(own, steep ? allowed : own));
        }
        const Heights heights{own, own_of(cells, ground_.initial)};
        const Neighbourhood allowed =
            highest_after(laws, heights.initial, {nodes.elevation, nodes.initial, distance});
        const Neighbourhood above_nodes = least_of(lesser(own, steep ? allowed : own));
        return highest_between(nodes, laws, {links, steep}, heights, above_nodes);
    }

    /// Which neighbours stand higher and rise steeply from the cells, or from a node beside one: those that
    /// the cells may hold down.
    [[gnu::always_inline]] NeighbourhoodMask steep_above(Cells cells) const {
        const Neighbourhood own = own_of(cells, ground_.elevation);
        const Reach reach = reach_of(cells);
        const NeighbourhoodMask links = reach.inside & links_of(cells);
        const Places places = places_around(cells, reach);
        const NeighbourhoodMask steep =
            is_steep(places.elevation - own, places.x * places.x + places.y * places.y);
        const NeighbourhoodMask higher = links & (places.elevation > own);
        if (is_steady_) return higher & steep;
        return higher & (steep | steep_beside<1>(cells, places) | steep_beside<-1>(cells, places));
    }

    /// How far a cell's neighbour in direction d lies ahead of it by rows.
    [[nodiscard]] std::int32_t step(int d) const { return steps_[d]; }

    /// Asks for the memory around a cell; of some of it only what is read for the cells beside it later.
    [[gnu::always_inline]] void ask_for(std::int32_t cell) const {
        const float* const values[] = {ground_.elevation, ground_.offset_x, ground_.offset_y,
                                       ground_.initial,   ground_.celerity, ground_.uplift};
        if (ground_.links != nullptr) __builtin_prefetch(ground_.links + cell);
        for (const float* value : values) {
            if (value == nullptr) continue;
            __builtin_prefetch(value + cell - ground_.columns);
            __builtin_prefetch(value + cell);
            __builtin_prefetch(value + cell + ground_.columns);
        }
    }

  private:
    /// Which directions do not leave the grid.
    struct Reach {
        std::uint8_t of_cell[kCells];  // a bit for each
        NeighbourhoodMask inside;
        bool is_whole;  // none of any cell does
    };

    /// The cells' own, m.
    struct Heights {
        Neighbourhood now, initial;
    };

    /// Links to nodes, and those that are steep.
    struct Links {
        NeighbourhoodMask all, steep;
    };

    /// highest: what is allowed above the nodes alone. The steepest descent leads between two of them, and
    /// turns as the cell is lowered.
    [[gnu::always_inline]] Neighbourhood highest_between(const Nodes& nodes, const Laws& laws, Links links,
                                                         Heights own, Neighbourhood highest) const {
        // The next linked node, clockwise.
        const NeighbourhoodMask one_on = ahead<1>(links.all);
        const auto next_of = [&](auto v) { return one_on ? ahead<1>(v) : ahead<2>(v); };
        const Nodes next = {{next_of(nodes.x), next_of(nodes.y), next_of(nodes.elevation)},
                            next_of(nodes.initial)};
        const NeighbourhoodMask is_pair = links.all & (one_on | ahead<2>(links.all));
        const NeighbourhoodMask looked_at = is_pair & (links.steep | next_of(links.steep));
        Neighbourhood before = own.now + 2.0F * ground_.least_lowering;
        for (int aim = 0; aim < kMostAims; ++aim) {
            const NeighbourhoodMask goes_on = before - highest > ground_.least_lowering;
            if (!any_cell(goes_on)) break;
            before = highest;
            NeighbourhoodMask leads = looked_at;
            const Origin origin = origin_between(nodes, next, highest, leads);
            const Neighbourhood between = highest_after(laws, own.initial, origin);
            const Neighbourhood lower = least_of(leads & (between < highest) ? between : highest);
            highest = goes_on ? lower : highest;
        }
        return highest;
    }

    /// The cells' own values.
    [[gnu::always_inline]] static Neighbourhood own_of(Cells cells, const float* values) {
        return joined([&](int i) { return CellNeighbourhood{} + values[cells.number[i]]; });
    }

    [[gnu::always_inline]] NeighbourhoodMask links_of(Cells cells) const {
        if (ground_.links == nullptr) return mask_of([&](int) { return ground_.common_links; });
        return mask_of([&](int i) { return ground_.links[cells.number[i]]; });
    }

    /// of_cell(i): directions, a bit for each.
    template <class OfCell>
    [[gnu::always_inline]] static NeighbourhoodMask mask_of(const OfCell& of_cell) {
        const NeighbourhoodMask directions =
            joined([&](int i) { return CellMask{} + std::int32_t{of_cell(i)}; });
        return (directions & kBits) != 0;
    }

    [[gnu::always_inline]] Reach reach_of(Cells cells) const {
        Reach reach{{}, {}, true};
        for (int i = 0; i < kCells; ++i) {
            reach.of_cell[i] = reached_from(cells.number[i]);
            reach.is_whole = reach.is_whole && reach.of_cell[i] == kAllEight;
        }
        reach.inside = mask_of([&](int i) { return reach.of_cell[i]; });
        return reach;
    }

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

    /// The values of the eight cells around each, its own in place of those that are not reached.
    [[gnu::always_inline]] Neighbourhood around(Cells cells, const Reach& reach, const float* values) const {
        return joined([&](int i) { return around_cell(cells.number[i], reach.of_cell[i], values); });
    }

    [[gnu::always_inline]] CellNeighbourhood around_cell(std::int32_t cell, std::uint8_t reached,
                                                         const float* values) const {
        if (reached == kAllEight) [[likely]] {
            const HalfRow above = load_half_row(values + cell + steps_[5]);      // NW, N, NE, one more
            const HalfRow beside = load_half_row(values + cell - 1);             // W, itself, E, one more
            const HalfRow below = load_half_row(values + cell + steps_[3] - 1);  // one more, SW, S, SE
            const CellNeighbourhood first = __builtin_shufflevector(above, beside, 0, 1, 2, 3, 4, 5, 6, 7);
            const CellNeighbourhood second = __builtin_shufflevector(below, below, 0, 1, 2, 3, 0, 1, 2, 3);
            return __builtin_shufflevector(first, second, 6, 11, 10, 9, 4, 0, 1, 2);
        }
        CellNeighbourhood ring;
        for (int d = 0; d < 8; ++d) ring[d] = values[(reached >> d & 1) != 0 ? cell + steps_[d] : cell];
        return ring;
    }

    [[gnu::always_inline]] static HalfRow load_half_row(const float* from) {
        HalfRow v;
        std::memcpy(&v, from, sizeof v);
        return v;
    }

    /// Those that are not reached have no elevation.
    [[gnu::always_inline]] Places places_around(Cells cells, const Reach& reach) const {
        Places places{kColumns, kRows, around(cells, reach, ground_.elevation)};
        if (ground_.offset_x != nullptr) {
            places.x += around(cells, reach, ground_.offset_x) - own_of(cells, ground_.offset_x);
            places.y += around(cells, reach, ground_.offset_y) - own_of(cells, ground_.offset_y);
        }
        places.x *= ground_.cell_size;
        places.y *= ground_.cell_size;
        if (!reach.is_whole)
            places.elevation =
                reach.inside ? places.elevation : Neighbourhood{} + std::numeric_limits<float>::quiet_NaN();
        return places;
    }

    [[gnu::always_inline]] Nodes nodes_around(Cells cells, const Reach& reach) const {
        return {places_around(cells, reach),
                is_steady_ ? Neighbourhood{} : around(cells, reach, ground_.initial)};
    }

    [[gnu::always_inline]] NeighbourhoodMask is_steep(Neighbourhood drop, Neighbourhood square) const {
        const float least = ground_.least_slope * ground_.least_slope;
        return (drop > 0.0F) & (drop * drop >= least * square);
    }

    /// Which neighbours rise steeply from the node that is next to the cell around them: clockwise around the
    /// cell (Side 1) or anticlockwise (-1).
    template <int Side>
    [[gnu::always_inline]] NeighbourhoodMask steep_beside(Cells cells, const Places& places) const {
        const NeighbourhoodMask one_on = shares_next<Side>(cells);
        const auto beside = [&](Neighbourhood v) { return one_on ? ahead<Side>(v) : ahead<2 * Side>(v); };
        const Neighbourhood x = places.x - beside(places.x), y = places.y - beside(places.y);
        return is_steep(places.elevation - beside(places.elevation), x * x + y * y);
    }

    /// Whether the node beside a neighbour is one direction on from it, or two.
    template <int Side>
    [[gnu::always_inline]] NeighbourhoodMask shares_next(Cells cells) const {
        if (ground_.links != nullptr)  // a mesh: of every quad's two diagonals one is a link
            return kIsDiagonal | ahead<Side>(links_of(cells));
        return ground_.common_links == kAllEight ? kIsDiagonal : ~NeighbourhoodMask{};
    }

    [[gnu::always_inline]] Laws laws_of(Neighbourhood uplift, Neighbourhood celerity) const {
        const Neighbourhood sliding = celerity + ground_.thermal_rate;
        return {{uplift, celerity, 1.0F / celerity},
                {uplift + ground_.thermal_rate * ground_.critical_slope, sliding, 1.0F / sliding}};
    }

    [[gnu::always_inline]] NeighbourhoodMask slides(Neighbourhood slope) const {
        return (slope > ground_.critical_slope) & (Neighbourhood{} + ground_.thermal_rate > 0.0F);
    }

    [[gnu::always_inline]] Neighbourhood steady_slope(const Laws& laws) const {
        const Neighbourhood slope = laws.plain.uplift * laws.plain.slowness;
        const Neighbourhood sliding = laws.sliding.uplift * laws.sliding.slowness;
        const Neighbourhood steady = slides(slope) ? sliding : slope;
        return steady < kLeastSlope ? Neighbourhood{} + kLeastSlope
                                    : steady;  // NaN, of rock that never moves, stays
    }

    /// Where the steepest descent from places at `height` m crosses the line between two nodes, b clockwise
    /// of a. `leads` is kept where it does, and downwards.
    [[gnu::always_inline]] Origin origin_between(const Nodes& a, const Nodes& b, Neighbourhood height,
                                                 NeighbourhoodMask& leads) const {
        const Neighbourhood drop_a = height - a.elevation, drop_b = height - b.elevation;
        // Twice the triangle's area times the descent, whose sign decides on either side of it.
        const Neighbourhood area = a.x * b.y - b.x * a.y;
        const Neighbourhood down_x = drop_a * b.y - drop_b * a.y;
        const Neighbourhood down_y = a.x * drop_b - b.x * drop_a;
        const Neighbourhood from_a = a.x * down_y - a.y * down_x;
        const Neighbourhood from_b = down_x * b.y - down_y * b.x;
        leads &= (drop_a > 0.0F) & (drop_b > 0.0F) & (area > 0.0F) & (from_a > 0.0F) & (from_b > 0.0F);
        const Neighbourhood share = from_a / (from_a + from_b);
        const Neighbourhood x = a.x + share * (b.x - a.x), y = a.y + share * (b.y - a.y);
        return {a.elevation + share * (b.elevation - a.elevation),
                a.initial + share * (b.initial - a.initial), root_of(x * x + y * y)};
    }

    /// What the law lets stand above `origin` after the time, m, where ground was at `initial`.
    [[gnu::always_inline]] Neighbourhood highest_after(const Laws& laws, Neighbourhood initial,
                                                       const Origin& origin) const {
        const Neighbourhood nearness = 1.0F / origin.distance;  // 1/m
        const Neighbourhood height = after(laws.plain, initial, origin, nearness);
        return slides((height - origin.now) * nearness) ? after(laws.sliding, initial, origin, nearness)
                                                        : height;
    }

    [[gnu::always_inline]] Neighbourhood after(const Law& law, Neighbourhood initial, const Origin& origin,
                                               Neighbourhood nearness) const {
        const Neighbourhood travel_time = origin.distance * law.slowness;  // yr
        const Neighbourhood then = origin.now + (origin.then - origin.now) * (travel_time * inverse_time_);
        const Neighbourhood arrived = greater(then, origin.now) + law.uplift * travel_time;
        const Neighbourhood share = 1.0F - ground_.time * law.celerity * nearness;
        const Neighbourhood not_arrived =
            origin.then + share * (initial - origin.then) + law.uplift * ground_.time;
        return travel_time <= ground_.time ? arrived : not_arrived;
    }

    const DiscontinuityGround& ground_;
    bool is_steady_;
    float inverse_time_;  // 1/yr
    std::int32_t steps_[8];
};

/// Calls body(cells, i, count): `count` of the cells are those from i on, the rest repeats the last one.
template <class Body>
[[gnu::always_inline]] inline void for_cells(const Rings& rings, const std::int32_t* list, std::int64_t count,
                                             const Body& body) {
    for (std::int64_t i = 0; i < count; i += kCells) {
        Cells cells;
        for (int j = 0; j < kCells; ++j) {
            if (i + j + kAhead < count) rings.ask_for(list[i + j + kAhead]);
            cells.number[j] = list[i + j < count ? i + j : count - 1];
        }
        body(cells, i, count - i < kCells ? static_cast<int>(count - i) : kCells);
    }
}

}  // namespace

template <>
void highest_allowed_in_lanes<kLanes>(const DiscontinuityGround& ground, const std::int32_t* cells,
                                      std::int64_t count, float* highest) {
    const Rings rings(ground);
    for_cells(rings, cells, count, [&](Cells some, std::int64_t first, int of_them) {
        const Neighbourhood allowed = rings.highest_allowed(some);
        for (int i = 0; i < of_them; ++i) highest[first + i] = allowed[8 * i];
    });
}

template <>
std::int64_t steep_above_in_lanes<kLanes>(const DiscontinuityGround& ground, const std::int32_t* lowered,
                                          std::int64_t count, std::int32_t* found) {
    const Rings rings(ground);
    std::int32_t* end = found;
    for_cells(rings, lowered, count, [&](Cells some, std::int64_t, int of_them) {
        const NeighbourhoodMask is_above = rings.steep_above(some);
        std::int32_t marks[8 * kCells];
        std::memcpy(marks, &is_above, sizeof marks);
        for (int i = 0; i < of_them; ++i)
            for (int d = 0; d < 8; ++d) {
                *end = some.number[i] + rings.step(d);
                end += marks[8 * i + d] & 1;
            }
    });
    return end - found;
}

}  // namespace thalweg
