// Points with numbers to GeoPackage, GeoJSON and CSV, and from CSV.
#pragma once

#include "thalweg/river/network.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace thalweg {

/// A number of every point; NaN is written as nothing.
struct PointColumn {
    std::string name;
    std::vector<double> values = {};
    bool is_whole = false;   // whether they are whole numbers
    bool is_single = false;  // whether they are of single precision, and have so many digits
};

/// Points in the order in which they are written.
struct PointTable {
    std::string layer;  // in vector files
    std::string crs;    // WKT, empty for a local metre grid
    std::vector<RiverPoint> points;
    std::vector<PointColumn> columns;
};

/// Throws Error::input unless the name ends in .gpkg, .geojson, .json or .csv.
void check_point_file(const std::filesystem::path& path);

/// Writes the points, whole or not at all; equal tables, equal bytes. A .csv has the columns x, y, z and
/// those of the table, a line of their names before, and numbers that read back as they were, those of single
/// precision in that; in a GeoPackage or GeoJSON (vectors.hpp) x, y and z are the place, and z is a column
/// too, for programs that draw charts. Peak memory: the file. Throws as check_point_file, and where it can't
/// be written.
///
/// Example:
///     const PointTable springs = {.layer = "spring",
///                                 .points = {{1200.0, 800.0, 640.0}},
///                                 .columns = {{.name = "flow_m3s", .values = {0.02}}}};
///     write_points("springs.csv", springs);
void write_points(const std::filesystem::path& path, const PointTable& table);

/// Reads points from a .csv whose first line names its columns, divided by commas: x and y from those of the
/// names `x` and `y`, and the numbers of `columns`, wherever they stand among others; z is 0. What is empty
/// or "nan" is NaN. Lines without anything are passed over. O(bytes). Throws Error::input where the file
/// can't be read, lacks a column, or a line has too few values or one that is no number.
///
/// Example:
///     const PointTable line = read_points("survey.csv", "x_m", "y_m", {"width_m"});
PointTable read_points(const std::filesystem::path& path, const std::string& x, const std::string& y,
                       const std::vector<std::string>& columns);

}  // namespace thalweg
