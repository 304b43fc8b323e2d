#include "thalweg/water/blend_flow_tree.hpp"

#include <cmath>
#include <limits>

#include "tests/refusal.hpp"
#include "tests/water/waters.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void expect_same_water(const BlendFlowTree& a, const BlendFlowTree& b, double tolerance) {
    for (const Position& point : drawn_points(300)) {
        const WaterSample here = a.at(point, 3.0);
        const WaterSample there = b.at(point, 3.0);
        ASSERT_NEAR(here.weight, there.weight, tolerance);
        if (here.weight <= 0.0) continue;
        ASSERT_NEAR(here.elevation, there.elevation, tolerance);
        ASSERT_NEAR(here.velocity_x, there.velocity_x, tolerance);
        ASSERT_NEAR(here.foam, there.foam, tolerance);
    }
}

BlendFlowTree tree_of(std::uint64_t first, std::uint64_t end) {
    BlendFlowTree tree({.loop_period = kLoop});
    for (std::uint64_t key = first; key < end; ++key) tree.insert(drawn_primitive(kind_of(key), key));
    return tree;
}

TEST(BlendFlowTree, gives_one_leaf_alone_its_own_water_and_weight) {
    BlendFlowTree tree;
    tree.insert({.x = 2.0, .radius = 2.0, .elevation = 5.0, .amplitude = 0.0, .velocity_x = 1.5});
    const WaterSample water = tree.at({3.0, 0.0}, 4.0);
    EXPECT_EQ(water.elevation, 5.0);
    EXPECT_EQ(water.velocity_x, 1.5);
    EXPECT_DOUBLE_EQ(water.weight, 0.421875);  // (1 - 1/4)^3
    EXPECT_TRUE(std::isnan(tree.at({4.0, 0.0}, 0.0).elevation));
}

TEST(BlendFlowTree, takes_many_at_once_as_one_after_another_or_none_of_them) {
    BlendFlowTree tree({.loop_period = kLoop});
    std::vector<WaterPrimitive> primitives;
    for (std::uint64_t key = 0; key < 5000; ++key) primitives.push_back(drawn_primitive(kind_of(key), key));
    tree.insert_all(primitives);
    EXPECT_EQ(tree.table().primitive, tree_of(0, 5000).table().primitive);
    EXPECT_EQ(tree.table().node, tree_of(0, 5000).table().node);
    EXPECT_EQ(tree.leaves(), 5000);
    BlendFlowTree of_parts({.loop_period = kLoop});
    of_parts.insert_all(std::vector<std::vector<WaterPrimitive>>{
        {primitives.begin(), primitives.begin() + 7}, {}, {primitives.begin() + 7, primitives.end()}});
    EXPECT_EQ(of_parts.table().primitive, tree.table().primitive);
    EXPECT_EQ(of_parts.table().node, tree.table().node);
    primitives[4500].radius = -1.0;
    EXPECT_THAT(refusal_of([&] { tree.insert_all(primitives); }), HasSubstr("radius"));
    EXPECT_EQ(tree.leaves(), 5000);
    tree.insert(primitives[0]);
    EXPECT_EQ(tree.table().primitive.back(), tree.table().primitive[1]);
}

TEST(BlendFlowTree, merges_by_weight) {
    BlendFlowTree tree;
    tree.insert({.x = 0.0, .radius = 4.0, .elevation = 10.0, .amplitude = 0.0});
    tree.insert({.x = 2.0, .radius = 2.0, .elevation = 20.0, .amplitude = 0.0});
    const double a = std::pow(1.0 - 1.0 / 16.0, 3);
    const double b = std::pow(1.0 - 1.0 / 4.0, 3);
    EXPECT_NEAR(tree.at({1.0, 0.0}, 0.0).elevation, (10.0 * a + 20.0 * b) / (a + b), 1e-12);
}

TEST(BlendFlowTree, merges_in_any_order_to_the_same) {
    BlendFlowTree a({.loop_period = kLoop});
    BlendFlowTree b({.loop_period = kLoop});
    for (std::uint64_t key = 0; key < 40; ++key) {
        a.insert(drawn_primitive(kind_of(key), key));
        b.insert(drawn_primitive(kind_of(39 - key), 39 - key));
    }
    expect_same_water(a, b, 1e-12);
}

TEST(BlendFlowTree, flattens_nested_merges_exactly) {
    BlendFlowTree nested({.loop_period = kLoop});
    WaterNode merge = kWaterRoot;
    for (std::uint64_t key = 0; key < 40; ++key) {
        if (key % 5 == 0) merge = nested.insert_merge(key % 10 == 0 ? kWaterRoot : merge);
        nested.insert(drawn_primitive(kind_of(key), key), merge);
    }
    expect_same_water(nested, tree_of(0, 40), 1e-12);
}

TEST(BlendFlowTree, changes_nothing_by_replacing_anything_by_itself) {
    const BlendFlowTree before = mixed_tree();
    BlendFlowTree after = before;
    after.assign(after.replace(kWaterRoot), before);
    EXPECT_EQ(after.leaves(), 2 * before.leaves());
    expect_same_water(before, after, 1e-12);
}

TEST(BlendFlowTree, replaces_wholly_where_the_other_weighs_one_and_not_at_all_where_it_ends) {
    BlendFlowTree tree;
    tree.insert({.radius = 10.0, .elevation = 1.0, .amplitude = 0.0});
    const WaterNode over = tree.replace(kWaterRoot);
    tree.insert({.radius = 2.0, .elevation = 3.0, .amplitude = 0.0}, over);
    EXPECT_EQ(tree.at({0.0, 0.0}, 0.0).elevation, 3.0);
    EXPECT_EQ(tree.at({2.0, 0.0}, 0.0).elevation, 1.0);
    const double w = std::pow(1.0 - 0.25, 3);
    EXPECT_NEAR(tree.at({1.0, 0.0}, 0.0).elevation, 1.0 + 2.0 * w * (2.0 - w), 1e-12);
    // The weight is that of what is replaced.
    EXPECT_NEAR(tree.at({1.0, 0.0}, 0.0).weight, std::pow(1.0 - 0.01, 3), 1e-12);
}

TEST(BlendFlowTree, stays_within_what_it_blends) {
    // The paper's replacement gives -14.7 to 14.6 here.
    BlendFlowTree tree;
    for (int i = 0; i < 60; ++i)
        tree.insert({.x = 0.3 * i, .radius = 1.0 + 0.1 * i, .elevation = 9.0 + (i % 3), .amplitude = 0.0},
                    i < 40 ? kWaterRoot : tree.replace(kWaterRoot));
    for (int i = 0; i < 1000; ++i) {
        const double elevation = tree.at({0.012 * i, 0.1}, 0.0).elevation;
        ASSERT_GE(elevation, 9.0 - 1e-9);
        ASSERT_LE(elevation, 11.0 + 1e-9);
    }
}

TEST(BlendFlowTree, applies_replacements_in_their_order) {
    BlendFlowTree tree;
    tree.insert({.radius = 5.0, .elevation = 1.0, .amplitude = 0.0});
    const WaterNode first = tree.replace(kWaterRoot);
    const WaterNode second = tree.replace(kWaterRoot);
    tree.insert({.radius = 2.0, .elevation = 2.0, .amplitude = 0.0}, first);
    tree.insert({.radius = 2.0, .elevation = 3.0, .amplitude = 0.0}, second);
    EXPECT_EQ(tree.at({0.0, 0.0}, 0.0).elevation, 3.0);
    EXPECT_EQ(tree.parent(first), tree.parent(second));  // one behind the other, not one in the other
}

TEST(BlendFlowTree, fades_the_base_level_in_where_little_covers) {
    BlendFlowTree tree;
    tree.insert({.radius = 2.0, .elevation = 3.0, .amplitude = 0.0, .velocity_x = 1.0});
    tree.set_base_level(1.0);
    EXPECT_EQ(tree.at({5.0, 0.0}, 0.0).elevation, 1.0);
    EXPECT_EQ(tree.at({0.5, 0.0}, 0.0).elevation, 3.0);
    const WaterSample rim = tree.at({1.95, 0.0}, 0.0);
    EXPECT_GT(rim.elevation, 1.0);
    EXPECT_LT(rim.elevation, 1.5);
    EXPECT_LT(rim.velocity_x, 0.25);
}

TEST(BlendFlowTree, keeps_node_numbers_through_every_edit) {
    BlendFlowTree tree({.loop_period = kLoop});
    const WaterNode a = tree.insert({.x = 1.0});
    const WaterNode b = tree.insert({.x = 2.0});
    const WaterNode c = tree.insert({.x = 3.0});
    tree.remove(a);
    EXPECT_FALSE(tree.contains(a));
    EXPECT_EQ(tree.primitive(c).x, 3.0);
    const WaterNode d = tree.insert({.x = 4.0});
    EXPECT_GT(d, c);
    const WaterNode over = tree.replace(b);
    tree.put_into(over, c);
    tree.move(over, 10.0, 1.0);
    EXPECT_EQ(tree.primitive(c).x, 13.0);
    EXPECT_EQ(tree.primitive(b).x, 2.0);
    tree.retune(b, {.kind = WaterKind::Vortex, .x = 2.5, .rotation = 1.0});
    EXPECT_EQ(tree.primitive(b).kind, WaterKind::Vortex);
    EXPECT_EQ(tree.leaves(), 3);
    tree.remove(b);  // with what replaces it
    EXPECT_FALSE(tree.contains(c));
    EXPECT_EQ(tree.leaves(), 1);
    EXPECT_THAT(tree.below(kWaterRoot), ElementsAre(d));
    tree.remove(kWaterRoot);
    EXPECT_THAT(tree.below(kWaterRoot), IsEmpty());
}

TEST(BlendFlowTree, has_the_water_of_what_an_edit_leaves) {
    BlendFlowTree edited = tree_of(0, 30);
    const WaterNode more = edited.insert_merge();
    for (std::uint64_t key = 30; key < 40; ++key) edited.insert(drawn_primitive(kind_of(key), key), more);
    edited.remove(more);
    expect_same_water(edited, tree_of(0, 30), 1e-12);
    edited.assign(edited.insert_merge(), tree_of(30, 50));
    expect_same_water(edited, tree_of(0, 50), 1e-12);
}

TEST(BlendFlowTree, comes_back_from_its_table_as_it_was) {
    BlendFlowTree tree = mixed_tree();
    tree.set_base_level(99.5);
    tree.remove(7);
    const WaterTreeTable table = tree.table();
    const BlendFlowTree back = BlendFlowTree::from_table(table);
    const WaterTreeTable again = back.table();
    EXPECT_EQ(table.setting.loop_period, again.setting.loop_period);
    EXPECT_EQ(table.node, again.node);
    EXPECT_EQ(table.parent, again.parent);
    EXPECT_EQ(table.place, again.place);
    EXPECT_EQ(table.operation, again.operation);
    EXPECT_EQ(table.kind, again.kind);
    EXPECT_EQ(table.primitive, again.primitive);
    EXPECT_EQ(table.next_node, again.next_node);
    expect_same_water(tree, back, 0.0);
}

TEST(BlendFlowTree, refuses_tables_that_are_no_trees) {
    const WaterTreeTable good = mixed_tree().table();
    const auto refusal = [&](const auto& spoil) {
        WaterTreeTable table = good;
        spoil(table);
        return refusal_of([&] { (void)BlendFlowTree::from_table(table); });
    };
    EXPECT_THAT(refusal([](auto&) {}), IsEmpty());
    EXPECT_THAT(refusal([](auto& t) { t.kind.pop_back(); }), HasSubstr("columns differ"));
    EXPECT_THAT(refusal([](auto& t) { t.next_node = -1; }), HasSubstr("next_node"));
    EXPECT_THAT(refusal([](auto& t) { t.node[3] = 2; }), HasSubstr("twice"));
    EXPECT_THAT(refusal([](auto& t) { t.kind[3] = "molten"; }), HasSubstr("no kind of water 'molten'"));
    EXPECT_THAT(refusal([](auto& t) { t.primitive[3].radius = -1.0; }), HasSubstr("radius = -1"));
    EXPECT_THAT(refusal([](auto& t) { t.parent[3] = 2; }), HasSubstr("below a leaf"));
    EXPECT_THAT(refusal([](auto& t) { t.parent[0] = 3; }), HasSubstr("has the parent 3"));
    EXPECT_THAT(refusal([](auto& t) { t.place[3] = 77; }), HasSubstr("has the place"));
    // A circle: two merges below each other.
    BlendFlowTree tree;
    tree.insert_merge(tree.insert_merge());
    WaterTreeTable circle = tree.table();
    circle.parent[1] = 2;
    EXPECT_THAT(refusal_of([&] { (void)BlendFlowTree::from_table(circle); }), HasSubstr("circle"));
}

TEST(BlendFlowTree, refuses_primitives_that_can_be_no_water) {
    BlendFlowTree tree;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto refusal = [&](const WaterPrimitive& primitive) {
        return refusal_of([&] { tree.insert(primitive); });
    };
    EXPECT_THAT(refusal({.radius = 0.0}), HasSubstr("radius = 0"));
    EXPECT_THAT(refusal({.radius = -2.0}), HasSubstr("radius = -2"));
    EXPECT_THAT(refusal({.x = nan}), HasSubstr("x = nan"));
    EXPECT_THAT(refusal({.elevation = nan}), HasSubstr("elevation = nan"));
    EXPECT_THAT(refusal({.velocity_y = 1e9}), HasSubstr("velocity_y"));
    EXPECT_THAT(refusal({.wavelength = 0.0}), HasSubstr("wavelength = 0"));
    EXPECT_THAT(refusal({.foam = 1.5}), HasSubstr("foam = 1.5"));
    EXPECT_THAT(refusal({.seed = 4096}), HasSubstr("seed = 4096"));
    EXPECT_THAT(refusal({.kind = static_cast<WaterKind>(12)}), HasSubstr("no kind 12"));
    EXPECT_EQ(tree.leaves(), 0);
    EXPECT_THAT(refusal_of([] { BlendFlowTree({.loop_period = 0.0}); }), HasSubstr("loop_period = 0 s"));
    EXPECT_THAT(refusal_of([&] { BlendFlowTree({.loop_period = nan}); }), HasSubstr("loop_period = nan s"));
}

TEST(BlendFlowTree, refuses_edits_of_what_is_not_there_and_circles) {
    BlendFlowTree tree;
    const WaterNode outer = tree.insert_merge();
    const WaterNode inner = tree.insert_merge(outer);
    const WaterNode leaf = tree.insert({}, inner);
    EXPECT_THAT(refusal_of([&] { tree.remove(99); }), HasSubstr("no node 99"));
    EXPECT_THAT(refusal_of([&] { tree.insert({}, leaf); }), HasSubstr("is no merge"));
    EXPECT_THAT(refusal_of([&] { tree.retune(outer, {}); }), HasSubstr("is no leaf"));
    EXPECT_THAT(refusal_of([&] { tree.put_into(inner, outer); }), HasSubstr("which lies in it"));
    EXPECT_THAT(refusal_of([&] { tree.put_into(outer, outer); }), HasSubstr("which lies in it"));
    EXPECT_THAT(refusal_of([&] {
                    WaterNode merge = kWaterRoot;
                    for (int i = 0; i < 20; ++i) merge = tree.insert_merge(merge);
                }),
                HasSubstr("at most 16"));
}

}  // namespace
}  // namespace thalweg
