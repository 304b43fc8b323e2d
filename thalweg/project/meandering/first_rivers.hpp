// The rivers that wandering begins with.
#pragma once

#include "thalweg/project/meandering/meander_stage.hpp"
#include "thalweg/river/network.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace thalweg {

/// Those of a file: a network, lines or a table of points. `width` (m) is that of lines without one. Throws
/// Error::input where it can't be read, for lines in degrees, and for a river of which nothing lies on the
/// elevation, where that is given.
RiverNetwork rivers_of(const std::filesystem::path& file, const std::string& crs, double width,
                       const std::optional<Field<float>>& elevation);

/// Those of the file that the parameters name, or of the landscape. Throws Error::input where there are none,
/// and as rivers_of does.
RiverNetwork first_rivers(const MeanderStageParameters& parameters, const StageContext& context);

}  // namespace thalweg
