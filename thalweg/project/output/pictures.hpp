// The pictures of a project's landscape.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/render/image.hpp"

#include <string>

namespace thalweg {

/// Draws the map, the view or the map of one layer that `file` asks for, with `title` above maps.
/// With `natural_colours` maps and views show what stage `ground` has left, where it has.
Image draw_picture(const OutputFile& file, const std::string& title, bool natural_colours,
                   const Landscape& landscape, Progress& progress);

}  // namespace thalweg
