// Flow maps, and maps of foam, depth and shore: textures for game engines.
#pragma once

#include "thalweg/grid/field.hpp"

#include <filesystem>
#include <string>

namespace thalweg {

enum class WaterMap { Flow, Foam, Depth, Shore };

/// The water that maps show, on one grid.
struct MappedWater {
    const Field<float>& depth;           // m, 0 where it is dry
    const Field<float>& velocity_east;   // m/s
    const Field<float>& velocity_north;  // m/s
    const Field<float>& foam;            // 0 to 1
    double time = 0.0;                   // s
    double loop_period = 0.0;            // s
};

/// Throws Error::input unless the name ends in .png.
void check_map_file(const std::filesystem::path& path);

/// Writes a map as a PNG of 8 bits a channel, linear, a pixel a cell, north up:
///
///   Flow    red and green: velocity east and north = (2 byte / 255 - 1) vmax; blue: 255 on water
///   Foam    grey: foam = byte / 255
///   Depth   grey: depth = byte / 255 times the greatest
///   Shore   grey: distance to the nearest dry cell = byte / 255 times the greatest
///
/// vmax and the greatest depth and distance are the least power of 2 in m/s or m that no cell exceeds. Whole
/// or not at all; equal water, equal bytes. Throws Error::failure.
void write_water_map(const std::filesystem::path& path, WaterMap map, const MappedWater& water);

/// Writes what the bytes of that map, in the file called `name`, stand for, as JSON: by channel layer, unit,
/// minimum, maximum, scale and offset (value = byte x scale + offset), time and loop period in s, and where
/// it lies.
void write_map_scale(const std::filesystem::path& path, const std::string& name, WaterMap map,
                     const MappedWater& water);

}  // namespace thalweg
