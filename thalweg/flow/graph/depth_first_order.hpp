// DepthFirstOrder: a flow tree's cells, every subtree in one piece.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// A cell where a walk over a tree comes by.
struct TreeVisit {
    std::int32_t cell;
    std::int32_t links;  // from the cell down to its root
};

/// The cells of a flow tree as a walk upstream finds them that ends every branch before it begins the next: a
/// cell, then all that drains through its first donor, then all that drains through its second one, and so
/// on. What lies below a cell is thus what the walk has passed with fewer links, and can be kept in a stack.
/// Trees come in the order of their roots' cells; donors in no particular one, but always in the same.
/// O(cells), parallel over the runs of the tree's order; the same on any number of threads; keeps 16 bytes a
/// cell from call to call.
class DepthFirstOrder {
  public:
    /// Walks over `tree`, which order_tree has ordered and which does not wrap.
    void find(const FlowTree& tree, const Progress& progress);

    /// `count()` visits. Behind them are kMargin more, to cell 0, that may be read.
    [[nodiscard]] const TreeVisit* visits() const { return visits_.data(); }

    [[nodiscard]] std::int64_t count() const { return count_; }

    /// Of any cell.
    [[nodiscard]] std::int32_t most_links() const { return most_links_; }

    static constexpr std::int64_t kMargin = 16;

  private:
    /// Of a cell: once its place is known, where the next of its donors' subtrees begins; until then below 0:
    /// how many cells drain through it.
    struct Place {
        std::int32_t next;
        std::int32_t links;
    };

    void place_roots(const FlowTree& tree);
    void place_crossing(const FlowTree& tree);
    std::int32_t visit_entries(const FlowTree& tree, std::int64_t first, std::int64_t end);

    // Never cut short, since what is grown again is filled with zeros first.
    std::vector<Place> places_;  // per cell
    std::vector<TreeVisit> visits_;
    std::int64_t count_ = 0;
    std::int32_t most_links_ = 0;
};

}  // namespace thalweg
