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

    /// Whether any list may hold something in a rectangle: quickly, by tiles.
    [[nodiscard]] bool may_list_within(float west, float south, float east, float north) const;

    [[nodiscard]] float cell_size() const { return 1.0F / per_cell_; }  // m

    [[nodiscard]] std::int64_t bytes() const;

  private:
    static constexpr int kTileCells = 16;  // a side

    [[nodiscard]] std::span<const std::uint32_t> in_cell(std::int64_t cell) const;

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
