#include "thalweg/core/error.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/project_file.hpp"

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr const char* kStarter = R"(# {0}: mountains by the sea, with their rivers.
#
#   thalweg build {0}.toml               builds everything into the folder {0}
#   thalweg build {0}.toml --cells 256   a quick preview of the same landscape
#   thalweg build {0}.toml --seed 13     another landscape
#   thalweg stages erode                 tells every parameter of a stage

[project]
name = "{0}"
seed = 15                       # another number, another landscape

[grid]
extent = [25600.0, 25600.0]     # m, width and height
cells = 512                     # along the longer side

# Land and sea floor to start from: hills as far above as below the mean. What lies below 0 m is sea, by the stage
# erode below.
[[stage]]
use = "noise"
amplitude = 500.0               # m
mean = 80.0                     # m
wavelength = 20000.0            # m, of the largest forms
warp = 3000.0                   # m, by which forms are bent

# Where mountains grow: uplift in metres per year. Where it is below 0 the ground sinks. To paint it with a brush
# instead, see the stage strokes.
[[stage]]
use = "noise"
layer = "uplift"
amplitude = 8.0e-4              # m/yr
mean = 6.0e-4                   # m/yr
wavelength = 18000.0            # m
octaves = 2                     # large forms alone

# Hard and soft rock: how fast rivers cut into it.
[[stage]]
use = "noise"
layer = "erodibility"
amplitude = 2.0e-5              # m^0.2/yr
mean = 2.5e-5                   # m^0.2/yr
wavelength = 5000.0             # m

# Uplift against rivers, landslides and creep, for two million years; inf runs until they balance.
[[stage]]
use = "erode"
time = 2.0e6                    # yr
uplift = "uplift"               # the layer above; a number or a raster file works too
erodibility = "erodibility"
sea_level = 0.0                 # m; without this line there is no sea

# Where water goes: drainage area, slope, order, basins.
[[stage]]
use = "flow"

# Rivers as lines, with discharge, width and depth.
[[stage]]
use = "rivers"
min_area = 2.0e6                # m^2 that must drain through a cell before a river begins

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
