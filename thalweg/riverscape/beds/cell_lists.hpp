// Which primitives reach each cell of the plane.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// A rectangle, or the ground within `radius` of a line.
struct Capsule {
    float ax = 0.0F, ay = 0.0F;  // m
    float bx = 0.0F, by = 0.0F;  // m
    float radius = 0.0F;         // m
};

/// A cell that has a list, and its south-west corner.
struct ListedCell {
    std::int64_t cell = 0;
    float west = 0.0F;   // m
    float south = 0.0F;  // m
};

/// The cell that a point lies in, and where in it.
struct CellPlace {
    std::int64_t cell = -1;  // -1: none that may have a list
    float across = 0.0F;     // sides, from 0 to 1
    float up = 0.0F;         // sides, from 0 to 1
};

/// Lists of numbers by square cells, which lie in square tiles, of which only those with lists take memory.
class CellLists {
  public:
    CellLists() = default;
    /// Of capsules numbered in their order; those with a negative radius are left out.
    CellLists(std::span<const Capsule> capsules, float cell_size);

    /// The numbers of capsules that may reach a point, ascending.
    [[nodiscard]] std::span<const std::uint32_t> at(float x, float y) const;

    /// The numbers in `numbers` of all that may reach a point of a rectangle, ascending.
    void list_within(float west, float south, float east, float north,
                     std::vector<std::uint32_t>& numbers) const;

    [[nodiscard]] CellPlace place_of(float x, float y) const;

    [[nodiscard]] float cell_size() const { return 1.0F / per_cell_; }  // m

    /// All cells whose lists hold something, and how many cells there are with them.
    [[nodiscard]] std::vector<ListedCell> listed() const;
    [[nodiscard]] std::int64_t cells() const { return first_.empty() ? 0 : std::ssize(first_) - 1; }
    [[nodiscard]] std::span<const std::uint32_t> in_cell(std::int64_t cell) const;

    [[nodiscard]] std::int64_t bytes() const;

  private:
    static constexpr int kTileCells = 16;  // a side

    float west_ = 0.0F;
    float south_ = 0.0F;
    float per_cell_ = 1.0F;             // 1/m
    int columns_ = 0;                   // tiles
    int rows_ = 0;                      // tiles
    std::vector<std::int32_t> tile_;    // by place in the plane: its place among those with lists, or -1
    std::vector<std::uint32_t> first_;  // by cell of those tiles: of its list in `numbers_`
    std::vector<std::uint32_t> numbers_;
};

}  // namespace thalweg
