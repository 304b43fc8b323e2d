// The blend-flow tree: how primitives of water make one surface.
#pragma once

#include "thalweg/core/chunked_list.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/water/water_primitive.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace thalweg {

/// What a node of the tree does with those below it.
enum class WaterOperation : std::uint8_t {
    Leaf,    // a primitive
    Merge,   // those below weigh in alike, in no order
    Replace  // the first below is replaced by the others, one after the other, where they cover
};

/// Number of a node, which it keeps for good; those of removed nodes are not given again. The root is 0.
using WaterNode = std::int64_t;
inline constexpr WaterNode kWaterRoot = 0;

/// A total weight below which the base level fades in.
inline constexpr double kThinWaterWeight = 0.05;

/// The most replacements and merges that may lie in each other below one root, on the way to a leaf.
inline constexpr int kDeepestWaterTree = 16;

/// A tree as columns, one row a node, for files. Rows are in the order of node numbers.
struct WaterTreeTable {
    WaterSetting setting;
    double base_level = std::numeric_limits<double>::quiet_NaN();  // m
    WaterNode next_node = 1;                                       // the number of the next node
    std::vector<WaterNode> node = {};
    std::vector<WaterNode> parent = {};    // -1 of the root
    std::vector<std::int64_t> place = {};  // among those of the same parent, from 0
    std::vector<WaterOperation> operation = {};
    std::vector<std::string> kind = {};          // name of a leaf's kind, else empty
    std::vector<WaterPrimitive> primitive = {};  // of leaves; `kind` in it is not read
};

/// A tree of primitives, merges and replacements; the root is a merge.
///
///   leaf         alpha = g(|p - c| / R)
///   merge        alpha = sum alpha_i,   f = sum alpha_i f_i / alpha
///   replacement  alpha = alpha_A,   f = (1 - b) f_A + b f_B,   b = S(alpha_B),   S(w) = w (2 - w), 1 from w
///   = 1
///
/// and the same for velocity and foam (Peytavie et al. 2019, section 6.2). Differs in: b, where the paper has
/// 1 - alpha_A and alpha_B, which do not sum to 1; b saturates slowly, so that nothing looks stuck on. Nested
/// merges are the merge of all their leaves; replacing anything by itself changes nothing. Below a total
/// weight w_0 = kThinWaterWeight the base level b_0 fades in: f = (alpha f + w b_0) / (alpha + w), w = w_0 (1
/// - alpha / w_0)^3; velocity and foam fade to 0. Without a base level (NaN) the elevation is that of the
/// leaves wherever there is weight, and NaN, no data, elsewhere.
///
/// Leaves are kept in the form of a record (kept_form). Changes cost O(1), but for the removal of a
/// replacement's parts and for whole subtrees, which cost their size. Errors are Error::input: a node that is
/// not there or is no merge, a primitive that is not allowed, a subtree put below itself, a tree too deep.
///
/// Example:
///     BlendFlowTree river({.loop_period = 30.0});
///     river.insert({.kind = WaterKind::Turbulent, .radius = 4.0, .velocity_x = 1.2});
///     const WaterNode whirls = river.replace(kWaterRoot);
///     river.insert({.kind = WaterKind::Vortex, .x = 1.0, .fall = 0.1, .rotation = 2.0}, whirls);
///     const double elevation = river.at({.x = 0.5, .y = 0.0}, 12.0).elevation;  // m
class BlendFlowTree {
  public:
    /// With kinds of one's own behind those that are built in; at most kMostWaterKinds in all.
    explicit BlendFlowTree(const WaterSetting& setting = {}, std::span<const WaterKindRow> more_kinds = {});

    [[nodiscard]] const WaterSetting& setting() const { return setting_; }
    [[nodiscard]] std::span<const WaterKindRow> kinds() const { return kinds_; }
    [[nodiscard]] double base_level() const { return base_level_; }  // m, NaN: none
    void set_base_level(double level) { base_level_ = level; }

    /// Adds a leaf, or an empty merge, to a merge.
    WaterNode insert(const WaterPrimitive& primitive, WaterNode merge = kWaterRoot);
    /// All of them, in their order: the same, sooner. Of parts: those of the first one, then the next ones.
    void insert_all(std::span<const WaterPrimitive> primitives, WaterNode merge = kWaterRoot);
    void insert_all(std::span<const std::vector<WaterPrimitive>> parts, WaterNode merge = kWaterRoot);
    WaterNode insert_merge(WaterNode merge = kWaterRoot);

    /// An empty merge that replaces `node` where it comes to cover, after all that replace it already. Of the
    /// root: replaces all that is in the tree now, which moves below it.
    WaterNode replace(WaterNode node);

    /// Takes the node away with all below it. A part that is replaced takes what replaces it along; the root
    /// is emptied.
    void remove(WaterNode node);

    /// Puts the node with all below it into a merge.
    void put_into(WaterNode merge, WaterNode node);

    /// Moves all primitives at or below the node, m.
    void move(WaterNode node, double east, double north);

    /// Gives a leaf other numbers.
    void retune(WaterNode leaf, const WaterPrimitive& primitive);

    /// Puts a copy of another tree's root in the place of what is below the merge. The other has the same
    /// kinds.
    void assign(WaterNode merge, const BlendFlowTree& other);

    [[nodiscard]] bool contains(WaterNode node) const;
    [[nodiscard]] WaterOperation operation(WaterNode node) const;
    [[nodiscard]] WaterNode parent(WaterNode node) const;  // -1 of the root
    [[nodiscard]] std::span<const WaterNode> below(WaterNode node) const;
    [[nodiscard]] const WaterPrimitive& primitive(WaterNode leaf) const;
    [[nodiscard]] std::int64_t leaves() const { return leaves_; }

    /// The water at a point [m] and a time [s], by walking the whole tree: O(leaves). The weight is the
    /// root's. For many points there is WaterSurface.
    [[nodiscard]] WaterSample at(Position point, double time) const;

    /// The tree as columns, and back with the same node numbers. Tables from files may hold anything: throws
    /// Error::input unless they are of a tree.
    [[nodiscard]] WaterTreeTable table() const;
    static BlendFlowTree from_table(const WaterTreeTable& table,
                                    std::span<const WaterKindRow> more_kinds = {});

  private:
    struct Node {
        WaterOperation operation = WaterOperation::Merge;
        bool is_removed = false;
        WaterNode parent = -1;
        std::int64_t place = 0;       // among those of the same parent
        std::int64_t primitive = -1;  // of a leaf, index in primitives_
        std::vector<WaterNode> below = {};
    };

    const Node& known(WaterNode node) const;
    const Node& merge_at(WaterNode node) const;
    [[nodiscard]] Node& of(WaterNode node) { return nodes_[static_cast<std::size_t>(node)]; }
    [[nodiscard]] const Node& of(WaterNode node) const { return nodes_[static_cast<std::size_t>(node)]; }
    [[nodiscard]] int depth_of(WaterNode node) const;
    [[nodiscard]] int height_of(WaterNode node) const;
    void check_depth(int depth) const;
    [[nodiscard]] WaterPrimitive kept(const WaterPrimitive& primitive) const;
    WaterNode add(WaterOperation operation, WaterNode parent);
    void append(WaterNode node, WaterNode parent);
    void insert_pieces(std::span<const std::span<const WaterPrimitive>> pieces, WaterNode merge);
    void detach(WaterNode node);
    void forget(WaterNode node);
    void copy_below(const BlendFlowTree& other, WaterNode from, WaterNode to);
    void read_row(const WaterTreeTable& table, std::size_t row);
    void check_shape() const;
    [[nodiscard]] WaterSample sample(WaterNode node, Position point, double time) const;

    WaterSetting setting_;
    std::vector<WaterKindRow> kinds_;
    double base_level_ = std::numeric_limits<double>::quiet_NaN();
    ChunkedList<Node> nodes_;
    ChunkedList<WaterPrimitive> primitives_;
    std::vector<std::int64_t> free_primitives_;
    std::int64_t leaves_ = 0;
};

}  // namespace thalweg
