#include "cli/surrounding_settings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace thalweg::cli {
namespace {

/// What names of the raster library's settings begin with.
constexpr std::array<std::string_view, 22> kBeginnings = {
    "GDAL_",    "OGR_",     "OSR_",     "CPL_",    "VSI_",  "GTIFF_", "TIFF_", "COG_",
    "GEOTIFF_", "PNG_",     "JPEG_",    "JPEGMEM", "WEBP_", "ESRI_",  "GPKG_", "SQLITE_",
    "VRT_",     "GEOJSON_", "AAIGRID_", "HFA_",    "DEM_",  "USE_"};
constexpr std::string_view kOverviews = "_OVERVIEW";  // what names of settings for overviews end in

/// Where data and plug-ins lie, and where temporary files go.
constexpr std::array<std::string_view, 3> kKept = {"GDAL_DATA", "GDAL_DRIVER_PATH", "CPL_TMPDIR"};

bool is_raster_setting(std::string_view name) {
    if (std::ranges::find(kKept, name) != kKept.end()) return false;
    return name.ends_with(kOverviews) || std::ranges::any_of(kBeginnings, [&](std::string_view beginning) {
               return name.starts_with(beginning);
           });
}

}  // namespace

void forget_raster_settings() {
    std::vector<std::string> forgotten;
    for (char** setting = environ; *setting != nullptr; ++setting) {
        const std::string_view text = *setting;
        const std::string_view name = text.substr(0, text.find('='));
        if (is_raster_setting(name)) forgotten.emplace_back(name);
    }
    for (const std::string& name : forgotten) ::unsetenv(name.c_str());
}

}  // namespace thalweg::cli
