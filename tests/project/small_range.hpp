// A project of five stages for tests of runs.
#pragma once

namespace thalweg {

/// A painted range of 64 x 64 cells with its rivers.
inline constexpr const char* kSmallRange = R"([project]
name = "small"
seed = 5
[grid]
extent = [6400.0, 6400.0]
cells = 64
[[stage]]
use = "noise"
amplitude = 20.0
[[stage]]
use = "strokes"
layer = "uplift"
strokes = [{points = [3200.0, 3200.0], radius = 500.0, falloff = 2500.0, strength = 1e-3}]
[[stage]]
use = "erode"
uplift = "uplift"
[[stage]]
use = "flow"
[[stage]]
use = "rivers"
min_area = 3e5
)";

}  // namespace thalweg
