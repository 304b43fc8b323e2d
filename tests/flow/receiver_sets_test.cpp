#include "thalweg/flow/graph/receiver_sets.hpp"

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/route.hpp"

#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// The sets, cell by cell as the header tells.
std::vector<std::uint8_t> expected_sets(const Field<float>& z, const std::vector<std::uint8_t>& direction) {
    std::vector<std::uint8_t> sets(direction.size(), 0);
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column) {
            const std::size_t cell = at(z.grid().index(column, row));
            if (direction[cell] >= kRoot) continue;
            for (std::size_t d = 0; d < 8; ++d) {
                const int c = column + kColumnStep[d], r = row + kRowStep[d];
                if (z.grid().contains(c, r) && z(c, r) < z(column, row))
                    sets[cell] = static_cast<std::uint8_t>(sets[cell] | 1U << d);
            }
            if (sets[cell] == 0) sets[cell] = static_cast<std::uint8_t>(1U << direction[cell]);
        }
    return sets;
}

TEST(ReceiverSets, hold_lower_neighbours_or_the_direction_where_there_are_none_for_every_width_of_vectors) {
    const std::pair<int, int> sizes[] = {{1, 1}, {1, 40}, {40, 1}, {17, 9}, {18, 9}, {35, 33}, {200, 60}};
    for (const auto& [columns, rows] : sizes) {
        Field<float> z = tests::white_terrain(columns, rows, 6, 5);  // of few levels, so that there are flats
        if (columns > 20 && rows > 20) tests::cut_out(z, 8, 9, 15, 12);
        const FlowResult flow = route(z, {.conditioning = {.depressions = Depressions::Fill}}, progress);
        const std::vector<std::uint8_t> expected = expected_sets(flow.elevation, flow.tree.direction);
        for (const int lanes : {4, 8, 16}) {
            limit_vector_lanes(lanes);
            EXPECT_EQ(lower_receivers(flow.elevation, flow.tree.direction), expected);
        }
        limit_vector_lanes(0);
    }
}

}  // namespace
}  // namespace thalweg
