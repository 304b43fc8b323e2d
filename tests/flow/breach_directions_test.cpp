#include "thalweg/flow/depressions/breach_directions.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/graph/pits.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::white_terrain;

/// What breach_directions does, by one flood for each pit, its cells in a set.
class SlowBreacher {
  public:
    SlowBreacher(const Field<float>& z, const Lattice& lattice, std::vector<std::uint8_t>& direction)
        : z_(z), lattice_(lattice), direction_(direction), carved_(direction.size(), 0) {}

    void breach() {
        std::set<std::pair<float, std::int32_t>> pits;
        for (std::int32_t cell = 0; cell < z_.size(); ++cell)
            if (direction_[at(cell)] == kPit) pits.emplace(z_[cell], cell);
        for (const auto& [elevation, pit] : pits)
            if (direction_[at(pit)] == kPit) drain(pit);
    }

  private:
    template <class Visit>
    void for_neighbours(std::int32_t cell, const Visit& visit) const {
        const std::uint8_t links = lattice_.links_inside(z_.grid().column_of(cell), z_.grid().row_of(cell));
        for (int d = 0; d < 8; ++d)
            if ((links >> d & 1) != 0) visit(cell + lattice_.index_steps()[at(d)], d);
    }

    void drain(std::int32_t pit) {
        std::map<std::int32_t, std::uint8_t> direction_back = {{pit, kPit}};
        std::set<std::tuple<float, int, std::int32_t>> waiting = {{z_[pit], 0, pit}};
        std::int32_t exit = -1;
        for (int reached = 0; exit < 0 && !waiting.empty();) {
            const std::int32_t cell = std::get<2>(waiting.extract(waiting.begin()).value());
            if (direction_[at(cell)] == kRoot || carved_[at(cell)] != 0 || z_[cell] < z_[pit]) {
                exit = cell;
                break;
            }
            for_neighbours(cell, [&](std::int32_t other, int d) {
                if (direction_[at(other)] == kOutside || direction_back.contains(other)) return;
                direction_back[other] = static_cast<std::uint8_t>(opposite(d));
                waiting.emplace(z_[other], ++reached, other);
            });
        }
        if (exit < 0) direction_[at(pit)] = kRoot;
        while (exit >= 0 && exit != pit) {
            const std::uint8_t back = direction_back[exit];
            exit += lattice_.index_steps()[back];
            turn(exit, opposite(back));
        }
        drain_flat(pit);
    }

    void drain_flat(std::int32_t pit) {
        std::vector<std::int32_t> flat = {pit};
        for (std::size_t next = 0; next < flat.size(); ++next)
            for_neighbours(flat[next], [&](std::int32_t other, int d) {
                if (direction_[at(other)] != kPit || z_[other] != z_[pit]) return;
                turn(other, opposite(d));
                flat.push_back(other);
            });
    }

    void turn(std::int32_t cell, int direction) {
        direction_[at(cell)] = static_cast<std::uint8_t>(direction);
        carved_[at(cell)] = 1;
    }

    const Field<float>& z_;
    const Lattice& lattice_;
    std::vector<std::uint8_t>& direction_;
    std::vector<std::uint8_t> carved_;
};

TEST(DirectionBreacher, leads_every_pit_where_a_plain_flood_does) {
    QuietProgress progress;
    std::vector<Field<float>> grounds = tests::difficult_terrains();
    // Broad basins, out of which the lowest ways are long.
    grounds.emplace_back(Grid{.columns = 120, .rows = 90, .cell_size = 10.0});
    for (std::int64_t cell = 0; cell < grounds.back().size(); ++cell)
        grounds.back()[cell] = static_cast<float>(
            40.0 * std::sin(0.2 * grounds.back().grid().column_of(cell)) *
                std::sin(0.3 * grounds.back().grid().row_of(cell)) +
            2.0 * unit_float(random_bits(1, Stream::SeedTerrain, static_cast<std::uint64_t>(cell))));
    for (const Field<float>& z : grounds)
        for (const Lattice& lattice : {eight_neighbours(z.grid()), four_neighbours(z.grid())}) {
            std::vector<std::uint8_t> fast = steepest_directions(z, lattice, edge_roots(z));
            std::vector<std::uint8_t> slow = fast;
            breach_directions(z, lattice, fast, progress);
            SlowBreacher(z, lattice, slow).breach();
            ASSERT_EQ(fast, slow) << z.grid().columns << " x " << z.grid().rows;
        }
}

/// Plain lattices and a displaced mesh.
std::vector<Lattice> lattices_of(const Grid& grid) {
    QuietProgress progress;
    std::vector<Lattice> lattices = {eight_neighbours(grid), four_neighbours(grid)};
    if (grid.columns > 2 && grid.rows > 2) lattices.push_back(jittered_mesh(grid, 3, 0.45, progress));
    return lattices;
}

TEST(DirectionBreacher, lets_every_cell_drain_over_links_alone) {
    QuietProgress progress;
    for (const Field<float>& z : tests::difficult_terrains())
        for (const Lattice& lattice : lattices_of(z.grid())) {
            FlowTree tree;
            tree.grid = z.grid();
            tree.direction = steepest_directions(z, lattice, edge_roots(z));
            breach_directions(z, lattice, tree.direction, progress);
            order_tree(tree, progress);  // asserts that there is no circle
            std::int64_t drained = 0, inside = 0;
            for (std::int32_t cell = 0; cell < z.size(); ++cell) {
                const std::uint8_t d = tree.direction[at(cell)];
                inside += is_no_data(z[cell]) ? 0 : 1;
                ASSERT_NE(d, kPit);
                if (d == kRoot) drained += tree.upstream_cells[at(cell)];
                if (d >= kRoot) continue;
                const int links = lattice.links_inside(z.grid().column_of(cell), z.grid().row_of(cell));
                ASSERT_NE(links >> d & 1, 0);
            }
            EXPECT_EQ(drained, inside);
        }
}

TEST(DirectionBreacher, tells_what_it_turned) {
    QuietProgress progress;
    const Field<float> z = white_terrain(120, 90, 3);
    const Lattice lattice = jittered_mesh(z.grid(), 5, 0.45, progress);
    const std::vector<std::uint8_t> before = steepest_directions(z, lattice, edge_roots(z));
    std::vector<std::uint8_t> after = before;
    DirectionBreacher breacher;
    breacher.breach(z, lattice, after, find_pits(before), progress);
    const std::set<std::int32_t> turned(breacher.turned().begin(), breacher.turned().end());
    std::size_t changed = 0;
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        if (after[at(cell)] == before[at(cell)]) continue;
        ++changed;
        EXPECT_TRUE(turned.contains(cell)) << cell;
    }
    EXPECT_GT(changed, 1000U);
}

TEST(DirectionBreacher, gives_the_same_after_a_call_that_was_cut_short) {
    const Field<float> z = white_terrain(400, 400, 5, 0);
    const Lattice lattice = eight_neighbours(z.grid());
    // Only the far corner drains, so that the floods are long enough to be polled.
    Field<std::uint8_t> roots(z.grid(), 0);
    roots(399, 399) = 1;
    const std::vector<std::uint8_t> steepest = steepest_directions(z, lattice, roots);
    const std::vector<std::int32_t> pits = find_pits(steepest);
    QuietProgress progress;
    QuietProgress cancelled;
    cancelled.cancel();
    DirectionBreacher fresh, used;
    std::vector<std::uint8_t> expected = steepest, cut_short = steepest, again = steepest;
    fresh.breach(z, lattice, expected, pits, progress);
    EXPECT_THROW(used.breach(z, lattice, cut_short, pits, cancelled), Cancelled);
    used.breach(z, lattice, again, pits, progress);
    EXPECT_EQ(again, expected);
}

}  // namespace
}  // namespace thalweg
