// The tree's operators in the form that programs of cells are made from.
#pragma once

#include "thalweg/water/blend_flow_tree.hpp"
#include "thalweg/water/surface/water_cells.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// A primitive that a cell's program may use: its number there, and the group of leaves that it is of.
struct GroupedPrimitive {
    std::uint32_t group = 0;
    std::uint16_t number = 0;
};

/// The operators of a tree, and its leaves in groups: all that merge with each other without anything in
/// between are of one group. Groups are numbered depth first, so that the groups below an operator follow
/// each other.
class WaterLayering {
  public:
    explicit WaterLayering(const BlendFlowTree& tree);

    struct GroupedLeaf {
        WaterNode leaf = 0;
        std::uint32_t group = 0;
    };
    [[nodiscard]] const std::vector<GroupedLeaf>& leaves() const { return leaves_; }

    /// Adds to `program` what evaluates the tree where the primitives of `cell` alone have weight, which are
    /// in the order of their groups. O(primitives of the cell).
    void write_program(std::span<const GroupedPrimitive> cell, std::vector<std::uint16_t>& program) const;

  private:
    /// A group (no parts), or an operator on parts in order.
    struct Layer {
        WaterOperation operation = WaterOperation::Leaf;
        std::uint32_t first_group = 0;
        std::vector<std::int32_t> parts = {};
    };

    std::int32_t add_layer(WaterOperation operation);
    std::int32_t add_group(std::span<const WaterNode> leaves);
    std::int32_t add_node(const BlendFlowTree& tree, WaterNode node);
    std::int32_t add_merge(const BlendFlowTree& tree, WaterNode node);
    bool write(std::int32_t layer, std::span<const GroupedPrimitive> cell,
               std::vector<std::uint16_t>& program) const;

    std::vector<Layer> layers_;
    std::vector<GroupedLeaf> leaves_;
    std::uint32_t groups_ = 0;
    std::int32_t root_ = 0;
};

}  // namespace thalweg
