// The rivers along which floors are cut: where they run, and what their floors are like.
#pragma once

#include "thalweg/erosion/valley_floors.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// A cell of a river.
struct FloorRiver {
    std::int32_t cell = -1;
    std::int32_t receiver = -1;  // -1: a root
    bool is_main = false;        // whether it brings more than half of its receiver's water
    float length = 0.0F;         // m, to the receiver; of roots, a cell's side
    float half_width = 0.0F;     // m, of the floor that the law asks for; 0 for roots
    float cross_slope = 0.0F;    // m/m, of its floor towards it
    float bank = 0.0F;           // m, from the bed up to the floor
};

struct FloorRivers {
    std::vector<FloorRiver> rivers;    // every receiver before its donors
    std::vector<std::int32_t> number;  // per cell: which of `rivers`, or -1

    [[nodiscard]] bool has(std::int64_t cell) const { return number[static_cast<std::size_t>(cell)] >= 0; }
    [[nodiscard]] const FloorRiver& at_cell(std::int64_t cell) const {
        return rivers[static_cast<std::size_t>(number[static_cast<std::size_t>(cell)])];
    }
};

/// Rivers that drain a fiftieth of `floor_area` and more. O(cells + cells of rivers x 500 m).
FloorRivers floor_rivers(const ValleyFloorInputs& inputs, const ValleyFloorParameters& parameters,
                         Progress& progress);

}  // namespace thalweg
