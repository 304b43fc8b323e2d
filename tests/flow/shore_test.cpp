#include "thalweg/flow/depressions/shore.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/flow/conditioning.hpp"
#include "thalweg/flow/depressions/flats.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

TEST(Shore, is_found_by_rows_as_by_looking_at_every_cell) {
    std::int64_t turned = 0;
    const std::pair<int, int> sizes[] = {{1, 40}, {40, 1}, {7, 9}, {37, 29}, {700, 400}};
    for (const auto& [columns, rows] : sizes) {
        Field<float> bed = tests::white_terrain(columns, rows, 6);
        if (bed.size() > 300) tests::cut_out(bed, 8, 9, 15, 12);
        const Lattice lattice = eight_neighbours(bed.grid());
        const Field<std::uint8_t> roots = edge_roots(bed);
        std::vector<std::uint8_t> direction = steepest_directions(bed, lattice, roots);
        resolve_flats(bed, lattice, direction, progress);
        const Field<float> surface =
            condition(bed, lattice, {roots}, {.depressions = Depressions::Fill}, progress).elevation;
        std::vector<std::uint8_t> expected = direction;
        for (std::int64_t cell = 0; cell < bed.size(); ++cell) {
            expected[at(cell)] = direction_beside_water(cell, direction[at(cell)], lattice,
                                                        lattice.index_steps(), bed, surface);
            turned += expected[at(cell)] != direction[at(cell)] ? 1 : 0;
        }
        for (const int threads : {1, 2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            std::vector<std::uint8_t> found = direction;
            direct_on_shores(lattice, bed, surface, found);
            EXPECT_EQ(found, expected);
        }
    }
    EXPECT_GT(turned, 1000);
}

}  // namespace
}  // namespace thalweg
