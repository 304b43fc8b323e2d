// Branches of a reach as a graph: which follow which, and how they share its water.
#pragma once

#include "thalweg/meander/river_branches.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg {

inline constexpr std::int32_t kHeadNode = 0;
inline constexpr std::int32_t kEndNode = 1;  // of a braid

/// Of each node, whether water there comes to a node, that itself included. O(branches).
std::vector<bool> nodes_above(const RiverBranches& branches, std::int32_t node);

/// Whether water at one node comes to another, or both are one. O(branches).
bool flows_to(const RiverBranches& branches, std::int32_t from, std::int32_t to);

/// Shares of all branches from their weights, which then sum to 1 at each node: all water that comes to a
/// node leaves it, and the shares of all branches that a section cuts sum to 1. O(branches).
void share_water(RiverBranches& branches);

/// Splits a branch, by its place, at a point of its line, or the inner one next to it, where a new node lies;
/// the lower part has the id and comes last. Returns the node.
std::int32_t split_branch(RiverBranches& branches, std::size_t place, std::size_t point, std::int64_t id);

/// Whether another branch takes the water of one when that is left.
bool can_be_left(const RiverBranches& branches, std::size_t place);

/// Takes a branch away, and those to which no water comes then. Returns all of these.
std::vector<RiverBranch> leave_branch(RiverBranches& branches, std::size_t place);

/// Takes away the branches to which no water comes, and returns them.
std::vector<RiverBranch> leave_dry_branches(RiverBranches& branches);

/// Joins branches that follow each other at nodes where nothing else ends or begins, and numbers nodes anew.
void merge_branches(RiverBranches& branches);

}  // namespace thalweg
