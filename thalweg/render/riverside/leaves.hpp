// Leaves that drift on water. Private to render.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/render/colour.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace thalweg {

/// Leaves by the square of kLeafLength that their middles lie in.
class Leaves {
  public:
    explicit Leaves(const std::vector<Position>& places);

    /// Linear colour of the leaf at a position; null where there is none. Of two the one named first.
    [[nodiscard]] const Colour* at(Position p) const;

  private:
    struct Leaf {
        Position middle;
        float east = 1.0F;  // unit, along the leaf
        float north = 0.0F;
        Colour colour;
    };
    static std::uint64_t square_of(std::int64_t column, std::int64_t row);

    std::vector<Leaf> leaves_;
    std::unordered_multimap<std::uint64_t, std::size_t> by_square_;
};

}  // namespace thalweg
