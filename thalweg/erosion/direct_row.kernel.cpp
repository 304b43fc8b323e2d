#include "thalweg/erosion/direct_row.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/flow/directions.hpp"

namespace thalweg {
namespace {

/// A neighbour as seen from kLanes nodes of a row.
struct Seen {
    Floats x, y;  // cells
    Floats drop;  // m
    Ints linked;  // mask
};

[[gnu::always_inline]] inline Seen see(const RowOfCells& row, std::int64_t i, int d, Ints links) {
    const std::int64_t column = kColumnStep[d];
    const std::int64_t line = kRowStep[d];
    const std::int64_t other = i + line * row.stride + column;
    return {static_cast<float>(column) + (load(row.offset_x + other) - load(row.offset_x + i)),
            static_cast<float>(line) + (load(row.offset_y + other) - load(row.offset_y + i)),
            load(row.elevation + i) - load(row.elevation + other), ((links >> d) & 1) != 0};
}

/// Squared slope of the steepest descent inside the triangle to a and b; 0 where it runs outside.
[[gnu::always_inline]] inline Floats facet_square(const Seen& a, const Seen& b) {
    const Floats area = a.x * b.y - b.x * a.y;
    const Floats down_x = a.drop * b.y - b.drop * a.y;
    const Floats down_y = a.x * b.drop - b.x * a.drop;
    const Ints inside =
        (area > 0.0F) & (down_x * b.y - down_y * b.x >= 0.0F) & (a.x * down_y - a.y * down_x >= 0.0F);
    const Floats zero{};
    return choose(inside, (down_x * down_x + down_y * down_y) / (area * area), zero);
}

/// Of two neighbours, lane by lane.
[[gnu::always_inline]] inline Seen either(Ints mask, const Seen& a, const Seen& b) {
    return {choose(mask, a.x, b.x), choose(mask, a.y, b.y), choose(mask, a.drop, b.drop), a.linked};
}

/// The steepest linked neighbour so far.
struct Steepest {
    Floats square{};  // of its slope
    Floats drop{};    // m
    Ints direction = Ints{} + static_cast<std::int32_t>(kPit);
};

[[gnu::always_inline]] inline void consider(Steepest& best, const Seen& n, int d) {
    const Floats square = n.drop * n.drop / (n.x * n.x + n.y * n.y);
    const Ints better = (n.drop > 0.0F) & n.linked & (square > best.square);
    best.square = choose(better, square, best.square);
    best.drop = choose(better, n.drop, best.drop);
    best.direction = choose(better, Ints{} + d, best.direction);
}

/// The steepest descent in the quadrant between two axes: it is cut by its diagonal where that is linked.
[[gnu::always_inline]] inline Floats quadrant_square(const Seen& a, const Seen& diagonal, const Seen& b) {
    const Floats first = facet_square(a, either(diagonal.linked, diagonal, b));
    const Floats second = facet_square(either(diagonal.linked, diagonal, a), b);
    return choose(first > second, first, second);
}

/// One block of kLanes cells that begins at cell i of the run.
[[gnu::always_inline]] inline void direct_block(const RowOfCells& row, std::int64_t i,
                                                std::uint8_t* direction, float* length) {
    const Ints links = load_bytes(row.links + i);
    Steepest best;
    Floats steepest{};
    Seen first = see(row, i, 0, links);
    const Seen east = first;
    consider(best, east, 0);
    for (int d = 0; d < 8; d += 2) {
        const Seen diagonal = see(row, i, d + 1, links);
        const Seen next = d < 6 ? see(row, i, d + 2, links) : east;
        consider(best, diagonal, d + 1);
        if (d < 6) consider(best, next, d + 2);
        const Floats square = quadrant_square(first, diagonal, next);
        steepest = choose(square > steepest, square, steepest);
        first = next;
    }
    steepest = choose(best.square > steepest, best.square, steepest);
    const Floats zero{};
    store_bytes(direction + i, best.direction);
    store(length + i, choose(best.square > 0.0F, best.drop / square_root(steepest), zero));
}

}  // namespace

template <>
void direct_row_in_lanes<kLanes>(const RowOfCells& row, std::uint8_t* direction, float* length) {
    std::int64_t i = 0;
    for (; i + kLanes <= row.count; i += kLanes) direct_block(row, i, direction, length);
    // The last block overlaps the one before: both write the same.
    if (i < row.count) direct_block(row, row.count - kLanes, direction, length);
}

}  // namespace thalweg
