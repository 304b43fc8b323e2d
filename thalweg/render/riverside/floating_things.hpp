// Leaves and foam that drift on water. Private to render.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/river_view.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace thalweg {

/// Things by the square that their middles lie in.
class ThingSquares {
  public:
    /// `side`: m, of a square: none of the things reaches farther from its middle.
    ThingSquares(const std::vector<FloatingThing>& things, double side);

    /// Calls visit(number) for all things that may reach to a position, in no order.
    template <class Visit>
    void for_each_near(Position p, const Visit& visit) const {
        if (by_square_.empty()) return;
        for (int j = -1; j <= 1; ++j) {
            for (int i = -1; i <= 1; ++i) {
                const auto [begin, end] = by_square_.equal_range(square_of(p, i, j));
                for (auto entry = begin; entry != end; ++entry) visit(entry->second);
            }
        }
    }

  private:
    /// The square `east` and `north` squares beside that of a position.
    [[nodiscard]] std::uint64_t square_of(Position p, int east, int north) const;

    double side_;
    std::unordered_multimap<std::uint64_t, std::size_t> by_square_;
};

class Leaves {
  public:
    explicit Leaves(const std::vector<FloatingThing>& things);

    /// Linear colour of the leaf at a position; null where there is none. Of two the one named first.
    [[nodiscard]] const Colour* at(Position p) const;

  private:
    struct Leaf {
        Position middle;
        float east = 1.0F;  // unit, along the leaf
        float north = 0.0F;
        Colour colour;
    };

    std::vector<Leaf> leaves_;
    ThingSquares squares_;
};

/// Patches of bubbles, which spread and thin out as they fade.
class FoamPatches {
  public:
    explicit FoamPatches(std::vector<FloatingThing> things);

    /// Share of the water that the patches' bubbles cover at a position. Bubbles move with their patch.
    [[nodiscard]] float at(Position p) const;

  private:
    std::vector<FloatingThing> patches_;
    ThingSquares squares_;
};

}  // namespace thalweg
