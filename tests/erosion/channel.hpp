// A single straight channel for closed-form tests.
#pragma once

#include "thalweg/erosion/solvers/steady_state.hpp"

#include <cmath>
#include <vector>

namespace thalweg {

/// `cells` cells in a row that drain to a root at the west end, x = 0, over `length_of_channel` m. Drainage
/// area falls linearly from the outlet to the head: A(x) = kStrip (length + kHead - x).
struct Channel {
    static constexpr double kStrip = 1000.0;  // m, width of the strip that drains into the channel
    static constexpr double kHead = 200.0;    // m, the channel's head is this long
    static constexpr double kUplift = 1e-3;   // m/yr

    ErosionLaw law = {.hillslope = false, .thermal = false};
    double length_of_channel;
    FlowTree tree;
    std::vector<float> length, celerity, uplift;
    Field<float> initial;

    Channel(int cells, double length_in_metres) : length_of_channel(length_in_metres) {
        const double spacing = length_in_metres / (cells - 1);
        tree.grid = Grid{.columns = cells, .rows = 1, .cell_size = spacing, .west = -0.5 * spacing};
        tree.direction.assign(static_cast<std::size_t>(cells), 4);
        tree.direction[0] = kRoot;
        QuietProgress progress;
        order_tree(tree, progress);
        initial = Field<float>(tree.grid, 0.0F);
        for (int i = 0; i < cells; ++i) {
            length.push_back(i == 0 ? 0.0F : static_cast<float>(spacing));
            celerity.push_back(static_cast<float>(law.celerity(area(x(i)), law.erodibility)));
            uplift.push_back(static_cast<float>(kUplift));
        }
    }

    [[nodiscard]] PathInputs inputs() const { return {length, celerity, uplift}; }
    [[nodiscard]] double x(int cell) const { return tree.grid.x(cell); }
    [[nodiscard]] double area(double at) const { return kStrip * (length_of_channel + kHead - at); }

    /// Time that a signal takes from the outlet to x, yr: the integral of dx / (k A^m).
    [[nodiscard]] double travel_time(double at) const {
        const double m = law.area_exponent;
        const double total = length_of_channel + kHead;
        return (std::pow(total, 1.0 - m) - std::pow(total - at, 1.0 - m)) /
               (law.erodibility * std::pow(kStrip, m) * (1.0 - m));
    }
};

}  // namespace thalweg
