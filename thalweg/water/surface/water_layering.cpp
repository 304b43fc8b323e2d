#include "thalweg/water/surface/water_layering.hpp"

#include <algorithm>
#include <cstddef>

namespace thalweg {
namespace {

/// The leaves of a merge and of the merges in it, and the replacements among them.
void flatten(const BlendFlowTree& tree, WaterNode merge, std::vector<WaterNode>& leaves,
             std::vector<WaterNode>& replacements) {
    for (const WaterNode child : tree.below(merge)) {
        switch (tree.operation(child)) {
            case WaterOperation::Leaf:
                leaves.push_back(child);
                break;
            case WaterOperation::Merge:
                flatten(tree, child, leaves, replacements);
                break;
            case WaterOperation::Replace:
                replacements.push_back(child);
                break;
        }
    }
}

}  // namespace

WaterLayering::WaterLayering(const BlendFlowTree& tree) {
    leaves_.reserve(static_cast<std::size_t>(tree.leaves()));
    root_ = add_node(tree, kWaterRoot);
}

std::int32_t WaterLayering::add_layer(WaterOperation operation) {
    layers_.push_back({.operation = operation, .first_group = groups_});
    return static_cast<std::int32_t>(layers_.size() - 1);
}

std::int32_t WaterLayering::add_group(std::span<const WaterNode> leaves) {
    const std::int32_t layer = add_layer(WaterOperation::Leaf);
    for (const WaterNode leaf : leaves) leaves_.push_back({leaf, groups_});
    ++groups_;
    return layer;
}

std::int32_t WaterLayering::add_merge(const BlendFlowTree& tree, WaterNode node) {
    std::vector<WaterNode> leaves;
    std::vector<WaterNode> replacements;
    flatten(tree, node, leaves, replacements);
    if (replacements.empty()) return add_group(leaves);
    const std::int32_t merge = add_layer(WaterOperation::Merge);
    std::vector<std::int32_t> parts = {add_group(leaves)};
    for (const WaterNode replacement : replacements) parts.push_back(add_node(tree, replacement));
    layers_[static_cast<std::size_t>(merge)].parts = std::move(parts);
    return merge;
}

std::int32_t WaterLayering::add_node(const BlendFlowTree& tree, WaterNode node) {
    if (tree.operation(node) == WaterOperation::Leaf) return add_group({&node, 1});
    if (tree.operation(node) == WaterOperation::Merge) return add_merge(tree, node);
    const std::int32_t replacement = add_layer(WaterOperation::Replace);
    std::vector<std::int32_t> parts;
    for (const WaterNode child : tree.below(node)) parts.push_back(add_node(tree, child));
    layers_[static_cast<std::size_t>(replacement)].parts = std::move(parts);
    return replacement;
}

void WaterLayering::write_program(std::span<const GroupedPrimitive> cell,
                                  std::vector<std::uint16_t>& program) const {
    if (!cell.empty()) write(root_, cell, program);
}

bool WaterLayering::write(std::int32_t number, std::span<const GroupedPrimitive> cell,
                          std::vector<std::uint16_t>& program) const {
    const Layer& layer = layers_[static_cast<std::size_t>(number)];
    if (layer.parts.empty()) {
        for (const GroupedPrimitive& primitive : cell) program.push_back(primitive.number);
        return !cell.empty();
    }
    const auto first_group = [&](std::int32_t part) {
        return layers_[static_cast<std::size_t>(part)].first_group;
    };
    const bool replaces = layer.operation == WaterOperation::Replace;
    bool is_begun = false;
    std::size_t begin = 0;
    while (begin < cell.size()) {
        // Find the part that the next primitive is of, and all others of that part.
        const auto behind = std::upper_bound(
            layer.parts.begin(), layer.parts.end(), cell[begin].group,
            [&](std::uint32_t group, std::int32_t part) { return group < first_group(part); });
        const std::int32_t part = *(behind - 1);
        std::size_t end = begin + 1;
        while (end < cell.size() && (behind == layer.parts.end() || cell[end].group < first_group(*behind)))
            ++end;
        // Where nothing lies that could be replaced, nothing replaces it.
        if (replaces && !is_begun && part != layer.parts.front()) return false;
        if (is_begun) program.push_back(kPushSums);
        const bool is_written = write(part, cell.subspan(begin, end - begin), program);
        if (is_begun && is_written) program.push_back(replaces ? kReplaceSums : kMergeSums);
        if (is_begun && !is_written) program.pop_back();
        if (replaces && !is_begun && !is_written) return false;
        is_begun = is_begun || is_written;
        begin = end;
    }
    return is_begun;
}

}  // namespace thalweg
