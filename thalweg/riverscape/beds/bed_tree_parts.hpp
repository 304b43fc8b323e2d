// What copies of a BedTree share.
#pragma once

#include "thalweg/riverscape/bed_tree.hpp"
#include "thalweg/riverscape/beds/bed_evaluator.hpp"
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

    [[nodiscard]] BedEvaluator evaluator(const BedOutput& output = {}) const {
        return {primitives, elevation, seed, output};
    }

    [[nodiscard]] BedCandidates near(Position position) const {
        const auto x = static_cast<float>(position.x - primitives.origin.x);
        const auto y = static_cast<float>(position.y - primitives.origin.y);
        return {segments.at(x, y), banks.at(x, y), mounds.at(x, y), deflectors.at(x, y)};
    }
};

}  // namespace thalweg
