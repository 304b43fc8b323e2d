// Files of lines, points and polygons: the river network, lakes, profiles, knickpoints, basins, catchments.
#pragma once

#include "thalweg/project/landscape.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace thalweg {

/// The names that stand for them in lists of layers.
inline constexpr const char* kRivers = "rivers";
inline constexpr const char* kLakes = "lakes";
inline constexpr const char* kProfiles = "profiles";
inline constexpr const char* kKnickpoints = "knickpoints";
inline constexpr const char* kBasins = "basins";
inline constexpr const char* kCatchments = "catchments";
inline constexpr std::array<const char*, 6> kVectors = {kRivers,      kLakes,  kProfiles,
                                                        kKnickpoints, kBasins, kCatchments};

/// Whether the name stands for lines, points or polygons.
bool names_vectors(std::string_view name);

/// Whether the landscape holds those of that name.
bool has_vectors(const Landscape& landscape, std::string_view name);

/// Throws Error::input unless the file's extension is one that those of that name are written in: .gpkg,
/// .geojson and .json, points as .csv too.
void check_vector_file(const std::filesystem::path& path, std::string_view name);

/// Writes those of that name, which the landscape must hold, whole or not at all (io/vectors.hpp, lakes.hpp,
/// point_table.hpp, basins.hpp). `profiles` are the cells of rivers, layer `profile`, with z their bed:
///
///   stream       number of the stream, which runs from its mouth up by the largest donor to its source
///   flows_into   number of the stream that takes it in; nothing where it ends at an outlet
///   distance_m   to the outlet, along cells
///   area_m2      drainage area
///   chi_m        with the reference area A0
///   ksn          k_sn, m^(2 m/n)
///
/// `knickpoints`, layer `knickpoint`, have these too, and offset_m, height_m, ksn_above and ksn_below
/// (flow/knickpoints.hpp).
void write_vectors(const std::filesystem::path& path, const Landscape& landscape, std::string_view name);

}  // namespace thalweg
