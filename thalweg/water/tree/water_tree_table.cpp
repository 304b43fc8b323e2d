// The blend-flow tree as columns, and back.
#include "thalweg/core/error.hpp"
#include "thalweg/water/blend_flow_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

namespace thalweg {
namespace {

[[noreturn]] void refuse_table(std::int64_t node, const std::string& why) {
    throw Error::input(fmt::format("the table of a blend-flow tree is broken: node {} {}", node, why));
}

/// The number of a kind by its name.
WaterKind kind_named(const std::string& name, std::span<const WaterKindRow> kinds) {
    std::vector<std::string> names;
    for (std::size_t number = 0; number < kinds.size(); ++number) {
        if (name == kinds[number].name) return static_cast<WaterKind>(number);
        names.emplace_back(kinds[number].name);
    }
    throw Error::input(
        fmt::format("there is no kind of water '{}': give one of {}", name, fmt::join(names, ", ")));
}

}  // namespace

WaterTreeTable BlendFlowTree::table() const {
    WaterTreeTable table{
        .setting = setting_, .base_level = base_level_, .next_node = static_cast<WaterNode>(nodes_.size())};
    for (WaterNode node = 0; node < static_cast<WaterNode>(nodes_.size()); ++node) {
        const Node& here = of(node);
        if (here.is_removed) continue;
        const bool is_leaf = here.operation == WaterOperation::Leaf;
        table.node.push_back(node);
        table.parent.push_back(here.parent);
        table.place.push_back(here.place);
        table.operation.push_back(here.operation);
        table.primitive.push_back(is_leaf ? primitive(node) : WaterPrimitive{});
        table.kind.emplace_back(is_leaf ? kinds_[static_cast<std::size_t>(table.primitive.back().kind)].name
                                        : "");
    }
    return table;
}

void BlendFlowTree::read_row(const WaterTreeTable& table, std::size_t row) {
    const WaterNode node = table.node[row];
    const WaterNode parent = table.parent[row];
    if (node < 0 || node >= table.next_node || !of(node).is_removed)
        refuse_table(node, fmt::format("comes twice, or is not below {}", table.next_node));
    if ((node == kWaterRoot) != (parent == -1) || parent < -1 || parent >= table.next_node)
        refuse_table(node, fmt::format("has the parent {}", parent));
    Node& read = of(node);
    read = {.operation = table.operation[row], .parent = parent, .place = table.place[row]};
    if (read.operation != WaterOperation::Leaf) return;
    WaterPrimitive primitive = table.primitive[row];
    primitive.kind = kind_named(table.kind[row], kinds_);
    read.primitive = static_cast<std::int64_t>(primitives_.size());
    primitives_.push_back(kept(primitive));
    ++leaves_;
}

void BlendFlowTree::check_shape() const {
    if (nodes_.empty() || of(kWaterRoot).is_removed || of(kWaterRoot).operation != WaterOperation::Merge)
        refuse_table(kWaterRoot, "is not there, or is no merge");
    for (WaterNode node = 0; node < static_cast<WaterNode>(nodes_.size()); ++node) {
        const Node& here = of(node);
        if (here.is_removed) continue;
        if (here.operation == WaterOperation::Replace && here.below.empty())
            refuse_table(node, "replaces nothing");
        // Climb to the root: who does not get there is in a circle.
        int depth = 0;
        for (WaterNode above = node; above != kWaterRoot; above = of(above).parent)
            if (++depth > kDeepestWaterTree)
                refuse_table(node, fmt::format("lies in a circle, or deeper than {}", kDeepestWaterTree));
    }
}

BlendFlowTree BlendFlowTree::from_table(const WaterTreeTable& table,
                                        std::span<const WaterKindRow> more_kinds) {
    BlendFlowTree tree(table.setting, more_kinds);
    const std::size_t rows = table.node.size();
    if (table.parent.size() != rows || table.place.size() != rows || table.operation.size() != rows ||
        table.kind.size() != rows || table.primitive.size() != rows)
        throw Error::input("the table of a blend-flow tree is broken: its columns differ in length");
    // Numbers of removed nodes take memory too: no file may ask for any amount of it.
    const WaterNode most_nodes = std::max<WaterNode>(1 << 20, 64 * static_cast<WaterNode>(rows));
    if (table.next_node < 1 || table.next_node > most_nodes)
        throw Error::input(
            fmt::format("the table of a blend-flow tree is broken: next_node = {} is not from 1 to {}",
                        table.next_node, most_nodes));
    tree.base_level_ = table.base_level;
    tree.nodes_ = ChunkedList<Node>(static_cast<std::size_t>(table.next_node));
    for (WaterNode node = 0; node < table.next_node; ++node) tree.of(node).is_removed = true;
    for (std::size_t row = 0; row < rows; ++row) tree.read_row(table, row);
    // Hang the nodes below their parents, by their places.
    std::vector<WaterNode> order(table.node);
    std::sort(order.begin(), order.end(), [&](WaterNode a, WaterNode b) {
        return std::tuple(tree.of(a).parent, tree.of(a).place, a) <
               std::tuple(tree.of(b).parent, tree.of(b).place, b);
    });
    for (const WaterNode node : order) {
        if (node == kWaterRoot) continue;
        const Node& parent = tree.known(tree.of(node).parent);
        if (parent.operation == WaterOperation::Leaf) refuse_table(node, "lies below a leaf");
        if (tree.of(node).place != std::ssize(parent.below))
            refuse_table(
                node, fmt::format("has the place {}: {} is next", tree.of(node).place, parent.below.size()));
        tree.append(node, tree.of(node).parent);
    }
    tree.check_shape();
    return tree;
}

}  // namespace thalweg
