#include "thalweg/riverscape/water_edits.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// The leaves at or below a node whose centres lie in the circle of `around`.
void collect_leaves(const BlendFlowTree& tree, WaterNode node, const WaterPrimitive& around,
                    std::vector<WaterNode>& leaves) {
    if (tree.operation(node) == WaterOperation::Leaf) {
        const WaterPrimitive& primitive = tree.primitive(node);
        if (std::hypot(primitive.x - around.x, primitive.y - around.y) <= around.radius)
            leaves.push_back(node);
        return;
    }
    for (const WaterNode below : tree.below(node)) collect_leaves(tree, below, around, leaves);
}

std::vector<WaterNode> leaves_in(const BlendFlowTree& tree, const WaterPrimitive& around) {
    std::vector<WaterNode> leaves;
    collect_leaves(tree, kWaterRoot, around, leaves);
    if (leaves.empty())
        throw Error::input(
            fmt::format("there are no primitives of water within {:g} m of ({:g}, {:g}) m: give a place on a "
                        "river, or a larger radius",
                        around.radius, around.x, around.y));
    return leaves;
}

/// A new primitive at the level of the water at its place, and carried by it.
WaterPrimitive new_primitive(const WaterEdit& edit, const BlendFlowTree& tree) {
    WaterPrimitive primitive = edit.primitive;
    if (!edit.follows) return primitive;
    const Position place{primitive.x, primitive.y};
    const WaterSample water = tree.at(place, 0.0);
    if (!(water.weight > 0.0))
        throw Error::input(
            fmt::format("there is no water at ({:g}, {:g}) m for a primitive to follow: give a place on a "
                        "river, or follows = false with elevation and velocity",
                        place.x, place.y));
    primitive.elevation = water.elevation;
    primitive.velocity_x = water.velocity_x;
    primitive.velocity_y = water.velocity_y;
    const double speed = std::hypot(water.velocity_x, water.velocity_y);
    if (!(speed > 0.0)) return primitive;
    // How fast the water falls along its way, over half a radius.
    const double half = 0.5 * primitive.radius / speed;
    const auto level = [&](double way) {
        const WaterSample at =
            tree.at({place.x + way * water.velocity_x, place.y + way * water.velocity_y}, 0.0);
        return at.weight > 0.0 ? at.elevation : water.elevation;
    };
    primitive.slope = std::max(0.0, (level(-half) - level(half)) / primitive.radius);
    return primitive;
}

WaterPrimitive retuned(WaterPrimitive primitive, double strength) {
    for (double WaterPrimitive::* const member :
         {&WaterPrimitive::amplitude, &WaterPrimitive::fall, &WaterPrimitive::rotation})
        primitive.*member *= strength;
    primitive.foam = std::min(1.0, strength * primitive.foam);
    return primitive;
}

}  // namespace

void WaterEdit::declare(Declaration<WaterEdit>& d) {
    d.choice("command", &WaterEdit::command,
             {{"insert", WaterCommand::Insert, "Adds a primitive, which weighs in with those around."},
              {"replace", WaterCommand::Replace,
               "Adds a primitive that replaces the water where it covers, as a whirlpool does."},
              {"remove", WaterCommand::Remove, "Takes the primitives within the radius away."},
              {"move", WaterCommand::Move, "Moves the primitives within the radius."},
              {"retune", WaterCommand::Retune, "Makes the primitives within the radius rougher or calmer."}},
             {.label = "Command", .unit = "", .sentence = "What is done."});
    d.include(&WaterEdit::primitive);
    d.boolean("follows", &WaterEdit::follows,
              {.label = "Follows the water",
               .unit = "",
               .sentence = "Whether elevation, slope and velocity of a new primitive are those of the water "
                           "at its place.",
               .enabled_when = {equals("command", {"insert", "replace"})}});
    const auto shift = [&](const char* name, double WaterEdit::* member, const char* label,
                           const char* sentence) {
        d.number(name, member,
                 {.label = label,
                  .unit = "m",
                  .sentence = sentence,
                  .minimum = -1e6,
                  .maximum = 1e6,
                  .usual = {-20.0, 20.0},
                  .enabled_when = {equals("command", {"move"})}});
    };
    shift("shift_east", &WaterEdit::shift_east, "Shift to the east", "How far primitives are moved east.");
    shift("shift_north", &WaterEdit::shift_north, "Shift to the north",
          "How far primitives are moved north.");
    d.number("strength", &WaterEdit::strength,
             {.label = "Strength",
              .unit = "1",
              .sentence = "Factor on amplitude, fall, rotation and foam of primitives.",
              .minimum = 0.0,
              .maximum = 10.0,
              .usual = {0.0, 2.0},
              .enabled_when = {equals("command", {"retune"})}});
}

void apply_edit(const WaterEdit& edit, BlendFlowTree& tree) {
    switch (edit.command) {
        case WaterCommand::Insert:
            tree.insert(new_primitive(edit, tree));
            return;
        case WaterCommand::Replace: {
            const WaterPrimitive primitive = new_primitive(edit, tree);
            tree.insert(primitive, tree.replace(kWaterRoot));
            return;
        }
        case WaterCommand::Remove:
            for (const WaterNode leaf : leaves_in(tree, edit.primitive)) tree.remove(leaf);
            return;
        case WaterCommand::Move:
            for (const WaterNode leaf : leaves_in(tree, edit.primitive))
                tree.move(leaf, edit.shift_east, edit.shift_north);
            return;
        case WaterCommand::Retune:
            for (const WaterNode leaf : leaves_in(tree, edit.primitive))
                tree.retune(leaf, retuned(tree.primitive(leaf), edit.strength));
            return;
    }
}

}  // namespace thalweg
