// What copies of a BedTree share.
#pragma once

#include "thalweg/riverscape/bed_tree.hpp"
#include "thalweg/riverscape/beds/bed_primitives.hpp"
#include "thalweg/riverscape/beds/cell_lists.hpp"

#include <cstdint>

namespace thalweg {

struct BedTree::Parts {
    Field<float> elevation;
    std::uint64_t seed = 0;
    BedPrimitives primitives;
    CellLists segments;
    CellLists banks;
    CellLists mounds;
    CellLists deflectors;
};

}  // namespace thalweg
