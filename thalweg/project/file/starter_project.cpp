#include "thalweg/core/error.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/project_file.hpp"

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr const char* kStarter = R"(# {0}: mountains of folded rock, with their rivers.
#
#   thalweg build {0}.toml               builds everything into the folder {0}
#   thalweg build {0}.toml --cells 256   a quick preview of the same landscape
#   thalweg build {0}.toml --seed 13     another landscape
#   thalweg stages history               tells every parameter of a stage

[project]
name = "{0}"
seed = 15                       # another number, another landscape

[grid]
extent = [25600.0, 25600.0]     # m, width and height
cells = 512                     # along the longer side

# Gentle ground on which the first rivers find their way.
[[stage]]
use = "noise"
amplitude = 50.0                # m
wavelength = 6000.0             # m, of the largest forms

# What the mountains are made of: formations with hard and soft beds, folded, faulted and jointed. Other country:
# table_land, fold_belt, volcanic, badlands, shield.
[[stage]]
use = "rock"
preset = "alpine"

# How they came about: an even, slow uplift, then a block that rises behind a fault, while rivers, debris flows and
# landslides wear them down and lay open the rock. Others: tilted_block, dome, pulses, decay; time = 2e5 stops there.
[[stage]]
use = "history"
preset = "rising_block"
thermal_erosion = 3.0e-3        # m/yr, of landslides

# Flat ground along the rivers.
[[stage]]
use = "floors"
floor_width = 450.0             # m, of a river that drains 1 km^2

# Soil creeps down the slopes between them; strong rock keeps its cliffs.
[[stage]]
use = "hillslopes"
time = 3.0e4                    # yr

# Rivers as lines, with discharge, width and depth.
[[stage]]
use = "rivers"
min_area = 2.0e6                # m^2 that must drain through a cell before a river begins

# What covers the ground: soil, forest, meadows, bare rock, scree and snow, in maps and views and as layers.
[[stage]]
use = "ground"
climate = "alpine"              # temperate, mediterranean, desert, ... : thalweg stages ground
month = 6.2                     # early June

[output]
directory = "{0}"
pictures = ["map", "view"]
)";

}  // namespace

std::string starter_project(const std::string& name) {
    if (!is_plain_name(name))
        throw Error::input(fmt::format("\"{}\" can't name a project: give letters, digits, - and _", name));
    return fmt::format(kStarter, name);
}

}  // namespace thalweg
