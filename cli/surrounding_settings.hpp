// What the environment says to libraries, and what of it counts.
#pragma once

namespace thalweg::cli {

/// Forgets what the environment tells the raster library of how to read and write, so that a project gives
/// the same bytes whatever is set. Where its data and its plug-ins lie still counts (GDAL_DATA,
/// GDAL_DRIVER_PATH, PROJ_DATA, ...). To be called before threads start.
void forget_raster_settings();

}  // namespace thalweg::cli
