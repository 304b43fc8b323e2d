// A small river with water in its bed.
#pragma once

#include "thalweg/project/project_file.hpp"
#include "thalweg/project/runner.hpp"

#include <string>

namespace thalweg {

/// A slope of 80 m with a river of a few metres, on cells of half a metre.
inline std::string land(const std::string& more) {
    return R"([project]
name = "brook"
seed = 4
[grid]
extent = [80.0, 80.0]
cells = 160
[[stage]]
use = "shape"
kind = "plane"
height = 4.0
[[stage]]
use = "noise"
mode = "add"
amplitude = 0.5
wavelength = 40.0
[[stage]]
use = "rivers"
min_area = 400.0
bankfull_factor = 400.0
[[stage]]
use = "carve"
)" + more;
}

inline RunResult built(const std::string& more) {
    return run_project(parse_project(land(more), "brook.toml", "", {}), {.write_outputs = false});
}

inline std::string water_at(double time) {
    return "[[stage]]\nuse = \"water\"\nloop_period = 10.0\ntime = " + std::to_string(time) + "\n";
}

}  // namespace thalweg
