#include "thalweg/flow/drainage_exponents.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/flow/descent.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

DrainageExponents exponents_of(const Field<float>& z, Edges edges) {
    QuietProgress progress;
    return drainage_exponents(descend(z, edges, kAllEight, 1, progress), progress);
}

TEST(DrainageExponents, of_parallel_rivers_are_that_of_their_length) {
    // Each column is a river of its own: L = A - 1, and the share of cells with A >= a is 1 - (a - 1) / rows.
    Field<float> z(Grid{.columns = 10, .rows = 4000});
    for (int row = 0; row < 4000; ++row)
        for (int column = 0; column < 10; ++column) z(column, row) = static_cast<float>(4000 - row);
    const DrainageExponents exponents = exponents_of(z, Edges::South);
    EXPECT_NEAR(exponents.hack, 1.0, 0.04);  // log(A - 1) over log A from A = 8 on
    EXPECT_LT(exponents.area, 0.03);
}

TEST(DrainageExponents, of_scheideggers_rivers_are_a_third_and_two_thirds) {
    // Scheidegger's network: every cell drains down to the left or right at random. Exactly 1/3 and 2/3
    // (Takayasu et al. 1988; Huber 1991).
    constexpr int kSide = 1500;
    FlowTree tree;
    tree.grid = {.columns = kSide, .rows = kSide};
    tree.wraps = true;
    tree.direction.resize(std::size_t{kSide} * kSide);
    tree.upstream_cells.assign(tree.direction.size(), 1);
    for (std::int32_t cell = kSide * kSide - 1; cell >= 0; --cell) tree.order.push_back(cell);
    for (std::size_t cell = 0; cell < tree.direction.size(); ++cell) {
        const bool left = (random_bits(3, Stream::WhiteNoise, cell) >> 40 & 1) != 0;
        tree.direction[cell] = cell / kSide == kSide - 1 ? kRoot : left ? 3 : 1;
    }
    for (std::int32_t cell = 0; cell < kSide * kSide; ++cell)
        if (const std::int32_t receiver = tree.receiver(cell); receiver >= 0)
            tree.upstream_cells[static_cast<std::size_t>(receiver)] +=
                tree.upstream_cells[static_cast<std::size_t>(cell)];
    QuietProgress progress;
    const DrainageExponents exponents = drainage_exponents(tree, progress);
    EXPECT_NEAR(exponents.area, 1.0 / 3.0, 0.04);
    EXPECT_NEAR(exponents.hack, 2.0 / 3.0, 0.03);
}

TEST(DrainageExponents, of_a_small_tree_are_not_numbers) {
    const DrainageExponents exponents =
        exponents_of(Field<float>(Grid{.columns = 20, .rows = 20}, 1.0F), Edges::Open);
    EXPECT_TRUE(std::isnan(exponents.area));
    EXPECT_TRUE(std::isnan(exponents.hack));
}

}  // namespace
}  // namespace thalweg
