// The tables of a project file besides its stages: [project], [grid] and [output].
#pragma once

#include "thalweg/core/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg {

/// [project]: what is built.
struct ProjectSettings {
    std::string name = "landscape";  // output files begin with it
    std::uint64_t seed = 1;

    static void declare(Declaration<ProjectSettings>& declaration);
};

/// [grid]: where it is built, and how finely. Either an extent, or the place of a raster.
struct GridSettings {
    std::vector<double> extent = {25600.0, 25600.0};  // m, width and height
    int cells = 0;     // along the longer side; 0 means kDefaultCells, or those of the raster `from`
    std::string from;  // a raster file that gives place, CRS and cells; wins over `extent`

    static void declare(Declaration<GridSettings>& declaration);
};

inline constexpr int kDefaultCells = 512;

/// [output]: which files are written, and where.
struct OutputSettings {
    std::string directory = "out";
    std::vector<std::string> layers = {"all"};       // names, or "all"
    std::vector<std::string> formats = {"geotiff"};  // geotiff, cog, png16, r16, exr
    std::vector<std::string> networks = {"gpkg"};    // gpkg, geojson
    std::vector<std::string> analyses = {};          // json, png, svg, csv
    std::vector<std::string> pictures = {"map"};     // map, view, layers, courses, river
    bool natural_colours = true;  // whether maps and views show what stage ground leaves, where it does
    std::vector<double> river_eye = {};     // m, x and y of the camera of picture river; empty: chosen
    std::vector<double> river_target = {};  // m, x and y of what it looks at
    double river_eye_height = 1.7;          // m above ground or water

    static void declare(Declaration<OutputSettings>& declaration);
};

/// A table of a project file, for messages and reference pages.
struct SettingsTable {
    std::string name;  // "project", "grid" or "output"
    std::string summary;
    const ParameterTable* parameters = nullptr;
};

/// All three, in the order of project files.
///
/// Example:
///     for (const SettingsTable& table : settings_tables())
///         std::printf("[%s]: %s\n", table.name.c_str(), table.summary.c_str());
const std::vector<SettingsTable>& settings_tables();

}  // namespace thalweg
