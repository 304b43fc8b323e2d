#include "thalweg/io/files.hpp"
#include "thalweg/io/gdal/gdal_session.hpp"
#include "thalweg/io/raster.hpp"

#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <cpl_string.h>
#include <gdal_priv.h>

namespace thalweg {
namespace {

/// Whether GDAL takes the file for a description of other rasters.
bool is_view(const std::filesystem::path& path) {
    GDALDriver* driver = GDALDriver::FromHandle(GDALIdentifyDriver(path.c_str(), nullptr));
    return driver != nullptr && std::string_view(driver->GetDescription()) == "VRT";
}

/// Drivers of rasters that may be made of several files. None of them leaves this machine.
constexpr const char* const kDrivers[] = {"VRT", "GTiff", "ENVI", "EHdr", "AAIGrid", "HFA", "PNG", nullptr};

/// The files that GDAL names for a raster; none where it is no raster of these drivers.
std::vector<std::filesystem::path> listed_files(const std::filesystem::path& path) {
    const DatasetPointer dataset(
        GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, kDrivers));
    std::vector<std::filesystem::path> files;
    if (dataset == nullptr) return files;
    const CPLStringList names(dataset->GetFileList());
    for (int i = 0; i < names.Count(); ++i) files.emplace_back(names[i]);
    return files;
}

}  // namespace

std::vector<std::filesystem::path> files_of_raster(const std::filesystem::path& path) {
    const GdalSession session;
    std::vector<std::filesystem::path> files = {path};
    std::set<std::filesystem::path> known = {resolved_place(path)};
    std::error_code unknown;
    // Files are added while this walks them: views name views.
    for (std::size_t next = 0; next < files.size(); ++next) {
        if (!std::filesystem::is_regular_file(files[next], unknown)) continue;
        if (next > 0 && !is_view(files[next])) continue;
        for (const std::filesystem::path& file : listed_files(files[next]))
            if (known.insert(resolved_place(file)).second) files.push_back(file);
    }
    return files;
}

}  // namespace thalweg
