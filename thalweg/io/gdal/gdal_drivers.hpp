// What of GDAL is used: formats that hold elevation, on this machine's own disks.
#pragma once

#include <span>

namespace thalweg {

/// The short names of the GDAL drivers that rasters are opened by, and a nullptr behind the last, as GDAL
/// takes them. Others hold no elevation, or fetch it from elsewhere.
std::span<const char* const> elevation_drivers();

/// Makes GDAL ready, once. Where nobody has registered drivers before, only those of elevation_drivers, of
/// vectors and of what is written stay, and every file system of GDAL that reaches over a network is shut:
/// what a file refers to can't contact a host. A program that registers GDAL's drivers itself, before it
/// first reads or writes by Thalweg, keeps all of them.
void register_gdal();

}  // namespace thalweg
