// Follows the water down within some rows of a flow tree.
#pragma once

#include "thalweg/flow/flow_tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Rows that are walked together, and what is found there.
struct Strip {
    std::int32_t first_row = 0;
    std::int32_t rows = 0;
    std::span<std::int32_t> room;  // kSourceMargin (donor_rows.hpp) more than the strip has cells

    // A part of `room`: cells whose water from elsewhere, if any, comes from this strip alone, receivers
    // before their donors, numbered from the strip's first cell on.
    std::span<const std::int32_t> order;
    std::vector<std::int32_t> leaving;  // those of them that drain into another strip
};

/// Walks strips, one at a time. Keeps 5 bytes a cell of the largest.
class StripWalker {
  public:
    /// Fills `strip.order` and `strip.leaving`, and the states (waiting_states.hpp) of the strip's cells in
    /// `state`, one for each cell of the tree's grid. No direction may lead off the grid.
    void walk(const FlowTree& tree, Strip& strip, std::uint32_t* state);

  private:
    void read(const FlowTree& tree, const Strip& strip);
    std::int32_t* list_sources(const Strip& strip);
    std::int32_t* follow(const Strip& strip, const std::int32_t* end_of_sources);
    std::int32_t* end_walks(const Strip& strip, std::uint32_t* state, std::int32_t* visited) const;
    void list_leaving(Strip& strip, const std::uint32_t* state) const;

    [[nodiscard]] std::int32_t cells_of(const Strip& strip) const { return strip.rows * columns_; }
    [[nodiscard]] const std::uint8_t* directions() const;

    std::int32_t columns_ = 0;
    // Of the strip's cells, of a row above and one below.
    std::vector<std::uint8_t> direction_;  // with margins
    std::vector<std::uint32_t> state_;
};

}  // namespace thalweg
