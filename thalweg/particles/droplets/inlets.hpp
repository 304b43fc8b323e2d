// Where the rivers of fed springs enter.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/particles/droplets/droplet.hpp"
#include "thalweg/particles/particle_parameters.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// The cells that touch a spring's disc, and at least those around its middle.
std::vector<std::int64_t> inlet_cells(const ParticleSpring& spring, const Grid& grid);

/// Fall of the plane of least squares through the ground of an inlet, m/m: that of the bed, where the disc
/// lies in the middle between banks. elevation: units; cells without data are left out. 0 where the cells
/// give no plane.
Vector2 inlet_fall(const Field<std::int32_t>& elevation, const std::vector<std::int64_t>& cells);

}  // namespace thalweg
