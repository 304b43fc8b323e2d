#include "thalweg/project/meandering/river_edit.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/strokes.hpp"
#include "thalweg/project/parts/layer_edit.hpp"
#include "thalweg/project/stage.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

/// A command, and how many places its points are.
struct CommandRow {
    RiverCommand command;
    const char* name;
    std::size_t least;
    std::size_t most;
    const char* sentence;
};

constexpr std::array kCommands = {
    CommandRow{RiverCommand::Meander, "meander", 0, 0, "Gives the stage's parameters other values (set)."},
    CommandRow{RiverCommand::Attract, "attract", 1, kAny, "Draws channels to a line."},
    CommandRow{RiverCommand::Repel, "repel", 1, kAny, "Drives channels away from a line."},
    CommandRow{RiverCommand::Damp, "damp", 1, kAny, "Lets channels migrate less along a line."},
    CommandRow{RiverCommand::Lock, "lock", 1, kAny, "Lets channels stay where they are along a line."},
    CommandRow{RiverCommand::Release, "release", 1, 1,
               "Takes away what attracts, repels, damps or locks at a place."},
    CommandRow{RiverCommand::Move, "move", 2, 2,
               "Moves the point of a channel that is nearest to the first place to the second, and the line "
               "around it, as far along it as the radius, in a smooth bump."},
    CommandRow{RiverCommand::Split, "split", 1, 1, "Splits a channel at a place, where a node stays."},
    CommandRow{RiverCommand::Add, "add", 2, kAny,
               "Adds a channel, downstream; it flows into the one at whose edge it ends, or has an outlet."},
    CommandRow{RiverCommand::Remove, "remove", 0, 1,
               "Takes a channel away, and those below to which no water comes any more."},
    CommandRow{RiverCommand::Redraw, "redraw", 1, kAny, "Leads a channel along another line."},
    CommandRow{RiverCommand::Channel, "channel", 0, 1,
               "Sets the width of a channel, and how fast it wanders."},
    CommandRow{RiverCommand::Cutoff, "cutoff", 2, 2, "Cuts a channel off between two places."},
    CommandRow{
        RiverCommand::Avulse, "avulse", 2, 2,
        "Lets a channel leave its course at the first place for the second, where another channel is, or "
        "its own further down, or an outlet will be, by the way on which the least must be cut."},
    CommandRow{RiverCommand::Raise, "raise", 1, kAny, "Raises the ground by a brush stroke."},
    CommandRow{RiverCommand::Stage, "stage", 0, 0,
               "Changes the ground by a stage that writes elevation, with the values of set."}};

const CommandRow& row_of(RiverCommand command) {
    return *std::ranges::find(kCommands, command, &CommandRow::command);
}

void check_points(const RiverEdit& edit) {
    const CommandRow& row = row_of(edit.command);
    const std::size_t places = edit.points.size() / 2;
    const std::size_t least = row.least == 0 && row.most > 0 && edit.reach < 0 ? 1 : row.least;
    if (edit.points.size() % 2 != 0 || places < least || places > row.most)
        throw Error::input(
            fmt::format("points of {} hold {} numbers, which is not allowed: give {} pairs x, y", row.name,
                        edit.points.size(),
                        row.most == kAny    ? fmt::format("{} or more", least)
                        : least == row.most ? fmt::format("{}", least)
                                            : fmt::format("{} to {}", least, row.most)));
    if (places > 0) check_stroke({.points = edit.points});
}

/// Names of the values that a command takes, but itself.
std::vector<std::string> values_of(const RiverEdit& edit) {
    const ParameterTable& table = parameters_of<RiverEdit>();
    std::vector<std::string> names;
    for (const Parameter& parameter : table.parameters())
        if (parameter.name != "command" && table.is_enabled(parameter, &edit))
            names.push_back(parameter.name);
    return names;
}

[[noreturn]] void refuse_value(const RiverEdit& edit, const std::string& name) {
    throw Error::input(fmt::format("{} takes no {}: give {}", row_of(edit.command).name, name,
                                   fmt::join(values_of(edit), ", ")));
}

}  // namespace

std::optional<RiverCommand> river_command(const std::string& name) {
    for (const CommandRow& row : kCommands)
        if (row.name == name && row.command != RiverCommand::Meander && row.command != RiverCommand::Stage)
            return row.command;
    return std::nullopt;
}

std::string name_of(RiverCommand command) {
    return row_of(command).name;
}

RiverEdit edit_of(const std::string& command, const ValueTable& values) {
    RiverEdit edit;
    const ParameterTable& table = parameters_of<RiverEdit>();
    table.at("command").set(&edit, Value(command));
    for (const auto& [name, value] : values.entries) {
        const Parameter& parameter = table.at(name);
        if (parameter.name == "command" || !table.is_enabled(parameter, &edit)) refuse_value(edit, name);
    }
    table.assign(&edit, values);
    check_edit(edit);
    return edit;
}

void check_edit(const RiverEdit& edit) {
    const ParameterTable& table = parameters_of<RiverEdit>();
    for (const Parameter& parameter : table.parameters())
        if (!table.is_enabled(parameter, &edit) && parameter.get(&edit) != parameter.default_value)
            refuse_value(edit, parameter.name);
    check_points(edit);
    if (edit.command == RiverCommand::Meander || edit.command == RiverCommand::Stage)
        (void)stage_values(edit);
}

bool changes_ground(const RiverEdit& edit) {
    return edit.command == RiverCommand::Raise || edit.command == RiverCommand::Stage;
}

StageValues stage_values(const RiverEdit& edit) {
    if (edit.command == RiverCommand::Raise) {
        const Stroke stroke{
            .points = edit.points, .radius = edit.radius, .falloff = edit.falloff, .strength = edit.height};
        return {"strokes", {{{"strokes", std::vector<ValueTable>{parameters_of<Stroke>().values(&stroke)}}}}};
    }
    const std::string stage = edit.command == RiverCommand::Meander ? "meander" : edit.stage;
    return {stage, values_of_settings(find_stage(stage), edit.set)};
}

namespace {

/// The value is read by these commands alone.
std::vector<ParameterCondition> commands(const std::vector<RiverCommand>& taking) {
    std::vector<Value> names;
    for (const RiverCommand command : taking) names.emplace_back(name_of(command));
    return {equals("command", names)};
}

/// What strokes are drawn with.
void declare_brush(Declaration<RiverEdit>& d) {
    using enum RiverCommand;
    d.number("radius", &RiverEdit::radius,
             {.label = "Radius",
              .unit = "m",
              .sentence = "Distance from the line with full effect; of move, how far along the channel.",
              .minimum = 0.0,
              .maximum = 1e7,
              .usual = {10.0, 5000.0, SliderScale::Logarithmic},
              .enabled_when = commands({Attract, Repel, Damp, Lock, Move, Raise})});
    d.number("falloff", &RiverEdit::falloff,
             {.label = "Falloff",
              .unit = "m",
              .sentence = "Distance beyond the radius over which the effect fades to nothing.",
              .minimum = 0.0,
              .maximum = 1e7,
              .usual = {10.0, 5000.0, SliderScale::Logarithmic},
              .enabled_when = commands({Attract, Repel, Damp, Lock, Raise})});
    d.number("strength", &RiverEdit::strength,
             {.label = "Strength",
              .unit = "1",
              .sentence = "As a multiple of the rate at which channels migrate; of damp, the share by which "
                          "they do so less.",
              .minimum = 0.0,
              .maximum = 100.0,
              .usual = {0.0, 3.0},
              .enabled_when = commands({Attract, Repel, Damp})});
    d.number("height", &RiverEdit::height,
             {.label = "Height",
              .unit = "m",
              .sentence = "By how much the ground is raised; below 0 it is lowered.",
              .minimum = -1e5,
              .maximum = 1e5,
              .usual = {-100.0, 500.0},
              .enabled_when = commands({Raise})});
}

/// What channels are given.
void declare_channel(Declaration<RiverEdit>& d) {
    using enum RiverCommand;
    d.number("width", &RiverEdit::width,
             {.label = "Width",
              .unit = "m",
              .sentence = "Mean width of the channel; 0 leaves it, or takes channel_width for a new one.",
              .minimum = 0.0,
              .maximum = 1e5,
              .usual = {5.0, 1000.0, SliderScale::Logarithmic},
              .automatic = 0.0,
              .enabled_when = commands({Add, RiverCommand::Channel})});
    d.number("discharge", &RiverEdit::discharge,
             {.label = "Discharge",
              .unit = "m^3/s",
              .sentence = "Mean discharge of a new channel; 0 takes one that suits its width.",
              .minimum = 0.0,
              .maximum = 1e7,
              .usual = {0.1, 1000.0, SliderScale::Logarithmic},
              .automatic = 0.0,
              .enabled_when = commands({Add})});
    d.number("rate_factor", &RiverEdit::rate_factor,
             {.label = "Rate factor",
              .unit = "1",
              .sentence = "By what the migration of the channel is multiplied; -1 leaves it.",
              .minimum = -1.0,
              .maximum = 10.0,
              .usual = {0.0, 2.0},
              .automatic = -1.0,
              .enabled_when = commands({RiverCommand::Channel})});
}

}  // namespace

void RiverEdit::declare(Declaration<RiverEdit>& d) {
    using enum RiverCommand;
    std::vector<thalweg::Choice<RiverCommand>> choices;
    for (const CommandRow& row : kCommands) choices.push_back({row.name, row.command, row.sentence});
    d.choice("command", &RiverEdit::command, choices,
             {.label = "Command", .unit = "", .sentence = "What is done."});
    d.numbers(
        "points", &RiverEdit::points,
        {.label = "Points",
         .unit = "m",
         .sentence = "Places x0, y0, x1, y1, ...: corners of a line, or the places that a command needs.",
         .enabled_when = {{.parameter = "command", .values = {"meander", "stage"}, .is_excluded = true}}});
    d.integer(
        "reach", &RiverEdit::reach,
        {.label = "Reach",
         .unit = "1",
         .sentence = "Id of the channel; -1 takes the one nearest to the first of the points.",
         .minimum = -1.0,
         .maximum = 9007199254740992.0,  // 2^53
         .usual = {0.0, 1e6},
         .automatic = -1.0,
         .enabled_when = commands({Move, Split, Remove, Redraw, RiverCommand::Channel, Cutoff, Avulse})});
    declare_brush(d);
    declare_channel(d);
    d.text("stage", &RiverEdit::stage,
           {.label = "Stage",
            .unit = "",
            .sentence = "Name of the stage that changes the ground.",
            .enabled_when = commands({RiverCommand::Stage})});
    d.texts("set", &RiverEdit::set, {},
            {.label = "Parameters",
             .unit = "",
             .sentence = "Parameters of meander, or of the stage, as \"parameter=value\".",
             .enabled_when = commands({Meander, RiverCommand::Stage})});
}

void ScriptedEdit::declare(Declaration<ScriptedEdit>& d) {
    d.number("year", &ScriptedEdit::year,
             {.label = "Year",
              .unit = "yr",
              .sentence = "When it is done, before the rivers wander on.",
              .minimum = 0.0,
              .maximum = 1e6,
              .usual = {0.0, 2000.0}});
    d.include(&ScriptedEdit::edit);
}

}  // namespace thalweg
