// What a project, or a program, does to rivers while they wander: commands with their values.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/meander/meander_state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

enum class RiverCommand {
    Meander,
    Attract,
    Repel,
    Damp,
    Lock,
    Release,
    Move,
    Split,
    Add,
    Remove,
    Redraw,
    Channel,
    Cutoff,
    Avulse,
    Raise,
    Stage
};

/// A command with the values that it takes; which these are says their declaration.
struct RiverEdit {
    RiverCommand command = RiverCommand::Meander;
    std::vector<double> points = {};    // m: x0, y0, x1, y1, ...
    std::int64_t reach = -1;            // id; -1: the one nearest to the first of the points
    double radius = 500.0;              // m
    double falloff = 500.0;             // m
    double strength = 1.0;              // 1
    double height = 100.0;              // m
    double width = 0.0;                 // m; 0: that of the stage, or as it is
    double discharge = 0.0;             // m^3/s; 0: by the width
    double rate_factor = -1.0;          // 1; -1: as it is
    std::string stage = {};             // name of the stage of an edit of the ground
    std::vector<std::string> set = {};  // "parameter=value"

    static void declare(Declaration<RiverEdit>& declaration);
};

/// One of a project.
struct ScriptedEdit {
    double year = 0.0;
    RiverEdit edit = {};

    static void declare(Declaration<ScriptedEdit>& declaration);
};

/// The command with a name, if there is one. `meander` and `stage` are none: their values are parameters.
std::optional<RiverCommand> river_command(const std::string& name);
std::string name_of(RiverCommand command);

/// An edit of a command with values. Throws Error::input as check_edit, and for those that it doesn't take.
RiverEdit edit_of(const std::string& command, const ValueTable& values);

/// Throws Error::input unless the edit has the values that its command takes, and no others.
void check_edit(const RiverEdit& edit);

/// Whether it changes the ground.
bool changes_ground(const RiverEdit& edit);

/// The stage of an edit of the ground, or `meander`, and the parameters that it is given.
struct StageValues {
    std::string stage;
    ValueTable values;
};
StageValues stage_values(const RiverEdit& edit);

/// Does to rivers what an edit says, which has passed check_edit and is not one by a stage. `width` (m) is
/// that of channels which are added without one. Throws Error::input as the functions of
/// meander/meander_edits.hpp.
void apply_edit(const RiverEdit& edit, double width, MeanderState& state);

}  // namespace thalweg
