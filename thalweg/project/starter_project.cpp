#include "thalweg/core/error.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/project_file.hpp"

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr const char* kStarter = R"(# {0}: mountains with their rivers.
#
#   thalweg build {0}.toml               builds everything into the folder {0}
#   thalweg build {0}.toml --cells 256   a quick preview of the same landscape
#   thalweg stages erode                 tells every parameter of a stage

[project]
name = "{0}"
seed = 7                        # another number, another landscape

[grid]
extent = [25600.0, 25600.0]     # m, width and height
cells = 512                     # along the longer side

# Low relief to start from.
[[stage]]
use = "noise"
kind = "gradient"
amplitude = 20.0                # m
mean = 20.0                     # m

# Where mountains grow: uplift in metres per year, painted with a brush.
[[stage]]
use = "strokes"
layer = "uplift"
strokes = [
    {{points = [4000.0, 6000.0, 13000.0, 13500.0, 21000.0, 19000.0], radius = 3000.0, falloff = 7000.0, strength = 1.0e-3}},
    # Everything else rises slowly: without any uplift, lowlands end as a plane.
    {{points = [12800.0, 12800.0], radius = 20000.0, falloff = 1000.0, strength = 5.0e-5}},
]

# Uplift against erosion, until they balance. A number of years instead of inf stops the clock there.
[[stage]]
use = "erode"
time = inf                      # yr
uplift = "uplift"               # the painted layer; a number or a raster file works too

# Where water goes: drainage area, slope, order, basins.
[[stage]]
use = "flow"

# Rivers as lines, with discharge, width and depth.
[[stage]]
use = "rivers"
min_area = 1.0e6                # m^2 that must drain through a cell before a river begins

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
