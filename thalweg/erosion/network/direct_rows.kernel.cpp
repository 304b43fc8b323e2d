#include "thalweg/erosion/network/direct_rows.hpp"

#include "thalweg/core/vectors.hpp"
#include "thalweg/flow/directions.hpp"

namespace thalweg {
namespace {

// The most nodes of a row that are directed together: their buffers stay in the nearest cache. With one more
// quad so many fill whole vectors.
constexpr int kNodesAtOnce = 175;
constexpr int kBuffer = kNodesAtOnce + 2;  // with one more quad on either side

/// A displaced node.
struct Node {
    Floats x, y;  // cells
    Floats z;     // m
};

/// A link as seen from its upper or left end.
struct LinkBuffer {
    float drop[kBuffer] = {};    // m
    float square[kBuffer] = {};  // of the slope, m^2 per cell^2, less than 0 where it rises; 0: no such link
};

/// What the quads of one row hand to the nodes at their corners. Entry i stands for the quad that begins
/// i - 1 cells behind the first node of the block.
struct QuadRow {
    float north_west[kBuffer] = {};  // squared slope of the descent that leaves this corner into the quad
    float north_east[kBuffer] = {};
    float south_east[kBuffer] = {};
    float south_west[kBuffer] = {};
    LinkBuffer falling;  // diagonals from north-west to south-east
    LinkBuffer rising;   // from north-east to south-west
    LinkBuffer south;    // links from the row's nodes (entry i: node i - 1) to those below
};

/// A block of columns and the buffers for its present row of nodes.
struct Block {
    int first_column;
    int end_column;
    QuadRow rows[2];
    QuadRow* above = &rows[0];  // of the quads over the present row
    QuadRow* below = &rows[1];
    LinkBuffer east;  // of the present row; entry i: from its node i - 1

    Block(int first, int end) : first_column(first), end_column(end) {}
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    void step_down() {
        QuadRow* const free = above;
        above = below;
        below = free;
    }
};

[[gnu::always_inline]] inline Node node_at(const DirectedRows& mesh, std::int64_t cell, float column,
                                           float row) {
    return {load(mesh.offset_x + cell) + column, load(mesh.offset_y + cell) + row,
            load(mesh.elevation + cell)};
}

[[gnu::always_inline]] inline Node either(Ints mask, const Node& a, const Node& b) {
    return {choose(mask, a.x, b.x), choose(mask, a.y, b.y), choose(mask, a.z, b.z)};
}

/// Squared slopes of a triangle's descent, each at the corner that it leaves; 0 at the others.
struct Corners {
    Floats first, second, third;
};

/// The way from a triangle's first corner to another, and how much lower that lies.
struct Edge {
    Floats x, y, drop;
};

[[gnu::always_inline]] inline Edge edge_to(const Node& from, const Node& to) {
    return {to.x - from.x, to.y - from.y, from.z - to.z};
}

/// `a` and `b` lead from the first corner to the second and third, clockwise.
[[gnu::always_inline]] inline Corners descent(const Edge& a, const Edge& b) {
    const Floats zero{};
    const Floats area = a.x * b.y - b.x * a.y;
    const Floats down_x = a.drop * b.y - b.drop * a.y;
    const Floats down_y = a.x * b.drop - b.x * a.drop;
    const Floats square = (down_x * down_x + down_y * down_y) / (area * area);
    // On which side of each edge the descent points: inward is positive.
    const Floats first_edge = a.x * down_y - a.y * down_x;
    const Floats third_edge = down_x * b.y - down_y * b.x;
    const Ints proper = area > 0.0F;
    const Ints first = first_edge >= 0.0F, third = third_edge >= 0.0F;
    const Ints second = first_edge + third_edge <= 0.0F;
    return {choose(proper & first & third, square, zero), choose(proper & first & second, square, zero),
            choose(proper & third & second, square, zero)};
}

[[gnu::always_inline]] inline Floats greater(Floats a, Floats b) {
    return choose(a > b, a, b);
}

[[gnu::always_inline]] inline Floats slope_square(const Edge& link) {
    const Floats drop_size = as_floats(as_ints(link.drop) & 0x7fffffff);
    return link.drop * drop_size / (link.x * link.x + link.y * link.y);
}

[[gnu::always_inline]] inline void store_link(const Edge& link, int i, LinkBuffer& links) {
    store(links.drop + i, link.drop);
    store(links.square + i, slope_square(link));
}

/// The quads whose north-west corners are `cell` and those behind it, with their links to the east and to the
/// south; their buffers begin at entry i.
[[gnu::always_inline]] inline void look_at_quads(const DirectedRows& mesh, std::int64_t cell, int i,
                                                 QuadRow& row, LinkBuffer& east) {
    const Floats zero{};
    const Node north_west = node_at(mesh, cell, 0.0F, 0.0F);
    const Node north_east = node_at(mesh, cell + 1, 1.0F, 0.0F);
    const Node south_east = node_at(mesh, cell + mesh.columns + 1, 1.0F, 1.0F);
    const Node south_west = node_at(mesh, cell + mesh.columns, 0.0F, 1.0F);
    store_link(edge_to(north_west, north_east), i, east);
    store_link(edge_to(north_west, south_west), i, row.south);
    const Ints falls = ((load_bytes(mesh.links + cell) >> 1) & 1) != 0;
    // The diagonal leads from corner 0 to corner 2 of the quad, clockwise.
    const Node corner = either(falls, north_west, north_east);
    const Edge next = edge_to(corner, either(falls, north_east, south_east));
    const Edge diagonal = edge_to(corner, either(falls, south_east, south_west));
    const Edge last = edge_to(corner, either(falls, south_west, north_west));
    const Corners one = descent(next, diagonal);
    const Corners other = descent(diagonal, last);
    const Floats at_0 = greater(one.first, other.first), at_2 = greater(one.third, other.second);
    store(row.north_west + i, choose(falls, at_0, other.third));
    store(row.north_east + i, choose(falls, one.second, at_0));
    store(row.south_east + i, choose(falls, at_2, one.second));
    store(row.south_west + i, choose(falls, other.third, at_2));
    const Floats square = slope_square(diagonal);
    store(row.falling.drop + i, diagonal.drop);
    store(row.rising.drop + i, diagonal.drop);
    store(row.falling.square + i, choose(falls, square, zero));
    store(row.rising.square + i, choose(falls, zero, square));
}

/// Links from `cell` and those behind it to the nodes `step` further.
[[gnu::always_inline]] inline void look_at_links(const DirectedRows& mesh, std::int64_t cell,
                                                 std::int64_t step, float column, float row, int i,
                                                 LinkBuffer& links) {
    store_link(edge_to(node_at(mesh, cell, 0.0F, 0.0F), node_at(mesh, cell + step, column, row)), i, links);
}

/// Runs body(offset) for vectors that cover [0, count), the last one overlapping the one before. count >=
/// kLanes.
template <class Body>
[[gnu::always_inline]] inline void in_vectors(int count, const Body& body) {
    int i = 0;
    for (; i + kLanes <= count; i += kLanes) body(i);
    if (i < count) body(count - kLanes);
}

/// Links to the east of row `row`.
void look_east(const DirectedRows& mesh, int row, Block& block) {
    const int first = block.first_column > 0 ? block.first_column - 1 : 0;
    const int end = block.end_column < mesh.columns ? block.end_column : mesh.columns - 1;
    const std::int64_t begin = std::int64_t{row} * mesh.columns + first;
    const int entry = first - block.first_column + 1;
    in_vectors(end - first,
               [&](int i) { look_at_links(mesh, begin + i, 1, 1.0F, 0.0F, entry + i, block.east); });
}

/// Quads and links between the rows `row` and `row + 1`, and links to the east of row `row`.
void look_below(const DirectedRows& mesh, int row, Block& block) {
    const int first = block.first_column > 0 ? block.first_column - 1 : 0;
    const int end = block.end_column < mesh.columns ? block.end_column : mesh.columns - 1;
    const std::int64_t begin = std::int64_t{row} * mesh.columns;
    const int entry = first - block.first_column + 1;
    in_vectors(end - first,
               [&](int i) { look_at_quads(mesh, begin + first + i, entry + i, *block.below, block.east); });
    if (block.end_column < mesh.columns) return;
    // No quad begins at the last column.
    const int last = mesh.columns - kLanes;
    look_at_links(mesh, begin + last, mesh.columns, 0.0F, 1.0F, last - block.first_column + 1,
                  block.below->south);
}

/// The steepest linked neighbour so far.
struct Steepest {
    Floats square{};  // of its slope
    Floats drop{};    // m
    Ints direction = Ints{} + static_cast<std::int32_t>(kPit);

    [[gnu::always_inline]] void consider(Floats link_drop, Floats link_square, int d) {
        const Ints better = link_square > square;
        square = choose(better, link_square, square);
        drop = choose(better, link_drop, drop);
        direction = choose(better, Ints{} + d, direction);
    }
    [[gnu::always_inline]] void consider_down(const LinkBuffer& link, int i, int d) {
        consider(load(link.drop + i), load(link.square + i), d);
    }
    [[gnu::always_inline]] void consider_up(const LinkBuffer& link, int i, int d) {
        consider(-load(link.drop + i), -load(link.square + i), d);
    }
};

/// Directs the nodes of entry i and behind it; `cell` is the first of them.
[[gnu::always_inline]] inline void direct_nodes(const DirectedRows& mesh, const Block& block,
                                                std::int64_t cell, int i) {
    const QuadRow& above = *block.above;
    const QuadRow& below = *block.below;
    // In the order of the directions: the first of equally steep ones is taken.
    Steepest best;
    best.consider_down(block.east, i, 0);
    best.consider_down(below.falling, i, 1);
    best.consider_down(below.south, i, 2);
    best.consider_down(below.rising, i - 1, 3);
    best.consider_up(block.east, i - 1, 4);
    best.consider_up(above.falling, i - 1, 5);
    best.consider_up(above.south, i, 6);
    best.consider_up(above.rising, i, 7);
    Floats steepest = greater(load(below.north_west + i), best.square);
    steepest = greater(load(below.north_east + i - 1), steepest);
    steepest = greater(load(above.south_east + i - 1), steepest);
    steepest = greater(load(above.south_west + i), steepest);
    const Floats zero{};
    const Floats z = load(mesh.elevation + cell);
    const Ints outside = z != z, root = load_bytes(mesh.roots + cell) != 0;
    const Ints drains = ~(outside | root) & (best.square > 0.0F);
    Ints direction = choose(root, Ints{} + static_cast<std::int32_t>(kRoot), best.direction);
    direction = choose(outside, Ints{} + static_cast<std::int32_t>(kOutside), direction);
    store_bytes(mesh.direction + cell, direction);
    store(mesh.length + cell, choose(drains, mesh.cell_size * best.drop / square_root(steepest), zero));
}

void direct_block(const DirectedRows& mesh, int first_row, int end_row, Block& block) {
    if (first_row > 0) {
        look_below(mesh, first_row - 1, block);
        block.step_down();
    }
    for (int row = first_row; row < end_row; ++row) {
        if (row + 1 < mesh.rows) {
            look_below(mesh, row, block);
        } else {
            look_east(mesh, row, block);
            *block.below = QuadRow{};
        }
        const std::int64_t begin = std::int64_t{row} * mesh.columns + block.first_column;
        in_vectors(block.end_column - block.first_column,
                   [&](int i) { direct_nodes(mesh, block, begin + i, i + 1); });
        block.step_down();
    }
}

}  // namespace

template <>
void direct_rows_in_lanes<kLanes>(const DirectedRows& mesh, int first_row, int end_row) {
    const int blocks = (mesh.columns + kNodesAtOnce - 1) / kNodesAtOnce;
    const int width = (mesh.columns + blocks - 1) / blocks;
    for (int column = 0; column < mesh.columns; column += width) {
        // The last block begins further west, so that it is wide enough: what is done twice is the same.
        const int first = column <= mesh.columns - width ? column : mesh.columns - width;
        const int end = first + width;
        Block block(first, end);
        direct_block(mesh, first_row, end_row, block);
    }
}

}  // namespace thalweg
