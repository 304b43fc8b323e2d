// Which reaches of a network follow which.
#pragma once

#include "thalweg/river/network.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace thalweg {

/// The neighbours of every reach, as lists end to end (compressed sparse rows). A reach is known by its place
/// among the reaches that the graph was made of, which must not change while it is used.
///
/// Above a reach are those that end at the node where it begins, below it those that begin where it ends; the
/// two nodes of a seam, which are those where a reach ends and its `next_down` begins, count as one. Any
/// reaches will do, also ones that no check has passed: where two have one id, the first is meant. O(reaches)
/// to make, about 120 bytes each; every question is answered at once.
///
/// Example:
///     const ReachGraph graph(network.reaches);
///     int sources = 0;
///     for (const std::int32_t reach : graph.downstream_order())
///         sources += graph.above(reach).empty() ? 1 : 0;
class ReachGraph {
  public:
    explicit ReachGraph(std::span<const Reach> reaches);

    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(from_.size()); }

    /// Places in ascending order.
    [[nodiscard]] std::span<const std::int32_t> above(std::int64_t reach) const;
    [[nodiscard]] std::span<const std::int32_t> below(std::int64_t reach) const;
    /// The reaches that begin where this one does, itself too.
    [[nodiscard]] std::span<const std::int32_t> beside(std::int64_t reach) const;

    /// Whether water of reach `above` comes to reach `below`; of a reach to itself it does. O(reaches).
    [[nodiscard]] bool flows_into(std::int64_t above, std::int64_t below) const;

    /// Place of the reach with an id, -1 where there is none.
    [[nodiscard]] std::int64_t place_of(std::int64_t id) const;

    /// All reaches, each after those above it, of several the one with the lowest place first where they come
    /// free at once. Shorter than size() where a way down comes round to itself: what lies on such a way, and
    /// below it, is left out.
    [[nodiscard]] std::vector<std::int32_t> downstream_order() const;

  private:
    /// Lists of reaches by the junction at one of their ends.
    struct Lists {
        std::vector<std::int32_t> first;  // of each junction, in `reach`, and the end of the last
        std::vector<std::int32_t> reach;

        [[nodiscard]] std::span<const std::int32_t> of(std::int32_t junction) const;
    };
    static Lists lists_by(std::span<const std::int32_t> junctions, std::int32_t count);

    std::unordered_map<std::int64_t, std::int32_t> place_;  // of ids
    std::vector<std::int32_t> from_;                        // junction where each reach begins
    std::vector<std::int32_t> to_;                          // and ends
    Lists beginning_;
    Lists ending_;
};

}  // namespace thalweg
