// The colours of a landscape's rock, in maps and on the cut sides of views.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/render/map.hpp"
#include "thalweg/render/view.hpp"
#include "thalweg/rock/formation.hpp"

#include <vector>

namespace thalweg {

/// Names and colours of formations.
std::vector<Category> categories_of(const std::vector<Formation>& formations);

/// Names and colours of the formations of the landscape's rock, by their numbers from 1 on; none without
/// rock.
std::vector<Category> formation_categories(const Landscape& landscape);

/// The rock at the ground, cell by cell, coloured as in cuts; empty without rock or layer `formation`.
Field<Colour> rock_at_ground(const Landscape& landscape);

/// Those that the body has: without plutons, dykes or cover where there are none.
std::vector<Category> formations_of_body(const Landscape& landscape);

/// The ground as droplets have washed it, sRGB; empty without layers ground_red, ground_green and
/// ground_blue.
Field<Colour> washed_ground(const Landscape& landscape);

/// The rock in the ground: its formation's colour, harder beds lighter. Empty without rock. Takes what
/// RockBody::columns takes, and as much memory.
GroundColour rock_in_cuts(const Landscape& landscape, Progress& progress);

}  // namespace thalweg
