// The lowest links that join basins: a minimum spanning forest.
#pragma once

#include "thalweg/core/progress.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace thalweg {

/// The order in which water takes links: over the lowest saddle, of equal ones the steepest, of equally steep
/// ones the first by rows. No two links of a grid are equal.
struct SaddleKey {
    std::uint32_t saddle = 0;      // its height, ordered_bits
    std::uint32_t gentleness = 0;  // ~ordered_bits of its steepness
    std::uint64_t place = 0;       // 4 times its first cell by rows, and its direction (E, SE, S, SW)

    friend auto operator<=>(const SaddleKey&, const SaddleKey&) = default;

    [[nodiscard]] std::int64_t cell() const { return static_cast<std::int64_t>(place >> 2); }
    [[nodiscard]] std::size_t direction() const { return place & 3; }
};

/// A link between neighbours in two basins: `a` holds its first cell by rows, `b` the other.
struct BasinLink {
    SaddleKey key;
    std::int32_t a = 0;
    std::int32_t b = 0;
};

/// The links of the minimum spanning forest over basins 0 to `basins` - 1, in no particular order, by
/// Boruvka's algorithm: every set of basins takes its lowest link, until no links between sets are left.
/// O(links log basins), serial; polls `progress`.
std::vector<BasinLink> spanning_forest(std::vector<BasinLink> links, std::int64_t basins,
                                       const Progress& progress);

/// Spanning forests of a few of many basins. Keeps 4 bytes for each of the many. Not to be used again once a
/// call was cancelled.
class PartialForest {
  public:
    /// As spanning_forest, where few of the basins 0 to `basins` - 1 have links: O(links log basins) but for
    /// the first call with so many.
    std::vector<BasinLink> find(std::vector<BasinLink> links, std::int64_t basins, const Progress& progress);

  private:
    std::int32_t number_of(std::int32_t basin);

    std::vector<std::int32_t> numbers_;  // per basin: its place in basins_; -1: none
    std::vector<std::int32_t> basins_;   // those that have links
};

/// The link over which a basin's water leaves, and the basin that it leads to.
struct SpillLink {
    std::int32_t into = -1;  // -1: none
    std::int64_t link = -1;  // its place in the forest's list
};

struct RootedForest {
    std::vector<SpillLink> links;        // per basin
    std::vector<std::int32_t> order;     // all basins, each behind the one that it leads to
    std::int64_t closed_components = 0;  // trees that basin 0 does not belong to
};

/// Directs the links of a forest towards basin 0. Trees without it are directed towards their basin with the
/// lowest pit, of equal ones to the first. pit_elevation: of basins 1, 2, ..., m. O(basins), serial.
RootedForest root_forest(const std::vector<BasinLink>& forest, const std::vector<float>& pit_elevation);

}  // namespace thalweg
