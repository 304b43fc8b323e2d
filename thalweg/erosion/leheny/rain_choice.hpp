// Where a unit of rain goes next, and whether a neighbour stands too high.
#pragma once

#include "thalweg/flow/descent.hpp"

#include <array>
#include <cstdint>

namespace thalweg {

/// Uniform in (0, 1) with 23 random bits: whatever has next to no share of the interval is not chosen at its
/// ends.
constexpr float inner_unit(std::uint64_t bits) {
    return (static_cast<float>(bits >> 41) + 0.5F) * 0x1p-23F;
}

/// The neighbours of a cell of row-major heights that has neighbours on all sides, NaN standing for none.
class RainChoice {
  public:
    /// stride: cells from row to row. links: those to look at. erosivity: E, 1/unit.
    RainChoice(std::int64_t stride, std::uint8_t links, double erosivity);

    /// The direction (directions.hpp) of the neighbour that u in (0, 1) chooses, each lower neighbour i
    /// having a share of exp(-E dh_i), dh_i = h_i - h_0 < 0; -1 where none is lower. Shares are formed from
    /// exp(-E (dh_i - min dh)), which can't overflow, right to 3e-7; what is less likely than 1e-36 of the
    /// likeliest is as likely as that. Same bits on every machine. Source: Leheny 1995.
    [[nodiscard]] int direction(const float* cell, float u) const;

    /// Whether a neighbour is more than `difference` higher than the cell.
    [[nodiscard]] bool has_higher_by(const float* cell, float difference) const;

    [[nodiscard]] std::int64_t step(std::size_t direction) const { return step_[direction]; }
    [[nodiscard]] bool is_joined(std::size_t direction) const { return links_ >> direction & 1; }

  private:
    std::array<std::int64_t, 8> step_{};  // change of the index in each direction
    std::array<float, 8> joined_{};       // 0 for links, NaN for what is not one
    std::uint8_t links_;
    float preference_;  // E log2(e), 1/unit
};

}  // namespace thalweg
