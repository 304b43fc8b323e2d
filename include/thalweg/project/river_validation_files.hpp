// Surveyed centrelines from files, and what their comparison found as files.
#pragma once

#include "thalweg/render/river_validation_sheet.hpp"

#include <filesystem>
#include <string>

namespace thalweg {

/// The centreline of a .csv with the columns x_m, y_m and width_m (io/point_table.hpp), downstream. Throws
/// Error::input as read_points and check_surveyed_line (meander/river_validation.hpp) do, with the file's
/// name.
ChannelLine read_surveyed_line(const std::filesystem::path& path);

/// All numbers of a validation, and the rates at the points of the earlier line, indented by two spaces; the
/// same text for the same numbers. docs/validate-river-json.md describes every member.
///
/// Example:
///     const RiverValidation found =
///         validate_river(read_surveyed_line("1987.csv"), read_surveyed_line("2017.csv"), {.years = 30.0},
///         progress);
///     std::puts(river_validation_json({"1987.csv", "2017.csv", 30.0, found}).c_str());
std::string river_validation_json(const NamedValidation& validation);

/// Writes the plots of a validation to `sheet` (.png or .svg) and its numbers to `json`, both or none; an
/// empty name is passed over. Throws as check_sheet does (sheet_files.hpp), and Error::failure.
void write_river_validation(const NamedValidation& validation, const std::filesystem::path& sheet,
                            const std::filesystem::path& json);

}  // namespace thalweg
