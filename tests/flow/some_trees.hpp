// Flow trees of every proportion.
#pragma once

#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/route.hpp"

#include <utility>
#include <vector>

#include "tests/flow/terrains.hpp"

namespace thalweg::tests {

/// Many trees and one, on grids of every proportion, among them single rows and columns, with holes.
inline std::vector<FlowTree> some_trees() {
    QuietProgress progress;
    std::vector<FlowTree> trees;
    const std::pair<int, int> sizes[] = {{1, 1},  {1, 90},   {90, 1},  {2, 2},
                                         {7, 33}, {40, 300}, {64, 64}, {300, 200}};
    for (const auto& [columns, rows] : sizes) {
        Field<float> z = white_terrain(columns, rows, 5);
        Field<std::uint8_t> one_root(z.grid(), 0);
        one_root[z.size() / 2] = 1;
        const Lattice mesh = jittered_mesh(z.grid(), 5, 0.4, progress);
        trees.push_back(build_flow_tree(z, mesh, one_root, progress));
        if (z.size() > 100) cut_out(z, columns / 3, rows / 3, columns / 3 + 4, rows / 3 + 5);
        trees.push_back(build_flow_tree(z, mesh, edge_roots(z), progress));
    }
    return trees;
}

}  // namespace thalweg::tests
