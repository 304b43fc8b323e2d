// The pictures of a project's landscape.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/settings.hpp"
#include "thalweg/render/image.hpp"

#include <string>

namespace thalweg {

/// Draws the map, the view, the river or the map of one layer that `file` asks for, with `title` above maps,
/// as `look` says.
Image draw_picture(const OutputFile& file, const std::string& title, const OutputSettings& look,
                   const Landscape& landscape, Progress& progress);

}  // namespace thalweg
