// Files of how wandering rivers change with time: as a table, as JSON for programs, as charts for people.
#pragma once

#include "thalweg/meander/meander_metrics.hpp"

#include <filesystem>
#include <string>

namespace thalweg {

/// Throws Error::input unless the name ends in .csv, .json, .png or .svg.
void check_metrics_file(const std::filesystem::path& path);

/// A line of the columns' names, then for each recorded year one of all channels together, with the reach_id
/// "all", and one of each reach (docs/theory/meander_maps.md describes the columns). What there is none of,
/// as the wavelength of a channel without bends and rates of the first record, is empty.
std::string meander_metrics_csv(const MeanderMetrics& metrics);

/// The same numbers by columns, those of all channels and of each reach that there was, and what they come to
/// over all years, as JSON text, indented by two spaces. What there is none of is null.
std::string meander_metrics_json(const MeanderMetrics& metrics);

/// Writes either, or charts as .png or .svg with `title` above, whole or not at all. Equal metrics give equal
/// bytes. Throws as check_metrics_file, and where it can't be written.
void write_meander_metrics(const std::filesystem::path& path, const MeanderMetrics& metrics,
                           const std::string& title);

}  // namespace thalweg
