#include "thalweg/erosion/slope_factor.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/direct_row.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

constexpr std::int64_t kRowsPerTask = 8;
constexpr float kLargestDraw = 1.0F - 0x1p-16F;  // so that draw * sum never rounds up to the sum

/// A linked neighbour as seen from a node: place in cells (y to the south) and how much lower it lies, m.
struct Neighbour {
    float x;
    float y;
    float drop;
    float distance;
    std::uint8_t direction;
};

/// The neighbours of one cell, clockwise from east.
struct Ring {
    std::array<Neighbour, 8> around;
    std::size_t count = 0;
};

Ring ring_around(const Field<float>& elevation, const Lattice& lattice,
                 const std::array<std::int32_t, 8>& steps, std::int64_t cell, std::uint8_t links) {
    Ring ring;
    const float here = elevation[cell];
    for (std::size_t d = 0; d < 8; ++d) {
        if ((links >> d & 1) == 0) continue;
        const std::int64_t other = cell + steps[d];
        const Link way = lattice.link(cell, other, d);
        ring.around[ring.count++] = {way.x, way.y, here - elevation[other], way.length(),
                                     static_cast<std::uint8_t>(d)};
    }
    return ring;
}

/// Slope, m per cell, down the triangle from the node to two neighbours, if its steepest descent runs inside
/// it; else 0.
float facet_slope(const Neighbour& a, const Neighbour& b) {
    const float area = a.x * b.y - b.x * a.y;
    if (!(area > 0.0F)) return 0.0F;
    const float down_x = (a.drop * b.y - b.drop * a.y) / area;
    const float down_y = (a.x * b.drop - b.x * a.drop) / area;
    const bool inside = down_x * b.y - down_y * b.x >= 0.0F && a.x * down_y - a.y * down_x >= 0.0F;
    return inside ? std::sqrt(down_x * down_x + down_y * down_y) : 0.0F;
}

/// Steepest descent around the node over all triangles and links, m per cell.
float steepest_slope(const Ring& ring) {
    float steepest = 0.0F;
    for (std::size_t i = 0; i < ring.count; ++i) {
        const Neighbour& a = ring.around[i];
        const Neighbour& b = ring.around[i + 1 < ring.count ? i + 1 : 0];
        if (a.drop > 0.0F) steepest = std::max(steepest, a.drop / a.distance);
        if (a.drop > 0.0F || b.drop > 0.0F) steepest = std::max(steepest, facet_slope(a, b));
    }
    return steepest;
}

const Neighbour* steepest_receiver(const Ring& ring) {
    const Neighbour* best = nullptr;
    float best_square = 0.0F;  // of the slope, as in direct_row
    for (std::size_t i = 0; i < ring.count; ++i) {
        const Neighbour& neighbour = ring.around[i];
        if (!(neighbour.drop > 0.0F)) continue;
        const float square =
            neighbour.drop * neighbour.drop / (neighbour.x * neighbour.x + neighbour.y * neighbour.y);
        if (square > best_square) {
            best = &neighbour;
            best_square = square;
        }
    }
    return best;
}

const Neighbour* random_receiver(const Ring& ring, float draw) {
    float sum = 0.0F;
    for (std::size_t i = 0; i < ring.count; ++i) sum += std::max(ring.around[i].drop, 0.0F);
    const float wanted = std::min(draw, kLargestDraw) * sum;
    const Neighbour* chosen = nullptr;
    float passed = 0.0F;
    for (std::size_t i = 0; i < ring.count && (chosen == nullptr || passed <= wanted); ++i) {
        if (!(ring.around[i].drop > 0.0F)) continue;
        chosen = &ring.around[i];
        passed += chosen->drop;
    }
    return chosen;
}

void direct_row(const RowOfCells& row, std::uint8_t* direction, float* length) {
#if THALWEG_WIDE_VECTORS
    if (vector_lanes() == 16) return direct_row_in_lanes<16>(row, direction, length);
    if (vector_lanes() == 8) return direct_row_in_lanes<8>(row, direction, length);
#endif
    direct_row_in_lanes<4>(row, direction, length);
}

/// All cells of a row that is not at the grid's edge, but the first and the last.
void direct_inner_cells(const Field<float>& elevation, const Lattice& lattice,
                        const Field<std::uint8_t>& roots, int row, DirectedTerrain& terrain) {
    const Grid& grid = lattice.grid;
    const std::int64_t begin = grid.index(1, row);
    const std::int64_t count = grid.columns - 2;
    direct_row({.elevation = elevation.data() + begin,
                .offset_x = lattice.offset_x.data() + begin,
                .offset_y = lattice.offset_y.data() + begin,
                .links = lattice.links.data() + begin,
                .stride = grid.columns,
                .count = count},
               terrain.direction.data() + begin, terrain.length.data() + begin);
    const float cell_size = static_cast<float>(grid.cell_size);
    for (std::int64_t cell = begin; cell < begin + count; ++cell) {
        const bool outside = is_no_data(elevation[cell]);
        const bool drains = !outside && roots[cell] == 0;
        terrain.length[at(cell)] = drains ? cell_size * terrain.length[at(cell)] : 0.0F;
        if (!drains) terrain.direction[at(cell)] = outside ? kOutside : kRoot;
    }
}

}  // namespace

DirectedTerrain direct_terrain(const Field<float>& elevation, const Lattice& lattice,
                               const Field<std::uint8_t>& roots, ReceiverRule rule, std::uint64_t draw_key,
                               Progress& progress) {
    const Grid& grid = lattice.grid;
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    const float cell_size = static_cast<float>(grid.cell_size);
    DirectedTerrain terrain{std::vector<std::uint8_t>(at(grid.cells()), kOutside),
                            std::vector<float>(at(grid.cells()), 0.0F)};
    const auto direct_cell = [&](int column, int row) {
        const std::int64_t cell = grid.index(column, row);
        if (is_no_data(elevation[cell])) return;
        terrain.direction[at(cell)] = kRoot;
        if (roots[cell] != 0) return;
        const std::uint8_t links = lattice.links_inside(column, row);
        const Ring ring = ring_around(elevation, lattice, steps, cell, links);
        const Neighbour* receiver = nullptr;
        if (rule == ReceiverRule::Steepest) {
            receiver = steepest_receiver(ring);
        } else {
            const std::uint64_t bits =
                random_bits(draw_key, Stream::Receiver, static_cast<std::uint64_t>(cell));
            receiver = random_receiver(ring, unit_float(bits));
        }
        terrain.direction[at(cell)] = receiver != nullptr ? receiver->direction : kPit;
        // g * distance = drop / |grad z|: both in cells here.
        if (receiver != nullptr) terrain.length[at(cell)] = cell_size * receiver->drop / steepest_slope(ring);
    };
    const bool in_vectors =
        rule == ReceiverRule::Steepest && lattice.displaced() && grid.columns - 2 >= kWidestVector;
    parallel_for(0, grid.rows, kRowsPerTask, [&](std::int64_t first, std::int64_t last) {
        progress.poll();
        for (int row = static_cast<int>(first); row < last; ++row) {
            if (in_vectors && row > 0 && row + 1 < grid.rows) {
                direct_inner_cells(elevation, lattice, roots, row, terrain);
                direct_cell(0, row);
                direct_cell(grid.columns - 1, row);
            } else {
                for (int column = 0; column < grid.columns; ++column) direct_cell(column, row);
            }
        }
    });
    return terrain;
}

void lengthen_breached(const Lattice& lattice, const std::vector<std::uint8_t>& before,
                       DirectedTerrain& terrain) {
    for (std::size_t cell = 0; cell < before.size(); ++cell) {
        const std::uint8_t direction = terrain.direction[cell];
        if (direction == before[cell] || direction >= 8) continue;
        terrain.length[cell] =
            static_cast<float>(lattice.distance(static_cast<std::int64_t>(cell), direction));
    }
}

}  // namespace thalweg
