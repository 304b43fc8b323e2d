// Rivers that stages take in as lines of a file.
#pragma once

#include "thalweg/erosion/drawn_river.hpp"
#include "thalweg/project/stage.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// The lines of `file`, as read_river_lines takes them and check_rivers lets pass on the landscape's grid;
/// none where it is empty.
std::vector<DrawnRiver> rivers_of_file(const std::string& file, const StageContext& context);

}  // namespace thalweg
