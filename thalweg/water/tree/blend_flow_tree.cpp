#include "thalweg/water/blend_flow_tree.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/water/tree/replacement_share.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// Adds `part` to sums that its weight counts in.
void weigh_in(const WaterSample& part, WaterSample& sum) {
    sum.weight += part.weight;
    sum.elevation += part.weight * part.elevation;
    sum.velocity_x += part.weight * part.velocity_x;
    sum.velocity_y += part.weight * part.velocity_y;
    sum.foam += part.weight * part.foam;
}

/// The sums of weigh_in() as means.
WaterSample mean_of(const WaterSample& sum) {
    if (sum.weight <= 0.0) return {};
    return {sum.elevation / sum.weight, sum.velocity_x / sum.weight, sum.velocity_y / sum.weight,
            sum.foam / sum.weight, sum.weight};
}

WaterSample mixed(const WaterSample& a, const WaterSample& b, double share) {
    return {a.elevation + share * (b.elevation - a.elevation),
            a.velocity_x + share * (b.velocity_x - a.velocity_x),
            a.velocity_y + share * (b.velocity_y - a.velocity_y), a.foam + share * (b.foam - a.foam),
            a.weight};
}

/// Cuts primitives into pieces for one thread each.
void append_pieces(std::span<const WaterPrimitive> primitives,
                   std::vector<std::span<const WaterPrimitive>>& pieces) {
    constexpr std::size_t kPiece = 4096;
    while (!primitives.empty()) {
        pieces.push_back(primitives.first(std::min(kPiece, primitives.size())));
        primitives = primitives.subspan(pieces.back().size());
    }
}

}  // namespace

BlendFlowTree::BlendFlowTree(const WaterSetting& setting, std::span<const WaterKindRow> more_kinds)
    : setting_(setting), kinds_(built_in_water_kinds().begin(), built_in_water_kinds().end()), nodes_(1) {
    check_water_setting(setting);
    kinds_.insert(kinds_.end(), more_kinds.begin(), more_kinds.end());
    if (std::ssize(kinds_) > kMostWaterKinds)
        throw Error::input(fmt::format("{} kinds of water are too many: at most {}, of which {} are built in",
                                       kinds_.size(), kMostWaterKinds, built_in_water_kinds().size()));
}

bool BlendFlowTree::contains(WaterNode node) const {
    return node >= 0 && node < static_cast<WaterNode>(nodes_.size()) && !of(node).is_removed;
}

const BlendFlowTree::Node& BlendFlowTree::known(WaterNode node) const {
    if (!contains(node))
        throw Error::input(
            fmt::format("the blend-flow tree has no node {}: it has {} and some of those below", node,
                        nodes_.size() - 1));
    return of(node);
}

const BlendFlowTree::Node& BlendFlowTree::merge_at(WaterNode node) const {
    if (known(node).operation != WaterOperation::Merge)
        throw Error::input(fmt::format(
            "node {} of the blend-flow tree is no merge: give one, such as the root {}", node, kWaterRoot));
    return of(node);
}

WaterOperation BlendFlowTree::operation(WaterNode node) const {
    return known(node).operation;
}
WaterNode BlendFlowTree::parent(WaterNode node) const {
    return known(node).parent;
}
std::span<const WaterNode> BlendFlowTree::below(WaterNode node) const {
    return known(node).below;
}
const WaterPrimitive& BlendFlowTree::primitive(WaterNode leaf) const {
    if (known(leaf).operation != WaterOperation::Leaf)
        throw Error::input(fmt::format("node {} of the blend-flow tree is no leaf", leaf));
    return primitives_[static_cast<std::size_t>(of(leaf).primitive)];
}

int BlendFlowTree::depth_of(WaterNode node) const {
    int depth = 0;
    for (; node != kWaterRoot; node = of(node).parent) ++depth;
    return depth;
}

int BlendFlowTree::height_of(WaterNode node) const {
    int height = 0;
    for (const WaterNode child : of(node).below) height = std::max(height, 1 + height_of(child));
    return height;
}

void BlendFlowTree::check_depth(int depth) const {
    if (depth > kDeepestWaterTree)
        throw Error::input(
            fmt::format("the blend-flow tree would be {} nodes deep: at most {}", depth, kDeepestWaterTree));
}

WaterPrimitive BlendFlowTree::kept(const WaterPrimitive& primitive) const {
    check_water_primitive(primitive, kinds_);
    return kept_form(primitive, kinds_[static_cast<std::size_t>(primitive.kind)], setting_);
}

void BlendFlowTree::append(WaterNode node, WaterNode parent) {
    of(node).parent = parent;
    of(node).place = std::ssize(of(parent).below);
    of(parent).below.push_back(node);
}

WaterNode BlendFlowTree::add(WaterOperation operation, WaterNode parent) {
    const WaterNode node = static_cast<WaterNode>(nodes_.size());
    nodes_.push_back({.operation = operation});
    append(node, parent);
    return node;
}

WaterNode BlendFlowTree::insert(const WaterPrimitive& primitive, WaterNode merge) {
    merge_at(merge);
    const WaterPrimitive leaf = kept(primitive);
    check_depth(depth_of(merge) + 1);
    const WaterNode node = add(WaterOperation::Leaf, merge);
    if (free_primitives_.empty()) {
        of(node).primitive = static_cast<std::int64_t>(primitives_.size());
        primitives_.push_back(leaf);
    } else {
        of(node).primitive = free_primitives_.back();
        free_primitives_.pop_back();
        primitives_[static_cast<std::size_t>(of(node).primitive)] = leaf;
    }
    ++leaves_;
    return node;
}

void BlendFlowTree::insert_all(std::span<const WaterPrimitive> primitives, WaterNode merge) {
    std::vector<std::span<const WaterPrimitive>> pieces;
    append_pieces(primitives, pieces);
    insert_pieces(pieces, merge);
}

void BlendFlowTree::insert_all(std::span<const std::vector<WaterPrimitive>> parts, WaterNode merge) {
    std::vector<std::span<const WaterPrimitive>> pieces;
    for (const std::vector<WaterPrimitive>& part : parts) append_pieces(part, pieces);
    insert_pieces(pieces, merge);
}

/// Inserts pieces of primitives, each by one thread.
void BlendFlowTree::insert_pieces(std::span<const std::span<const WaterPrimitive>> pieces, WaterNode merge) {
    merge_at(merge);
    check_depth(depth_of(merge) + 1);
    std::vector<std::size_t> starts = {0};
    for (const std::span<const WaterPrimitive> piece : pieces) starts.push_back(starts.back() + piece.size());
    const std::size_t first = primitives_.size();
    primitives_.resize(first + starts.back());
    const auto for_each_piece = [&](const auto& body) {
        parallel_for(0, std::ssize(pieces), 1, [&](std::int64_t begin, std::int64_t end) {
            for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
                for (std::size_t i = 0; i < pieces[k].size(); ++i) body(pieces[k][i], starts[k] + i);
        });
    };
    try {
        for_each_piece([&](const WaterPrimitive& primitive, std::size_t i) {
            primitives_[first + i] = kept(primitive);
        });
    } catch (...) {
        primitives_.resize(first);
        throw;
    }
    const WaterNode first_node = static_cast<WaterNode>(nodes_.size());
    nodes_.resize(nodes_.size() + starts.back());
    std::vector<WaterNode>& below = of(merge).below;
    const std::size_t first_place = below.size();
    below.resize(first_place + starts.back());
    for_each_piece([&](const WaterPrimitive&, std::size_t i) {
        const WaterNode node = first_node + static_cast<WaterNode>(i);
        below[first_place + i] = node;
        of(node) = {.operation = WaterOperation::Leaf,
                    .parent = merge,
                    .place = static_cast<std::int64_t>(first_place + i),
                    .primitive = static_cast<std::int64_t>(first + i)};
    });
    leaves_ += static_cast<std::int64_t>(starts.back());
}

WaterNode BlendFlowTree::insert_merge(WaterNode merge) {
    merge_at(merge);
    check_depth(depth_of(merge) + 1);
    return add(WaterOperation::Merge, merge);
}

WaterNode BlendFlowTree::replace(WaterNode node) {
    known(node);
    // What is replaced already is replaced once more.
    const WaterNode alone = node == kWaterRoot && std::ssize(of(node).below) == 1 ? of(node).below[0] : node;
    if (of(alone).operation == WaterOperation::Replace) return add(WaterOperation::Merge, alone);
    if (node == kWaterRoot) {
        int height = height_of(kWaterRoot);
        check_depth(height + 2);
        std::vector<WaterNode> moved;
        std::swap(moved, of(kWaterRoot).below);
        const WaterNode replacement = add(WaterOperation::Replace, kWaterRoot);
        const WaterNode replaced = add(WaterOperation::Merge, replacement);
        parallel_for(0, std::ssize(moved), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                of(moved[static_cast<std::size_t>(i)]).parent = replaced;
        });
        of(replaced).below = std::move(moved);
        return add(WaterOperation::Merge, replacement);
    }
    const WaterNode parent = of(node).parent;
    if (of(parent).operation == WaterOperation::Replace && of(node).place == 0)
        return add(WaterOperation::Merge, parent);
    // Put a replacement between the node and its parent.
    check_depth(depth_of(node) + 1 + std::max(1, height_of(node)));
    const std::int64_t place = of(node).place;
    const WaterNode replacement = static_cast<WaterNode>(nodes_.size());
    nodes_.push_back({.operation = WaterOperation::Replace, .parent = parent, .place = place});
    of(parent).below[static_cast<std::size_t>(place)] = replacement;
    append(node, replacement);
    return add(WaterOperation::Merge, replacement);
}

void BlendFlowTree::detach(WaterNode node) {
    Node& parent = of(of(node).parent);
    const std::int64_t place = of(node).place;
    if (parent.operation == WaterOperation::Merge) {
        // The last of a merge takes the gap.
        const WaterNode last = parent.below.back();
        parent.below[static_cast<std::size_t>(place)] = last;
        of(last).place = place;
        parent.below.pop_back();
        return;
    }
    parent.below.erase(parent.below.begin() + place);
    for (std::int64_t i = place; i < std::ssize(parent.below); ++i)
        of(parent.below[static_cast<std::size_t>(i)]).place = i;
}

void BlendFlowTree::forget(WaterNode node) {
    for (const WaterNode child : of(node).below) forget(child);
    Node& gone = of(node);
    if (gone.operation == WaterOperation::Leaf) {
        free_primitives_.push_back(gone.primitive);
        --leaves_;
    }
    gone = {.is_removed = true};
}

void BlendFlowTree::remove(WaterNode node) {
    known(node);
    if (node == kWaterRoot) {
        for (const WaterNode child : of(node).below) forget(child);
        of(node).below.clear();
        return;
    }
    const WaterNode parent = of(node).parent;
    if (of(parent).operation == WaterOperation::Replace && of(node).place == 0) return remove(parent);
    detach(node);
    forget(node);
}

void BlendFlowTree::put_into(WaterNode merge, WaterNode node) {
    merge_at(merge);
    known(node);
    for (WaterNode above = merge; above != -1; above = of(above).parent)
        if (above == node)
            throw Error::input(fmt::format(
                "node {} of the blend-flow tree can't be put into {}, which lies in it", node, merge));
    const WaterNode parent = of(node).parent;
    if (of(parent).operation == WaterOperation::Replace && of(node).place == 0)
        throw Error::input(fmt::format(
            "node {} of the blend-flow tree is what replacement {} replaces: put that one", node, parent));
    check_depth(depth_of(merge) + 1 + height_of(node));
    detach(node);
    append(node, merge);
}

void BlendFlowTree::move(WaterNode node, double east, double north) {
    if (known(node).operation == WaterOperation::Leaf) {
        WaterPrimitive moved = primitive(node);
        moved.x += east;
        moved.y += north;
        return retune(node, moved);
    }
    for (const WaterNode child : of(node).below) move(child, east, north);
}

void BlendFlowTree::retune(WaterNode leaf, const WaterPrimitive& primitive) {
    (void)this->primitive(leaf);
    primitives_[static_cast<std::size_t>(of(leaf).primitive)] = kept(primitive);
}

void BlendFlowTree::copy_below(const BlendFlowTree& other, WaterNode from, WaterNode to) {
    for (const WaterNode child : other.of(from).below) {
        const WaterOperation operation = other.of(child).operation;
        if (operation == WaterOperation::Leaf) {
            const WaterNode leaf = add(operation, to);
            of(leaf).primitive = static_cast<std::int64_t>(primitives_.size());
            primitives_.push_back(kept(other.primitive(child)));
            ++leaves_;
        } else {
            copy_below(other, child, add(operation, to));
        }
    }
}

void BlendFlowTree::assign(WaterNode merge, const BlendFlowTree& other) {
    merge_at(merge);
    check_depth(depth_of(merge) + other.height_of(kWaterRoot));
    if (other.kinds_.size() > kinds_.size())
        throw Error::input(fmt::format("a tree with {} kinds of water can't be put into one with {}",
                                       other.kinds_.size(), kinds_.size()));
    // It may be this one.
    const BlendFlowTree copied = other;  // NOLINT(performance-unnecessary-copy-initialization)
    const std::vector<WaterNode> before = of(merge).below;
    for (const WaterNode child : before) forget(child);
    of(merge).below.clear();
    copy_below(copied, kWaterRoot, merge);
}

WaterSample BlendFlowTree::sample(WaterNode node, Position point, double time) const {
    const Node& here = of(node);
    if (here.operation == WaterOperation::Leaf) {
        const WaterPrimitive& p = primitives_[static_cast<std::size_t>(here.primitive)];
        const double weight = water_weight(p, point);
        if (weight <= 0.0) return {};
        WaterSample leaf = kinds_[static_cast<std::size_t>(p.kind)].evaluate(p, point, setting_, time);
        leaf.weight = weight;
        return leaf;
    }
    WaterSample sum;
    if (here.operation == WaterOperation::Merge) {
        for (const WaterNode child : here.below) weigh_in(sample(child, point, time), sum);
        return mean_of(sum);
    }
    WaterSample replaced = sample(here.below[0], point, time);
    for (std::size_t i = 1; i < here.below.size() && replaced.weight > 0.0; ++i) {
        const WaterSample other = sample(here.below[i], point, time);
        if (other.weight > 0.0) replaced = mixed(replaced, other, replacement_share(other.weight));
    }
    return replaced;
}

WaterSample BlendFlowTree::at(Position point, double time) const {
    check_water_time(time);
    WaterSample root = sample(kWaterRoot, point, time);
    if (std::isnan(base_level_)) {
        if (root.weight <= 0.0) root.elevation = std::numeric_limits<double>::quiet_NaN();
        return root;
    }
    // Let the base level in where little covers.
    const double lack = std::max(0.0, 1.0 - root.weight / kThinWaterWeight);
    const double base = kThinWaterWeight * lack * lack * lack;
    const double share = base / (root.weight + base);
    const double weight = root.weight;
    root = mixed(root, {.elevation = base_level_}, share);
    root.weight = weight;
    return root;
}

}  // namespace thalweg
