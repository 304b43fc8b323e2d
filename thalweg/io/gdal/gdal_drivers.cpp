#include "thalweg/io/gdal/gdal_drivers.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include <cpl_string.h>
#include <cpl_vsi_virtual.h>
#include <gdal_priv.h>
#include <ogr_srs_api.h>

namespace thalweg {
namespace {

/// Without HDF5 and BAG, whose library reads what other files hold, and prints what it can't.
constexpr std::array kElevationDrivers = std::to_array<const char*>(
    {"VRT",      "GTiff",   "HFA",   "AIG",     "AAIGrid",  "GRASSASCIIGrid", "ISG",     "SDTS",
     "DTED",     "PNG",     "JDEM",  "BMP",     "PCRaster", "ILWIS",          "SRTMHGT", "Leveller",
     "Terragen", "netCDF",  "ISIS3", "PDS",     "PDS4",     "GRIB",           "RST",     "GSAG",
     "GSBG",     "GS7BG",   "PNM",   "BT",      "GTX",      "ACE2",           "ROI_PAC", "RRASTER",
     "BYN",      "USGSDEM", "GXF",   "NWT_GRD", "BLX",      "SAGA",           "XYZ",     "HF2",
     "ZMap",     "SIGDEM",  "GPKG",  "ENVI",    "EHdr",     "ISCE",           nullptr});

/// Drivers of networks and of what is written.
constexpr std::array<std::string_view, 4> kOtherDrivers = {"COG", "MEM", "GeoJSON", "ESRI Shapefile"};

/// Beginnings of GDAL's file systems that stay on this machine, and read no other file than the one named.
constexpr std::array<std::string_view, 5> kLocalFileSystems = {"/vsimem", "/vsizip", "/vsigzip", "/vsitar",
                                                               "/vsisubfile"};

bool is_used(std::string_view driver) {
    return std::ranges::find(kOtherDrivers, driver) != kOtherDrivers.end() ||
           std::ranges::any_of(kElevationDrivers,
                               [&](const char* name) { return name != nullptr && driver == name; });
}

/// A file system in which there is nothing.
class ShutFileSystem final : public VSIFilesystemHandler {
  public:
    VSIVirtualHandle* Open(const char*, const char*, bool, CSLConstList) override {
        errno = ENOENT;
        return nullptr;
    }
    int Stat(const char*, VSIStatBufL*, int) override {
        errno = ENOENT;
        return -1;
    }
};

void shut_file_systems() {
    // GDAL frees those that are installed when it ends, and forgets those that were: kept to the very end.
    static std::array<VSIFilesystemHandler*, 256> replaced{};
    const CPLStringList prefixes(VSIGetFileSystemsPrefixes());
    for (int i = 0; i < std::min(prefixes.Count(), static_cast<int>(replaced.size())); ++i) {
        const std::string prefix = prefixes[i];
        if (std::ranges::any_of(kLocalFileSystems,
                                [&](std::string_view local) { return prefix.starts_with(local); }))
            continue;
        replaced[static_cast<std::size_t>(i)] = VSIFileManager::GetHandler(prefix.c_str());
        VSIFileManager::InstallHandler(prefix, std::make_unique<ShutFileSystem>().release());
    }
}

void remove_unused_drivers(GDALDriverManager& manager) {
    for (int i = manager.GetDriverCount() - 1; i >= 0; --i) {
        GDALDriver* const driver = manager.GetDriver(i);
        if (is_used(driver->GetDescription())) continue;
        manager.DeregisterDriver(driver);
        const std::unique_ptr<GDALDriver> freed(driver);
    }
}

}  // namespace

std::span<const char* const> elevation_drivers() {
    return kElevationDrivers;
}

void register_gdal() {
    static std::once_flag registered;
    std::call_once(registered, [] {
        GDALDriverManager& manager = *GetGDALDriverManager();
        const bool is_ours = manager.GetDriverCount() == 0;
        GDALAllRegister();
        if (!is_ours) return;
        remove_unused_drivers(manager);
        shut_file_systems();
        OSRSetPROJEnableNetwork(FALSE);
    });
}

}  // namespace thalweg
