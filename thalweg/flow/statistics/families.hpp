// The measurers of single families of statistics. Each sets its own fields of a description.
#pragma once

#include "thalweg/flow/survey/river_pieces.hpp"
#include "thalweg/flow/survey/survey.hpp"
#include "thalweg/flow/terrain_statistics.hpp"

namespace thalweg {

void describe_junctions(const Survey& survey, const RiverPieces& rivers, TerrainDescription& description);
void describe_planform(const Survey& survey, const RiverPieces& rivers, TerrainDescription& description);
void describe_tributaries(const Survey& survey, const RiverPieces& rivers, TerrainDescription& description);
void describe_profiles(const Survey& survey, const RiverPieces& rivers, TerrainDescription& description);
void describe_basins(const Survey& survey, const RiverPieces& rivers, TerrainDescription& description);
void describe_pits(const Survey& survey, Progress& progress, TerrainDescription& description);
void describe_slopes(const Survey& survey, TerrainDescription& description);
void describe_slope_area(const Survey& survey, TerrainDescription& description);
void describe_curvature(const Survey& survey, TerrainDescription& description);
void describe_spectra(const Survey& survey, Progress& progress, TerrainDescription& description);
void describe_valley_floors(const Survey& survey, TerrainDescription& description);

}  // namespace thalweg
