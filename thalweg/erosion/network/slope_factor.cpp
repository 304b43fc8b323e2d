#include "thalweg/erosion/network/slope_factor.hpp"

#include "thalweg/core/cell_bits.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/network/axes_rows.hpp"
#include "thalweg/erosion/network/direct_rows.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/graph/pits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastRows = 16;  // a task looks twice at the row above its first
constexpr std::int64_t kCellsPerTask = 1 << 13;

/// A linked neighbour as seen from a node: place in cells (y to the south) and how much lower it lies, m.
struct Neighbour {
    float x;
    float y;
    float drop;
    float distance;
    std::uint8_t direction;
};

/// The neighbours of one cell, clockwise from east.
struct Neighbourhood {
    std::array<Neighbour, 8> around;
    std::size_t count = 0;
};

Neighbourhood ring_around(const Field<float>& elevation, const Lattice& lattice,
                          const std::array<std::int32_t, 8>& steps, std::int64_t cell, std::uint8_t links) {
    Neighbourhood ring;
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
float steepest_slope(const Neighbourhood& ring) {
    float steepest = 0.0F;
    for (std::size_t i = 0; i < ring.count; ++i) {
        const Neighbour& a = ring.around[i];
        const Neighbour& b = ring.around[i + 1 < ring.count ? i + 1 : 0];
        if (a.drop > 0.0F) steepest = std::max(steepest, a.drop / a.distance);
        if (a.drop > 0.0F || b.drop > 0.0F) steepest = std::max(steepest, facet_slope(a, b));
    }
    return steepest;
}

const Neighbour* steepest_receiver(const Neighbourhood& ring) {
    const Neighbour* best = nullptr;
    float best_square = 0.0F;  // of the slope, as in direct_rows
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

const Neighbour* random_receiver(const Neighbourhood& ring, float draw) {
    float sum = 0.0F;
    for (std::size_t i = 0; i < ring.count; ++i)
        sum += ring.around[i].drop > 0.0F ? ring.around[i].drop : 0.0F;
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

void direct_rows(const DirectedRows& mesh, int first_row, int end_row) {
    in_lanes([&](auto lanes) { direct_rows_in_lanes<lanes()>(mesh, first_row, end_row); });
}

void direct_axes(const AxesRow& row, std::uint8_t* direction, float* length) {
    in_lanes([&](auto lanes) { direct_axes_in_lanes<lanes()>(row, direction, length); });
}

bool is_d8(const Lattice& lattice) {
    return !lattice.displaced() && lattice.links.empty() && lattice.common_links == kAllEight;
}

/// Directs single cells, looking at their neighbours one by one.
class CellDirector {
  public:
    CellDirector(const Field<float>& elevation, const Lattice& lattice, const Field<std::uint8_t>& roots,
                 ReceiverRule rule, std::uint64_t draw_key)
        : elevation_(elevation),
          lattice_(lattice),
          roots_(roots),
          rule_(rule),
          draw_key_(draw_key),
          steps_(lattice.index_steps()) {}

    void direct(int column, int row, DirectedTerrain& terrain) const {
        const std::int64_t cell = lattice_.grid.index(column, row);
        std::uint8_t& direction = terrain.direction[at(cell)];
        float& length = terrain.length[at(cell)];
        length = 0.0F;
        direction = is_no_data(elevation_[cell]) ? kOutside : kRoot;
        if (direction == kOutside || roots_[cell] != 0) return;
        const Neighbourhood ring =
            ring_around(elevation_, lattice_, steps_, cell, lattice_.links_inside(column, row));
        const Neighbour* const receiver = receiver_of(cell, ring);
        direction = receiver != nullptr ? receiver->direction : kPit;
        if (receiver != nullptr) length = length_to(*receiver, ring);
    }

  private:
    /// m: g * distance = drop / |grad z|, or the distance on 8 neighbours.
    [[nodiscard]] float length_to(const Neighbour& receiver, const Neighbourhood& ring) const {
        const auto cell_size = static_cast<float>(lattice_.grid.cell_size);
        return is_d8(lattice_) ? cell_size * receiver.distance
                               : cell_size * receiver.drop / steepest_slope(ring);
    }

    [[nodiscard]] const Neighbour* receiver_of(std::int64_t cell, const Neighbourhood& ring) const {
        if (rule_ == ReceiverRule::Steepest) return steepest_receiver(ring);
        const std::uint32_t bits = cell_bits(draw_key_, static_cast<std::uint32_t>(cell));
        return random_receiver(ring, unit_float(std::uint64_t{bits} << 32));
    }

    const Field<float>& elevation_;
    const Lattice& lattice_;
    const Field<std::uint8_t>& roots_;
    ReceiverRule rule_;
    std::uint64_t draw_key_;
    std::array<std::int32_t, 8> steps_;
};

/// Steepest of 8 neighbours, and the distances to them.
void direct_d8(const Field<float>& elevation, const Lattice& lattice, const Field<std::uint8_t>& roots,
               DirectedTerrain& terrain) {
    steepest_directions(elevation, lattice, roots, terrain.direction);
    const auto side = static_cast<float>(lattice.grid.cell_size);
    const float diagonal = side * std::numbers::sqrt2_v<float>;
    const std::array<float, kPit + 1> lengths = {side, diagonal, side, diagonal,
                                                 side, diagonal, side, diagonal};
    terrain.pits = parallel_concat<std::int32_t>(
        0, elevation.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t cell = first; cell < last; ++cell)
                terrain.length[at(cell)] = lengths[terrain.direction[at(cell)]];
            return pits_among(terrain.direction, first, last);
        });
}

}  // namespace

void direct_terrain(const Field<float>& elevation, const Lattice& lattice, const Field<std::uint8_t>& roots,
                    ReceiverRule rule, std::uint64_t draw_key, DirectedTerrain& terrain, Progress& progress) {
    const Grid& grid = lattice.grid;
    terrain.direction.resize(at(grid.cells()));
    terrain.length.resize(at(grid.cells()));
    if (rule == ReceiverRule::Steepest && is_d8(lattice))
        return direct_d8(elevation, lattice, roots, terrain);
    const CellDirector single(elevation, lattice, roots, rule, draw_key);
    const DirectedRows mesh{.elevation = elevation.data(),
                            .offset_x = lattice.offset_x.data(),
                            .offset_y = lattice.offset_y.data(),
                            .links = lattice.links.data(),
                            .roots = roots.data(),
                            .columns = grid.columns,
                            .rows = grid.rows,
                            .cell_size = static_cast<float>(grid.cell_size),
                            .direction = terrain.direction.data(),
                            .length = terrain.length.data()};
    const bool in_vectors = rule == ReceiverRule::Steepest && lattice.displaced() && vector_lanes() > 1 &&
                            grid.columns > kWidestVector && grid.rows > 1;
    const bool by_axes = !lattice.displaced() && lattice.links.empty() && lattice.common_links == kAxes &&
                         vector_lanes() > 1 && grid.columns - 2 >= kWidestVector;
    const auto direct_inner = [&](int row) {
        const std::int64_t first = grid.index(1, row);
        direct_axes({.elevation = elevation.data() + first,
                     .roots = roots.data() + first,
                     .stride = grid.columns,
                     .count = grid.columns - 2,
                     .cell_size = static_cast<float>(grid.cell_size),
                     .random = rule == ReceiverRule::Random,
                     .draw_key = draw_key,
                     .first_cell = static_cast<std::uint32_t>(first)},
                    terrain.direction.data() + first, terrain.length.data() + first);
    };
    const auto direct_one_by_one = [&](int row, int step) {
        for (int column = 0; column < grid.columns; column += step) single.direct(column, row, terrain);
    };
    const std::int64_t rows_per_task = std::max<std::int64_t>(kLeastRows, kCellsPerTask / grid.columns);
    terrain.pits = parallel_concat<std::int32_t>(
        0, grid.rows, rows_per_task, [&](std::int64_t first, std::int64_t last) {
            progress.poll();
            if (in_vectors) {
                direct_rows(mesh, static_cast<int>(first), static_cast<int>(last));
            } else {
                for (int row = static_cast<int>(first); row < last; ++row) {
                    const bool inner = by_axes && row > 0 && row + 1 < grid.rows;
                    if (inner) direct_inner(row);
                    direct_one_by_one(row, inner ? grid.columns - 1 : 1);
                }
            }
            return pits_among(terrain.direction, first * grid.columns, last * grid.columns);
        });
}

void lengthen_breached(const Lattice& lattice, std::span<const std::int32_t> breached,
                       DirectedTerrain& terrain) {
    for (const std::int32_t cell : breached)
        terrain.length[at(cell)] = static_cast<float>(lattice.distance(cell, terrain.direction[at(cell)]));
}

}  // namespace thalweg
